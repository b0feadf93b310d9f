// versioning.md: what it promises is true of the documents, and its examples are what the RFCs say.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('../../proto-docs', import.meta.url));
const page = readFileSync(join(docs, 'versioning.md'), 'utf8');
const documents = ['auth_api', 'public_api'].map((name) => JSON.parse(readFileSync(join(docs, 'openapi', `${name}.json`), 'utf8')));
const field = (name) => page.match(new RegExp(`^ *${name}: (.+)$`, 'm'))?.[1];
const months = (label) => Number(page.match(new RegExp(`^\\| ${label}[^|]*\\| (\\d+) months \\|$`, 'm'))?.[1]);

test('a deprecation looks as RFC 9745 and RFC 8594 say', () => {
  const since = field('Deprecation');
  assert.match(since, /^@-?\d{1,15}$/); // a date of RFC 9651
  const sunset = field('Sunset');
  assert.equal(new Date(sunset).toUTCString(), sunset, 'an HTTP date (IMF-fixdate), with the right weekday');
  assert.match(field('Link'), /^<https:\/\/[^>]+>; rel="deprecation"; type="text\/html"$/);
  const announced = new Date(Number(since.slice(1)) * 1000);
  announced.setUTCMonth(announced.getUTCMonth() + months('An endpoint'));
  assert.ok(new Date(sunset) >= announced, 'the example keeps the time that the page promises');
});

test('for how long: a version longer than a part of it, and no less than half a year for anything', () => {
  const [version, part, limit] = [months('A version'), months('An endpoint'), months('A limit')];
  assert.ok(version > part && part > limit && limit >= 6, `${version}, ${part}, ${limit} months`);
});

test('what is deprecated names its replacement; nothing of v1 is deprecated as long as the page says so', () => {
  const found = [];
  const look = (node, path) => {
    if (node === null || typeof node !== 'object') return;
    if (node.deprecated === true) found.push([path, node.description ?? '']);
    for (const [name, value] of Object.entries(node)) look(value, `${path}/${name}`);
  };
  for (const document of documents) look(document, document.info.title);
  assert.equal(page.includes('Nothing in v1 is deprecated today'), found.length === 0, JSON.stringify(found));
  for (const [path, description] of found) assert.match(description, /instead/i, path);
});

test('the version stands in the path of each API', () => {
  for (const { servers, info } of documents) {
    assert.match(servers[0].url, /^\/api\/(public\/)?v1$/);
    assert.match(info.version, /^1\./);
  }
});
