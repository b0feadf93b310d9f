// A database password is rotated under load, as proto-docs/secrets.md has it: no request is lost, and no program restarted.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { until } from './support/wait.mjs';
import { auth_api_settings, programs, start_database } from './support/world.mjs';

const execute = promisify(execFile);

test('a passfile with the new password is read at the next connection; existing ones go on', { timeout: 300_000 }, async (t) => {
  const { folder, postgres, recruitctl } = await start_database(t, 'rotation');
  const hba = join(postgres.folder, 'data', 'pg_hba.conf');
  writeFileSync(hba, `host all recruiting_auth all scram-sha-256\n${readFileSync(hba)}`);
  await postgres.sql("alter role recruiting_auth password 'first'");
  await postgres.sql('select pg_reload_conf()');
  const passfile = join(folder, 'pgpass');
  const put = (password) => {
    writeFileSync(`${passfile}.new`, `*:*:*:recruiting_auth:${password}\n`, { mode: 0o600 });
    renameSync(`${passfile}.new`, passfile);
  };
  put('first');
  await recruitctl('organization', 'create', '--slug', 'acme', '--name', 'Acme');
  await recruitctl('member', 'add', '--organization', 'acme', '--email', 'a@acme.example', '--name', 'A', '--role', 'admin');
  const { secret } = await recruitctl('key', 'create', '--organization', 'acme', '--owner', 'a@acme.example', '--name', 'k', '--scope', '*', '--expires-in', '30d');
  const { RECRUITING_AUTH_API_DATABASE_URL: url, ...settings } = auth_api_settings(folder, postgres);
  writeFileSync(join(folder, 'url'), `${url}?passfile=${passfile}\n`);
  const instance = await start_instance(1, {
    program: join(programs(), 'recruiting-auth-api'),
    folder,
    settings: { ...settings, RECRUITING_AUTH_API_DATABASE_URL_FILE: join(folder, 'url'), RECRUITING_MAIL_URL: '' },
  });
  t.after(() => instance.end('SIGKILL'));
  const get = () => ask({ port: instance.port, path: '/api/v1/jobs', headers: { authorization: `Bearer ${secret}` }, timeout: 20_000 });

  const statuses = [];
  let loading = true;
  const client = async () => {
    while (loading) statuses.push((await get()).status);
  };
  const clients = Array.from({ length: 4 }, client);
  const more = async (count, what) => {
    const goal = statuses.length + count;
    await until(() => statuses.length >= goal, what);
  };
  await more(50, 'requests before the rotation');
  await postgres.sql("alter role recruiting_auth password 'second'");
  put('second');
  await more(50, 'requests after it');
  loading = false;
  await Promise.all(clients);
  assert.deepEqual([...new Set(statuses)], [200]);
  assert.equal(await instance.metric('recruiting_postgres_connections_lost_total'), 0);

  await assert.rejects(execute('psql', ['-X', '-c', 'select 1', url], { env: { PATH: process.env.PATH, PGPASSWORD: 'first' } }), /password authentication failed/);
  await postgres.end_connections();
  await until(async () => (await get()).status === 200, 'a new connection logs in with the new password');
});
