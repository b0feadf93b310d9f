// An organization moves to another cell while it is in use: the commands of proto-docs/moving_organizations.md run as they are.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ask } from '../faults/support/http.mjs';
import { start_instance } from '../faults/support/instance.mjs';
import { start_postgres } from '../faults/support/postgres.mjs';
import { until } from '../faults/support/wait.mjs';
import { auth_api_settings, make_operator, make_secrets, programs } from '../faults/support/world.mjs';

const page = readFileSync(new URL('../../proto-docs/moving_organizations.md', import.meta.url), 'utf8');
const [variables, publish, subscribe, finish_copying, compare, end_replication, compare_rules, adopt, silence, erase, ...others] =
  [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands]) => commands);
const tables_of = (name) => new RegExp(`^${name}='([^']*)'`, 'm').exec(variables)[1].split(/\s+/);
const moved = [...tables_of('LIVE'), ...tables_of('LATE'), 'audit_log'];
const left = ['published_changes']; // a server's own transactions of a day

/** Two cells with one pepper. The new one has an organization that one of the moving members belongs to. */
const start_cells = async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-move-'));
  t.after(() => rmSync(folder, { recursive: true }));
  make_secrets(folder);
  const start = async () => {
    const postgres = await start_postgres({ more: 'wal_level = logical' });
    t.after(() => postgres.stop());
    const recruitctl = make_operator(folder, postgres);
    await recruitctl('migrate');
    return { postgres, recruitctl };
  };
  const cells = { folder, old: await start(), new: await start() };
  cells.serve = async (number, { postgres }) => {
    const instance = await start_instance(number, { program: join(programs(), 'recruiting-auth-api'), folder, settings: auth_api_settings(folder, postgres) });
    t.after(() => instance.end('SIGKILL'));
    return instance;
  };
  return cells;
};

const add_key = async ({ recruitctl }, slug) => {
  const { secret } = await recruitctl('key', 'create', '--organization', slug, '--owner', `recruiter@${slug}.example`, '--name', 'move', '--scope', '*', '--expires-in', '30d');
  return secret;
};
const get = ({ port }, secret, path = '/me') => ask({ port, path: `/api/v1${path}`, timeout: 10_000, headers: { Authorization: `Bearer ${secret}` } });

/** A digest of each table's rows, without what a move changes. */
const contents = async ({ postgres }, id) => {
  const digests = {};
  for (const table of moved) {
    digests[table] = await postgres.sql(`select count(*) || ' ' || coalesce(md5(string_agg(t, '' order by t)), '') from (
      select (to_jsonb(r) - '{changed_xid,seen_xid,user_id}'::text[])::text t from recruiting.${table} r where organization_id = '${id}') rows`);
  }
  return digests;
};

test('an organization moves with its records, keys and audit chain while it is in use, and others notice nothing', async (t) => {
  assert.ok(erase && others.length === 0, 'the page has the commands that this test runs');
  const cells = await start_cells(t);
  for (const slug of ['acme', 'stays']) await cells.old.recruitctl('demo', 'load', '--organization', slug, '--jobs', '10', '--candidates', '200');
  await cells.old.recruitctl('member', 'add', '--organization', 'stays', '--email', 'viewer@acme.example', '--name', 'Vera Novák', '--role', 'viewer');
  await cells.new.recruitctl('organization', 'create', '--slug', 'resident', '--name', 'Resident');
  await cells.new.recruitctl('member', 'add', '--organization', 'resident', '--email', 'admin@acme.example', '--name', 'Alex Elsewhere', '--role', 'admin');
  // The old server's transaction numbers are those of the future for the new one.
  await cells.old.postgres.sql('do $$ begin for i in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$');
  const id = await cells.old.postgres.sql("select id from recruiting.organizations where slug = 'acme'");
  const hook = await cells.old.recruitctl('webhook', 'create', '--organization', 'acme', '--url', 'https://hooks.example.com/', '--resource', 'jobs,audit');
  await cells.old.recruitctl('webhook', 'pause', '--organization', 'acme', '--id', hook.id); // nothing is called
  const [key, neighbors_key] = [await add_key(cells.old, 'acme'), await add_key(cells.old, 'stays')];
  const listed = (await cells.old.postgres.rows(`select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'recruiting' and column_name = 'organization_id' and table_type = 'BASE TABLE'`)).map(({ name }) => name);
  assert.deepEqual(listed.filter((name) => !/^audit_log_\d/.test(name) && !moved.includes(name) && !left.includes(name)), []);

  const url = ({ postgres }) => `${postgres.url('postgres')}`;
  const run = async (...steps) => {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', [variables, ...steps].join('\n')], {
      cwd: cells.folder, env: { PATH: `${programs()}:${process.env.PATH}`, SLUG: 'acme', OLD: url(cells.old), NEW: url(cells.new) } });
    return stdout.trim();
  };

  let service = await cells.serve(0, cells.old);
  assert.equal((await get(service, key)).status, 200);
  await run(publish, subscribe);
  for (const slug of ['acme', 'stays']) {
    const of_it = `organization_id = (select id from recruiting.organizations where slug = '${slug}')`;
    await cells.old.postgres.sql(`update recruiting.candidates set name = 'Renamed' where ${of_it} and external_id = 'demo-candidate-00000007'`);
    await cells.old.postgres.sql(`delete from recruiting.applications where ${of_it} and external_id = 'demo-application-00000008-1'`);
    await cells.old.postgres.sql(`update recruiting.jobs set status = 'closed' where ${of_it} and external_id = 'demo-job-000002'`);
    await cells.old.postgres.sql(`insert into recruiting.candidates (id, organization_id, name, email, email_key)
      select gen_random_uuid(), id, 'Late', 'late@mail.example', 'late@mail.example' from recruiting.organizations where slug = '${slug}'`);
  }
  for (const secret of [key, neighbors_key]) assert.equal((await get(service, secret)).status, 200);
  await service.end('SIGTERM');
  await run(finish_copying);
  assert.equal(await run(compare), '');
  await run(end_replication, compare_rules, adopt);
  const before = await contents(cells.old, id);
  assert.deepEqual(await contents(cells.new, id), before);
  assert.equal(await cells.new.postgres.sql(`select count(*) from recruiting.organizations where slug = 'stays'`), '0');
  assert.equal(await cells.new.postgres.sql(`select count(*) from recruiting.candidates where organization_id <> '${id}'`), '0');
  assert.equal(await cells.new.postgres.sql("select count(distinct m.user_id) || ' ' || count(*) from recruiting.memberships m where m.email = 'admin@acme.example'"), '1 2');
  assert.equal(await cells.new.postgres.sql('select count(*) from recruiting.memberships m where not exists (select from recruiting.users u where u.id = m.user_id)'), '0');
  const of_another_server = 'select count(*) from recruiting.%s where changed_xid >= pg_snapshot_xmin(pg_current_snapshot())';
  for (const table of ['jobs', 'candidates', 'memberships', 'job_candidates', 'job_counts', 'reach_changes']) {
    assert.equal(await cells.new.postgres.sql(of_another_server.replace('%s', table)), '0', table);
  }
  assert.equal(await cells.new.postgres.sql('select count(seen_xid) from recruiting.webhook_positions where seen_xid < pg_snapshot_xmax(pg_current_snapshot())'), '1');
  await run(silence);

  service = await cells.serve(1, cells.old);
  assert.equal((await get(service, key)).status, 401);
  assert.equal((await get(service, neighbors_key)).status, 200);
  await cells.old.recruitctl('audit', 'verify', '--organization', 'acme');
  await run(erase);
  assert.deepEqual(await cells.old.postgres.rows('select slug from recruiting.organizations order by slug'), [{ slug: 'globex' }, { slug: 'stays' }]);
  const { erasures, ...deleted } = await contents(cells.old, id);
  assert.match(erasures, /^1 /, 'a restore of the old cell is to delete it again');
  for (const [table, rows] of Object.entries(deleted)) assert.equal(rows, '0', table);
  assert.equal(await cells.old.postgres.sql("select string_agg(email_key, ' ') from recruiting.users where email_key like '%@acme.example'"), 'viewer@acme.example');
  assert.equal(await cells.old.postgres.sql("select count(*) from pg_class where relnamespace = 'recruiting'::regnamespace and relkind = 'r' and relreplident <> 'd'"), '0');
  assert.equal(await cells.old.postgres.sql('select count(*) from pg_replication_slots'), '0');
  await cells.old.recruitctl('audit', 'verify', '--organization', 'stays');

  const moved_to = await cells.serve(2, cells.new);
  assert.equal((await get(moved_to, key)).status, 200);
  const found = JSON.parse((await get(moved_to, key, '/candidates?email=late@mail.example')).text);
  assert.deepEqual(found.data.map(({ name }) => name), ['Late']);
  await until(async () => (await cells.new.postgres.sql('select count(*) from recruiting.audit_intake')) === '0', 'the new cell has sealed its rows', 20);
  const end = await cells.new.postgres.sql(`select sequence from recruiting.audit_heads where organization_id = '${id}'`);
  assert.ok(Number(end) > Number(before.audit_log.split(' ')[0]), `the chain goes on: ${end}`);
  await cells.new.recruitctl('audit', 'verify', '--organization', 'acme');
});
