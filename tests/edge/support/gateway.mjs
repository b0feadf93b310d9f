// The gateway under test: the built binary on free ports, with a Redis of its own, in a folder of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** RECRUITING_BUILD_DIR's binary, or that of the gateway scripts/up runs. */
export const binary = () => {
  const { RECRUITING_BUILD_DIR: build, RECRUITING_RUN_DIR: run } = process.env;
  if (build) return join(build, 'bin', 'recruiting-gateway');
  if (run) return readlinkSync(`/proc/${readFileSync(join(run, 'gateway.pid'), 'utf8').trim()}/exe`).replace(/ \(deleted\)$/, '');
  throw new Error('set RECRUITING_BUILD_DIR (such as build/release) or RECRUITING_RUN_DIR (such as .run)');
};

const free_port = async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
};

const until = async (condition, what) => {
  for (const end = Date.now() + 20_000; !(await condition()); ) {
    if (Date.now() > end) throw new Error(`${what}: not within 20 s`);
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

const status_of = (socketPath, path) =>
  new Promise((done) => {
    const request = http.get({ socketPath, path, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode));
    });
    request.on('error', () => done(0));
  });

const end_child = async (child) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};

/** Everything ends with stop(): gateway, Redis, folder. settings: without their prefix RECRUITING_GATEWAY_. */
export const start_gateway = async (auth_api, public_api, settings = {}) => {
  const program = binary();
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-edge-'));
  const [redis_socket, admin_socket] = [join(folder, 'redis.sock'), join(folder, 'admin.sock')];
  const log = join(folder, 'log');
  const output = openSync(log, 'a');
  const run = (command, args, env) => spawn(command, args, { env, stdio: ['ignore', output, output] });
  const redis = run('redis-server', ['--port', '0', '--unixsocket', redis_socket, '--save', '', '--dir', folder], { PATH: process.env.PATH });
  await until(async () => (await answers(redis_socket, 'PING\r\n')).startsWith('+PONG'), 'Redis answers');

  const port = await free_port();
  const own = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`RECRUITING_GATEWAY_${name}`, String(value)]));
  const gateway = run(program, [], {
    PATH: process.env.PATH,
    RECRUITING_REDIS_URL: `unix://${redis_socket}`,
    RECRUITING_GATEWAY_LISTEN: `127.0.0.1:${port}`,
    RECRUITING_GATEWAY_ADMIN_LISTEN: `unix:${admin_socket}`,
    RECRUITING_GATEWAY_AUTH_API: auth_api,
    RECRUITING_GATEWAY_PUBLIC_API: public_api,
    RECRUITING_GATEWAY_THREADS: '1',
    RECRUITING_GATEWAY_DRAIN_DELAY: '0ms',
    RECRUITING_GATEWAY_CEILING: '1000000',
    RECRUITING_GATEWAY_PUBLIC_CEILING: '1000000',
    RECRUITING_LOG_LEVEL: 'warning',
    ...own,
  });
  await until(async () => {
    if (gateway.exitCode !== null) throw new Error(`the gateway ended: ${readFileSync(log, 'utf8')}`);
    return (await status_of(admin_socket, '/readyz')) === 200;
  }, 'the gateway is ready');
  return {
    port,
    log: () => readFileSync(log, 'utf8'),
    alive: () => gateway.exitCode === null && gateway.signalCode === null,
    async stop() {
      await end_child(gateway);
      await end_child(redis);
      rmSync(folder, { recursive: true });
    },
  };
};
