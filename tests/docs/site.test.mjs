// The build of the site: the same bytes each time, nothing lost, and broken links told.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'recruiting-site-'));
const build = (from, to) => spawnSync('node', [join(from, 'proto-docs/site/build.mjs'), to], { encoding: 'utf8' });
const site = join(root, 'build/docs'); // by scripts/test --only docs

const files_of = (where) => readdirSync(where).sort().flatMap((name) => {
  const path = join(where, name);
  return statSync(path).isDirectory() ? files_of(path) : [path];
});
const digest = (where) => files_of(where).map((path) => `${relative(where, path)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);

after(() => rmSync(folder, { recursive: true }));

test('what reaches a container engine is enough to build it, and the same files give the same bytes', () => {
  const context = join(folder, 'context');
  const paths = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const path of paths) cpSync(join(root, path), join(context, path), { recursive: true, filter: (file) => !file.endsWith('node_modules') });
  symlinkSync(join(root, 'proto-docs/site/node_modules'), join(context, 'proto-docs/site/node_modules'));
  const into = join(folder, 'of-the-context');
  mkdirSync(into); // an empty folder may be filled
  const { status, stderr } = build(context, into);
  assert.equal(status, 0, stderr);
  assert.deepEqual(digest(into), digest(site));
});

test('every page of proto-docs is in the site', () => {
  const docs = join(root, 'proto-docs');
  const pages = ['', 'decisions', 'runbooks'].filter((sub) => existsSync(join(docs, sub)))
    .flatMap((sub) => readdirSync(join(docs, sub)).filter((name) => name.endsWith('.md')).map((name) => join(sub, name)));
  assert.ok(pages.length > 40);
  for (const name of pages) {
    const built = name.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
    assert.ok(existsSync(join(site, built)), `${name} is not there as ${built}`);
  }
});

test('what stands compressed beside a file is that file', () => {
  const compressed = files_of(site).filter((path) => path.endsWith('.gz'));
  assert.ok(compressed.length > 50);
  for (const path of compressed) assert.ok(gunzipSync(readFileSync(path)).equals(readFileSync(path.slice(0, -3))), path);
});

test('pages ask for nothing from elsewhere, and hold neither scripts nor styles of their own', () => {
  for (const path of files_of(site).filter((name) => name.endsWith('.html'))) {
    const html = readFileSync(path, 'utf8');
    assert.deepEqual(html.match(/<(?:script|link|img)[^>]+(?:src|href)="(?:[a-z]+:)?\/\/[^>]*>/g), null, path);
    assert.deepEqual(html.match(/<script(?![^>]+src=)[^>]*>|<style[^>]*>|<[a-z][^>]* (?:style|on\w+)="[^>]*>/g), null, path);
  }
});

test('no drawing is shown as its source', () => {
  for (const path of files_of(site).filter((name) => name.endsWith('.html'))) assert.doesNotMatch(readFileSync(path, 'utf8'), /data-language="(mermaid|dot|plantuml)"/, path);
});

test('the documents to download are those of the tree', () => {
  for (const name of ['auth_api.json', 'auth_api.yaml', 'public_api.json', 'public_api.yaml', 'console.json', 'console.yaml'])
    assert.ok(readFileSync(join(site, 'openapi', name)).equals(readFileSync(join(root, 'proto-docs/openapi', name))));
});

test('the overview leads to every page', () => {
  const overview = readFileSync(join(root, 'proto-docs/README.md'), 'utf8');
  const pages = readdirSync(join(root, 'proto-docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  assert.deepEqual(pages.filter((name) => !overview.includes(`](${name})`)), []);
});

test('README.md and the overview, which is the navigation, have one order', () => {
  const beginning = (text, from, pattern) => [...text.slice(text.indexOf(from)).matchAll(pattern)].map(([, title]) => title);
  const titles = beginning(readFileSync(join(root, 'README.md'), 'utf8'), '## Where to go next', /^- \*\*(.+?)\*\*:/gm);
  const overview = readFileSync(join(root, 'proto-docs/README.md'), 'utf8');
  assert.deepEqual(beginning(overview, '## Start', /^## (.+)$/gm).slice(0, titles.length), titles);
});

test('a folder that holds something else is left alone', () => {
  const mine = join(folder, 'mine');
  mkdirSync(mine);
  appendFileSync(join(mine, 'index.html'), 'a page of somebody');
  const { status, stderr } = build(root, mine);
  assert.equal(status, 1);
  assert.match(stderr, /holds something else than the documentation/);
  assert.deepEqual(readdirSync(mine), ['index.html']);
});

test('a link that leads nowhere fails the build, and the former site stays', () => {
  const copy = join(folder, 'copy');
  cpSync(join(root, 'proto-docs'), join(copy, 'proto-docs'), { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  for (const name of readdirSync(root)) if (name !== 'proto-docs') symlinkSync(join(root, name), join(copy, name));
  symlinkSync(join(root, 'proto-docs/site/node_modules'), join(copy, 'proto-docs/site/node_modules'));
  const former = join(folder, 'former');
  cpSync(site, former, { recursive: true });
  appendFileSync(join(copy, 'proto-docs/keys.md'), '\n[a](none.md), [b](limits.md#no-such-heading), [c](#scopes)\n');
  const { status, stderr } = build(copy, former);
  assert.equal(status, 1);
  assert.match(stderr, /^proto-docs\/keys\.md: there is no none\.md$/m);
  assert.match(stderr, /^keys\.html: limits\.html#no-such-heading names no heading of that page$/m);
  assert.equal(stderr.match(/^\S+\.(md|html): /gm).length, 2, stderr); // Eleventy says there too when it was slow
  assert.deepEqual(digest(former), digest(site));
});
