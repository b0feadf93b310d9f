// Further instances of the three programs, on free ports, for tests that stop, kill or set them differently.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { free_port } from '../../support/free_port.mjs';
import { binary_of, log_dir, settings_of } from './environment.mjs';

const status_of = (url) =>
  new Promise((done) => {
    const request = http.get(url, { agent: false, timeout: 2000 }, (response) => {
      response.resume();
      response.on('end', () => done(response.statusCode));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => done(0));
  });

/** Polls until the condition holds. */
export const await_condition = async (condition, what, seconds = 60) => {
  const end = Date.now() + seconds * 1000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await new Promise((done) => setTimeout(done, 25));
  }
};

/**
 * Starts one more instance like the running one. name: gateway, auth-api or public-api; settings override;
 * ready: wait for its dependencies too.
 * The answer has url, admin_url, and start (again on the same ports), stop (SIGTERM), kill (SIGKILL), ready.
 */
export const start_program = async (name, settings = {}, { ready = true } = {}) => {
  const prefix = `RECRUITING_${name.toUpperCase().replace('-', '_')}`;
  const [port, admin_port] = [await free_port(), await free_port()];
  const env = {
    PATH: process.env.PATH,
    ...settings_of(name),
    [`${prefix}_LISTEN`]: `127.0.0.1:${port}`,
    [`${prefix}_ADMIN_LISTEN`]: `127.0.0.1:${admin_port}`,
    [`${prefix}_THREADS`]: '1',
    ...settings,
  };
  const log = join(log_dir, `e2e-${name}-${process.pid}-${port}.log`);
  let child;
  const program = {
    url: new URL(`http://127.0.0.1:${port}`),
    admin_url: new URL(`http://127.0.0.1:${admin_port}`),
    log,
    health: (path) => status_of(new URL(path, program.admin_url)),
    async start({ ready = true } = {}) {
      const output = openSync(log, 'a');
      child = spawn(binary_of(name), [], { env, stdio: ['ignore', output, output] });
      const path = ready ? '/readyz' : '/healthz';
      await await_condition(async () => {
        if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}; its log is ${log}`);
        return (await program.health(path)) === 200;
      }, `${name} answers ${path}`);
    },
    async end(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
    stop: () => program.end('SIGTERM'),
    kill: () => program.end('SIGKILL'),
    exit_code: () => child.exitCode,
  };
  await program.start({ ready });
  return program;
};

export const host_of = (program) => program.url.host;

/** The gateway's settings that send requests to these instances; null: to where nobody is. */
export const behind_gateway = (auth_api, public_api) => {
  const nowhere = '127.0.0.1:9';
  const settings = {};
  for (const [name, program] of [['AUTH_API', auth_api], ['PUBLIC_API', public_api]]) {
    settings[`RECRUITING_GATEWAY_${name}`] = program ? program.url.host : nowhere;
    settings[`RECRUITING_GATEWAY_${name}_HEALTH`] = program ? `:${program.admin_url.port}` : '';
  }
  return settings;
};
