// CONTRIBUTING.md and the decisions name files and folders that exist; audit.md names every action that is written.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text_of = (path) => readFileSync(join(root, path), 'utf8');
const files_of = (folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name));

test('the tree of CONTRIBUTING.md is the tree', () => {
  const table = text_of('CONTRIBUTING.md').match(/^\| Folder \| Contents \|$[^]*?(?=^$)/m)[0];
  const rows = table.trim().split('\n').slice(2).map((row) => row.split('|').slice(1, 3));
  assert.ok(rows.length > 8);
  for (const [folder, holds] of rows) {
    const [path] = folder.match(/(?<=`)[^`]+(?=`)/);
    assert.ok(existsSync(join(root, path)), path);
    const inside = readdirSync(join(root, path), { recursive: true }).filter((name) => !name.includes('node_modules'));
    for (const [, name] of holds.matchAll(/`([a-z_]+)\/`/g)) {
      const found = inside.some((one) => (one === name || one.endsWith(`/${name}`)) && statSync(join(root, path, one)).isDirectory());
      assert.ok(found, `${name}/ is not below ${path}`);
    }
  }
});

test('paths of files that CONTRIBUTING.md and the decisions name exist', () => {
  const pages = ['CONTRIBUTING.md', ...files_of('proto-docs/decisions').filter((name) => name.endsWith('.md'))];
  const missing = pages.flatMap((page) => [...text_of(page).matchAll(/`((?:libs|services|gateway|tests|scripts|deploy|cmake|proto-docs)\/[\w./-]*\w)`/g)]
    .map(([, path]) => path).filter((path) => !['', '.hpp'].some((ending) => existsSync(join(root, path + ending)))).map((path) => `${page}: ${path}`));
  assert.deepEqual(missing, []);
});

test('audit.md names every action', () => {
  const subjects = 'api|console|organization|member|key|slot|stage|booking|agent|import|webhook(?!\\.test\\b)';
  const sources = ['services', 'libs', 'deploy/migrations'].flatMap(files_of).filter((name) => /\.(cpp|sql)$/.test(name) && !name.includes('node_modules') && !name.includes('/web/'));
  const actions = new Set(sources.flatMap((name) => [...text_of(name).matchAll(new RegExp(`["'']((?:${subjects})\\.[a-z]+(?:_[a-z]+)*)["'']`, 'g'))].map(([, action]) => action)));
  assert.ok(actions.size > 20);
  const page = text_of('proto-docs/audit.md');
  assert.deepEqual([...actions].filter((action) => !page.includes(`\`${action}\``)), []);
});
