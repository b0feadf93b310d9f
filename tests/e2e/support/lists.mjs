// What every list promises, checked the same way for each: whole walks, order, filters, refusals, warehouse sync.
import assert from 'node:assert/strict';
import { auth_prefix, get } from './client.mjs';

const next_of = (answer) => answer.headers.link?.match(/^<([^>]+)>; rel="next"$/)?.[1];
const sorted_pairs = (query) => [...new URLSearchParams(query)].map(String).sort();

/** The link is the same request with the new cursor, nothing else. */
const check_link = (answer, page) => {
  const next = new URL(next_of(answer), 'http://host');
  assert.ok(next.pathname.endsWith(answer.path.replace(auth_prefix, '')), `Link leads to ${next.pathname}`);
  const wanted = new URLSearchParams(answer.target.split('?')[1] ?? '');
  wanted.set('cursor', page.nextCursor);
  assert.deepEqual(sorted_pairs(next.search), sorted_pairs(wanted));
};

/** Every record of a list, page by page, none twice. getter: get or get_public. */
export const walk = async (path, { query = {}, getter = get, ...options } = {}) => {
  const records = [];
  let cursor;
  for (;;) {
    const answer = await getter(path, { ...options, query: { ...query, cursor } });
    const { data, page } = answer.json;
    records.push(...data);
    assert.equal(page.limit, Number(query.limit ?? 50));
    assert.ok(data.length <= page.limit, `${data.length} records on a page of ${page.limit}`);
    assert.equal(page.hasMore, page.nextCursor !== null);
    assert.equal(page.hasMore, next_of(answer) !== undefined, 'Link is there exactly when there is more');
    if (!page.hasMore) break;
    assert.equal(data.length, page.limit, 'a page that is not the last is full');
    check_link(answer, page);
    cursor = page.nextCursor;
  }
  const ids = records.map((record) => record.id);
  assert.equal(new Set(ids).size, ids.length, 'a record was returned twice');
  return records;
};

export const ids_of = (records) => records.map((record) => record.id).sort();

const comparable = (value) => Buffer.from(String(value).toLowerCase(), 'utf8');

/** Both directions of every sort give all records, in order. */
export const check_sorts = async (path, fields, whole, options) => {
  for (const field of fields) {
    const up = await walk(path, { ...options, query: { sort: field, limit: 7 } });
    const down = await walk(path, { ...options, query: { sort: `-${field}`, limit: 7 } });
    assert.deepEqual(ids_of(up), ids_of(whole), `sort=${field} lost or added records`);
    assert.deepEqual(up.map((r) => r.id), down.map((r) => r.id).reverse(), `sort=-${field} is not the reverse`);
    up.slice(1).forEach((record, i) =>
      assert.ok(Buffer.compare(comparable(up[i][field]), comparable(record[field])) <= 0,
        `sort=${field}: ${up[i][field]} stands before ${record[field]}`));
  }
};

/** Each filter returns exactly the records its predicate names. filters: [[query, predicate], …] */
export const check_filters = async (path, filters, whole, options) => {
  for (const [query, holds] of filters) {
    const wanted = whole.filter(holds);
    const found = await walk(path, { ...options, query: { ...query, limit: 20 } });
    assert.deepEqual(ids_of(found), ids_of(wanted), `${path}?${new URLSearchParams(query)}`);
  }
};

/** After is inclusive, before is exclusive: at any instant the list splits into two without gap or overlap. */
export const check_time_filters = async (path, fields, whole, options, names = (field) => [`${field}After`, `${field}Before`]) => {
  for (const field of fields) {
    const value = (record) => record[field.includes('At') ? field : `${field}At`];
    const instants = [...new Set(whole.map(value))].sort();
    const instant = instants[Math.floor(instants.length / 2)];
    const [after, before] = names(field);
    const late = await walk(path, { ...options, query: { [after]: instant } });
    const early = await walk(path, { ...options, query: { [before]: instant } });
    assert.deepEqual(ids_of([...late, ...early]), ids_of(whole), `${after} and ${before} leave a gap or overlap`);
    assert.ok(late.every((record) => value(record) >= instant) && early.every((record) => value(record) <= instant));
    assert.deepEqual(await walk(path, { ...options, query: { [after]: '2099-01-01T00:00:00Z' } }), []);
    assert.deepEqual(await walk(path, { ...options, query: { [before]: '1999-01-01T00:00:00+00:00' } }), []);
  }
};

/** One request; refused with 400 and a detail for each of these fields. */
export const check_refused = async (path, query, fields, options = {}) => {
  const { getter = get, ...rest } = options;
  const { error } = await getter(path, { ...rest, query, expect: 400 });
  assert.equal(error.code, 'invalid_request');
  assert.deepEqual([...new Set(error.details.map((d) => d.field))].sort(), [...fields].sort(), JSON.stringify(error.details));
  for (const detail of error.details) assert.equal(detail.location, 'query');
};

/** Ill-typed parameters all at once, limit's bounds, cursors of others and changed ones. filter: one that is accepted. */
export const check_refusals = async (path, { bad, filter }, options) => {
  await check_refused(path, bad, Object.keys(bad), options);
  await check_refused(path, { colour: 'red' }, ['colour'], options);
  await check_refused(path, { Limit: '5' }, ['Limit'], options);
  for (const limit of ['0', '201', '-1', 'ten', '1.5', '', ' 5', '99999999999999999999']) await check_refused(path, { limit }, ['limit'], options);
  for (const limit of ['1', '200']) await get(path, { ...options, query: { limit } });
  await check_refused(path, 'limit=5&limit=6', ['limit'], options);

  const { nextCursor } = (await get(path, { ...options, query: { limit: 1 } })).json.page;
  assert.ok(nextCursor, 'these tests need a second page');
  await get(path, { ...options, query: { limit: 5, cursor: nextCursor } });
  await check_refused(path, { cursor: nextCursor, ...filter }, ['cursor'], options);
  const middle = Math.floor(nextCursor.length / 2);
  const changed = nextCursor.slice(0, middle) + (nextCursor[middle] === 'A' ? 'B' : 'A') + nextCursor.slice(middle + 1);
  for (const cursor of [changed, nextCursor.slice(0, -4), `${nextCursor}AAAA`, 'x', '']) {
    await check_refused(path, { cursor }, ['cursor'], options);
  }
};

/** One round of a warehouse sync: all records since the token, and the token to go on with. */
export const sync_round = async (path, token, { limit, include, ...options }) => {
  const records = [];
  for (;;) {
    const { data, page } = (await get(path, { ...options, query: { syncToken: token, limit, include } })).json;
    assert.equal(page.nextCursor, null);
    records.push(...data);
    token = page.syncToken;
    if (!page.hasMore) return { records, token };
  }
};

/**
 * Rounds until these ids have all come; fails when any other comes. A change waits for the end of every transaction
 * that was running when it was made (other tests have some), so it may take more than one round.
 */
export const sync_changes = async (path, token, ids, options) => {
  const newest = new Map();
  const end = Date.now() + 60_000;
  for (;;) {
    const round = await sync_round(path, token, options);
    token = round.token;
    for (const record of round.records) newest.set(record.id, record);
    const missing = ids.filter((id) => !newest.has(id));
    if (missing.length === 0 || Date.now() > end) break;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.deepEqual([...newest.keys()].sort(), [...ids].sort(), 'exactly what changed since the token');
  return { records: [...newest.values()], token };
};
