// The three clients of proto-docs/clients behind one command line: run(arguments, environment, stdin) → code, stdout, stderr
// and the waits in seconds, which nobody waits for.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const clients_dir = fileURLToPath(new URL('../../../proto-docs/clients/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'recruiting-clients-'));
const bin = join(folder, 'bin');
const compiled = join(folder, 'ts');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Checks the TypeScript as strictly as it goes, and compiles it. */
const compile = () => {
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  execFileSync(process.execPath, [tsc, '-p', join(here, '..', 'tsconfig.json'), '--outDir', compiled], { stdio: ['ignore', 'inherit', 'inherit'] });
  writeFileSync(join(compiled, 'package.json'), '{"type":"module"}');
};
compile();
// The shell's sleep, which writes down instead.
mkdirSync(bin);
writeFileSync(join(bin, 'sleep'), '#!/bin/sh\necho "$1" >>"$WAITS_FILE"\n', { mode: 0o755 });

export const secret = `sp_test_${'k'.repeat(40)}`;
let runs = 0;

const run = (program, first) => (given, env = {}, input = '') =>
  new Promise((done) => {
    runs += 1;
    const waits = join(folder, `waits-${runs}`);
    writeFileSync(waits, '');
    const around = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, LC_ALL: 'C.UTF-8', NO_PROXY: '*' };
    const own = { CLIENTS_DIR: clients_dir, COMPILED_DIR: compiled, WAITS_FILE: waits, API_KEY: secret, RECRUITING_GATEWAY_URL: 'http://127.0.0.1:1' };
    const { stdin } = execFile(program, [...first, ...given], { env: { ...around, ...own, ...env }, encoding: 'utf8', timeout: 120_000 }, (error, stdout, stderr) => {
      const lines = readFileSync(waits, 'utf8').split('\n').filter(Boolean);
      done({ code: error ? error.code : 0, stdout, stderr, waits: lines.map(Number), lines: stdout.split('\n').filter(Boolean) });
    });
    stdin.on('error', () => {}); // it ended before it read
    stdin.end(input);
  });

export const state_file = () => join(folder, `state-${(runs += 1)}`);
export const clients = {
  shell: run('bash', [join(clients_dir, 'recruiting.sh')]),
  python: run('python3', ['-W', 'error', join(here, 'driver.py')]),
  typescript: run(process.execPath, [join(here, 'driver.mjs')]),
};
