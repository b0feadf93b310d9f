// GET /candidates: what is refused.
import { after, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { check_refusals, check_refused } from '../../support/lists.mjs';

const key = demo.key;
after(close_connections);

test('bad parameters, all at once; limits; cursors', () =>
  check_refusals('/candidates', {
    bad: { limit: '-5', jobId: '123', stageId: 'ZZ', status: 'open', sort: 'title', createdAfter: '1', department: 'x', q: '', tag: '', email: '' },
    filter: { source: 'referral' },
  }, { key }));

test('a sync token beside a filter, a sort or a cursor', async () => {
  for (const query of [{ tag: 'x' }, { sort: 'name' }, { cursor: 'x' }, { updatedAfter: '2026-01-01T00:00:00Z' }]) {
    await get('/candidates', { key, query: { syncToken: '', ...query }, expect: 400 });
  }
  await check_refused('/candidates', { syncToken: 'AAAA.BBBB' }, ['syncToken'], { key });
});
