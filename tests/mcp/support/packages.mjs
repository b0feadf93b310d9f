// The protocol's official programs from npm, run as they come.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/**
 * Runs a program of a package until it ends; the answer has code, stdout, stderr. Its own Node comes first in the path, for
 * programs that start `node`. The folder is the program's: one of them looks for its package.json from where it runs.
 */
export const run_package = (program, ...args) =>
  new Promise((done, fail) => {
    const path = join(modules, program);
    const child = spawn(process.execPath, [path, ...args], {
      cwd: dirname(path), env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: process.env.HOME ?? '/', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (out[name] += text));
    child.on('error', fail);
    child.on('close', (code) => done({ code, ...out }));
  });
