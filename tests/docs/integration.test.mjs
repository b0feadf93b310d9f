// integration.md, run as its reader runs it: every block in order, in one shell, in an empty folder.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { run_dir } from '../e2e/support/environment.mjs';
import { unmarked } from '../support/page_steps.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'proto-docs/integration.md'), 'utf8');
const blocks = unmarked(page);

test('an export is imported, published and copied; a second export changes the copy', async () => {
  const slug = `northwind-${process.pid}-${Date.now()}`; // new each time, also where the system is kept
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-integration-'));
  const again = `sed -i 's/Noor/Nora/' export.json\n${blocks.find((one) => one.includes('recruitctl import'))}
    bash sync.sh "$recruiting" "$WAREHOUSE"\n${blocks.at(-1).split('\n').findLast((line) => line.startsWith('psql'))}\n`;
  const script = [...blocks, again, 'psql -q "$WAREHOUSE" -c "DROP SCHEMA warehouse CASCADE"'].join('\n')
    .replaceAll('CLONE/.run', `'${run_dir}'`).replaceAll('CLONE/', `'${root}'/`).replaceAll('northwind', slug).replaceAll('warehouse', `copy_${process.pid}`);
  try {
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, timeout: 120_000 });
    const lines = stdout.split('\n');
    assert.ok(lines.includes('Backend engineer'), stdout);
    assert.deepEqual(lines.filter((line) => line.endsWith('|1')), ['Noor Haddad|1', 'Nora Haddad|1']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
