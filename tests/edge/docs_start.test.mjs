// What keeps a gateway that is to serve documentation from starting, and what it does without.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { declined, get, run_cases } from './support/cases.mjs';
import { binary } from './support/gateway.mjs';

run_cases([declined('without RECRUITING_GATEWAY_DOCS there is nothing', get('/docs/'), 404), declined('nor is it a folder', get('/docs'), 404)]);

const folder = mkdtempSync(join(tmpdir(), 'recruiting-docs-'));
after(() => rmSync(folder, { recursive: true }));

const start = (settings) => {
  const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`RECRUITING_GATEWAY_${name}`, value]));
  const { status, stderr } = spawnSync(binary(), [], { env: { ...env, RECRUITING_GATEWAY_LISTEN: `unix:${folder}/socket` }, encoding: 'utf8', timeout: 20_000 });
  return { status, stderr };
};

test('a folder that is not there, or has no front page', () => {
  const nowhere = start({ DOCS: join(folder, 'none') });
  assert.equal(nowhere.status, 1);
  assert.match(nowhere.stderr, /RECRUITING_GATEWAY_DOCS: .*none/);
  const empty = start({ DOCS: folder });
  assert.equal(empty.status, 1);
  assert.match(empty.stderr, /there is no index\.html/);
});

test('more files or bytes than the limits', () => {
  writeFileSync(join(folder, 'index.html'), 'x'.repeat(100));
  writeFileSync(join(folder, 'second.html'), 'x');
  for (const limit of [{ DOCS_FILES_LIMIT: '1' }, { DOCS_SIZE_LIMIT: '100' }]) {
    const { status, stderr } = start({ DOCS: folder, ...limit });
    assert.equal(status, 1);
    assert.match(stderr, /more than RECRUITING_GATEWAY_DOCS_FILES_LIMIT or/);
  }
});

test('a prefix that is taken', () => {
  const { status, stderr } = start({ DOCS: folder, PAGES: '/careers,/docs' });
  assert.equal(status, 2);
  assert.match(stderr, /\/docs is the prefix of something else/);
});
