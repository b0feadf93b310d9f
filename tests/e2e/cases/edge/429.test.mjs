// The rate limit: 600 a minute and client, counted in Redis, answered by the edge itself. On gateways of their own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { early_in } from '../../../support/clock.mjs';
import { auth_prefix, close_connections, public_prefix, send } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { behind_gateway, host_of, start_program } from '../../support/programs.mjs';

let gateway, second, small, alone;
before(async () => {
  // Exact across gateways as long as Redis answers in time: on a busy machine that is not 50 ms.
  const patient = { RECRUITING_GATEWAY_REDIS_TIMEOUT: '5s' };
  const limits = { ...patient, RECRUITING_GATEWAY_RATE_LIMIT: '600', RECRUITING_GATEWAY_PUBLIC_RATE_LIMIT: '600' };
  [gateway, second] = [await start_program('gateway', limits), await start_program('gateway', limits)];
  small = await start_program('gateway', { ...patient, RECRUITING_GATEWAY_RATE_LIMIT: '5', RECRUITING_GATEWAY_PUBLIC_RATE_LIMIT: '5' });
  alone = await start_program('gateway', {
    ...patient, RECRUITING_GATEWAY_RATE_LIMIT: '5', RECRUITING_GATEWAY_PUBLIC_RATE_LIMIT: '5',
    ...behind_gateway(null, null),
  }, { ready: false });
});
after(async () => {
  close_connections();
  for (const program of [gateway, second, small, alone]) await program?.stop();
});

const early_in_the_minute = () => early_in(60, 25);

// A new client address for each test and run: counts of the minute before must not matter.
let last = process.pid % 200;
const new_address = () => `127.${1 + (process.pid >> 8) % 250}.${Math.floor(Math.random() * 250)}.${1 + (last += 1) % 250}`;

const burst = (count, one) => {
  let begun = 0;
  const answers = [];
  const worker = async () => {
    while (begun < count) answers.push(await one(begun += 1));
  };
  return Promise.all(Array.from({ length: 32 }, worker)).then(() => answers);
};

const check_429 = (answer, { cors = false } = {}) => {
  assert.equal(answer.status, 429);
  assert.equal(answer.error.code, 'rate_limited');
  const left = (60_000 - answer.at % 60_000) / 1000;
  const told = Number(answer.headers['retry-after']) - left;
  // Rounded up, and reckoned a moment before it came here: on a busy machine a few seconds.
  assert.ok(told >= 0 && told < 5, `Retry-After ${answer.headers['retry-after']}, ${left} s left`);
  assert.match(answer.headers.ratelimit, /^"ip";r=0;t=\d+$/);
  assert.equal(answer.error.details[0].reason, 'gateway', 'each 429 says which limit');
  assert.equal(answer.headers['access-control-allow-origin'], cors ? '*' : undefined);
};

test('exactly 600 pass in one window, under concurrency, across two gateways', async () => {
  await early_in_the_minute();
  const address = new_address();
  const answers = await burst(700, (i) => send('GET', `${auth_prefix}/me`, { key: demo.key, address, base: (i % 2 ? gateway : second).url }));
  const passed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(passed.length, 600);
  assert.equal(refused.length, 100);
  for (const answer of refused.slice(0, 5)) check_429(answer);
  const remaining = passed.map(({ headers }) => Number(headers.ratelimit.match(/r=(\d+)/)[1])).sort((a, b) => a - b);
  assert.deepEqual(remaining, Array.from({ length: 600 }, (_, i) => i), 'each request saw its own remainder');
  for (const { headers } of answers) assert.equal(headers['ratelimit-policy'], '"ip";q=600;w=60');
});

test('refused requests count, and the public API counts apart', async () => {
  await early_in_the_minute();
  const address = new_address();
  const statuses = (await burst(601, () => send('GET', `${auth_prefix}/me`, { address, base: gateway.url }))).map(({ status }) => status);
  assert.deepEqual([statuses.filter((s) => s === 401).length, statuses.filter((s) => s === 429).length], [600, 1]);
  const { status } = await send('GET', `${public_prefix}/organizations/${demo.slug}`, { address, base: gateway.url });
  assert.equal(status, 200);
});

test('another client is not affected; the same one is free again in the next minute', async () => {
  await early_in_the_minute();
  const [address, other] = [new_address(), new_address()];
  const ask = (from) => send('GET', `${auth_prefix}/me`, { address: from, base: alone.url });
  const statuses = [];
  for (let i = 0; i < 6; i += 1) statuses.push((await ask(address)).status);
  assert.deepEqual(statuses, [503, 503, 503, 503, 503, 429]);
  assert.equal((await ask(other)).status, 503);
  await new Promise((done) => setTimeout(done, 60_050 - (Date.now() % 60_000)));
  assert.equal((await ask(address)).status, 503);
});

test('429 also when no service is there, on both prefixes, in both forms', async () => {
  await early_in_the_minute();
  const address = new_address();
  const ask = (path, headers) => send('GET', path, { address, headers, base: alone.url });
  for (const [path, cors] of [[`${auth_prefix}/jobs`, false], [`${public_prefix}/jobs/x`, true]]) {
    for (let i = 0; i < 5; i += 1) {
      const { status, error, headers } = await ask(path);
      assert.equal(status, 503);
      assert.equal(error.code, 'service_unavailable');
      assert.ok(Number(headers['retry-after']) >= 1);
    }
    check_429(await ask(path), { cors });
    const { json } = await ask(path, { Accept: 'application/problem+json' });
    assert.equal(json.code, 'rate_limited');
  }
});

test('the spelling of a path does not move the count', async () => {
  await early_in_the_minute();
  const address = new_address();
  const spellings = ['/api/v1/me', '//api/v1/me', '/api//v1/me', '/api/v1/./me', '/api/x/../v1/me', '/api/v1/%6de', '/%61pi/v1/me', '/api/v1/me?x=1'];
  const { hostname, port } = new URL(`http://${host_of(alone)}`);
  const { default: http } = await import('node:http');
  const status_of = (path) =>
    new Promise((done, fail) => {
      http.get({ hostname, port, path, localAddress: address }, (response) => {
        response.resume();
        response.on('end', () => done(response.statusCode));
      }).on('error', fail);
    });
  const counted = [];
  for (const path of spellings) counted.push(await status_of(path));
  // Each is refused as unsafe (400), is another path (404), or counts: six that count reach the rate limit of five.
  const reaching = counted.filter((status) => status === 503 || status === 429);
  assert.deepEqual(reaching, reaching.map((_, i) => (i < 5 ? 503 : 429)), `${counted}`);
  for (let i = reaching.length; i < 5; i += 1) await status_of('/api/v1/me');
  for (const path of spellings) assert.ok([429, 400, 404].includes(await status_of(path)), `${path} dodges the rate limit`);
});

test('a forged X-Forwarded-For is not the client', async () => {
  await early_in_the_minute();
  const address = new_address();
  const statuses = [];
  for (let i = 0; i < 7; i += 1) {
    statuses.push((await send('GET', `${auth_prefix}/me`, { address, base: alone.url, headers: { 'X-Forwarded-For': `203.0.113.${i}` } })).status);
  }
  assert.deepEqual(statuses, [503, 503, 503, 503, 503, 429, 429]);
});

test('OPTIONS of the public API counts where it is no preflight', async () => {
  await early_in_the_minute();
  const address = new_address();
  const ask = (base, headers) => send('OPTIONS', `${public_prefix}/jobs/x`, { address, headers, base });
  for (let i = 0; i < 5; i += 1) {
    const { status, headers } = await ask(small.url, i % 2 ? { Origin: 'https://careers.example' } : {});
    assert.deepEqual([status, headers.ratelimit?.match(/r=\d+/)[0]], [204, `r=${4 - i}`]);
  }
  check_429(await ask(small.url), { cors: true });
  const preflight = { Origin: 'https://careers.example', 'Access-Control-Request-Method': 'GET' };
  const elsewhere = new_address();
  for (const [headers, counted] of [[{}, true], [preflight, false]]) {
    const answer = await send('OPTIONS', `${public_prefix}/jobs/x`, { address: elsewhere, headers, base: alone.url, expect: 503 });
    assert.equal('ratelimit' in answer.headers, counted);
  }
});

test('preflights of the public API are not counted', async () => {
  await early_in_the_minute();
  const address = new_address();
  const headers = { Origin: 'https://careers.example', 'Access-Control-Request-Method': 'GET' };
  for (let i = 0; i < 12; i += 1) await send('OPTIONS', `${public_prefix}/jobs/x`, { address, headers, base: small.url, expect: 204 });
  const { headers: limits } = await send('GET', `${public_prefix}/jobs/x`, { address, base: small.url, expect: 404 });
  assert.match(limits.ratelimit, /r=4;/);
});
