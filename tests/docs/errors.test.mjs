// errors.md has every code the programs can answer, with its status, and tells of each when it comes and what a client does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const text_of = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const source = text_of('libs/core/error.cpp');

/** code → status, as http_status tells them: cases gather until one returns. */
const statuses = () => {
  const body = source.match(/unsigned http_status[^]*?\n}/)[0];
  const found = {};
  let waiting = [];
  for (const [, code, status] of body.matchAll(/case error_code::(\w+):(?: return (\d+);)?/g)) {
    waiting.push(code);
    if (!status) continue;
    for (const one of waiting) found[one] = status;
    waiting = [];
  }
  return found;
};

const rows = [...text_of('proto-docs/errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)];

test('every code with its status, and no other', () => {
  const real = statuses();
  const codes = [...source.match(/to_string[^]*?\n}/)[0].matchAll(/error_code::(\w+): return "(\w+)"/g)];
  assert.ok(codes.length > 25);
  for (const [, name, written] of codes) assert.equal(name, written);
  assert.deepEqual(Object.keys(real).sort(), codes.map(([, name]) => name).sort());
  assert.deepEqual(Object.fromEntries(rows.map(([, status, code]) => [code, status]).sort()), Object.fromEntries(Object.entries(real).sort()));
});

test('each has its cause and what a client does', () => {
  for (const [, , code, cause, , client] of rows) assert.ok(cause.trim() && client.trim(), code);
});

test('codes the other pages speak of exist', () => {
  const known = new Set(rows.map(([, , code]) => code));
  for (const page of ['clients', 'keys', 'agent', 'concepts', 'security', 'quickstart']) {
    for (const [, code] of text_of(`proto-docs/${page}.md`).matchAll(/\b[45]\d\d `(\w+_\w+)`/g)) assert.ok(known.has(code), `${page}.md: ${code}`);
  }
});
