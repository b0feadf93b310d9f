// The faults that `run` applies to a system. Each is {name, spares, limit, apply, heal}: spares are the flows that must not
// fail meanwhile, limit is the longest recovery in ms, heal answers when the fault was over. serves: every flow is served
// while it lasts; check: what else is wrong afterwards.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ask } from './http.mjs';
import { pause, until } from './wait.mjs';
import { disk_obstacle } from './system.mjs';
import { flows } from './system_load.mjs';

// Never execFileSync: this process carries the networks between the programs.
const execute = promisify(execFile);
const process_limit = 1_000;
const database_limit = 5_000;
const own = ['gateway', 'auth-api', 'public-api'];
/** What the flows need: whoever is not named here fails nobody. */
const used_by = {
  gateway: flows,
  'auth-api': ['reads', 'invokes'],
  'public-api': ['jobs', 'bookings'],
  postgres: ['reads', 'invokes', 'bookings'],
  model: ['invokes'],
  redis: [],
  smtp: [],
};
const without = (some) => flows.filter((flow) => !some.includes(flow));
const spared_by = (target) => without(used_by[target]);
const limit_of = (target) => (target === 'postgres' ? database_limit : process_limit);
const now = () => performance.now();

const server_of = (system, target) => (target === 'postgres' ? {
  kill: () => system.postgres.kill(),
  stop: () => system.postgres.shut_down(),
  freeze: () => system.postgres.freeze(),
  thaw: () => system.postgres.thaw(),
  start: () => system.postgres.start(),
} : {
  kill: () => system.servers[target].end('SIGKILL'),
  stop: () => system.servers[target].end('SIGTERM'),
  freeze: () => system.servers[target].signal('SIGSTOP'),
  thaw: () => system.servers[target].signal('SIGCONT'),
  start: () => system.servers[target].start(),
});

/** A process serves within its limit of its start; PostgreSQL, which recovers first, of its first answer. */
const started = async (system, target) => {
  const began = now();
  await server_of(system, target).start();
  return target === 'postgres' ? now() : began;
};

const of_processes = Object.keys(used_by).flatMap((target) => {
  const common = { spares: spared_by(target), limit: limit_of(target) };
  return [
    { name: `kill ${target}`, ...common, apply: (system) => server_of(system, target).kill(), heal: (system) => started(system, target) },
    {
      name: `pause ${target}`, ...common, apply: (system) => server_of(system, target).freeze(),
      heal: (system) => { server_of(system, target).thaw(); return now(); },
    },
    { name: `restart ${target}`, ...common, at_once: true, apply: (system) => server_of(system, target).stop(), heal: (system) => started(system, target) },
  ];
});

const links = {
  'gateway-auth-api': spared_by('auth-api'),
  'gateway-public-api': spared_by('public-api'),
  'auth-api-postgres': spared_by('auth-api'),
  'public-api-postgres': without(['bookings']),
  'gateway-redis': flows,
  'auth-api-smtp': flows,
  'auth-api-model': spared_by('model'),
};
/** The connections in turn, from one that is chosen: seven rounds of a fault reach them all. */
const in_turn = () => {
  const names = Object.keys(links);
  let at;
  return (random) => {
    at = at === undefined ? random.between(0, names.length - 1) : (at + 1) % names.length;
    return names[at];
  };
};
const of_networks = [
  ['cut', () => ({ refused: true })],
  ['stop', () => ({ stopped: true })],
  ['delay', (random) => ({ ms: random.between(20, 150) })],
  ['slice', () => ({ slice: true })],
].map(([kind, how]) => [kind, how, in_turn()]).map(([kind, how, next_link]) => ({
  name: `network ${kind}`,
  choose: (random) => ({ link: next_link(random), how: how(random) }),
  spares: ({ link }) => (kind === 'slice' ? flows : links[link]),
  limit: ({ link }) => (link.endsWith('postgres') ? database_limit : process_limit),
  apply: (system, { link, how }) => system.links[link].set(how),
  heal: (system, { link }) => { system.links[link].set(); return now(); },
}));

/** libfaketime of Debian's package faketime, for programs of several threads. */
const faketime = () => readdirSync('/usr/lib').map((folder) => join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1')).find((path) => {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
});
export const no_faketime = () => (faketime() ? undefined : 'libfaketime is missing: install faketime');
const clock_of = (system) => join(system.folder, 'clock');
export const with_clock = (file) => ({
  LD_PRELOAD: faketime(), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1',
});
/** The same for a program that libfaketime does not get along with. */
const with_shifted_clock = async (file) => {
  const library = `${file}.so`;
  await execute('cc', ['-shared', '-fPIC', '-O2', '-o', library, fileURLToPath(new URL('shifted_clock.c', import.meta.url))]);
  return { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file };
};
const restart = async (server, preloaded) => {
  await server.end('SIGTERM');
  const began = now();
  await server.start(preloaded);
  return began;
};
const prlimit = (server, what) => execute('prlimit', ['--pid', String(server.pid()), what]);
const descriptors = (server) => readdirSync(`/proc/${server.pid()}/fd`).length;
const writable_memory = (server) => Number(/^VmData:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))[1]) * 1024;

/** Requests on connections of their own, whose bodies have to be kept, all at once; whatever becomes of them. */
const long_body = JSON.stringify({ prompt: 'x'.repeat(100_000) });
const press = (system, { port }) => Promise.allSettled(Array.from({ length: 100 }, () => ask({
  port, method: 'POST', path: '/api/v1/agent/invoke', timeout: 2_000, body: long_body,
  headers: { Authorization: `Bearer ${system.secret}`, 'Content-Type': 'application/json' },
})));

/** Of one program that is chosen; what dies of it is started again. */
const of_program = (name, apply, heal, { obstacle, may_end = false, serves = false } = {}) => ({
  name, obstacle, serves, choose: (random) => ({ target: random.pick(own), sign: random.pick(['+', '-']) }),
  spares: ({ target }) => spared_by(target), limit: process_limit,
  apply: (system, choice) => apply(system, system.servers[choice.target], choice),
  async heal(system, choice) {
    const { target } = choice;
    const server = system.servers[target];
    if (server.alive()) return heal(system, server);
    const failed = server.log_lines().findLast((line) => line.includes('"task_failed"'));
    if (!may_end) throw new Error(`${target} ended with ${server.end_state()}: ${failed}`);
    choice.ended = `${server.end_state()}${failed ? `: ${JSON.parse(failed).message}` : ''}`;
    const began = now();
    await server.start();
    return began;
  },
});

const of_resources = [
  of_program('clock jump', async (system, server, { sign }) => {
    writeFileSync(clock_of(system), '+0\n');
    await restart(server, with_clock(clock_of(system)));
    await pause(500);
    writeFileSync(clock_of(system), `${sign}3600\n`);
    const jumped = () => Math.abs(Date.parse(JSON.parse(server.log_lines().at(-1)).time) - Date.now()) > 3_000_000;
    await until(jumped, 'the log shows that the clock jumped', 10);
  }, async (system, server) => {
    writeFileSync(clock_of(system), '+0\n');
    await pause(1_200);
    return restart(server);
  }, { obstacle: no_faketime, serves: true }),
  of_program('no descriptors', async (system, server) => {
    await prlimit(server, `--nofile=${descriptors(server)}:`);
    await press(system, server);
  }, async (system, server) => { await prlimit(server, '--nofile=1024:'); return now(); }),
  of_program('no memory', async (system, server) => {
    await prlimit(server, `--data=${writable_memory(server)}:`);
    await press(system, server);
  }, async (system, server) => { await prlimit(server, '--data=unlimited:'); return now(); }, { may_end: true }),
];

const say_redis = async (system, ...words) => {
  const { stdout } = await execute('redis-cli', ['-p', String(system.servers.redis.port), ...words]);
  return stdout.trim().split('\n');
};
/** file: one that the server's user can read; shows: the server's clock in ms. */
const clocks = {
  postgres: {
    obstacle: no_faketime,
    with_clock,
    file: (system) => join(system.postgres.folder, 'clock'),
    start: (system, preloaded) => system.postgres.start('recruiting', preloaded),
    shows: async (system) => Number(await system.postgres.sql('select extract(epoch from clock_timestamp())')) * 1_000,
  },
  redis: {
    with_clock: with_shifted_clock,
    file: clock_of,
    start: (system, preloaded) => system.servers.redis.start(preloaded),
    shows: async (system) => Number((await say_redis(system, 'TIME'))[0]) * 1_000,
    // Counts that a jump expired were made anew by an increment, which sets no lifetime.
    async check(system) {
      const kept = [];
      for (const key of (await say_redis(system, '--scan', '--pattern', 'rl:*')).filter(Boolean))
        if ((await say_redis(system, 'TTL', key))[0] === '-1') kept.push(`${key} never expires`);
      return kept;
    },
  },
};
const of_clocks = Object.entries(clocks).flatMap(([target, clock]) => [['ahead', '+'], ['back', '-']].map(([where, sign]) => ({
  name: `clock ${where} ${target}`, obstacle: clock.obstacle, spares: spared_by(target), limit: limit_of(target), serves: true, check: clock.check,
  async apply(system) {
    writeFileSync(clock.file(system), '+0\n');
    await server_of(system, target).stop();
    await clock.start(system, await clock.with_clock(clock.file(system)));
    await pause(500);
    writeFileSync(clock.file(system), `${sign}3600\n`);
    await until(async () => Math.abs(await clock.shows(system) - Date.now()) > 3_000_000, 'the clock has jumped', 10);
  },
  async heal(system) {
    writeFileSync(clock.file(system), '+0\n');
    await until(async () => Math.abs(await clock.shows(system) - Date.now()) < 60_000, 'the clock is right', 10);
    await pause(500);
    await server_of(system, target).stop();
    return started(system, target);
  },
})));

const of_database = [
  {
    name: 'disk full', obstacle: disk_obstacle, spares: spared_by('postgres'), limit: database_limit,
    // First tables cannot grow, then the log cannot either, and PostgreSQL goes down.
    async apply(system) {
      system.postgres.fill_disk();
      await pause(1_500);
      for (let i = 0; i < 6; i += 1) {
        await system.postgres.sql('select pg_switch_wal()').catch(() => {});
        await pause(200);
      }
    },
    async heal(system) {
      system.postgres.free_disk();
      await until(async () => {
        if (!system.postgres.alive()) await system.postgres.start();
        return system.postgres.answers();
      }, 'PostgreSQL answers');
      return now();
    },
  },
  {
    name: 'audit refused', spares: spared_by('auth-api'), limit: process_limit,
    apply: (system) => system.postgres.sql('revoke insert (events, event_count) on recruiting.audit_intake from recruiting_auth'),
    async heal(system) {
      await system.postgres.sql('grant insert (events, event_count) on recruiting.audit_intake to recruiting_auth');
      return now();
    },
  },
];

export const faults = [...of_processes, ...of_database, ...of_networks, ...of_resources, ...of_clocks];
