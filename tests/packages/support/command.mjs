// Runs a command and hears what it says.
import { spawn } from 'node:child_process';

/** Resolves to { code, out, err }; never rejects for a command that failed. */
export function run(program, args, { input = '', timeout = 240_000, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, timeout, killSignal: 'SIGKILL' });
    const heard = { out: '', err: '' };
    child.stdout.on('data', (data) => (heard.out += data));
    child.stderr.on('data', (data) => (heard.err += data));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...heard }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Its output; throws with all it said when it failed. */
export async function must(program, args, options) {
  const { code, out, err } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${out}\n${err}`);
  return out;
}

/** Asks again until it says yes; throws with `what` after far longer than it should take. */
export async function until(what, ask, patience = 90_000) {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`still not so after ${patience / 1000} s: ${what}`);
}
