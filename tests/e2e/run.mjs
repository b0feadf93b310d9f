// The end-to-end run: every case, then the closing tests that look back on it (coverage of the documents, logs).
// node e2e/run.mjs [PART OF A FILE NAME …]   with names, only those cases and no closing tests
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const run_dir = process.env.RECRUITING_RUN_DIR;
if (!run_dir) {
  console.error('RECRUITING_RUN_DIR is not set: run scripts/test --only e2e, or point it at the .run of a scripts/up');
  process.exit(2);
}

const tests_in = (folder) =>
  readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? tests_in(path) : name.endsWith('.test.mjs') ? [path] : [];
  });

// Fresh for each run, so that the closing tests see this run alone.
process.env.RECRUITING_E2E_RECORD_DIR = mkdtempSync(join(run_dir, 'e2e-'));

// Most of a case's time is waiting, and `node --test` takes one file at a time on two cores (its --test-concurrency is not in
// Debian 12's node).
async function pass(files, at_once) {
  let passed = true;
  const tests = run({ files, concurrency: at_once });
  tests.on('test:fail', () => (passed = false));
  for await (const text of tests.compose(tap)) process.stdout.write(text);
  return passed;
}

const parts = process.argv.slice(2);
const cases = tests_in(join(here, 'cases')).filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
if (cases.length === 0) {
  console.error(`no case file's name contains ${parts.join(' or ')}`);
  process.exit(2);
}
const passed = await pass(cases, 3);
const closed = parts.length > 0 || (await pass(tests_in(join(here, 'closing')), 1));
process.exitCode = passed && closed ? 0 : 1;
