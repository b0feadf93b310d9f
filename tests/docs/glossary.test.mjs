// glossary.md: each term once, in order, with one definition that is a sentence.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = readFileSync(new URL('../../proto-docs/glossary.md', import.meta.url), 'utf8');
const tables = page.split(/^## /m).slice(1).map((part) => [...part.matchAll(/^\| (?!Term \||-)(.+?) \| (.+) \|$/gm)].map(([, term, definition]) => ({ term, definition })));

test('each term has one definition, which is a sentence', () => {
  const terms = tables.flat().map(({ term }) => term.toLowerCase());
  assert.ok(terms.length > 50, `${terms.length} terms`);
  assert.deepEqual(terms.filter((term, at) => terms.indexOf(term) !== at), []);
  for (const { term, definition } of tables.flat()) assert.match(definition, /^[A-Z`].*[.]$/, term);
});

test('terms are in alphabetical order', () => {
  for (const table of tables) {
    const terms = table.map(({ term }) => term.toLowerCase());
    assert.deepEqual(terms, [...terms].sort((a, b) => a.localeCompare(b, 'en')));
  }
});
