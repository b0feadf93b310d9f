// PostgreSQL crashes, hangs and comes back; public-api restarts: published jobs are served, and follow what changes.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { start_postgres } from './support/postgres.mjs';
import { until } from './support/wait.mjs';
import { make_operator, make_secrets, programs, public_api_settings } from './support/world.mjs';

const organization = randomBytes(16).toString('hex');

const start_world = async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-catalogue-'));
  t.after(() => rmSync(folder, { recursive: true }));
  make_secrets(folder);
  const postgres = await start_postgres();
  t.after(() => postgres.stop());
  await make_operator(folder, postgres)('migrate');
  await postgres.sql(`insert into recruiting.organizations (id, slug, name, time_zone) values ('${organization}', 'acme', 'Acme', 'UTC')`);
  const instance = await start_instance(1, {
    name: 'public-api',
    program: join(programs(), 'recruiting-public-api'),
    folder,
    settings: public_api_settings(folder, postgres.url('recruiting_public')),
  });
  t.after(() => instance.end('SIGTERM'));
  return { postgres, instance };
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
