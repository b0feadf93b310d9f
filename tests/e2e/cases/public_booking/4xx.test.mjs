// What a booking page meets when something is wrong: the envelope, with CORS, for every operation of scheduling.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get_public, public_prefix, send } from '../../support/client.mjs';
import { early_in } from '../../../support/clock.mjs';
import { make_interview } from '../../../support/interviews.mjs';

const json = { 'Content-Type': 'application/json' };
const Origin = 'https://careers.example';
const unknown = '0199c1a1c3d87f02b5a6e4d17c930f58';
const no_token = 'A'.repeat(43);

let world, path, slot;
before(async () => {
  world = await make_interview({ days: 3 });
  path = `/scheduling/${world.job}/${world.stage}`;
  slot = (await get_public(`${path}/slots`)).json.data[0].slotStart;
});
after(close_connections);

const refused = async (method, where, options, status, code) => {
  const answer = await send(method, public_prefix + where, { ...options, headers: { Origin, ...options.headers }, expect: status });
  assert.equal(answer.error.code, code, answer.text);
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  assert.equal(answer.headers['cache-control'], 'no-store');
  return answer;
};
const ask = (body, status, code, { where = `${path}/bookings`, headers = json, ...more } = {}) =>
  refused('POST', where, { headers, body: typeof body === 'string' ? body : JSON.stringify(body), ...more }, status, code);
// Addresses are counted for a day, whatever run they are of.
let asked = 0;
const address = (name) => `${name}@${world.organization.slug}.example`;
const good = () => ({ email: address(`somebody.${(asked += 1)}`), slotStart: slot });

test('400: all that is wrong with a request is told at once', async () => {
  const { error } = await ask({ email: 'no address', slotStart: 'tomorrow', timeZone: 'Mars/Olympus' }, 400, 'invalid_request');
  assert.deepEqual(error.details.map(({ field }) => field).sort(), ['email', 'slotStart', 'timeZone']);
  for (const body of ['', '{', '[]', '"x"', '{"email":1,"slotStart":2}', '{"email":"a@b.example"}', '{"email":"a@b.example","email":"a@b.example"}']) {
    await ask(body, 400, 'invalid_request');
  }
  await ask({ ...good(), email: `${'x'.repeat(65)}@mail.example` }, 400, 'invalid_request');
  await refused('GET', `${path}/slots`, { query: { from: 'x', to: 'y', timeZone: 'z' } }, 400, 'invalid_request');
  await refused('GET', `/scheduling/manage/${no_token}/slots`, { query: { from: 'x' } }, 400, 'invalid_request').catch((error) => {
    // A token that opens nothing may be told first.
    assert.match(error.message, /404/);
  });
});

test('404: a job, a stage or a time that is not in the schedule', async () => {
  const elsewhere = (job, stage) => ({ where: `/scheduling/${job}/${stage}/bookings` });
  await ask(good(), 404, 'not_found', elsewhere(unknown, world.stage));
  await ask(good(), 404, 'not_found', elsewhere(world.job, unknown));
  await ask(good(), 404, 'not_found', elsewhere('x', 'y'));
  await ask({ ...good(), slotStart: new Date(Date.parse(slot) + 60_000).toISOString() }, 404, 'not_found');
  await ask({ ...good(), slotStart: '2020-01-01T00:00:00Z' }, 404, 'not_found');
  await refused('GET', `/scheduling/${unknown}/${world.stage}/slots`, {}, 404, 'not_found');
});

test('404: every operation of a link that opens nothing, whatever it looks like', async () => {
  for (const token of [no_token, 'x', unknown]) {
    for (const rest of ['', '/slots', '/invite.ics']) await refused('GET', `/scheduling/manage/${token}${rest}`, {}, 404, 'not_found');
    await refused('POST', `/scheduling/manage/${token}/reschedule`, { headers: json, body: JSON.stringify({ slotStart: slot }) }, 404, 'not_found');
    await refused('POST', `/scheduling/manage/${token}/cancel`, {}, 404, 'not_found');
  }
});

test('405, 413, 415', async () => {
  for (const [method, where] of [['GET', `${path}/bookings`], ['POST', `${path}/slots`], ['DELETE', `/scheduling/manage/${no_token}`], ['GET', `/scheduling/manage/${no_token}/cancel`]]) {
    const { headers } = await refused(method, where, {}, 405, 'method_not_allowed');
    assert.match(headers.allow, /OPTIONS/);
  }
  for (const bytes of [5000, 20_000]) { // beyond the operation's limit, and beyond public-api's for every request
    for (const where of [`${path}/bookings`, `/scheduling/manage/${no_token}/reschedule`]) {
      const body = { ...good(), more: 'x'.repeat(bytes) };
      const plain = await ask(body, 413, 'payload_too_large', { where });
      assert.equal(plain.headers['content-type'], 'application/json');
      const Accept = 'application/problem+json';
      const answer = await send('POST', public_prefix + where, { headers: { ...json, Origin, Accept }, body: JSON.stringify(body), expect: 413 });
      assert.equal(answer.headers['content-type'], Accept, `${where}, ${bytes} bytes`);
      assert.equal(answer.json.code, 'payload_too_large');
    }
  }
  const page = await send('POST', `/interviews/${no_token}/cancel`, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' }, body: 'x'.repeat(20_000), expect: 413,
  });
  assert.match(page.headers['content-type'], /^text\/html/);
  await ask(good(), 415, 'unsupported_media_type', { headers: { 'Content-Type': 'text/plain' } });
});

test('429: an address of the internet for one job, and an e-mail address from one network', async () => {
  await early_in(3600, 30);
  const times = async (count, options) => {
    for (let i = 0; i < count; i += 1) await send('POST', `${public_prefix}${path}/bookings`, { headers: json, ...options(i), expect: 200 });
  };
  const from = (client, email) => () => ({ address: client, body: JSON.stringify({ ...good(), email }) });
  await times(10, (i) => ({ address: '127.7.0.1', body: JSON.stringify({ ...good(), email: address(`limit${i}`) }) }));
  const one = await ask({ ...good(), email: address('limit10') }, 429, 'rate_limited', { address: '127.7.0.1' });
  assert.ok(Number(one.headers['retry-after']) >= 1);
  assert.equal(one.error.details[0].reason, 'booking_client', 'each 429 says which limit');
  assert.match(one.headers.ratelimit, /^"booking_client";r=0;t=\d+, "ip";r=\d+;t=\d+$/, 'and RateLimit fits it');
  assert.match(one.headers['ratelimit-policy'], /^"booking_client";q=10;w=3600, "ip";q=\d+;w=60$/);
  await times(5, from('127.7.0.2', address('Limited')));
  const two = await ask({ ...good(), email: address('limited') }, 429, 'rate_limited', { address: '127.7.0.3' });
  assert.equal(two.error.details[0].reason, 'booking_address');
  assert.match(two.headers.ratelimit, /^"booking_address";r=0;t=\d+, "ip";r=\d+;t=\d+$/);
  await times(1, from('127.7.0.3', address('unlimited')));
  await times(1, from('127.7.1.3', address('limited'))); // another network has its own count
  for (const where of [`/scheduling/${unknown}/${world.stage}/bookings`, `/scheduling/${world.job}/${unknown}/bookings`]) {
    const hidden = await ask({ ...good(), email: address('limited') }, 404, 'not_found', { where, address: '127.7.0.3' });
    assert.match(hidden.headers.ratelimit, /^"ip";r=\d+;t=\d+$/, 'an unknown job shows no booking limit');
  }
});

test('preflight of every operation', async () => {
  for (const where of [`${path}/slots`, `${path}/bookings`, ...['', '/slots', '/reschedule', '/cancel', '/invite.ics'].map((rest) => `/scheduling/manage/${no_token}${rest}`)]) {
    const answer = await send('OPTIONS', public_prefix + where, { headers: { Origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' }, expect: 204 });
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.doesNotMatch(answer.headers['access-control-allow-headers'], /authorization/i);
  }
});
