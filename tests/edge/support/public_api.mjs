// A public-api of the suite's own: the built binary on a free port, without a database. What it serves from memory needs none.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ask, binary, free_port, until } from './gateway.mjs';

const program = () => join(dirname(binary()), 'recruiting-public-api');

/** Its environment in that folder. settings: without their prefix RECRUITING_PUBLIC_API_. */
const environment = (folder, port, settings) => {
  const secret = join(folder, 'cursor_secret');
  writeFileSync(secret, 'x'.repeat(32), { mode: 0o600 });
  return {
    PATH: process.env.PATH,
    RECRUITING_CURSOR_SECRET_FILE: secret,
    RECRUITING_PUBLIC_API_LISTEN: `127.0.0.1:${port}`,
    RECRUITING_PUBLIC_API_ADMIN_LISTEN: `unix:${join(folder, 'admin.sock')}`,
    RECRUITING_PUBLIC_API_DATABASE_URL: `postgresql://recruiting_public@localhost/none?host=${folder}`,
    RECRUITING_PUBLIC_API_THREADS: '1',
    RECRUITING_PUBLIC_API_DRAIN_DELAY: '0ms',
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`RECRUITING_PUBLIC_API_${name}`, String(value)])),
  };
};

/** For run_cases, in a recorder's place: it writes nothing down, and what it answers is its own. */
export const start_public_api = async (settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-public-'));
  const log = join(folder, 'log');
  const output = openSync(log, 'a');
  const port = await free_port();
  const child = spawn(program(), [], { env: environment(folder, port, settings), stdio: ['ignore', output, output] });
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (!ended()) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true });
  };
  try {
    await until(() => {
      if (ended()) throw new Error(`public-api ended: ${readFileSync(log, 'utf8')}`);
      return readFileSync(log, 'utf8').includes('"event":"started"');
    }, 'public-api has started');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address: `127.0.0.1:${port}`,
    port,
    reset() {},
    text: () => '',
    drop_connections() {},
    log: () => readFileSync(log, 'utf8'),
    signal: (name) => child.kill(name),
    memory: (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]),
    async metric(name) {
      const { text } = await ask({ socketPath: join(folder, 'admin.sock'), path: '/metrics' });
      return Number(text.split('\n').find((one) => one.startsWith(`${name} `))?.slice(name.length + 1));
    },
    stop,
  };
};

/** Starts one that is to end by itself: its exit code and what it wrote. */
export const run_public_api = async (settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-public-'));
  try {
    const child = spawn(program(), [], { env: environment(folder, await free_port(), settings), timeout: 20_000 });
    let stderr = '';
    child.stderr.on('data', (bytes) => (stderr += bytes));
    const [status] = await once(child, 'close');
    return { status, stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
};
