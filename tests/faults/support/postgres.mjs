// A PostgreSQL of the test's own, which it may stop and crash: durable, erased at the end.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { free_port } from '../../support/free_port.mjs';
import { pause, until } from './wait.mjs';

const execute = promisify(execFile);
const installed = '/usr/lib/postgresql';
const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };

/** The folder of PostgreSQL's own programs. */
export const postgres_programs = () => {
  const newest = readdirSync(installed).map(Number).filter(Boolean).sort((a, b) => b - a)[0];
  return join(installed, String(newest), 'bin');
};

/** PostgreSQL refuses to run as root; then it runs as the user of Debian's package. */
export const runner = () => {
  if (process.getuid() !== 0) return {};
  const number = (kind) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
};

/** In memory, as scripts/test's own servers, where 4 GiB are free: no crash of theirs is one of the kernel, which alone loses what is there. */
const parent_folder = () => {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir();
};

/** The processes of a server, without the first. */
export const children_of = (pid) =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((name) => {
    try {
      return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))[1]) === pid;
    } catch {
      return false; // it has just ended
    }
  }).map(Number);

export const signal_if_there = (pid, name) => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
};

/** Statements as superuser, over the server's socket. */
export const make_superuser = (folder, port) => {
  const sql = async (text, database = 'recruiting') => {
    const command = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', folder, '-p', String(port), '-U', 'postgres', '-d', database, '-c', text];
    const { stdout } = await execute('psql', command, { env, maxBuffer: 256 << 20 });
    return stdout.trim();
  };
  return {
    sql,
    /** The rows of a query as objects. */
    rows: async (query) => JSON.parse(await sql(`with q as (${query}) select coalesce(json_agg(q), '[]') from q`)),
  };
};

/** What a new server gets before the migrations. */
export const create_database = async (sql) => {
  for (const role of roles) await sql(`create role ${role} login`, 'postgres');
  await sql('create database recruiting owner recruiting_owner', 'postgres');
};

const configuration = (port, socket, more) => `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${socket}'
${more}
max_connections = 200
jit = off
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
`;

const one_backend = "select pid from pg_stat_activity where application_name like 'recruiting-auth-api%' order by random() limit 1";
export const roles = ['recruiting_owner', 'recruiting_auth', 'recruiting_public'];

/**
 * more: lines of postgresql.conf. of: a server that this one is made a standby of, which streams from it under the name
 * of its folder. disk: MiB of a file system of its own (tmpfs, which only root can mount) that fill_disk() fills.
 */
export const start_postgres = async ({ more = '', of, disk } = {}) => {
  const as = runner();
  const folder = mkdtempSync(join(parent_folder(), 'recruiting-faults-postgres-'));
  if (disk) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${disk}m`, 'recruiting-faults', folder]);
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const port = await free_port();
  const execute_program = (program, ...args) =>
    execFileSync(join(postgres_programs(), program), args, { ...as, env, cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] });
  let server;
  let stopped = [];

  const { sql: psql, rows } = make_superuser(folder, port);
  const answers = (database) => psql('select 1', database).then(() => true, () => false);

  const end = async (signal) => {
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };

  const postgres = {
    folder, // of its socket
    port,
    url: (role) => `postgresql://${role}@127.0.0.1:${port}/recruiting`,
    /** One statement as superuser. */
    sql: (text) => psql(text),
    rows,
    /** A transaction that holds what the text locks, until the answered function is called. */
    async hold(text) {
      const session = spawn('psql', ['-X', '-q', '-A', '-t', '-h', folder, '-p', String(port), '-U', 'postgres', '-d', 'recruiting'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
      session.stdin.write(`begin; ${text}; select 'held';\n`);
      await once(session.stdout, 'data');
      return async () => {
        const ended = once(session, 'exit');
        session.stdin.end('rollback;\n');
        await ended;
      };
    },
    /** preloaded: variables of this start alone. */
    async start(database = 'recruiting', preloaded = {}) {
      const output = openSync(join(folder, 'log'), 'a');
      server = spawn(join(postgres_programs(), 'postgres'), ['-D', data], { ...as, env: { ...env, ...preloaded }, cwd: '/', stdio: ['ignore', output, output] });
      await until(() => answers(database), 'PostgreSQL answers');
    },
    /** Down as by a failing machine: no checkpoint, nobody is told; start() recovers. */
    crash: () => end('SIGQUIT'),
    /** kill -9 of every process of the server. */
    async kill() {
      const ended = once(server, 'exit');
      const pids = [server.pid, ...children_of(server.pid)];
      for (const pid of pids) signal_if_there(pid, 'SIGKILL');
      await ended;
      await until(() => pids.every((pid) => !existsSync(`/proc/${pid}`)), 'its processes are gone');
    },
    answers: () => answers(),
    alive: () => server.exitCode === null && server.signalCode === null,
    /** Not a byte is left for it on its disk, until free_disk(). */
    fill_disk() {
      const file = openSync(join(folder, 'filler'), 'w');
      try {
        for (const bytes of [1 << 20, 1 << 12]) {
          try {
            for (;;) writeSync(file, Buffer.alloc(bytes));
          } catch (error) {
            if (error.code !== 'ENOSPC') throw error;
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free_disk: () => rmSync(join(folder, 'filler'), { force: true }),
    /** Down as by an operator: sessions are ended, everything is written. */
    shut_down: () => end('SIGINT'),
    /** One backend dies: the server ends all others, recovers and goes on by itself. */
    async crash_backend() {
      const pid = await psql(one_backend);
      if (pid === '') return;
      signal_if_there(Number(pid), 'SIGKILL');
      await until(() => !existsSync(`/proc/${pid}`), 'its end is noticed');
      await until(() => answers(), 'PostgreSQL answers again');
    },
    /** Stands still, in the middle of whatever it does, while everybody's clocks go on. */
    async stall(ms) {
      postgres.freeze();
      await pause(ms);
      postgres.thaw();
    },
    freeze() {
      stopped = [server.pid, ...children_of(server.pid)];
      for (const pid of stopped) signal_if_there(pid, 'SIGSTOP');
    },
    thaw() {
      for (const pid of stopped.splice(0)) signal_if_there(pid, 'SIGCONT');
    },
    /** A standby becomes a primary on a timeline of its own. */
    promote: () => psql('select pg_promote()', 'postgres'),
    /** The same of one backend, with the locks it holds. */
    async stall_backend(ms) {
      const pid = await psql(one_backend);
      if (pid === '') return;
      signal_if_there(Number(pid), 'SIGSTOP');
      await pause(ms);
      signal_if_there(Number(pid), 'SIGCONT');
    },
    end_connections: () =>
      psql("select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name like 'recruiting-auth-api%'"),
    async stop() {
      postgres.thaw();
      if (server && postgres.alive()) await postgres.crash();
      if (disk) execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };

  try {
    if (of) {
      execute_program('pg_basebackup', '-D', data, '-h', of.folder, '-p', String(of.port), '-U', 'postgres', '-R', '-X', 'stream', '-c', 'fast', '--no-sync');
      appendFileSync(join(data, 'postgresql.conf'), configuration(port, folder, more));
      await postgres.start();
      return postgres;
    }
    execute_program('initdb', '-D', data, '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync');
    appendFileSync(join(data, 'postgresql.conf'), configuration(port, folder, more));
    await postgres.start('postgres');
    await create_database(psql);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres;
};
