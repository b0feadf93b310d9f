// An API key must never be sent to the public API: refused, whatever field or parameter holds it, and never echoed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get_public, public_prefix, send } from '../../support/client.mjs';
import { demo, settings_of } from '../../support/environment.mjs';
import { make_organization } from '../../support/organization.mjs';

let secret;
before(async () => { secret = (await (await make_organization()).key('jobs:read')).secret; });
after(close_connections);

const path = `/organizations/${demo.slug}`;
const check = async (options, where = path) => {
  const { error, text } = await get_public(where, { ...options, expect: 400 });
  assert.equal(error.code, 'credential_not_allowed');
  assert.ok(!text.includes(secret), 'the answer repeats the key');
};

test('as bearer token', () => check({ headers: { Authorization: `Bearer ${secret}` } }));
test('as bare Authorization', () => check({ headers: { Authorization: secret } }));
test('in another header', () => check({ headers: { 'X-Api-Key': secret } }));
test('in the query', () => check({ query: { api_key: secret } }));
test('in the query, percent-encoded', () => check({ query: `key=${secret.replace('sp_', '%73p%5F')}` }));
test('on a list and on the document', async () => {
  await check({ query: { q: secret } }, `${path}/jobs`);
  await check({ query: { key: secret } }, '/openapi.json');
});
test("in a booking's body, sent to the service or through the gateway", async () => {
  const { RECRUITING_PUBLIC_API_LISTEN: address } = settings_of('public-api');
  const booking = `${public_prefix}/scheduling/${'0'.repeat(32)}/${'0'.repeat(32)}/bookings`;
  for (const where of [{}, { base: `http://${address}`, direct: true }]) {
    const body = JSON.stringify({ email: 'a@b.example', slotStart: '2026-11-23T13:00Z', note: secret });
    const { error, text } = await send('POST', booking, { ...where, body, headers: { 'Content-Type': 'application/json' }, expect: 400 });
    assert.equal(error.code, 'credential_not_allowed');
    assert.deepEqual([error.details[0].location, error.details[0].field], ['body', '']);
    assert.ok(!text.includes(secret));
  }
});
test("in a page's form", async () => {
  const answer = await send('POST', `/interviews/${'x'.repeat(43)}/cancel`, {
    body: `note=${secret}`, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, expect: 400 });
  assert.ok(!answer.text.includes(secret));
});
test('in OPTIONS: a preflight, and one that is none', async () => {
  const preflight = { Origin: 'https://careers.example', 'Access-Control-Request-Method': 'GET' };
  for (const headers of [preflight, {}]) {
    const answer = await send('OPTIONS', public_prefix + path, { headers: { ...headers, 'X-Api-Key': secret }, expect: 400 });
    assert.equal(answer.error.code, 'credential_not_allowed');
    assert.equal(answer.headers['access-control-allow-origin'], '*');
  }
});
test('a browser can not send one: a preflight does not allow Authorization', async () => {
  const answer = await send('OPTIONS', public_prefix + path, {
    headers: { Origin: 'https://careers.example', 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' }, expect: 204,
  });
  assert.doesNotMatch(answer.headers['access-control-allow-headers'], /authorization/i);
});
test('other Authorization values are ignored: a JWT of the embedding site, Basic', async () => {
  for (const Authorization of ['Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln', 'Bearer something-else', 'Basic eDp5', 'Negotiate abc'])
    await get_public(path, { headers: { Authorization } });
});
test('text that merely contains sp_test_, or a key with another checksum, is ignored', async () => {
  const mistyped = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
  for (const text of ['sp_test_', 'sp_live_abc', 'x sp_test_ideas', `${secret.slice(0, 8)}${'a'.repeat(40)}`, mistyped])
    await get_public(path, { query: { q: text }, headers: { 'X-Note': text } });
});
test('what is no key is ignored', async () => {
  await get_public(path, { query: { api_key: 'abc' }, headers: { 'X-Api-Key': 'abc' } });
});
