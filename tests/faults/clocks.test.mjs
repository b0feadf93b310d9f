// The clock of PostgreSQL jumps far, past the partitions of the audit log and past its retention (libfaketime): no audit row is
// lost or set aside, and nothing is deleted for its age.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { no_faketime, with_clock } from './support/system_faults.mjs';
import { until } from './support/wait.mjs';
import { auth_api_settings, make_members, programs, start_database } from './support/world.mjs';

const skip = no_faketime() ?? false;

/** A PostgreSQL whose clock jumps; count(what): of a table. */
const start_world = async (t) => {
  const { folder, postgres, recruitctl } = await start_database(t, 'clocks');
  const file = join(postgres.folder, 'clock');
  const set_clock = async (offset, days) => {
    writeFileSync(file, `${offset}\n`);
    const shown = async () => Number(await postgres.sql('select extract(epoch from clock_timestamp())')) * 1_000 - Date.now();
    await until(async () => Math.abs(await shown() / 86_400_000 - days) < 1, `PostgreSQL shows ${offset}`, 20);
  };
  writeFileSync(file, '+0\n');
  await postgres.shut_down();
  await postgres.start('recruiting', with_clock(file));
  await make_members(recruitctl, 0);
  const create_key = (name, lifetime) => recruitctl('key', 'create', '--organization', 'faults', '--owner', 'admin@faults.example', '--name', name, '--scope', '*', '--expires-in', lifetime);
  const { secret } = await create_key('clocks', '360d');
  const settings = auth_api_settings(folder, postgres);
  const auth_api = await start_instance(0, { program: join(programs(), 'recruiting-auth-api'), folder, settings });
  t.after(() => auth_api.end('SIGKILL'));
  const count = async (what) => Number(await postgres.sql(`select count(*) from recruiting.${what}`));
  return { postgres, recruitctl, auth_api, secret, create_key, set_clock, count, all_sealed: () => until(async () => (await count('audit_intake')) === 0, 'every audit row is sealed', 20) };
};

test('the clock jumps past the partitions of the audit log: its rows are there, whoever dated them', { skip }, async (t) => {
  const { postgres, recruitctl, auth_api, secret, create_key, set_clock, count, all_sealed } = await start_world(t);
  const [read, created] = [[], []];
  const work = async (when) => {
    for (let i = 0; i < 5; i += 1) {
      const answer = await ask({ port: auth_api.port, path: '/api/v1/me', headers: { Authorization: `Bearer ${secret}` }, timeout: 5_000 });
      assert.equal(answer.status, 200, when);
      read.push(answer.headers['x-request-id']);
      const name = `${when} ${i}`;
      // Rejected until auth-api notices that the log has no partition for this time, and creates it.
      await until(() => create_key(name, '30d').then(({ id }) => created.push(id), () => false), `${name} is created`, 40);
    }
  };
  for (const [offset, days] of [['-4000d', -4_000], ['+200d', 200], ['-70d', -70]]) {
    await set_clock(offset, days);
    await work(offset);
    await set_clock('+0', 0);
    await work(`after ${offset}`);
    await all_sealed();
  }
  const ids = async (column, action) => (await postgres.rows(`select ${column} as id from recruiting.audit_log where action = '${action}'`)).map(({ id }) => id);
  assert.equal(await count('audit_set_aside'), 0);
  const audited = await ids('request_id', 'api.request');
  assert.deepEqual(read.filter((id) => audited.filter((one) => one === id).length !== 1), []);
  const made = await ids('target_id', 'key.created');
  assert.deepEqual(created.filter((id) => made.filter((one) => one === id).length !== 1), []);
  await recruitctl('audit', 'verify');
});

test('nothing is deleted for its age while the clocks of PostgreSQL and auth-api differ', { skip }, async (t) => {
  const { auth_api, set_clock, count, all_sealed } = await start_world(t);
  await all_sealed();
  const rows = await count('audit_log');
  assert.ok(rows > 0);
  await auth_api.end('SIGTERM');
  await set_clock('+2000d', 2_000);
  await auth_api.start(); // deletes at once what is too old
  await until(() => auth_api.log_lines().some((line) => line.includes('"audit_retention_waits"')), 'auth-api reports it', 20);
  assert.equal(await count('audit_log'), rows);
});
