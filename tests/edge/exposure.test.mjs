// A key that was sent to the public API: the client is refused at once, and the service is told behind its back.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { key_of } from '../support/api_key.mjs';
import { get, post, request, run_cases } from './support/cases.mjs';
import { until } from './support/gateway.mjs';
import { plain_answer } from './support/recorder.mjs';
import { connect } from './support/wire.mjs';

const world = run_cases([], { THREADS: 1, TRUSTED_PROXIES: '127.0.0.0/8' });

const page = '/api/public/v1/scheduling/a/b/bookings';
let made = 0;
let key; // one each test: the same is told once in a while
beforeEach(() => {
  key = key_of(`${'kEy0'.repeat(7)}${String((made += 1)).padStart(6, '0')}`);
});

const refused = async (text) => {
  const wire = await connect(world.gateway.port);
  await wire.send(text);
  const answer = await wire.answer({ to_head: text.startsWith('HEAD') });
  wire.close();
  assert.equal(answer.status, 400);
  assert.equal(answer.value('access-control-allow-origin'), '*');
  assert.ok(!answer.body.includes('kEy0'));
  if (!text.startsWith('HEAD')) assert.equal(JSON.parse(answer.body).error.code, 'credential_not_allowed');
};
const reports = () => world.public.text().split(/(?=HEAD \/)/).filter(Boolean);
const told = (count) => until(() => reports().length >= count, `${count} reports came`);
const escaped = (text) => encodeURIComponent(text).replace(/_/g, '%5F');
const base64 = (text) => Buffer.from(text).toString('base64');

for (const [name, place, text] of [
  ['a bearer token', 'Authorization', () => get(page, `Authorization: Bearer ${key}\r\n`)],
  ['Basic credentials', 'Authorization', () => get(page, `Authorization: Basic ${base64(`${key}:`)}\r\n`)],
  ['another field', 'X-Api-Key', () => get(page, `X-Api-Key: ${key}\r\n`)],
  ['a cookie', 'Cookie', () => get(page, `Cookie: a=1; session=${key}\r\n`)],
  ['an escaped cookie', 'Cookie', () => get(page, `Cookie: session=${escaped(key)}\r\n`)],
  ['the query', 'query', () => get(`${page}?key=${key}`)],
  ['the query, escaped', 'query', () => get(`${page}?key=${escaped(key)}`)],
  ['a request id', 'X-Request-Id', () => get(page, `X-Request-Id: ${key}\r\n`)],
]) {
  test(`a key in ${name} is told, in a request of the edge's own`, async () => {
    await refused(text());
    await told(1);
    assert.equal(reports()[0], `HEAD ${page} HTTP/1.1\r\nHost: api.example\r\nX-Exposed-Credential: GET ${place} ${key}\r\n` +
      'X-Forwarded-For: 127.0.0.1\r\nX-Request-Id: *\r\nConnection: close\r\n\r\n');
  });
}

test('neither body nor credentials of the request go on, and its path only without a key', async () => {
  await refused(post(`Authorization: Bearer ${key}\r\nCookie: a=1\r\nUser-Agent: browser/1\r\nX-Forwarded-For: 203.0.113.9\r\nX-Request-Id: id-of-client\r\nContent-Length: 6\r\n`, '{"a":1'.slice(0, 6), `/api/public/v1/${key}/jobs`));
  await told(1);
  assert.equal(reports()[0], `HEAD /api/public/v1 HTTP/1.1\r\nHost: api.example\r\nX-Exposed-Credential: POST Authorization ${key}\r\n` +
    'X-Forwarded-For: 203.0.113.9\r\nX-Request-Id: id-of-client\r\nUser-Agent: browser/1\r\nConnection: close\r\n\r\n');
});

test('the same key again is not told', async () => {
  for (let i = 0; i < 20; i += 1) await refused(get(page, `X-Api-Key: ${key}\r\n`));
  const last = key.replace('sp_live', 'sp_test');
  await refused(get(page, `X-Api-Key: ${last}\r\n`));
  await until(() => reports().some((one) => one.includes(last)), 'the last report came');
  assert.equal(reports().length, 2);
});

test('a service that is away is told later; the client is refused all the same', async () => {
  world.public.on_connect = (socket) => socket.destroy();
  await refused(get(page, `X-Api-Key: ${key}\r\n`));
  await refused(request(`HEAD ${page}`, `X-Api-Key: ${key.replace('sp_live', 'sp_test')}\r\n`));
  world.public.on_connect = undefined;
  const keys = () => new Set(reports().map((one) => one.match(/sp_\w+/)?.[0]));
  await until(() => keys().size === 2, 'both keys are told');
});

test('text in the form of a key with a wrong checksum is none: it passes, and nothing is told', async () => {
  const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  const wire = await connect(world.gateway.port);
  await wire.send(get(page, `X-Api-Key: ${wrong}\r\n`));
  assert.equal((await wire.answer()).status, 200);
  wire.close();
  assert.equal(reports().filter((one) => one.includes('X-Exposed-Credential')).length, 0);
});

const sent_by = (client, name) => refused(get(page, `X-Api-Key: ${key_of(name)}\r\nX-Forwarded-For: ${client}\r\n`));
const outcome = (name) => world.gateway.metric(`recruiting_gateway_exposed_keys_total{outcome="${name}"}`);

test('one who makes up keys is reported 20 times a minute at most, and takes no report from others', async () => {
  for (let i = 0; i < 200; i += 1) await sent_by('203.0.113.20', `made${String(i).padStart(6, '0')}`);
  for (let i = 0; i < 30; i += 1) await sent_by(`2001:db8:7:${i}::1`, `six6${String(i).padStart(6, '0')}`); // one /48
  await sent_by('203.0.113.21', 'real000001');
  await until(() => reports().some((one) => one.includes('real000001')), 'the real one is told');
  assert.equal(reports().filter((one) => one.includes('made')).length, 20);
  assert.equal(reports().filter((one) => one.includes('six6')).length, 20);
  assert.equal(await outcome('over_budget'), 180 + 10);
});

test('what waits to be told is bounded, and a client with several gives way for the first of another', async () => {
  world.public.reply = () => {}; // never answers
  const dropped = await outcome('dropped');
  const many = 100;
  for (let i = 0; i < many; i += 1) await sent_by(`203.0.113.${30 + Math.floor(i / 10)}`, `many${String(i).padStart(6, '0')}`);
  assert.equal(await outcome('dropped') - dropped, many - 64);
  assert.equal(reports().length, 1, 'one at a time');
  world.public.reply = (socket) => socket.write(plain_answer);
  world.public.drop_connections();
  const clients = () => new Set(reports().map((one) => /X-Forwarded-For: ([^\r]+)/.exec(one)?.[1]));
  await until(() => clients().size === 10, 'each client has a report');
});

test('no key is in the log, whatever its place was', async () => {
  await until(() => world.gateway.log().includes('"status":400'), 'the requests are logged');
  assert.ok(!world.gateway.log().includes('kEy0'));
});
