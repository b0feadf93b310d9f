// A server of a test's own: its log, its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { ask } from '../../faults/support/http.mjs';

/** command: [program, arguments]; as: {uid, gid} or nothing; log: a file. */
export const start_process = (command, { log, as = {}, env = {}, cwd = '/' }) => {
  const output = openSync(log, 'a');
  const child = spawn(...command, { ...as, cwd, env: { PATH: `${process.env.PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8', ...env }, stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid,
    signal: (name) => child.kill(name),
    async end(name = 'SIGKILL') {
      if (ended()) return;
      const gone = once(child, 'exit');
      child.kill(name);
      await gone;
    },
    /** Throws with the last lines of the log when the process has ended by itself. */
    check() {
      if (ended()) throw new Error(`${command[0]} ended with ${child.exitCode ?? child.signalCode}: ${readFileSync(log, 'utf8').slice(-2000)}`);
    },
  };
};

/** The status of GET path; 0 without an answer. */
export const status_of = (port, path, timeout = 1_000) => ask({ port, path, timeout }).then(({ status }) => status, () => 0);
