// One process of a service that can be killed, paused, stopped and started again on the same ports.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { free_port } from '../../support/free_port.mjs';
import { ask, status_of } from './http.mjs';
import { start_process } from './process.mjs';
import { until } from './wait.mjs';

/**
 * program: the binary; settings: its environment, or a function of the binary that gives it; folder: for its log; name: auth-api, public-api or gateway.
 * readiness: what /readyz is waited for to answer; output: a descriptor for its standard output, instead of the log.
 */
export const start_instance = async (number, { program, settings, folder, name = 'auth-api', readiness = 200, output }) => {
  const [port, admin_port] = [await free_port(), await free_port()];
  const log = join(folder, `${name}-${number}.log`);
  const prefix = `RECRUITING_${name.toUpperCase().replace('-', '_')}`;
  const env = () => ({
    ...(typeof settings === 'function' ? settings(program) : settings),
    [`${prefix}_LISTEN`]: `127.0.0.1:${port}`,
    [`${prefix}_ADMIN_LISTEN`]: `127.0.0.1:${admin_port}`,
  });
  let child;
  const instance = {
    number,
    port,
    admin_port,
    log,
    exits: [], // {asked: signal, got: signal or exit code}
    pid: () => child.pid,
    /** From the next start on it is this binary. */
    exchange: (other) => { program = other; },
    /** preloaded: variables of this start alone. */
    async start(preloaded = {}) {
      child = start_process([program, []], { log, output, env: { ...env(), ...preloaded } });
      await until(async () => {
        child.check();
        return (await status_of(admin_port, '/readyz', 2_000)) === readiness;
      }, `${name} ${number} is ready`);
    },
    signal: (name) => child.signal(name),
    /** What the admin port answers; of a process that has ended, the error says so. */
    async admin(path) {
      try {
        return (await ask({ port: admin_port, path, timeout: 5_000 })).text;
      } catch (error) {
        child.check();
        throw error;
      }
    },
    /** A metric's value, summed over the samples whose labels match. */
    async metric(name, labels = '') {
      const samples = (await instance.admin('/metrics')).split('\n').filter((line) => line.startsWith(name) && /[{ ]/.test(line[name.length]) && line.includes(labels));
      return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    },
    async end(name) {
      if (!child.alive()) return;
      await child.end(name);
      instance.exits.push({ asked: name, got: child.end_state() });
    },
    /** A process that ended without being asked shows here. */
    alive: () => child.alive(),
    end_state: () => child.end_state(),
    log_lines: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
  };
  await instance.start();
  return instance;
};
