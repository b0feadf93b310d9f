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
