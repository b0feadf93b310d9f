// quickstart.md, run as its reader runs it: every block marked <!-- run -->, in order, in one shell in the project's root;
// what a block prints is compared with the block under <!-- prints -->, where … stands for anything within a line.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run_dir } from '../e2e/support/environment.mjs';
import { assert_prints, steps_of, unmarked } from '../support/page_steps.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'proto-docs/quickstart.md'), 'utf8');
const name = `warehouse-${process.pid}-${Date.now()}`; // of a key: unique, also when the system is kept
const state = join(tmpdir(), `${name}.token`);
const between = '\u0001';

const steps = steps_of(page);

/** What differs between a reader's machine and the test's: where the system runs, and what must be new each time. */
const adapted = (script) =>
  script.replaceAll('.run/', `'${run_dir}'/`).replaceAll('warehouse', name).replaceAll('/tmp/candidates.token', state).replaceAll('"quickstart"', `"${name}"`);

let printed;
before(async () => {
  const script = `set -euo pipefail\n${steps.map((step) => adapted(step.script)).join(`printf '${between}'\n`)}`;
  const { stdout, stderr, error } = await new Promise((done) => {
    execFile('bash', ['--norc', '-c', script], { cwd: root, env: { PATH: process.env.PATH, HOME: '/' }, encoding: 'utf8', timeout: 120_000 },
      (error, stdout, stderr) => done({ error, stdout, stderr }));
  });
  printed = stdout.split(between);
  assert.equal(error, null, `${stderr}\nafter: ${printed.at(-1)}`);
});
after(() => rmSync(state, { force: true }));

test('every block is marked, and those that start something else are known', () => {
  assert.deepEqual(unmarked(page), ['scripts/up\n']); // what started the system this test runs against
  assert.ok(steps.length > 8);
});

steps.forEach(({ heading, prints }, i) => {
  test(`${i + 1}: ${heading}`, () => {
    assert_prints(printed[i].replaceAll(name, 'warehouse'), prints ?? '');
  });
});
