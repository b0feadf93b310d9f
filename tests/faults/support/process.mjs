// A server that is not ours, as a process on a port of its own: killed, paused, stopped and started again there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import net from 'node:net';
import { until } from './wait.mjs';

const accepts = (port) => new Promise((done) => {
  const probe = net.connect(port, '127.0.0.1');
  probe.on('error', () => done(false)).on('connect', () => {
    probe.destroy();
    done(true);
  });
});

/** command: the program and its arguments; log: a file for its output. */
export const start_process = async (name, port, command, log) => {
  let child;
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const server = {
    port,
    pid: () => child.pid,
    alive: () => !ended(),
    signal: (signal) => child.kill(signal),
    async start() {
      const output = openSync(log, 'a');
      child = spawn(command[0], command.slice(1), { env: { PATH: process.env.PATH }, stdio: ['ignore', output, output] });
      await until(() => {
        if (ended()) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}; its log is ${log}`);
        return accepts(port);
      }, `${name} accepts connections`);
    },
    async end(signal) {
      if (ended()) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
  await server.start();
  return server;
};
