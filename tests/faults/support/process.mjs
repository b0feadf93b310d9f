// A process of a test's own, whose output goes to a log; and a server that is not ours, as such a process on a port of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { until } from './wait.mjs';

/** command: [program, arguments]; log: a file; output: a descriptor for its standard output instead; as: {uid, gid} or nothing. */
export const start_process = (command, { log, output, as = {}, env = {}, cwd }) => {
  const into = openSync(log, 'a');
  const child = spawn(...command, { ...as, cwd, env: { PATH: `${process.env.PATH}:/usr/sbin`, ...env }, stdio: ['ignore', output ?? into, into] });
  closeSync(into);
  const started = {
    pid: child.pid,
    signal: (name) => child.kill(name),
    alive: () => child.exitCode === null && child.signalCode === null,
    end_state: () => child.signalCode ?? child.exitCode,
    async end(name = 'SIGKILL') {
      if (!started.alive()) return;
      const gone = once(child, 'exit');
      child.kill(name);
      await gone;
    },
    /** Throws with the last lines of the log when the process has ended by itself. */
    check() {
      if (!started.alive()) throw new Error(`${command[0]} ended with ${started.end_state()}: ${readFileSync(log, 'utf8').slice(-2000)}`);
    },
  };
  return started;
};

const accepts = (port) => new Promise((done) => {
  const probe = net.connect(port, '127.0.0.1');
  probe.on('error', () => done(false)).on('connect', () => {
    probe.destroy();
    done(true);
  });
});

/** It can be killed, paused, stopped and started again. command: [program, arguments]; log: a file for its output. */
export const start_server = async (name, port, command, log) => {
  let child;
  const server = {
    port,
    pid: () => child.pid,
    alive: () => child.alive(),
    signal: (signal) => child.signal(signal),
    /** preloaded: variables of this start alone. */
    async start(preloaded = {}) {
      child = start_process(command, { log, env: preloaded });
      await until(() => {
        child.check();
        return accepts(port);
      }, `${name} accepts connections`);
    },
    end: (signal) => child.end(signal),
  };
  await server.start();
  return server;
};
