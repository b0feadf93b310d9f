// PostgreSQL goes from 15 to 17 by the commands of proto-docs/major_upgrades.md, in each of its ways: what was hidden is hidden
// again, nothing is lost, and the same keys work.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ask } from '../faults/support/http.mjs';
import { start_instance } from '../faults/support/instance.mjs';
import { auth_api_settings, make_operator, make_secrets, programs } from '../faults/support/world.mjs';
import { steps_of } from '../support/page_steps.mjs';
import { run, until } from './support/command.mjs';
import { obstacle_to_debians } from './support/machine.mjs';
import { PostgresHost } from './support/postgres_host.mjs';

const page = readFileSync(new URL('../../proto-docs/major_upgrades.md', import.meta.url), 'utf8');
const scripts_of = (heading) => steps_of(page).filter((step) => step.heading === heading).map(({ script }) => script);
const before = scripts_of('Before');
const with_pg_upgradecluster = scripts_of('pg_upgradecluster');
const with_a_dump = scripts_of('Dump and restore');
const afterwards = scripts_of('Afterwards');

/** An installation on PostgreSQL 15, confined and hidden, with data, an audit log, a key and a revoked one. */
const start_installation = async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'recruiting-major-upgrade-'));
  t.after(() => rmSync(folder, { recursive: true }));
  make_secrets(folder);
  const host = await PostgresHost.start();
  t.after(() => host.stop());
  const recruitctl = make_operator(folder, { url: () => host.url('recruiting_owner') });
  await recruitctl('migrate');
  const script = (name) => `--file /usr/share/recruiting/postgresql/${name}.sql`;
  await host.must(`psql -Xq -v ON_ERROR_STOP=1 -p ${host.port} -d recruiting ${script('confine_roles')} ${script('hide_statistics')} \
    -c 'GRANT pg_monitor, pg_signal_backend TO recruiting_owner'`, { as: 'postgres' });
  await recruitctl('demo', 'load', '--organization', 'acme', '--jobs', '10', '--candidates', '200');
  const key = (name) => recruitctl('key', 'create', '--organization', 'acme', '--owner', 'recruiter@acme.example', '--name', name, '--scope', '*', '--expires-in', '30d');
  const [kept, revoked] = [await key('kept'), await key('revoked')];
  const installation = { folder, host, recruitctl, keys: [kept.secret, revoked.secret], started: 0 };
  await asks_with_keys(installation, [200, 200]);
  await recruitctl('key', 'revoke', '--organization', 'acme', '--id', revoked.id);
  return installation;
};

/** auth-api starts, answers both keys with these statuses, and stops as the page has it. */
const asks_with_keys = async (of, statuses) => {
  const service = await start_instance(of.started++, { program: path.join(programs(), 'recruiting-auth-api'), folder: of.folder, settings: auth_api_settings(of.folder, of.host) });
  try {
    for (const [i, secret] of of.keys.entries()) {
      const { status } = await ask({ port: service.port, path: '/api/v1/candidates', timeout: 10_000, headers: { Authorization: `Bearer ${secret}` } });
      assert.equal(status, statuses[i]);
    }
    // What the page writes down are the heads of what is sealed.
    await until('the audit rows are sealed', async () => (await of.host.sql('SELECT count(*) FROM recruiting.audit_intake')) === '0');
  } finally {
    await service.end('SIGTERM');
  }
};

const operators_environment = ({ folder, host }) => ({
  PATH: `${programs()}:${process.env.PATH}`,
  RECRUITING_ENVIRONMENT: 'test',
  RECRUITING_DATABASE_URL: host.url('recruiting_owner'),
  RECRUITING_KEY_PEPPER_FILE: path.join(folder, 'pepper'),
  RECRUITING_MIGRATIONS_DIR: fileURLToPath(new URL('../../deploy/migrations', import.meta.url)),
});

/** Commands of the page on the operator's host. */
const operate = async (of, script) => {
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: of.folder, env: operators_environment(of) });
  return stdout;
};

/** What doctor finds of the database: { check: { verdict, text } }. */
const examine = async (of) => {
  const { out } = await run(path.join(programs(), 'recruitctl'), ['doctor', '--json', '--timeout', '30s'], { env: operators_environment(of) });
  return Object.fromEntries(JSON.parse(out).checks.filter(({ check }) => /^(database|migrations|sealer)\./.test(check)).map((one) => [one.check, one]));
};

/** Every row counts: rows by table, and the digest of the candidates. */
const contents = ({ host }) => host.sql(`SELECT (SELECT count(*) FROM recruiting.applications) || ' ' || (SELECT count(*) FROM recruiting.api_keys)
  || ' ' || (SELECT md5(string_agg(id || name || email, '' ORDER BY id)) FROM recruiting.candidates)`);

const upgrade = async (t, upgraded_by, told) => {
  const installation = await start_installation(t);
  const found = Object.values(await examine(installation));
  assert.deepEqual(found.filter(({ verdict }) => verdict !== 'ok'), []);
  for (const script of before) await operate(installation, script);
  const rows = await contents(installation);
  await upgraded_by(installation);
  assert.match(await installation.host.sql('SHOW server_version'), /^17\./);
  const after = await examine(installation);
  assert.match(after['database.restored'].text, told);
  assert.equal(after['database.statistics'].verdict, 'ok', after['database.statistics'].text);
  assert.equal(after['database.roles'].verdict, 'ok', after['database.roles'].text);
  assert.equal(await contents(installation), rows);
  let printed = '';
  for (const script of afterwards) printed += await operate(installation, script);
  assert.match(printed, /^0 revoked, 1 were revoked already, 0 are not in this database/m);
  await asks_with_keys(installation, [200, 401]);
  assert.deepEqual(Object.values(await examine(installation)).filter(({ verdict }) => verdict !== 'ok'), []);
  // A sync that begins now sees all records: none has a transaction number that is still to come.
  assert.equal(await installation.host.sql('SELECT count(*) FROM recruiting.candidates WHERE changed_xid >= pg_snapshot_xmax(pg_current_snapshot())'), '0');
  await installation.recruitctl('audit', 'verify');
};

test('the page has the steps of each way', () => {
  assert.deepEqual([before, with_pg_upgradecluster, with_a_dump, afterwards].map(({ length }) => length), [1, 2, 1, 1]);
});

const options = { skip: await obstacle_to_debians() };

test('pg_upgradecluster with pg_upgrade: nothing is lost, and doctor tells it from a restore', options, (t) =>
  upgrade(t, async ({ host }) => {
    for (const script of with_pg_upgradecluster) await host.must(script);
  }, /was upgraded with pg_upgrade/));

test('pg_upgradecluster as it is without an option, by a dump: it needs after_restore.sql as every restore', options, (t) =>
  upgrade(t, async ({ host }) => {
    for (const script of with_pg_upgradecluster) await host.must(script.replace(' --method=upgrade', ''));
    await host.must(`psql -Xq -v ON_ERROR_STOP=1 -1 -p ${host.port} -d recruiting -f /usr/share/recruiting/postgresql/after_restore.sql`, { as: 'postgres' });
  }, /was restored from a dump/));

test('dump and restore into a new server: only what hides and confines is left behind, and made again', options, (t) =>
  upgrade(t, async ({ host }) => {
    const url = (port) => `postgresql://postgres@%2Fvar%2Frun%2Fpostgresql:${port}`;
    const old = host.port;
    await host.must('pg_createcluster --locale C.UTF-8 --start 17 main');
    host.port = Number(await host.must("pg_lsclusters --no-header | awk '$1 == 17 { print $3 }'"));
    for (const script of with_a_dump) await host.must(script, { as: 'postgres', more: [`OLD=${url(old)}`, `NEW=${url(host.port)}`] });
    await host.must('pg_dropcluster --stop 15 main');
  }, /was restored from a dump/));
