// GET /audit as text/csv and application/x-ndjson: the whole selection, the same rows as the JSON pages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get, send, auth_prefix } from '../../support/client.mjs';
import { walk } from '../../support/lists.mjs';
import { make_organization } from '../../support/organization.mjs';

let key, query, whole;
before(async () => {
  const organization = await make_organization();
  key = (await organization.key('*')).secret;
  for (let i = 0; i < 230; i += 1) await get('/me', { key, headers: { 'User-Agent': i % 2 ? 'plain' : 'says "hi", twice; ok' } });
  query = { order: 'asc', action: 'api.request', endpoint: '/api/v1/me' };
  whole = await walk('/audit', { key, query: { ...query, limit: 200 } });
  assert.equal(whole.length, 230);
});
after(close_connections);

const accept = (type) => ({ key, query, headers: { Accept: type } });

/** RFC 4180. */
const parse_csv = (text) => {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.filter((row) => row.length > 1);
};
const flat = (row, prefix = '') =>
  Object.entries({ ...row, ...('target' in row ? { target: row.target ?? { type: null, id: null } } : {}) }).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' ? flat(value, `${prefix}${name}.`) : [[prefix + name, value === null ? '' : String(value)]]);

test('NDJSON: a record a line, all of them', async () => {
  const { text, headers } = await get('/audit', accept('application/x-ndjson'));
  assert.match(headers['content-type'], /^application\/x-ndjson/);
  assert.ok(text.endsWith('\n'));
  assert.deepEqual(text.trimEnd().split('\n').map((line) => JSON.parse(line)), whole);
});

test('CSV: a header line with dotted names, the same values', async () => {
  const { text, headers } = await get('/audit', accept('text/csv'));
  assert.match(headers['content-type'], /^text\/csv/);
  const [names, ...rows] = parse_csv(text);
  assert.deepEqual(names, flat(whole[0]).map(([name]) => name));
  assert.deepEqual(rows, whole.map((row) => flat(row).map(([, value]) => value)));
});

test('Accept-Encoding: gzip on exports: streamed, the same bytes', async () => {
  for (const type of ['application/x-ndjson', 'text/csv']) {
    const plain = await get('/audit', accept(type));
    const packed = await get('/audit', { ...accept(type), headers: { Accept: type, 'Accept-Encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(packed.headers['transfer-encoding'], 'chunked');
    assert.equal(packed.headers.vary, 'Accept-Encoding');
    assert.equal(packed.text, plain.text);
    assert.ok(packed.size < plain.size / 4, `${packed.size} of ${plain.size} bytes`);
  }
});

test('limit bounds a stream', async () => {
  const { text } = await get('/audit', { ...accept('application/x-ndjson'), query: { ...query, limit: 3 } });
  assert.equal(text.trimEnd().split('\n').length, 3);
});

test('a selection without rows', async () => {
  const nothing = { ...query, statusCode: 418 };
  assert.equal((await get('/audit', { ...accept('application/x-ndjson'), query: nothing })).text, '');
  assert.equal(parse_csv((await get('/audit', { ...accept('text/csv'), query: nothing })).text).length, 1);
});

test('JSON is preferred where the client does not care', async () => {
  for (const type of ['*/*', 'application/json', 'text/html', 'application/json, text/csv;q=0.1']) {
    assert.match((await get('/audit', accept(type))).headers['content-type'], /^application\/json/);
  }
});

test('errors and HEAD of a stream', async () => {
  const { error } = await get('/audit', { ...accept('text/csv'), query: { statusCode: 'x' }, expect: 400 });
  assert.equal(error.code, 'invalid_request');
  const head = await send('HEAD', `${auth_prefix}/audit`, { ...accept('text/csv'), expect: 200 });
  assert.match(head.headers['content-type'], /^text\/csv/);
});
