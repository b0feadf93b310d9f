// auth-api with a standby for its long reads: which reads run there, whose keys, and what becomes of them while it is
// behind, cancels reads, hangs, is down and is promoted. Credentials are as the primary has them throughout.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connections_at_most } from '../support/connections.mjs';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { start_postgres } from './support/postgres.mjs';
import { until } from './support/wait.mjs';
import { auth_api_settings, programs, start_database } from './support/world.mjs';

const slug = 'standby';
const max_lag = 5_000; // ms
const search = '/candidates?sort=name&limit=200';

// Searches sleep on the standby while `public.slow_there` has a row; on the primary it tells nothing.
const make_slow = `
create table public.slow_there (seconds float);
grant select on public.slow_there to recruiting_auth;
create function public.sleep_there() returns boolean language plpgsql as $$
begin
  if pg_is_in_recovery() then perform pg_sleep(seconds) from public.slow_there; end if;
  return true;
end $$;
create policy sleeps on recruiting.candidates as restrictive using ((select public.sleep_there()))`;

/** An organization with keys of three roles, its primary and standby, and auth-api that reads from both. */
const start_world = async (t) => {
  const { folder, postgres, recruitctl } = await start_database(t, slug);
  await recruitctl('demo', 'load', '--organization', slug, '--jobs', '5', '--candidates', '100');
  const key = async (owner, name) => (await recruitctl('key', 'create', '--organization', slug, '--owner', owner, '--name', name, '--scope', '*', '--expires-in', '1d')).secret;
  const add = async (role) => {
    const email = `${role}@more.example`;
    await recruitctl('member', 'add', '--organization', slug, '--email', email, '--name', role, '--role', role);
    return key(email, role);
  };
  const keys = { admin: await key(`admin@${slug}.example`, 'warehouse'), leaked: await key(`admin@${slug}.example`, 'leaked'), recruiter: await add('recruiter'), hiring_manager: await add('hiring_manager') };
  await postgres.sql(make_slow);
  const standby = await start_postgres({ of: postgres, more: 'max_standby_streaming_delay = 0' });
  t.after(() => standby.stop());
  // Until it has replayed a commit, a standby can't tell how far it is behind.
  await postgres.sql('select txid_current()');
  await until(async () => await standby.sql('select pg_last_xact_replay_timestamp() is not null') === 't', 'the standby has replayed a commit');
  const settings = {
    ...auth_api_settings(folder, postgres),
    RECRUITING_AUTH_API_THREADS: '1',
    RECRUITING_AUTH_API_STANDBY_URL: standby.url('recruiting_auth'),
  };
  const instance = await start_instance(1, { program: join(programs(), 'recruiting-auth-api'), folder, settings });
  t.after(() => instance.end('SIGTERM'));
  const get = (path, of = 'admin', headers = {}) =>
    ask({ port: instance.port, path: `/api/v1${path}`, timeout: 20_000, headers: { Authorization: `Bearer ${keys[of]}`, ...headers } });
  const reads = (outcome = '') => instance.metric('recruiting_auth_api_standby_reads_total', outcome);
  return { folder, postgres, standby, recruitctl, instance, settings, get, reads };
};

const ids = ({ status, text }) => (assert.equal(status, 200, text), JSON.parse(text).data.map(({ id }) => id));

/** Reads that fall back are correct too: until one of the standby is. */
const until_used = ({ get, reads }) =>
  until(async () => {
    const before = await reads('"used"');
    assert.equal((await get(search)).status, 200);
    return await reads('"used"') > before;
  }, 'the standby is used');

/** What a search comes to: its outcome in the metric, its answer and how long it took. */
const one_search = async ({ get, reads }, of) => {
  const outcomes = ['used', 'unavailable', 'another_server', 'behind', 'failed', 'principal', 'canceled', 'paused'];
  const count = () => Promise.all(outcomes.map((outcome) => reads(`"${outcome}"`)));
  const before = await count();
  const began = performance.now();
  const answer = await get(search, of);
  const after = await count();
  return { answer, took: performance.now() - began, outcome: outcomes.filter((_, i) => after[i] > before[i]).join() };
};

const scans = async (server) => Number(await server.sql("select coalesce(sum(seq_scan + idx_scan), 0) from pg_stat_user_tables where relname = 'candidates'"));

test('searches and exports run on the standby with rows of its primary, everything else on the primary', { timeout: 300_000 }, async (t) => {
  const world = await start_world(t);
  const { postgres, standby, instance, settings, get, reads } = world;
  await until_used(world);
  const wanted = (await postgres.sql(`select replace(c.id::text, '-', '') from recruiting.candidates c join recruiting.organizations o on o.id = c.organization_id
                                      where o.slug = '${slug}' and c.deleted_at is null order by 1`)).split('\n');
  const [there, here] = [await scans(standby), await scans(postgres)];
  for (let i = 0; i < 10; i += 1) assert.deepEqual(ids(await get(search)).sort(), wanted);
  assert.equal(ids(await get(search, 'recruiter')).length, wanted.length);
  await until(async () => await scans(standby) >= there + 11, 'the standby has counted its reads');
  assert.equal(await scans(postgres), here);

  const before = await reads('"used"');
  const exported = await get('/audit', 'admin', { Accept: 'application/x-ndjson' });
  assert.equal(await reads('"used"'), before + 2); // the head's authentication, and a page
  assert.ok(exported.text.split('\n').filter(Boolean).every((line) => JSON.parse(line).action));
  assert.equal((await get('/audit?statusCode=200&limit=5')).status, 200);
  assert.equal(await reads('"used"'), before + 3);

  const all = await reads();
  for (const path of ['/me', '/candidates', '/candidates?syncToken=', '/members?sort=name', '/members?role=admin', '/audit', '/agent/sessions?status=failed', '/billing'])
    assert.equal((await get(path)).status, 200, path);
  assert.equal(await reads(), all);
  assert.equal((await get(search, 'hiring_manager')).status, 200);
  assert.equal(await reads(), all);

  assert.equal(connections_at_most(join(programs(), 'recruiting-auth-api'), settings).postgres, await instance.metric('recruiting_postgres_connections_expected'));
  assert.doesNotMatch(readFileSync(join(standby.folder, 'log'), 'utf8'), /read-only transaction|during recovery/);
});

test('a paused standby lets no revoked key or changed role pass, and is left when it is too old', { timeout: 300_000 }, async (t) => {
  const world = await start_world(t);
  const { postgres, standby, recruitctl, get } = world;
  await until_used(world);
  await get(search, 'leaked');
  await get(search, 'recruiter');
  await postgres.sql('select txid_current()');
  await standby.sql('select pg_wal_replay_pause()');
  const paused = performance.now();
  await recruitctl('key', 'revoke', '--organization', slug, '--name', 'leaked');
  assert.equal((await one_search(world, 'leaked')).answer.status, 401);
  const set_role = (role) => recruitctl('member', 'set-role', '--organization', slug, '--email', 'recruiter@more.example', '--role', role);
  await set_role('admin');
  assert.equal((await one_search(world, 'recruiter')).outcome, 'principal');
  await set_role('interviewer');
  assert.equal((await one_search(world, 'recruiter')).answer.status, 403);
  const lagging = await one_search(world);
  assert.ok(performance.now() - paused < max_lag, 'the machine is too slow for this test');
  assert.equal(lagging.outcome, 'used');

  const removed = ids(lagging.answer)[0];
  await postgres.sql(`update recruiting.candidates set deleted_at = now() where replace(id::text, '-', '') = '${removed}'`);
  await until(async () => (await one_search(world)).outcome === 'behind', 'the standby is too old', 30);
  assert.ok(performance.now() - paused >= max_lag - 500);
  const next = await one_search(world);
  assert.equal(next.outcome, 'paused');
  assert.ok(!ids(next.answer).includes(removed));
  // The replay that it resumes may cancel this very statement.
  await standby.sql('select pg_wal_replay_resume()').catch((error) => assert.match(error.message, /conflict with recovery/));
  await until_used(world);
});

test('reads that replay cancels, and reads of a standby that hangs or is down, are answered by the primary', { timeout: 300_000 }, async (t) => {
  const world = await start_world(t);
  const { postgres, standby, get } = world;
  const everybody = ids(await get(search)).length;
  await until_used(world);

  await postgres.sql('insert into public.slow_there values (1)');
  await until(async () => await standby.sql('select count(*) from public.slow_there') === '1', 'the standby is slow');
  const canceled = one_search(world);
  await until(async () => await standby.sql("select count(*) from pg_stat_activity where wait_event = 'PgSleep'") === '1', 'a search runs there');
  await postgres.sql('begin; lock table recruiting.candidates in access exclusive mode; commit');
  const { answer, outcome } = await canceled;
  assert.equal(outcome, 'canceled');
  assert.equal(ids(answer).length, everybody);
  await postgres.sql('delete from public.slow_there');
  await until_used(world);

  standby.freeze();
  const hung = await one_search(world);
  assert.equal(hung.outcome, 'unavailable');
  assert.equal(ids(hung.answer).length, everybody);
  const next = await one_search(world);
  assert.equal(next.outcome, 'paused');
  assert.ok(next.took < 2_000);
  t.diagnostic(`a search that meets a hung standby takes ${Math.round(hung.took)} ms, the next one ${Math.round(next.took)} ms`);
  standby.thaw();
  await until_used(world);

  await standby.crash();
  const outcomes = [];
  for (const end = performance.now() + 3_000; performance.now() < end;) outcomes.push((await one_search(world)).outcome);
  assert.equal(outcomes.filter((each) => each === 'unavailable').length, 1);
  assert.equal(outcomes.filter((each) => each === 'paused').length, outcomes.length - 1);
  await standby.start();
  await until_used(world);
});

test('a promoted standby is used no more; doctor takes none for a primary', { timeout: 300_000 }, async (t) => {
  const world = await start_world(t);
  const { folder, standby, recruitctl, settings, instance, get } = world;
  await until_used(world);
  writeFileSync(join(folder, 'auth-api.conf'), `RECRUITING_AUTH_API_DATABASE_URL=${settings.RECRUITING_AUTH_API_STANDBY_URL}\n`);
  const { checks } = await recruitctl('doctor', '--config-dir', folder).catch(({ stdout }) => JSON.parse(stdout));
  const login = checks.find(({ check }) => check === 'reach.postgres-auth-api');
  assert.equal(login.verdict, 'problem');
  assert.match(login.text, /it is a standby/);
  await standby.promote();
  await until(async () => await standby.sql('select pg_is_in_recovery()') === 'f', 'the standby is a primary');
  await standby.sql('delete from public.slow_there');
  await standby.sql("update recruiting.candidates set deleted_at = now()");
  await until(async () => (await one_search(world)).outcome === 'another_server', 'it is rejected');
  assert.ok(ids(await get(search)).length > 0);
  assert.ok(instance.log_lines().some((line) => line.includes('reads_standby_rejected') && line.includes('another timeline')));
});
