// One process of a service that can be killed, paused, stopped and started again on the same ports.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { free_port } from '../../support/free_port.mjs';
import { ask } from './http.mjs';
import { until } from './wait.mjs';

/** program: the binary; settings: its environment; folder: for its log; name: auth-api or public-api. */
export const start_instance = async (number, { program, settings, folder, name = 'auth-api' }) => {
  const [port, admin_port] = [await free_port(), await free_port()];
  const log = join(folder, `${name}-${number}.log`);
  const prefix = `RECRUITING_${name.toUpperCase().replace('-', '_')}`;
  const env = {
    PATH: process.env.PATH,
    ...settings,
    [`${prefix}_LISTEN`]: `127.0.0.1:${port}`,
    [`${prefix}_ADMIN_LISTEN`]: `127.0.0.1:${admin_port}`,
  };
  let child;
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const ready = () => ask({ port: admin_port, path: '/readyz', timeout: 2000 }).then((answer) => answer.status === 200, () => false);
  const instance = {
    number,
    port,
    log,
    exits: [], // {asked: signal, got: signal or exit code}
    async start() {
      const output = openSync(log, 'a');
      child = spawn(program, [], { env, stdio: ['ignore', output, output] });
      await until(async () => {
        if (ended()) throw new Error(`${name} ${number} ended with ${child.exitCode ?? child.signalCode}: ${readFileSync(log, 'utf8').slice(-2000)}`);
        return ready();
      }, `${name} ${number} is ready`);
    },
    signal: (name) => child.kill(name),
    async end(name) {
      if (ended()) return;
      const gone = once(child, 'exit');
      child.kill(name);
      await gone;
      instance.exits.push({ asked: name, got: child.signalCode ?? child.exitCode });
    },
    /** A process that ended without being asked shows here. */
    alive: () => !ended(),
    log_lines: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
  };
  await instance.start();
  return instance;
};
