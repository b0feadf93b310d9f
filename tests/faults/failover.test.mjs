// A primary and a standby: what callers notice of a server that hangs, of a standby that is promoted, of an old primary that
// comes back unfenced, and of a synchronous standby that goes away.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { is_long_run } from '../support/run_length.mjs';
import { candidate_email, start_booking_world } from './support/booking_world.mjs';
import { seal } from './support/evidence.mjs';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { start_pgbouncer } from './support/pgbouncer.mjs';
import { start_postgres } from './support/postgres.mjs';
import { start_relay } from './support/relay.mjs';
import { pause, until } from './support/wait.mjs';
import { auth_api_settings, make_operator, programs, public_api_settings, start_database, url_of_primary } from './support/world.mjs';

const clients = 4;
const outage = is_long_run ? 15_000 : 8_000; // ms
const seconds = (began) => ((performance.now() - began) / 1000).toFixed(1);

/** A primary with an organization and its standby, and auth-api with both in its connection string. */
const start_world = async (t, more = {}) => {
  const { folder, postgres: first, recruitctl } = await start_database(t, 'failover');
  await recruitctl('demo', 'load', '--organization', 'failover', '--jobs', '5', '--candidates', '50');
  const { secret } = await recruitctl('key', 'create', '--organization', 'failover', '--owner', 'admin@failover.example', '--name', 'sync', '--scope', '*', '--expires-in', '1d');
  const second = await start_postgres({ of: first });
  t.after(() => second.stop());
  const settings = { ...auth_api_settings(folder, first), RECRUITING_AUTH_API_DATABASE_URL: url_of_primary('recruiting_auth', [first, second]), ...more };
  const instance = await start_instance(1, { program: join(programs(), 'recruiting-auth-api'), folder, settings });
  t.after(() => instance.end('SIGKILL'));
  const get = (path) => ask({ port: instance.port, path: `/api/v1${path}`, timeout: 20_000, headers: { Authorization: `Bearer ${secret}` } });
  return { first, second, instance, folder, get };
};

/** Asks again and again until told to end; every answer: its status, its request id, when it came and how long it took. */
const keep_asking = (get) => {
  let ended = false;
  const answers = [];
  const one = async () => {
    while (!ended) {
      const began = performance.now();
      const { status, headers } = await get('/me').catch((error) => ({ status: 0, headers: { error: error.message } }));
      answers.push({ status, id: headers['x-request-id'], at: performance.now(), took: performance.now() - began });
      await pause(10);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, one));
  return { answers, end: async () => { ended = true; await all; } };
};

const answered_after = (answers, when) => answers.find(({ status, at }) => status === 200 && at > when);
const pools = "select distinct application_name as pool from pg_stat_activity where application_name like 'recruiting-%'";
const wanted_pools = [
  ...['agent', 'audit', 'booking', 'bulk', 'mail', 'partitions', 'reads', 'reaper', 'sealer', 'searches'].map((pool) => `recruiting-auth-api ${pool}`),
  ...['catalogue', 'requests'].map((pool) => `recruiting-public-api ${pool}`),
];
const unlogged = async (server, answers) => {
  await seal(server);
  const rows = new Set((await server.rows('select request_id from recruiting.audit_log')).map(({ request_id }) => request_id));
  return answers.filter(({ status, id }) => status === 200 && !rows.has(id));
};
/** The answer once every pool has a connection again. */
const settled = async (get, path) => {
  let answer;
  await until(async () => (answer = await get(path)).status !== 503, `an answer of ${path}`, 20);
  return answer;
};
const told = (instance, text) => instance.log_lines().some((line) => line.includes(text));

test('a hung first host is left for the promoted standby by every connection, and is never used again', async (t) => {
  const { first, second, instance, folder, get } = await start_world(t);
  const public_api = await start_instance(1, {
    name: 'public-api', program: join(programs(), 'recruiting-public-api'), folder,
    settings: public_api_settings(folder, url_of_primary('recruiting_public', [first, second])),
  });
  t.after(() => public_api.end('SIGKILL'));
  const token = JSON.parse((await get('/candidates?syncToken=')).text).page.syncToken;
  const asking = keep_asking(get);
  await until(() => asking.answers.length > 100, 'answers');
  await until(async () => (await first.rows("select from pg_stat_replication where replay_lsn = pg_current_wal_lsn()")).length === 1 || asking.answers.length > 400, 'the standby follows');

  first.freeze();
  const frozen = performance.now();
  await pause(1_000);
  await second.promote();
  const promoted = performance.now();
  await until(() => answered_after(asking.answers, promoted), 'answers of the promoted standby', 20);
  t.diagnostic(`answers again ${seconds(frozen)} s after the first host hung`);
  await until(async () => {
    const there = (await second.rows(pools)).map(({ pool }) => pool).sort();
    return wanted_pools.every((pool) => there.includes(pool));
  }, 'every pool has a connection to the promoted standby', 20);
  t.diagnostic(`every pool ${seconds(frozen)} s after it`);
  const [{ id }] = await second.rows("update recruiting.jobs set published = true where id = (select id from recruiting.jobs limit 1) returning replace(id::text, '-', '') as id");
  const shown = () => ask({ port: public_api.port, path: `/api/public/v1/jobs/${id}`, timeout: 5_000 }).then(({ status }) => status === 200);
  await until(shown, 'public-api hears of changes on the promoted standby', 5);
  const worst = Math.max(...asking.answers.map(({ took }) => took));
  assert.ok(worst < 15_000, `a request took ${worst} ms`);

  // The old primary comes back unfenced, and the new one drops all connections: the old one is the first host.
  first.thaw();
  await pause(1_000);
  await second.crash();
  await second.start();
  const restarted = performance.now();
  await until(() => answered_after(asking.answers, restarted), 'answers after the restart', 20);
  await asking.end();
  assert.ok(told(instance, 'older timeline'), 'the log says that the old primary was refused');
  const after = asking.answers.filter(({ status, at }) => status === 200 && at > promoted);
  assert.ok(after.length > 20);
  assert.deepEqual(await unlogged(second, after), [], 'every answer acknowledged since the promotion has its audit row');

  // Transaction numbers of another line mean other changes.
  const refused = await settled(get, `/candidates?syncToken=${encodeURIComponent(token)}`);
  assert.equal(refused.status, 400);
  assert.equal(JSON.parse(refused.text).error.details[0].reason, 'sync_token_expired');
  assert.equal((await settled(get, '/candidates?syncToken=')).status, 200);
});

test('a primary that is restarted, or killed, serves again at once and has lost nothing acknowledged', async (t) => {
  const { first, get } = await start_world(t);
  const asking = keep_asking(get);
  for (const [what, end] of [['restart', () => first.shut_down()], ['kill', () => first.crash()]]) {
    const enough = asking.answers.length + 100;
    await until(() => asking.answers.length > enough, 'answers');
    const began = performance.now();
    await end();
    await first.start();
    const there = performance.now();
    await until(() => answered_after(asking.answers, there), 'answers', 20);
    t.diagnostic(`${what}: away for ${((there - began) / 1000).toFixed(1)} s, answers ${seconds(there)} s after it was there`);
  }
  await asking.end();
  assert.deepEqual(await unlogged(first, asking.answers), []);
});

test('an asynchronous standby lacks what it had not received, and nothing else; sync tokens of the lost line are refused', async (t) => {
  const { first, second, get } = await start_world(t);
  const asking = keep_asking(get);
  await until(() => asking.answers.length > 100, 'answers');
  await second.sql("alter system set primary_conninfo = ''");
  const cut = performance.now();
  await second.sql('select pg_reload_conf()');
  await until(async () => (await first.rows('select from pg_stat_replication')).length === 0, 'the standby receives nothing');
  const deaf = performance.now();
  await until(() => answered_after(asking.answers, deaf + 500), 'answers that the standby lacks');
  const token = JSON.parse((await get('/candidates?syncToken=')).text).page.syncToken;
  const killed = performance.now();
  await first.crash();
  await second.promote();
  await until(() => answered_after(asking.answers, killed), 'answers of the standby', 20);
  t.diagnostic(`answers again ${seconds(killed)} s after the kill`);
  await asking.end();
  const lost = await unlogged(second, asking.answers);
  t.diagnostic(`${lost.length} of ${asking.answers.filter(({ status }) => status === 200).length} acknowledged requests have no audit row`);
  assert.ok(lost.length > 0);
  assert.deepEqual(lost.filter(({ at }) => at < cut || at > killed + 1_000), [], 'what was received, and what the standby acknowledged, is there');
  const refused = await settled(get, `/candidates?syncToken=${encodeURIComponent(token)}`);
  assert.equal(refused.status, 400);
  assert.equal(JSON.parse(refused.text).error.details[0].reason, 'sync_token_expired');
});

test('commits that wait for a lost standby are cancelled: connections stay bounded, and requests are refused in time', async (t) => {
  const { first, second, get } = await start_world(t);
  await first.sql("alter system set synchronous_standby_names = '*'");
  await first.sql('select pg_reload_conf()');
  await until(async () => (await get('/me')).status === 200, 'an answer with the standby');
  const backends = async () => (await first.rows("select pid from pg_stat_activity where application_name like 'recruiting-auth-api%'")).length;
  const usual = await backends();

  second.freeze();
  const asking = keep_asking(get);
  let most = 0;
  const lost = performance.now();
  while (performance.now() - lost < outage) {
    most = Math.max(most, await backends());
    await pause(250);
  }
  t.diagnostic(`${usual} connections before, at most ${most} in ${outage / 1_000} s without the standby`);
  assert.ok(most <= usual + 4, `${most} connections instead of ${usual}`);
  second.thaw();
  const back = performance.now();
  await until(() => answered_after(asking.answers, back), 'answers with the standby', 20);
  t.diagnostic(`answers again ${seconds(back)} s after the standby came back`);
  await asking.end();
  const worst = Math.max(...asking.answers.map(({ took }) => took));
  assert.ok(worst < 15_000, `a request took ${worst} ms`);
});

// Several commits stand on one connection, one behind the other.
const ways = {
  'over a network': async (t, { port }) => {
    const relay = await start_relay(port, 2);
    t.after(() => relay.stop());
    return `postgresql://recruiting_public@127.0.0.1:${relay.port}/recruiting`;
  },
  'through PgBouncer': async (t, postgres) => {
    const pgbouncer = await start_pgbouncer(postgres, 'session');
    t.after(() => pgbouncer.stop());
    return pgbouncer.url('recruiting_public');
  },
};
for (const [way, reach] of Object.entries(ways)) {
  test(`all commits of a connection that wait for a lost standby are cancelled, ${way}`, async (t) => {
    const world = await start_booking_world({
      instances: 0, candidates: 400, slots: 40, reach: (postgres) => reach(t, postgres), limits: { RECRUITING_PUBLIC_API_DATABASE_TIMEOUT: '1s' },
    });
    t.after(() => world.stop());
    const standby = await start_postgres({ of: world.postgres });
    t.after(() => standby.stop());
    await world.postgres.sql("alter system set synchronous_standby_names = '*'");
    await world.postgres.sql('select pg_reload_conf()');
    await until(async () => (await world.postgres.rows("select from pg_stat_replication where sync_state = 'sync'")).length === 1, 'the standby is synchronous');
    const backends = async () => (await world.postgres.rows("select pid from pg_stat_activity where usename = 'recruiting_public'")).length;
    const usual = await backends();

    standby.freeze();
    let next = 0;
    let ended = false;
    const statuses = new Set();
    const book = async () => {
      while (!ended) {
        next += 1;
        const { status } = await world.visitor.book(candidate_email(next % 400), world.slots[next % world.slots.length]);
        statuses.add(status);
        await pause(20);
      }
    };
    const bookings = Promise.all(Array.from({ length: 8 }, book));
    const lost = performance.now();
    let most = 0;
    while (performance.now() - lost < outage) {
      most = Math.max(most, await backends());
      await pause(100);
    }
    ended = true;
    await bookings;
    t.diagnostic(`${way}: ${usual} connections before, at most ${most} in ${outage / 1_000} s without the standby`);
    assert.deepEqual([...statuses], [503]);
    assert.ok(most <= usual + 4, `${most} connections instead of ${usual}`);
    standby.thaw();
    await until(async () => (await world.visitor.book(candidate_email(0), world.slots[0])).status === 200, 'bookings with the standby', 20);
  });
}

test('a server that stands still is asked by few connections at a time, and serves again soon after', async (t) => {
  const { first, get } = await start_world(t);
  const backends = async () => (await first.rows("select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()")).length;
  const usual = await backends();
  const asking = keep_asking(get);
  await until(() => asking.answers.length > 20, 'answers');
  await first.stall(outage);
  const back = performance.now();
  let most = 0;
  const watched = (async () => {
    while (performance.now() - back < 3_000) most = Math.max(most, await backends());
  })();
  await until(() => answered_after(asking.answers, back), 'answers', 20);
  t.diagnostic(`answers again ${seconds(back)} s after the server went on`);
  await watched;
  await asking.end();
  t.diagnostic(`${usual} connections before, at most ${most} after it`);
  assert.ok(most <= usual + 8, `${most} connections instead of ${usual}`);
});

test('recruitctl waits for a server that works, and leaves one that hangs', { timeout: 120_000 }, async (t) => {
  const { folder, postgres } = await start_database(t, 'hanging');
  const network = await start_relay(postgres.port);
  t.after(() => network.stop());
  const operate = make_operator(folder, { url: (role) => `postgresql://${role}@127.0.0.1:${network.port}/recruiting` });
  const wait_in_server = async () => {
    const release = await postgres.hold('lock table recruiting.organizations');
    const command = operate('organization', 'list').then(() => 0, ({ code }) => code);
    await until(async () => (await postgres.sql("select count(*) from pg_locks where not granted and relation = 'recruiting.organizations'::regclass")) === '1', 'the command waits');
    return { release, command };
  };
  const working = await wait_in_server();
  assert.equal(await Promise.race([working.command, pause(12_000)]), undefined, 'it waits for twice as long as it asks');
  await working.release();
  assert.equal(await working.command, 0);
  const hanging = await wait_in_server();
  network.set({ stopped: true });
  assert.equal(await hanging.command, 3); // the database is unavailable
  await hanging.release();
});
