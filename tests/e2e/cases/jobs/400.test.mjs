// GET /jobs and GET /jobs/{id}: what is refused.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { check_refusals, check_refused } from '../../support/lists.mjs';

const key = demo.key;
after(close_connections);

test('bad parameters, all at once; limits; cursors', () =>
  check_refusals('/jobs', {
    bad: {
      limit: '1000', status: 'OPEN', published: 'maybe', sort: 'name', createdAfter: '2026-01-01', createdBefore: 'now',
      updatedAfter: '', updatedBefore: '2026-02-30T00:00:00Z', stageId: 'x', offset: '10',
    },
    filter: { status: 'open' },
  }, { key }));

test('each of several values is checked, and 400 names the bad one', async () => {
  const { error } = await get('/jobs', { key, query: { status: 'open,opne' }, expect: 400 });
  assert.deepEqual(error.details.map((d) => [d.field, d.reason]), [['status', 'unknown_value']]);
  assert.match(error.details[0].message, /^"opne" is not one of draft, open, on_hold, closed, archived\.$/);
  const repeated = await get('/jobs', { key, query: 'status=open&status=draft', expect: 400 });
  assert.equal(repeated.error.details[0].reason, 'repeated');
  assert.match(repeated.error.details[0].message, /separate them with commas/);
  await check_refused('/jobs', { status: Array(65).fill('open').join(',') }, ['status'], { key });
});

test('a cursor goes with the same values in any order, and not with fewer', async () => {
  const { nextCursor } = (await get('/jobs', { key, query: { limit: 1, status: 'open,draft' } })).json.page;
  await get('/jobs', { key, query: { limit: 1, status: 'draft,open', cursor: nextCursor } });
  await check_refused('/jobs', { status: 'open', cursor: nextCursor }, ['cursor'], { key });
});

test('include of something else, and more descriptions than a page holds', async () => {
  await check_refused('/jobs', { include: 'stages,salary' }, ['include'], { key });
  await check_refused('/jobs', { include: 'description', limit: 51 }, ['limit'], { key });
  await get('/jobs', { key, query: { include: 'description', limit: 50 } });
});

test('a cursor with another sort', async () => {
  const { nextCursor } = (await get('/jobs', { key, query: { limit: 1, sort: 'title' } })).json.page;
  await get('/jobs', { key, query: { limit: 1, sort: 'title', cursor: nextCursor } });
  await check_refused('/jobs', { sort: '-title', cursor: nextCursor }, ['cursor'], { key });
  await check_refused('/candidates', { cursor: nextCursor }, ['cursor'], { key });
});

test('a search without a word would return everything: refused', async () => {
  for (const q of ['%', '" "', '-']) for (const path of ['/jobs', '/candidates']) await check_refused(path, { q }, ['q'], { key });
});

test('a parameter where there is none', async () => {
  const [{ id }] = (await get('/jobs', { key, query: { limit: 1 } })).json.data;
  const { error } = await get(`/jobs/${id}`, { key, query: { fields: 'title' }, expect: 400 });
  assert.deepEqual(error.details.map((d) => [d.location, d.field]), [['query', 'fields']]);
});

test('text that is not text: NUL and broken UTF-8', async () => {
  for (const q of ['q=%00', 'q=a%00b', 'q=%ff', 'q=%c3%28', 'department=%ed%a0%80', 'q=%zz', 'q=%2']) {
    await get('/jobs', { key, query: q, expect: 400 });
  }
});
