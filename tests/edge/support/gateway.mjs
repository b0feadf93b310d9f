// The gateway under test: the built binary on free ports, with a Redis of its own, in a folder of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { free_port } from '../../support/free_port.mjs';

export { free_port };

/** A path of its own for each name, which the access log shows as it is: ids are kept there. */
export const path_of = (name) => `/api/v1/jobs/${createHash('md5').update(name).digest('hex')}`;

/** RECRUITING_BUILD_DIR's binary, or that of the gateway scripts/up runs. */
export const binary = () => {
  const { RECRUITING_BUILD_DIR: build, RECRUITING_RUN_DIR: run } = process.env;
  if (build) return join(build, 'bin', 'recruiting-gateway');
  if (run) return readlinkSync(`/proc/${readFileSync(join(run, 'gateway.pid'), 'utf8').trim()}/exe`).replace(/ \(deleted\)$/, '');
  throw new Error('set RECRUITING_BUILD_DIR (such as build/release) or RECRUITING_RUN_DIR (such as .run)');
};

/** Polls until the condition holds. */
export const until = async (condition, what) => {
  for (const end = Date.now() + 60_000; !(await condition()); ) {
    if (Date.now() > end) throw new Error(`${what}: not within 60 s`);
    await new Promise((done) => setTimeout(done, 10));
  }
};

const answers = (how, text) =>
  new Promise((done) => {
    const socket = net.connect(how, () => socket.write(text));
    socket.on('data', (bytes) => {
      socket.destroy();
      done(bytes.toString('latin1'));
    });
    socket.on('error', () => done(''));
  });

/** One request on a connection of its own. status 0: none was answered. how: as node:http has it. */
export const ask = (how) =>
  new Promise((done) => {
    const request = http.get({ ...how, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (bytes) => (text += bytes));
      answer.on('end', () => done({ status: answer.statusCode, text }));
      answer.on('error', () => done({ status: 0, text: '' }));
    });
    request.on('error', () => done({ status: 0, text: '' }));
  });

const has_ended = (child) => child.exitCode !== null || child.signalCode !== null;
const end_child = async (child) => {
  if (has_ended(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};

const prefixed = (settings) => Object.fromEntries(Object.entries(settings).map(([name, value]) => [`RECRUITING_GATEWAY_${name}`, String(value)]));

/** A running gateway, as the tests look at it. admin: how its admin port is reached. */
const observe = (child, log, port, admin) => {
  const status_line = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]);
  return {
    port,
    log: () => readFileSync(log, 'utf8'),
    /** Access-log lines, of requests with this path if one is given. */
    requests: (path) =>
      readFileSync(log, 'utf8').split('\n').filter((line) => line.includes('"event":"request"')).map((line) => JSON.parse(line))
        .filter((line) => path === undefined || line.path === path),
    alive: () => !has_ended(child),
    admin: (path) => ask({ ...admin, path }),
    /** The value of a metric; its labels as they are printed, or none. */
    async metric(name) {
      const { text } = await ask({ ...admin, path: '/metrics' });
      const line = text.split('\n').find((one) => one.startsWith(`${name} `));
      assert.ok(line, `there is no metric ${name}`);
      return Number(line.slice(name.length + 1));
    },
    /** KiB: VmRSS now, VmHWM at most so far. */
    memory: status_line,
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    signal: (name) => child.kill(name),
    /** The exit code, once it has one. */
    async exit() {
      if (!has_ended(child)) await once(child, 'exit');
      return child.signalCode ?? child.exitCode;
    },
  };
};

/** Everything ends with stop(): gateways, Redis, folder. settings: without their prefix RECRUITING_GATEWAY_; environment: others. */
export const start_gateway = async (auth_api, public_api, settings = {}, environment = {}) => {
  const program = binary();
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-edge-'));
  const redis_socket = join(folder, 'redis.sock');
  const run = (command, args, env, log) => {
    const output = openSync(log, 'a');
    return spawn(command, args, { env, stdio: ['ignore', output, output] });
  };
  const redis = run('redis-server', ['--port', '0', '--unixsocket', redis_socket, '--save', '', '--dir', folder], { PATH: process.env.PATH }, join(folder, 'redis.log'));
  await until(async () => (await answers(redis_socket, 'PING\r\n')).startsWith('+PONG'), 'Redis answers');

  const port = await free_port();
  const gateways = [];
  const start = async (own) => {
    const number = gateways.length;
    const [log, admin_socket] = [join(folder, `log${number}`), join(folder, `admin${number}.sock`)];
    const gateway = run(program, [], {
      PATH: process.env.PATH,
      RECRUITING_REDIS_URL: `unix://${redis_socket}`,
      RECRUITING_GATEWAY_LISTEN: `127.0.0.1:${port}`,
      RECRUITING_GATEWAY_ADMIN_LISTEN: `unix:${admin_socket}`,
      RECRUITING_GATEWAY_AUTH_API: auth_api,
      RECRUITING_GATEWAY_PUBLIC_API: public_api,
      RECRUITING_GATEWAY_THREADS: '1',
      RECRUITING_GATEWAY_DRAIN_DELAY: '0ms',
      RECRUITING_GATEWAY_RATE_LIMIT: '1000000',
      RECRUITING_GATEWAY_PUBLIC_RATE_LIMIT: '1000000',
      ...environment,
      ...prefixed({ ...settings, ...own }),
    }, log);
    gateways.push(gateway);
    await until(() => {
      if (has_ended(gateway)) throw new Error(`the gateway ended: ${readFileSync(log, 'utf8')}`);
      return readFileSync(log, 'utf8').includes('"event":"started"');
    }, 'the gateway has started');
    const [host, admin_port] = String(settings.ADMIN_LISTEN ?? '').split(':');
    const seen = observe(gateway, log, port, admin_port ? { host, port: admin_port } : { socketPath: admin_socket });
    await until(async () => (await seen.admin('/readyz')).status === 200, 'the gateway is ready');
    return seen;
  };
  const stop = async () => {
    for (const one of gateways) await end_child(one);
    await end_child(redis);
    rmSync(folder, { recursive: true });
  };
  try {
    /** successor: another gateway on the same port, with the same Redis. own: settings that differ. */
    return { ...(await start({})), folder, successor: (own = {}) => start(own), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
