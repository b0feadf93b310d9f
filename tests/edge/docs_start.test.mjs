// What keeps a public-api that is to serve documentation from starting, and what /docs is without.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { declined, get, run_cases } from './support/cases.mjs';
import { run_public_api, start_public_api } from './support/public_api.mjs';

run_cases(
  [declined('without RECRUITING_PUBLIC_API_DOCS there is nothing', get('/docs/'), 404), declined('nor is it a folder', get('/docs'), 404)],
  {}, () => start_public_api({}));

const folder = mkdtempSync(join(tmpdir(), 'recruiting-docs-'));
after(() => rmSync(folder, { recursive: true }));

test('a folder that is not there, or has no front page', async () => {
  const nowhere = await run_public_api({ DOCS: join(folder, 'none') });
  assert.equal(nowhere.status, 1);
  assert.match(nowhere.stderr, /RECRUITING_PUBLIC_API_DOCS: .*none/);
  const empty = await run_public_api({ DOCS: folder });
  assert.equal(empty.status, 1);
  assert.match(empty.stderr, /there is no index\.html/);
});

test('more bytes than the limit', async () => {
  writeFileSync(join(folder, 'index.html'), 'x');
  writeFileSync(join(folder, 'large.bin'), '');
  truncateSync(join(folder, 'large.bin'), 64 * 1024 * 1024);
  const { status, stderr } = await run_public_api({ DOCS: folder });
  assert.equal(status, 1);
  assert.match(stderr, /more than 2,000 files or 64 MiB/);
});
