// PgBouncer in front of PostgreSQL: in session mode everything works as without it; transaction mode is refused in words.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { start_pgbouncer } from './support/pgbouncer.mjs';
import { until } from './support/wait.mjs';
import { auth_api_settings, make_operator, programs, start_database } from './support/world.mjs';

const start_world = async (t, mode) => {
  const { folder, postgres, recruitctl } = await start_database(t, 'pgbouncer-world');
  const pgbouncer = await start_pgbouncer(postgres, mode);
  t.after(() => pgbouncer.stop());
  return { folder, postgres, pgbouncer, recruitctl };
};

const start_auth_api = async (t, { folder, pgbouncer }, readiness) => {
  const instance = await start_instance(1, {
    program: join(programs(), 'recruiting-auth-api'),
    folder,
    readiness,
    settings: { ...auth_api_settings(folder, pgbouncer), RECRUITING_MAIL_URL: '' },
  });
  t.after(() => instance.end('SIGKILL'));
  return instance;
};

const start_public_api = async (t, { folder, pgbouncer }, readiness) => {
  const instance = await start_instance(1, {
    name: 'public-api',
    program: join(programs(), 'recruiting-public-api'),
    folder,
    readiness,
    settings: {
      RECRUITING_CURSOR_SECRET_FILE: join(folder, 'cursor'),
      RECRUITING_PUBLIC_API_DATABASE_URL: pgbouncer.url('recruiting_public'),
      RECRUITING_PUBLIC_API_THREADS: '2',
      RECRUITING_PUBLIC_API_DRAIN_DELAY: '0ms',
    },
  });
  t.after(() => instance.end('SIGKILL'));
  return instance;
};

test('session mode keeps its timeouts: a statement that waits too long is cancelled alone, and no connection is lost', { timeout: 300_000 }, async (t) => {
  const world = await start_world(t, 'session');
  await world.recruitctl('organization', 'create', '--slug', 'acme', '--name', 'Acme');
  await world.recruitctl('member', 'add', '--organization', 'acme', '--email', 'a@acme.example', '--name', 'A', '--role', 'admin');
  const { secret } = await world.recruitctl('key', 'create', '--organization', 'acme', '--owner', 'a@acme.example', '--name', 'k', '--scope', '*', '--expires-in', '30d');
  const instance = await start_auth_api(t, world, 200);
  const get = (path) => ask({ port: instance.port, path: `/api/v1${path}`, headers: { authorization: `Bearer ${secret}` }, timeout: 20_000 });
  const release = await world.postgres.hold('lock table recruiting.jobs');
  const failed = () => instance.metric('recruiting_postgres_pipelines_failed_total', 'pool="reads"');
  const before = await failed();
  assert.equal((await get('/jobs')).status, 503);
  assert.ok((await failed()) > before);
  assert.equal(await instance.metric('recruiting_postgres_connections_lost_total'), 0);
  await release();
  assert.equal((await get('/jobs')).status, 200);
});

test('session mode delivers notifications: catalogue_connected is 1 and a published job appears', { timeout: 300_000 }, async (t) => {
  const world = await start_world(t, 'session');
  const organization = randomBytes(16).toString('hex');
  const job = randomBytes(16).toString('hex');
  await world.postgres.sql(`insert into recruiting.organizations (id, slug, name, time_zone) values ('${organization}', 'acme', 'Acme', 'UTC')`);
  const instance = await start_public_api(t, world, 200);
  await until(async () => (await instance.metric('recruiting_public_api_catalogue_connected')) === 1, 'the catalogue hears');
  await world.postgres.sql(`insert into recruiting.jobs (id, organization_id, title, status, published) values ('${job}', '${organization}', 'T', 'open', true)`);
  const shown = () => ask({ port: instance.port, path: `/api/public/v1/jobs/${job}`, timeout: 5_000 });
  await until(async () => (await shown()).status === 200, 'the job is shown');
});

test('transaction mode is refused with a sentence: the programs stay unready, and catalogue_connected is 0', { timeout: 300_000 }, async (t) => {
  const world = await start_world(t, 'transaction');
  const [auth_api, public_api] = [await start_auth_api(t, world, 503), await start_public_api(t, world, 503)];
  for (const instance of [auth_api, public_api]) {
    await until(async () => /pool_mode=session/.test(await instance.admin('/readyz')), 'the refusal is told');
    await until(() => instance.log_lines().some((line) => JSON.parse(line).event === 'pooler_changes_sessions'), 'the log tells it');
    assert.match(await instance.admin('/healthz'), /ok/);
  }
  await until(async () => (await public_api.metric('recruiting_public_api_catalogue_connected')) === 0, 'the catalogue hears nothing');
});

test('recruitctl migrate refuses transaction mode with a sentence', { timeout: 300_000 }, async (t) => {
  const { folder, pgbouncer } = await start_world(t, 'transaction');
  await assert.rejects(make_operator(folder, pgbouncer)('migrate'), ({ code, stderr }) => {
    assert.equal(code, 1);
    assert.match(stderr, /pool_mode=session/);
    return true;
  });
});
