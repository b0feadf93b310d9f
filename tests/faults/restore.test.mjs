// A base backup and its archived log, restored to a point in time and to the end (operations.md): keys that were revoked after
// that point work again, doctor warns, and `key revoke --from` revokes them.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { until } from './support/wait.mjs';

const execute = promisify(execFile);
const installed = '/usr/lib/postgresql';
const newest = readdirSync(installed).map(Number).filter(Boolean).sort((a, b) => b - a)[0];
const programs = join(installed, String(newest), 'bin');
const recruitctl_program = join(process.env.RECRUITING_BUILD_DIR ?? 'build/release', 'bin/recruitctl');

/** PostgreSQL refuses to run as root; then it runs as the user of Debian's package. */
const id_of = (kind) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
const as = process.getuid() === 0 ? { uid: id_of('-u'), gid: id_of('-g') } : {};

const folder = mkdtempSync(join(tmpdir(), 'recruiting-restore-'));
const [original, backup, archive, heads] = ['original', 'backup', 'archive', 'heads'].map((name) => join(folder, name));
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
const restored_check = async () => (await recruitctl('doctor')).checks.find((one) => one.check === 'database.restored');
const key_state = async () => (await recruitctl('key', 'list', '--organization', 'acme', '--all')).data[0].state;

let before_revocation;
let key;

before(async () => {
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  mkdirSync(archive);
  if (as.uid !== undefined) chownSync(archive, as.uid, as.gid);
  writeFileSync(join(folder, 'pepper'), 'p'.repeat(32), { mode: 0o600 });
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
  key = await recruitctl('key', 'create', '--organization', 'acme', '--owner', 'ada@acme.example', '--name', 'one',
    '--scope', '*', '--expires-in', '90d');
  assert.equal((await restored_check()).verdict, 'ok');
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
