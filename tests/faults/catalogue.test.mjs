// PostgreSQL crashes, hangs, comes back and is replaced by a standby; public-api restarts, and reads from a standby that
// hangs, falls behind and is promoted: published jobs are served, and follow what changes.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { start_postgres } from './support/postgres.mjs';
import { until } from './support/wait.mjs';
import { programs, public_api_settings, start_database, url_of_primary } from './support/world.mjs';

const organization = randomBytes(16).toString('hex');

/** settings: further ones, of the primary and its standby, where has_standby asks for one. */
const start_world = async (t, has_standby = false, settings = () => ({})) => {
  const { folder, postgres } = await start_database(t, 'catalogue');
  await postgres.sql(`insert into recruiting.organizations (id, slug, name, time_zone) values ('${organization}', 'acme', 'Acme', 'UTC')`);
  const standby = has_standby ? await start_postgres({ of: postgres }) : undefined;
  if (standby) t.after(() => standby.stop());
  const instance = await start_instance(1, {
    name: 'public-api',
    program: join(programs(), 'recruiting-public-api'),
    folder,
    settings: { ...public_api_settings(folder, postgres.url('recruiting_public')), ...settings(postgres, standby) },
  });
  t.after(() => instance.end('SIGTERM'));
  return { postgres, standby, instance };
};

const publish = async (postgres, title) => {
  const id = randomBytes(16).toString('hex');
  await postgres.sql(`insert into recruiting.jobs (id, organization_id, title, status, published)
                      values ('${id}', '${organization}', '${title}', 'open', true)`);
  return id;
};

const get = (instance, path) => ask({ port: instance.port, path: `/api/public/v1${path}`, timeout: 5_000 });
const titles = async (instance) => JSON.parse((await get(instance, '/organizations/acme/jobs')).text).data.map(({ title }) => title);
const is_shown = (instance, id) => async () => (await get(instance, `/jobs/${id}`)).status === 200;

test('jobs are served while PostgreSQL is down, hangs and dies under its clients; each change is seen when it is back', { timeout: 300_000 }, async (t) => {
  const { postgres, instance } = await start_world(t);
  const first = await publish(postgres, 'First');
  await until(is_shown(instance, first), 'the first job is shown');

  await postgres.crash();
  for (let asked = 0; asked < 100; ++asked) assert.deepEqual(await titles(instance), ['First']);
  await postgres.start();
  const second = await publish(postgres, 'Second');
  await until(is_shown(instance, second), 'a change after the crash is seen');

  const serves_while_it_hangs = async () => {
    for (let asked = 0; asked < 50; ++asked) assert.deepEqual(await titles(instance), ['Second', 'First']);
  };
  await Promise.all([postgres.stall(3_000), serves_while_it_hangs()]);
  await postgres.sql(`update recruiting.jobs set published = false where id = '${second}'`);
  await until(async () => (await get(instance, `/jobs/${second}`)).status === 404, 'a change after the hang is seen');

  await postgres.sql("select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name like 'recruiting-public-api%'");
  const third = await publish(postgres, 'Third');
  await until(is_shown(instance, third), 'a change after lost connections is seen');
});

test('a restarted public-api has everything before it says that it is ready', { timeout: 300_000 }, async (t) => {
  const { postgres, instance } = await start_world(t);
  await publish(postgres, 'First');
  await publish(postgres, 'Second');
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    await instance.end(signal);
    await instance.start(); // until /readyz says 200
    assert.deepEqual(await titles(instance), ['Second', 'First']);
  }
  assert.deepEqual(instance.exits.map(({ got }) => got), [0, 'SIGKILL']);
});

test('a promoted standby is compared as a whole: what it lacks is shown no more, whatever its transaction numbers are', { timeout: 300_000 }, async (t) => {
  const { postgres, standby, instance } = await start_world(t, true, (first, second) => ({
    RECRUITING_PUBLIC_API_DATABASE_URL: url_of_primary('recruiting_public', [first, second]),
  }));
  const kept = await publish(postgres, 'Kept');
  const changed = await publish(postgres, 'Before');
  await until(async () => await standby.sql('select count(*) from recruiting.jobs') === '2', 'the standby has both jobs');
  await standby.crash(); // what the primary does from now on never reaches it
  const lost = await publish(postgres, 'Lost');
  await postgres.sql(`update recruiting.jobs set title = 'Lost change' where id = '${changed}'`);
  await until(async () => (await titles(instance)).includes('Lost change') && await is_shown(instance, lost)(), 'both changes are shown');
  const compared = () => instance.metric('recruiting_public_api_catalogue_reloads_total', 'all');
  assert.equal(await compared(), 1);
  await postgres.crash();
  await standby.start();
  await standby.promote();
  await until(async () => (await titles(instance)).join() === 'Before,Kept', 'what was lost is shown no more');
  assert.equal(await compared(), 2);
  const added = await publish(standby, 'Added');
  await until(is_shown(instance, added), 'a change on the new primary is seen');
  assert.equal(await is_shown(instance, kept)(), true);
});

test('jobs are read from a standby that has every change, and from the primary while it is behind, hangs or is promoted', { timeout: 300_000 }, async (t) => {
  const { postgres, standby, instance } = await start_world(t, true, (_, second) => ({
    RECRUITING_PUBLIC_API_STANDBY_URL: second.url('recruiting_public'),
  }));
  const scans = async (server) => Number(await server.sql("select coalesce(sum(seq_scan + idx_scan), 0) from pg_stat_user_tables where relname = 'jobs'"));
  const rejections = () => instance.metric('recruiting_public_api_catalogue_standby_rejections_total');
  const is_used = async () => (await instance.metric('recruiting_public_api_catalogue_standby_in_use')) === 1;
  const reasons = () => instance.log_lines().filter((line) => line.includes('catalogue_standby_rejected'));
  const publish_and_see = async (title) => {
    const began = performance.now();
    const job = await publish(postgres, title);
    await until(is_shown(instance, job), `the job ${title} is shown`, 20);
    return performance.now() - began;
  };
  // A rejected standby is tried again with the next change after 5 s.
  const until_used = () => until(async () => { await publish_and_see('More'); return is_used(); }, 'the standby is used');

  await until_used();
  const before = await scans(standby);
  await publish_and_see('From the standby');
  await until(async () => await scans(standby) > before, 'the standby has counted its reads');

  await standby.sql('select pg_wal_replay_pause()');
  const rejected = await rejections();
  assert.ok(await publish_and_see('Behind') < 5_000);
  assert.equal(await rejections(), rejected + 1);
  assert.ok(reasons().at(-1).includes('is behind the primary'));
  await standby.sql('select pg_wal_replay_resume()');
  await until_used();

  standby.freeze();
  await publish_and_see('Beside one that hangs');
  assert.equal(await is_used(), false);
  standby.thaw();
  await until_used();

  await standby.promote();
  // Until it is a primary, it may be rejected because it is behind.
  await until(async () => { await publish_and_see('Beside another primary'); return reasons().at(-1).includes('another timeline'); }, 'the promoted standby is rejected');
  assert.equal(await is_used(), false);
  await standby.sql(`update recruiting.jobs set title = 'Elsewhere'`);
  await publish_and_see('Last');
  assert.ok(!(await titles(instance)).includes('Elsewhere'));
});
