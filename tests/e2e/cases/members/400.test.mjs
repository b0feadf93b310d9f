// GET /members: what is refused.
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { check_refusals, check_refused } from '../../support/lists.mjs';
import { make_organization } from '../../support/organization.mjs';

let key;
before(async () => {
  const organization = await make_organization();
  await organization.add_member('viewer');
  key = (await organization.key('*')).secret;
});
after(close_connections);

test('bad parameters, all at once; limits; cursors', () =>
  check_refusals('/members', {
    bad: { limit: '0', role: 'boss', status: 'asleep', sort: 'email', createdAfter: 'yesterday', updatedBefore: '2026-13-01T00:00:00Z', q: 'x' },
    filter: { role: 'viewer' },
  }, { key }));

test('a sync token that is not ours, or stands beside a filter or cursor', async () => {
  await check_refused('/members', { syncToken: 'x' }, ['syncToken'], { key });
  const { page } = (await get('/members', { key, query: { syncToken: '' } })).json;
  await get('/members', { key, query: { syncToken: page.syncToken } });
  await get('/members', { key, query: { syncToken: page.syncToken, role: 'viewer' }, expect: 400 });
  await get('/members', { key, query: { syncToken: page.syncToken, cursor: 'x' }, expect: 400 });
  await get('/jobs', { key, query: { syncToken: page.syncToken }, expect: 400 });
});
