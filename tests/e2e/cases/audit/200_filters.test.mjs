// GET /audit: pages, order, every filter.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { check_filters, check_refusals, check_refused, ids_of, walk } from '../../support/lists.mjs';
import { fill, id_of, make_organization } from '../../support/organization.mjs';

let organization, admin, viewer, key, until, whole;
before(async () => {
  organization = await make_organization();
  await fill(organization, { jobs: 2, candidates: 2 });
  admin = await organization.key('*');
  key = admin.secret;
  const member = await organization.add_member('viewer');
  viewer = { ...(await organization.key('*', member.email)), member_id: member.id };
  const job = await id_of(organization, 'jobs', 'job-1');
  for (let i = 0; i < 6; i += 1) {
    await get('/me', { key });
    await get('/jobs', { key: viewer.secret, address: '127.0.9.2' });
    await get(`/jobs/${job}`, { key });
    await get('/jobs/x', { key, expect: 404 });
    await get('/billing', { key: viewer.secret, expect: 403 });
  }
  // Reading the log adds rows to it: all walks below end at this instant.
  await new Promise((done) => setTimeout(done, 5));
  until = new Date().toISOString();
  whole = await walk('/audit', { key, query: { occurredBefore: until, limit: 200 } });
});
after(close_connections);

const bounded = (query) => ({ ...query, occurredBefore: until });

test('pages hold every row once, newest first, or oldest first', async () => {
  assert.ok(whole.length >= 30);
  const down = await walk('/audit', { key, query: bounded({ limit: 7 }) });
  const up = await walk('/audit', { key, query: bounded({ limit: 7, order: 'asc' }) });
  assert.deepEqual(down.map((r) => r.id), whole.map((r) => r.id));
  assert.deepEqual(up.map((r) => r.id), whole.map((r) => r.id).reverse());
  const times = whole.map((r) => r.occurredAt);
  assert.deepEqual(times, [...times].sort().reverse());
});

test('every filter', () =>
  check_filters('/audit', [
    [{ credentialId: viewer.id }, (r) => r.credentialId === viewer.id],
    [{ memberId: viewer.member_id }, (r) => r.actor.memberId === viewer.member_id],
    [{ action: 'api.request' }, (r) => r.action === 'api.request'],
    [{ action: 'key.created' }, (r) => r.action === 'key.created'],
    [{ endpoint: '/api/v1/jobs/{id}' }, (r) => r.endpoint === '/api/v1/jobs/{id}'],
    [{ success: 'false' }, (r) => !r.success],
    [{ success: 'true', credentialId: admin.id }, (r) => r.success && r.credentialId === admin.id],
    [{ statusCode: '403' }, (r) => r.statusCode === 403],
    [{ statusCode: '404,403' }, (r) => [403, 404].includes(r.statusCode)],
    [{ credentialId: `${viewer.id},${admin.id}` }, (r) => [viewer.id, admin.id].includes(r.credentialId)],
    [{ action: 'key.created,member.added' }, (r) => ['key.created', 'member.added'].includes(r.action)],
    [{ endpoint: '/api/v1/me,/api/v1/billing' }, (r) => ['/api/v1/me', '/api/v1/billing'].includes(r.endpoint)],
    [{ ipAddress: '127.0.9.2' }, (r) => r.ipAddress === '127.0.9.2'],
    [{ ipAddress: '192.0.2.1' }, () => false],
    [{ requestId: whole[3].requestId }, (r) => r.requestId === whole[3].requestId],
    [{ sessionId: '0199c1a1c3d87f02b5a6e4d17c930f58' }, () => false],
    [{ statusCode: '404', order: 'asc' }, (r) => r.statusCode === 404],
  ].map(([query, holds]) => [bounded(query), holds]), whole, { key }));

test('occurredAfter is inclusive, occurredBefore is exclusive', async () => {
  const middle = whole[15].occurredAt;
  const late = await walk('/audit', { key, query: bounded({ occurredAfter: middle }) });
  const early = await walk('/audit', { key, query: { occurredBefore: middle } });
  assert.deepEqual(ids_of([...late, ...early]), ids_of(whole));
  assert.ok(late.some((r) => r.id === whole[15].id));
});

test('reading the log is itself logged', async () => {
  const first = await get('/audit', { key, query: { limit: 1 } });
  const { data } = (await get('/audit', { key, query: { endpoint: '/api/v1/audit', limit: 5 } })).json;
  assert.ok(data.some((row) => row.requestId === first.headers['x-request-id'] && row.success));
});

test('400: bad parameters, all at once; limits; cursors', () =>
  check_refusals('/audit', {
    bad: {
      limit: '0', order: 'up', occurredAfter: 'x', occurredBefore: '', credentialId: 'x', memberId: 'X', success: '1', statusCode: 'ok',
      sessionId: 'x', sort: 'occurredAt', createdAfter: '2026-01-01T00:00:00Z',
    },
    filter: { success: 'true' },
  }, { key }));

test('400: an address that is none, a cursor of the other order', async () => {
  await check_refused('/audit', { ipAddress: '999.1.1.1' }, ['ipAddress'], { key });
  await check_refused('/audit', { statusCode: '99999' }, ['statusCode'], { key });
  const { nextCursor } = (await get('/audit', { key, query: { limit: 1 } })).json.page;
  await check_refused('/audit', { order: 'asc', cursor: nextCursor }, ['cursor'], { key });
});
