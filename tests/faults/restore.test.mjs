// A base backup and its archived log, restored to a point in time and to the end (backup.md): keys that were revoked after
// that point work again, doctor warns, and `key revoke --from` revokes them. Clients begin their syncs anew, and idempotency keys
// hold. Doctor also names a role that gets past row-level security.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { until } from './support/wait.mjs';
import { auth_api_settings, make_secrets, programs as built } from './support/world.mjs';

const execute = promisify(execFile);
const installed = '/usr/lib/postgresql';
const newest = readdirSync(installed).map(Number).filter(Boolean).sort((a, b) => b - a)[0];
const programs = join(installed, String(newest), 'bin');
const recruitctl_program = join(process.env.RECRUITING_BUILD_DIR ?? 'build/release', 'bin/recruitctl');

/** PostgreSQL refuses to run as root; then it runs as the user of Debian's package. */
const id_of = (kind) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
const as = process.getuid() === 0 ? { uid: id_of('-u'), gid: id_of('-g') } : {};

const folder = mkdtempSync(join(tmpdir(), 'recruiting-restore-'));
const [original, backup, archive, heads, heads_before] = ['original', 'backup', 'archive', 'heads', 'heads-before'].map((name) => join(folder, name));
const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };
const run = (program, ...args) =>
  execFileSync(join(programs, program), args, { ...as, env, cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] });
const start = (data) => run('pg_ctl', '-D', data, '-l', `${data}.log`, '-w', 'start');
const stop = (data) => run('pg_ctl', '-D', data, '-m', 'fast', '-w', 'stop');
const sql = (text, database = 'recruiting') =>
  execFileSync('psql', ['-XqAt', '-v', 'ON_ERROR_STOP=1', '-h', folder, '-U', 'postgres', '-d', database, '-c', text], {
    env, encoding: 'utf8',
  }).trim();

const database_url = `postgresql://recruiting_owner@/recruiting?host=${folder}`;
/** What recruitctl prints, as JSON; doctor ends with 1 where something else is missing on this machine. */
const recruitctl = async (...args) => {
  const settings = { ...env, RECRUITING_DATABASE_URL: database_url, RECRUITING_KEY_PEPPER_FILE: join(folder, 'pepper') };
  const answer = await execute(recruitctl_program, [...args, '--json'], { env: settings }).catch((error) => {
    if (args[0] === 'doctor' && error.code === 1) return error;
    throw error;
  });
  return JSON.parse(answer.stdout);
};
const doctor_check = async (name) => (await recruitctl('doctor')).checks.find(({ check }) => check === `database.${name}`);
const restored_check = () => doctor_check('restored');
const key_state = async () => (await recruitctl('key', 'list', '--organization', 'acme', '--all')).data.find(({ name }) => name === 'one').state;
const make_key = (name) => recruitctl('key', 'create', '--organization', 'acme', '--owner', 'ada@acme.example', '--name', name, '--scope', '*', '--expires-in', '90d');

/** auth-api on whichever server runs, for as long as `use` takes. */
const with_auth_api = async (secret, use) => {
  const settings = auth_api_settings(folder, { url: (role) => `postgresql://${role}@/recruiting?host=${folder}` });
  const instance = await start_instance(1, { program: join(built(), 'recruiting-auth-api'), folder, settings });
  const send = (path, more = {}) => ask({
    port: instance.port, path: `/api/v1${path}`, timeout: 10_000, ...more, headers: { Authorization: `Bearer ${secret}`, ...more.headers },
  });
  const invoke = (prompt) => send('/agent/invoke', {
    method: 'POST', headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'daily-1' }, body: JSON.stringify({ prompt }),
  });
  try {
    await use({ send, invoke });
  } finally {
    await instance.end('SIGTERM');
  }
};

let before_revocation;
let key;
let client; // {secret, token, run}: a key that is never revoked, and what its client was told before the backup

before(async () => {
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  mkdirSync(archive);
  if (as.uid !== undefined) chownSync(archive, as.uid, as.gid);
  make_secrets(folder);
  run('initdb', '-D', original, '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8');
  appendFileSync(join(original, 'postgresql.conf'), `
listen_addresses = ''
unix_socket_directories = '${folder}'
fsync = off
archive_mode = on
archive_command = 'cp %p ${archive}/%f'
restore_command = 'cp ${archive}/%f %p'
`);
  start(original);
  for (const role of ['recruiting_owner', 'recruiting_auth', 'recruiting_public']) sql(`create role ${role} login`, 'postgres');
  sql('create database recruiting owner recruiting_owner', 'postgres');
  await recruitctl('migrate');
  await recruitctl('organization', 'create', '--slug', 'acme', '--name', 'Acme');
  await recruitctl('member', 'add', '--organization', 'acme', '--email', 'ada@acme.example', '--name', 'Ada', '--role', 'admin');
  key = await make_key('one');
  assert.equal((await restored_check()).verdict, 'ok');
  const { secret } = await make_key('two');
  await with_auth_api(secret, async ({ send, invoke }) => {
    const { page } = JSON.parse((await send('/jobs?syncToken=')).text);
    let run;
    await until(async () => (run = JSON.parse((await invoke('Hello')).text)).status === 'completed', 'the run has ended');
    client = { secret, token: page.syncToken, run };
    await until(async () => sql('select count(*) from recruiting.audit_intake') === '0', 'every audit row is sealed');
  });
  writeFileSync(heads_before, JSON.stringify(await recruitctl('audit', 'head')) + '\n');
  run('pg_basebackup', '-h', folder, '-U', 'postgres', '-D', backup, '-c', 'fast');
  before_revocation = sql('select clock_timestamp()');
  await recruitctl('key', 'revoke', '--organization', 'acme', '--name', 'one');
  writeFileSync(heads, JSON.stringify(await recruitctl('audit', 'head')) + '\n');
  const last = sql('select pg_walfile_name(pg_switch_wal())');
  await until(() => readdirSync(archive).includes(last), 'the log is archived');
  stop(original);
});

after(() => rmSync(folder, { recursive: true, force: true }));

const restored = async (name, recovery, check) => {
  const data = join(folder, name);
  cpSync(backup, data, { recursive: true, preserveTimestamps: true });
  if (as.uid !== undefined) execFileSync('chown', ['-R', `${as.uid}:${as.gid}`, data]);
  appendFileSync(join(data, 'postgresql.conf'), `archive_mode = off\n${recovery}`);
  writeFileSync(join(data, 'recovery.signal'), '');
  execFileSync('chmod', ['0700', data]);
  start(data);
  try {
    await until(() => sql('select pg_is_in_recovery()') === 'f', 'the restored server takes writes');
    await check();
  } finally {
    stop(data);
  }
};

test('restored to a point in time, a key revoked after it works again, until key revoke --from', async () => {
  await restored('point', `recovery_target_time = '${before_revocation}'\nrecovery_target_action = 'promote'\n`, async () => {
    assert.equal(await key_state(), 'active');
    const warned = await restored_check();
    assert.equal(warned.verdict, 'warning');
    assert.match(warned.text, /on timeline 2, and was on 1/);
    const told = await recruitctl('key', 'revoke', '--from', heads);
    assert.deepEqual(told.revoked.map((one) => one.id), [key.id]);
    assert.equal(await key_state(), 'revoked');
    assert.equal((await restored_check()).verdict, 'ok');
  });
});

test('restored to the end of the archived log, nothing was lost, and the warning is dismissed', async () => {
  await restored('end', '', async () => {
    assert.equal(await key_state(), 'revoked');
    assert.equal((await restored_check()).verdict, 'warning');
    assert.equal((await recruitctl('restore', 'dismiss')).dismissed, true);
    assert.equal((await restored_check()).verdict, 'ok');
  });
});

test('after a restore syncs begin anew, idempotency keys hold, and the chain is intact', async () => {
  await restored('clients', `recovery_target_time = '${before_revocation}'\nrecovery_target_action = 'promote'\n`, async () => {
    await with_auth_api(client.secret, async ({ send, invoke }) => {
      const stale = await send(`/jobs?syncToken=${encodeURIComponent(client.token)}`);
      assert.equal(stale.status, 400);
      assert.equal(JSON.parse(stale.text).error.details[0].reason, 'sync_token_expired');
      assert.equal((await send('/jobs?syncToken=')).status, 200);

      const replayed = JSON.parse((await invoke('Hello')).text);
      assert.equal(replayed.idempotentReplay, true);
      assert.deepEqual({ ...replayed, idempotentReplay: client.run.idempotentReplay }, client.run);
      assert.equal((await invoke('Something else')).headers['idempotency-mismatch'], 'true');
      assert.equal(sql('select count(*) from recruiting.agent_runs'), '1');
      await until(async () => sql('select count(*) from recruiting.audit_intake') === '0', 'new audit rows are sealed');
    });
    const verified = await recruitctl('audit', 'verify', '--head', heads_before);
    assert.equal(verified.intact, true, JSON.stringify(verified));
  });
});

test('doctor names a role that gets past row-level security, and one that is missing', async () => {
  const roles_check = () => doctor_check('roles');
  start(original);
  try {
    assert.notEqual((await roles_check()).verdict, 'problem');
    sql('alter role recruiting_auth bypassrls; grant recruiting_owner to recruiting_public');
    assert.equal((await roles_check()).verdict, 'problem');
    assert.equal((await roles_check()).text, 'recruiting_auth bypasses row-level security; recruiting_public is a member of recruiting_owner');
    sql('alter role recruiting_auth nobypassrls; alter role recruiting_public rename to other');
    assert.match((await roles_check()).text, /recruiting_public does not exist/);
    sql('alter role other rename to recruiting_public; revoke recruiting_owner from recruiting_public');
  } finally {
    stop(original);
  }
});
