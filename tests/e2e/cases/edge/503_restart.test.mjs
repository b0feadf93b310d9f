// Each program killed and started again on its own: the others keep answering, nothing needs a restart. On instances of
// the test's own, so that no other test notices.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auth_prefix, close_connections, public_prefix, send } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { early_in } from '../../../support/clock.mjs';
import { await_condition, behind_gateway, start_program } from '../../support/programs.mjs';

let auth_api, public_api, gateway;
before(async () => {
  auth_api = await start_program('auth-api'); // one by one: what has started is stopped when the next one fails
  public_api = await start_program('public-api');
  gateway = await start_program('gateway', { ...behind_gateway(auth_api, public_api), RECRUITING_GATEWAY_RATE_LIMIT: '1000000' });
});
after(async () => {
  close_connections();
  for (const program of [gateway, auth_api, public_api]) await program?.stop();
});

const ask = (path) => send('GET', path, { key: path.startsWith(auth_prefix) ? demo.key : undefined, base: gateway.url });
const me = () => ask(`${auth_prefix}/me`);
const organization = () => ask(`${public_prefix}/organizations/${demo.slug}`);

test('auth-api killed: 503 with Retry-After, public API untouched; back: 200 at once', async () => {
  for (let round = 0; round < 3; round += 1) {
    assert.equal((await me()).status, 200);
    await auth_api.kill();
    const refused = await me();
    assert.equal(refused.status, 503);
    assert.equal(refused.error.code, 'service_unavailable');
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.equal((await organization()).status, 200);
    await auth_api.start();
    await await_condition(async () => (await me()).status === 200, 'the gateway finds auth-api again');
  }
});

test('public-api killed: 503 with CORS, authenticated API untouched', async () => {
  await public_api.kill();
  const refused = await organization();
  assert.equal(refused.status, 503);
  assert.equal(refused.headers['access-control-allow-origin'], '*');
  assert.equal((await me()).status, 200);
  await public_api.start();
  await await_condition(async () => (await organization()).status === 200, 'the gateway finds public-api again');
});

test('gateway killed and started: at once as before', async () => {
  await gateway.kill();
  await gateway.start();
  assert.equal((await me()).status, 200);
});

test('requests in flight while auth-api is killed: 200 or 503, nothing else', async () => {
  const statuses = new Set();
  let running = true;
  const workers = Array.from({ length: 16 }, async () => {
    while (running) statuses.add((await me()).status);
  });
  for (let round = 0; round < 3; round += 1) {
    await new Promise((done) => setTimeout(done, 200));
    await auth_api.kill();
    await auth_api.start();
  }
  running = false;
  await Promise.all(workers);
  assert.deepEqual([...statuses].filter((status) => ![200, 503].includes(status)), []);
});

test('SIGTERM: what was begun is answered, and the program ends with 0', async () => {
  const inflight = Array.from({ length: 50 }, me);
  await auth_api.stop();
  for (const { status } of await Promise.all(inflight)) assert.ok([200, 503].includes(status));
  assert.equal(auth_api.exit_code(), 0);
  await auth_api.start();
  await await_condition(async () => (await me()).status === 200, 'auth-api is back');
});

test('PostgreSQL out of reach: started, not ready, 503 in the API\'s form, never an unaudited answer', async () => {
  const lost = await start_program('auth-api',
    { RECRUITING_AUTH_API_DATABASE_URL: 'postgresql://recruiting_auth:x@127.0.0.1:9/recruiting' }, { ready: false });
  try {
    assert.equal(await lost.health('/healthz'), 200);
    assert.equal(await lost.health('/readyz'), 503);
    const answer = await send('GET', `${auth_prefix}/me`, { key: demo.key, base: lost.url, direct: true, expect: 503 });
    assert.equal(answer.error.code, 'service_unavailable');
    const anonymous = await send('GET', `${auth_prefix}/me`, { base: lost.url, direct: true, expect: 401 });
    assert.equal(anonymous.error.code, 'missing_credential');
  } finally {
    await lost.stop();
  }
});

test('Redis out of reach: the gateway counts locally and keeps the rate limit', async () => {
  const lost = await start_program('gateway', {
    RECRUITING_REDIS_URL: 'redis://127.0.0.1:9', RECRUITING_GATEWAY_RATE_LIMIT: '5',
    ...behind_gateway(auth_api, public_api),
  }, { ready: false });
  try {
    await early_in(60, 20);
    const statuses = [];
    for (let i = 0; i < 7; i += 1) statuses.push((await send('GET', `${auth_prefix}/me`, { key: demo.key, base: lost.url, address: '127.0.66.1' })).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
  } finally {
    await lost.stop();
  }
});
