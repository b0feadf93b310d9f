// errors.md has every code the programs can answer, with its status, and tells of each when it comes and what a client does.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const text_of = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const source = text_of('libs/core/error.cpp');

/** [code, status, code as written]: the rows of the table in error.cpp. */
const codes = [...source.matchAll(/\{error_code::(\w+),\s*(\d{3}),\s*"(\w+)",/g)].map(([, ...row]) => row);

const rows = [...text_of('proto-docs/errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)];

test('every code with its status, and no other', () => {
  assert.ok(codes.length > 25);
  for (const [code, , written] of codes) assert.equal(code, written);
  assert.deepEqual(rows.map(([, status, code]) => [code, status]).sort(), codes.map(([code, status]) => [code, status]).sort());
});

test('each has its cause and what a client does', () => {
  for (const [, , code, cause, , client] of rows) assert.ok(cause.trim() && client.trim(), code);
});

test('codes the other pages speak of exist', () => {
  const known = new Set(rows.map(([, , code]) => code));
  for (const page of ['clients', 'keys', 'agent', 'concepts', 'secrets', 'quickstart']) {
    for (const [, code] of text_of(`proto-docs/${page}.md`).matchAll(/\b[45]\d\d `(\w+_\w+)`/g)) assert.ok(known.has(code), `${page}.md: ${code}`);
  }
});

test('the reasons of details are one list: in the code, in errors.md, in all OpenAPI documents', () => {
  const words = [...text_of('libs/http/problem.hpp').match(/detail_reasons = [^]*?}\);/)[0].matchAll(/"(\w+)"/g)].map(([, word]) => word);
  assert.ok(words.length > 20);
  const table = text_of('proto-docs/errors.md').match(/^## Reasons$[^]*?(?=^## |^A failed run)/m)[0];
  assert.deepEqual([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, word]) => word), words);
  for (const name of ['auth_api', 'public_api', 'console']) {
    const documented = text_of(`proto-docs/openapi/${name}.yaml`).match(/ {8}reason:\n[^]*?description: >-\n([^]*?)The same words/)[1];
    assert.deepEqual([...documented.matchAll(/`(\w+)`/g)].map(([, word]) => word), words, name);
  }
});

// Where a detail's reason is written.
const written_at = [
  // query.problem(name, "word", …), malformed(name, "word", …), wrong.add(name, "word", …)
  /(?:problem|malformed|wrong\.add)\([^;,]*,\s*("[a-z_]+")/g,
  // {"body", name, "word", …}, or {…, condition ? "word" : "word", …}
  /\{"(?:query|body|header|path|cookie|credential|limit)",\s*[^;,]*,\s*(?:[^;,"]*\? *("[a-z_]+") *: *)?("[a-z_]+")/g,
  // refusal(code, message, "field", "word"); read_values(…, {"word", …
  /\brefusal\((?=error_code)[^]*?"\w+",\s*("[a-z_]+")\)/g,
  /\bread_values\([^;]*?\{("[a-z_]+"),/g,
];

test('no other reason is written where the code makes a detail', () => {
  const known = new Set(text_of('libs/http/problem.hpp').match(/"\w+"/g));
  const folders = ['gateway', 'libs/http', 'libs/auth', 'services/auth_api', 'services/public_api'];
  const files = folders.flatMap((folder) => readdirSync(new URL(`../../${folder}/`, import.meta.url), { recursive: true })
    .filter((name) => name.endsWith('.cpp')).map((name) => `${folder}/${name}`));
  let found = 0;
  for (const file of files) {
    const words = written_at.flatMap((place) => [...text_of(file).matchAll(place)].flatMap(([, ...groups]) => groups)).filter(Boolean);
    for (const word of words) {
      assert.ok(known.has(word), `${file}: ${word}`);
      found += 1;
    }
  }
  assert.ok(found > 20, `${found} places`);
});

test('retry rules stand on one page, to which the others link', () => {
  const rules = /429 (?:and|or) 503[^.|]*\b(?:retried|repeated|repeat)\b|only 429 and 503|growing pauses/i;
  const pages = readdirSync(new URL('../../proto-docs/', import.meta.url)).filter((name) => name.endsWith('.md') && name !== 'clients.md').map((name) => `proto-docs/${name}`);
  const apis = ['auth_api', 'public_api', 'console'].map((name) => `proto-docs/openapi/${name}.yaml`);
  for (const page of [...pages, ...apis]) {
    // The programs' own calls of a model server and a collector, and the widget's of the public API, have rules of their own.
    const text = text_of(page).split('\n\n').filter((part) => !/model server|collector|widget/i.test(part)).join('\n\n');
    assert.doesNotMatch(text.replace(/\s+/g, ' '), rules, page);
  }
  for (const page of ['agent', 'concepts', 'errors', 'lists', 'versioning']) assert.match(text_of(`proto-docs/${page}.md`), /\]\(clients\.md#/, page);
});

test('500 with an Idempotency-Key: one advice', () => {
  for (const place of ['proto-docs/errors.md', 'proto-docs/clients.md', 'proto-docs/openapi/auth_api.yaml'])
    assert.match(text_of(place).replace(/\s+/g, ' '), /do not repeat (?:it|the request) automatically/, place);
});

test('no page says of a 503 to an invocation that nothing was done', () => {
  for (const page of ['errors', 'clients', 'concepts', 'agent', 'operations']) {
    for (const sentence of text_of(`proto-docs/${page}.md`).replace(/\s+/g, ' ').split(/(?<=\.) |\|/))
      if (/503/.test(sentence) && /\b(?:nothing|no run) (?:was|is|has been) (?:done|run|stored|changed)/.test(sentence)) assert.match(sentence, /\b(?:not|never|no 503)\b/i, `${page}.md: ${sentence}`);
  }
});

test('409 session_busy: one advice, the same in every document and in the answer itself', () => {
  const places = ['libs/core/error.cpp', 'proto-docs/errors.md', 'proto-docs/agent.md', 'proto-docs/clients.md', 'proto-docs/openapi/auth_api.yaml',
    ...['sh', 'py', 'ts'].map((kind) => `proto-docs/clients/recruiting.${kind}`)];
  for (const place of places) {
    const said = text_of(place).toLowerCase().replace(/["\s#*`]+/g, ' ');
    assert.ok(said.includes('session_busy') && /poll the session until (its status is no longer in_progress|it has ended) ?, then (invoke|resume|call this) again/.test(said), place);
  }
});
