// The operator's tool and the database, as the tests use them.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from './environment.mjs';
import { record_secret } from './records.mjs';

const execute = (program, args, env) =>
  new Promise((done) => {
    execFile(program, args, { env, maxBuffer: 256 << 20, encoding: 'utf8' }, (error, stdout, stderr) =>
      done({ code: error ? (error.code ?? 1) : 0, stdout, stderr }));
  });

/** Runs recruitctl; the answer has code, stdout, stderr. */
export const run_recruitctl = (...args) => execute('recruitctl', args, environment);

/** Runs recruitctl with --json and returns what it printed; fails the test when it failed. */
export const recruitctl = async (...args) => {
  const { code, stdout, stderr } = await run_recruitctl(...args, '--json');
  assert.equal(code, 0, `recruitctl ${args.slice(0, 2).join(' ')} ended with ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout);
};

/** A new API key: {id, secret, displayedPrefix, expiresAt, …}. more: further arguments. */
export const create_key = async ({ organization, owner, scopes, name, expires_in = '30d', more = [] }) => {
  const key = await recruitctl('key', 'create', '--organization', organization, '--owner', owner,
    '--name', name ?? `e2e ${process.pid} ${(counter += 1)}`, '--scope', scopes, '--expires-in', expires_in, ...more);
  record_secret(key.secret);
  return key;
};
let counter = 0;

/** Imports records (objects) as NDJSON. kind: jobs, candidates or applications. */
export const import_records = async (kind, organization, records) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-e2e-'));
  try {
    const file = join(folder, `${kind}.ndjson`);
    writeFileSync(file, records.map((record) => JSON.stringify(record) + '\n').join(''));
    return await recruitctl('import', kind, '--organization', organization, '--strict', file);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const psql_arguments = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'];
const psql_environment = () => {
  const url = new URL(environment.RECRUITING_DATABASE_URL);
  return {
    PATH: environment.PATH,
    PGHOST: url.hostname,
    PGPORT: url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: url.pathname.slice(1),
  };
};

/** One SQL statement as the owner role; the rows as arrays of text. For what no command does: moving clocks. */
export const sql = async (statement) => {
  const { code, stdout, stderr } = await execute('psql', [...psql_arguments, '-c', statement], psql_environment());
  assert.equal(code, 0, `psql failed: ${stderr}`);
  return stdout.split('\n').filter(Boolean).map((line) => line.split('|'));
};

/** The same, of the audit log with the rows of all requests that were answered before. */
export const audit_sql = async (statement) => {
  await sql('select recruiting.seal_audit_rows(1000000)');
  return sql(statement);
};

/** A statement in a transaction that stays open until the function returned is called: it commits. */
export const hold_open = async (statement) => {
  const psql = spawn('psql', psql_arguments, { env: psql_environment(), stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(psql, 'exit');
  psql.stdin.write(`begin; ${statement};\n\\echo done\n`);
  await Promise.race([once(psql.stdout, 'data'), ended]);
  return async () => {
    psql.stdin.end('commit;\n');
    const [code] = await ended;
    assert.equal(code, 0, 'psql failed');
  };
};

/** An id of the API as the uuid literal SQL wants. */
export const uuid = (id) => `'${id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}'::uuid`;
