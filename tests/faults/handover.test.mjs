// A process takes over from a running one on the same addresses: only once it can serve, and without a refused request.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { free_port } from '../support/free_port.mjs';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { start_process } from './support/process.mjs';
import { until } from './support/wait.mjs';
import { auth_api_settings, programs, public_api_settings, start_database } from './support/world.mjs';

const handovers = 10;

/** Processes of one service that share its addresses. */
const make_service = async (t, folder, name, settings) => {
  const [port, admin_port] = [await free_port(), await free_port()];
  const prefix = `RECRUITING_${name.toUpperCase().replace('-', '_')}`;
  const addresses = { [`${prefix}_LISTEN`]: `127.0.0.1:${port}`, [`${prefix}_ADMIN_LISTEN`]: `127.0.0.1:${admin_port}` };
  let count = 0;
  return {
    port,
    admin_port,
    readiness: async () => ask({ port: admin_port, path: '/readyz', timeout: 5_000 }),
    /** Returns at once; started(): it serves. */
    begin(more = {}) {
      const log = join(folder, `${name}-${(count += 1)}.log`);
      const child = start_process([join(programs(), `recruiting-${name}`), []], { log, env: { ...settings, ...addresses, ...more } });
      t.after(() => child.end());
      const events = () => readFileSync(log, 'utf8').split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
      const started = () => until(() => {
        child.check();
        return events().some(({ event }) => event === 'started');
      }, `${name} serves`);
      return { ...child, events, started };
    },
  };
};

/** Asks again and again, each time on a new connection. end(): { answered, failed: { what: how often } }. */
const start_load = (targets, workers) => {
  const tally = { answered: 0, failed: {} };
  let running = true;
  const work = async (target) => {
    while (running) {
      const outcome = await ask({ ...target, timeout: 30_000 }).then(({ status }) => status, (error) => error.code ?? error.message);
      tally.answered += 1;
      if (outcome !== (target.status ?? 200)) tally.failed[`${target.name}: ${outcome}`] = (tally.failed[`${target.name}: ${outcome}`] ?? 0) + 1;
    }
  };
  const all = targets.flatMap((target) => Array.from({ length: workers }, () => work(target)));
  return {
    answered: () => tally.answered,
    async end() {
      running = false;
      await Promise.all(all);
      return tally;
    },
  };
};

const start_world = async (t) => {
  const { folder, postgres, recruitctl } = await start_database(t, 'handover');
  await recruitctl('organization', 'create', '--slug', 'acme', '--name', 'Acme');
  await recruitctl('member', 'add', '--organization', 'acme', '--email', 'a@acme.example', '--name', 'A', '--role', 'admin');
  const { secret } = await recruitctl('key', 'create', '--organization', 'acme', '--owner', 'a@acme.example', '--name', 'k', '--scope', '*', '--expires-in', '30d');
  const authenticated = { path: '/api/v1/jobs', headers: { authorization: `Bearer ${secret}` } };
  return { folder, postgres, authenticated };
};

test('ten handovers of auth-api under load refuse no request, directly and behind the gateway', { timeout: 300_000 }, async (t) => {
  const { folder, postgres, authenticated } = await start_world(t);
  const settings = { ...auth_api_settings(folder, postgres), RECRUITING_AUTH_API_DRAIN_DELAY: '500ms' };
  const service = await make_service(t, folder, 'auth-api', settings);
  let current = service.begin();
  await current.started();
  const gateway = await start_instance(1, {
    name: 'gateway', program: join(programs(), 'recruiting-gateway'), folder,
    settings: {
      RECRUITING_GATEWAY_AUTH_API: `127.0.0.1:${service.port}`, RECRUITING_GATEWAY_AUTH_API_HEALTH: `:${service.admin_port}`,
      RECRUITING_GATEWAY_RATE_LIMIT: '1000000', RECRUITING_REDIS_URL: 'redis://127.0.0.1:9',
    },
  });
  t.after(() => gateway.end('SIGKILL'));
  const targets = [
    { name: 'direct', port: service.port, ...authenticated },
    { name: 'gateway', port: gateway.port, ...authenticated },
  ];
  await until(async () => (await ask({ ...targets[1], timeout: 5_000 })).status === 200, 'the gateway finds auth-api');
  const load = start_load(targets, 3);
  for (let round = 0; round < handovers; round += 1) {
    const next = service.begin();
    await next.started();
    const before = load.answered();
    await current.end('SIGTERM');
    assert.equal(current.end_state(), 0);
    await until(() => load.answered() > before + 20, 'the successor serves');
    current = next;
  }
  const { answered, failed } = await load.end();
  assert.deepEqual(failed, {}, `of ${answered} requests`);
  const took_over = (await ask({ port: service.admin_port, path: '/metrics', timeout: 5_000 })).text;
  assert.match(took_over, /^recruiting_took_over 1$/m);
});

const unusable = {
  'auth-api': (postgres) => [
    ['a role that the server rejects', { RECRUITING_AUTH_API_DATABASE_URL: postgres.url('nobody_of_that_name') }, /unavailable/],
    ['the role of public-api', { RECRUITING_AUTH_API_DATABASE_URL: postgres.url('recruiting_public') }, /recruiting_public is not recruiting_auth/],
  ],
  'public-api': (postgres) => [
    ['the owner of the schema', { RECRUITING_PUBLIC_API_DATABASE_URL: postgres.url('recruiting_owner') }, /recruiting_owner is not recruiting_public/],
  ],
};

for (const name of ['auth-api', 'public-api'])
  test(`a new ${name} that can't serve ends, says why, and costs the ready one no request`, { timeout: 300_000 }, async (t) => {
    const { folder, postgres, authenticated } = await start_world(t);
    const settings = name === 'auth-api' ? auth_api_settings(folder, postgres) : public_api_settings(folder, postgres.url('recruiting_public'));
    const service = await make_service(t, folder, name, settings);
    const current = service.begin();
    await current.started();
    const target = name === 'auth-api' ? authenticated : { path: '/api/public/v1/organizations/acme/jobs', status: 404 }; // it has published nothing
    const load = start_load([{ name, port: service.port, ...target }, { name: 'readiness', port: service.admin_port, path: '/readyz' }], 2);
    const successors = unusable[name](postgres).map(([what, more, why]) => ({ what, why, child: service.begin(more) }));
    for (const { what, why, child } of successors) {
      await until(() => !child.alive(), `the process with ${what} ends`);
      assert.equal(child.end_state(), 1, what);
      assert.match(child.events().find(({ event }) => event === 'start_failed').message, why);
      assert.ok(!child.events().some(({ event }) => event === 'started'));
    }
    assert.ok(current.alive());
    const { answered, failed } = await load.end();
    assert.ok(answered > 0);
    assert.deepEqual(failed, {}, `of ${answered} requests`);
  });

test('a process that is not ready itself gives way to one that is not either, and both recover', { timeout: 300_000 }, async (t) => {
  const { folder, postgres } = await start_world(t);
  const service = await make_service(t, folder, 'auth-api', auth_api_settings(folder, postgres));
  await postgres.shut_down();
  const first = service.begin();
  await first.started();
  assert.equal((await service.readiness()).status, 503);
  const second = service.begin();
  await second.started();
  await first.end('SIGTERM');
  assert.equal(first.end_state(), 0);
  await postgres.start();
  await until(async () => (await service.readiness()).status === 200, 'the successor is ready');
});
