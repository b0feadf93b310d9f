// The end-to-end run: every case, then the closing tests that look back on it (coverage of the documents, logs).
// node e2e/run.mjs [PART OF A FILE NAME …]   with names, only those cases and no closing tests
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
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
const env = { ...process.env, RECRUITING_E2E_RECORD_DIR: mkdtempSync(join(run_dir, 'e2e-')) };
const node_test = (files) => spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit', env }).status ?? 1;

const parts = process.argv.slice(2);
const cases = tests_in(join(here, 'cases')).filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
if (cases.length === 0) {
  console.error(`no case file's name contains ${parts.join(' or ')}`);
  process.exit(2);
}
const failed = node_test(cases);
const closing = parts.length === 0 ? node_test(tests_in(join(here, 'closing'))) : 0;
process.exit(failed || closing);
