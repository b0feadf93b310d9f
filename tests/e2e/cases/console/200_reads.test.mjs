// What the console reads is what the API returns to a key of the same member: the same records, filters, pages, exports.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { sign_in } from '../../support/console.mjs';
import { ids_of, sync_round, walk } from '../../support/lists.mjs';
import { fill, id_of, make_organization } from '../../support/organization.mjs';
import { await_condition } from '../../support/programs.mjs';
import { recruitctl } from '../../support/recruitctl.mjs';

let organization, admin, key, job;
before(async () => {
  organization = await make_organization();
  await fill(organization, { jobs: 21, candidates: 3 });
  for (const role of ['recruiter', 'viewer']) await organization.add_member(role);
  [admin, key] = [await sign_in(organization), (await organization.key('*')).secret];
  job = await id_of(organization, 'jobs', 'job-3');
});
after(close_connections);

const same = async (path, query) =>
  assert.deepEqual((await admin.get(path, { query })).json.data, (await get(path, { key, query })).json.data, `${path} ${JSON.stringify(query)}`);

test('one record', async () => {
  for (const path of ['/organization', '/billing', `/jobs/${job}`]) await same(path);
});

test('the limits, for each role', async () => {
  const { data } = (await admin.get('/limits')).json;
  assert.equal(data.webhooks, 20);
  assert.ok(Object.values(data).every((limit) => limit > 0));
  assert.deepEqual((await (await sign_in(organization, `viewer@${organization.slug}.example`)).get('/limits')).json.data, data);
});

const time = '2026-01-01T00:00:00Z';
const later = '2099-01-01T00:00:00Z';
const times = [{ createdAfter: time }, { createdBefore: later }, { updatedAfter: time }, { updatedBefore: later }];

test('jobs: every parameter', async () => {
  const jobs = [{}, ...times, { limit: 3, sort: 'title' }, { status: 'open,draft' }, { include: 'stages,description', limit: 5 }, { externalId: 'job-7' },
    { department: 'Sales' }, { published: true }, { q: 'engineer 004' }];
  for (const query of jobs) await same('/jobs', query);
});

test('members: every parameter', async () => {
  for (const query of [{}, ...times, { limit: 1, sort: 'name' }, { role: 'viewer,admin' }, { status: 'active' }]) await same('/members', query);
});

test('the audit log: every parameter, and its exports', async () => {
  const me = (await get('/me', { key })).json.principal;
  const [{ requestId }] = (await get('/audit', { key, query: { limit: 1, memberId: me.memberId } })).json.data;
  const fixed = { occurredBefore: new Date().toISOString(), limit: 50 };
  const audit = [{}, { order: 'asc' }, { occurredAfter: time }, { credentialId: me.credentialId }, { memberId: me.memberId }, { action: 'api.request,member.signed_in' },
    { endpoint: '/api/v1/me' }, { success: true }, { statusCode: 200 }, { ipAddress: '127.0.0.1' }, { requestId }, { sessionId: 'f'.repeat(32) }];
  for (const query of audit) await same('/audit', { ...fixed, ...query });
  for (const type of ['text/csv', 'application/x-ndjson']) {
    const [mine, theirs] = [await admin.get('/audit', { query: fixed, headers: { Accept: type } }), await get('/audit', { key, query: fixed, headers: { Accept: type } })];
    assert.ok(mine.headers['content-type'].startsWith(type));
    assert.equal(mine.text, theirs.text);
  }
  const rows = (await admin.get('/audit', { query: { action: 'console.request' } })).json.data;
  assert.ok(rows.every(({ actor, credentialId }) => actor.type === 'member' && actor.email === organization.admin && credentialId === null));
  assert.ok(rows.some(({ endpoint }) => endpoint === '/console/api/audit'));
});

test('pages: every record once, and the links lead below /console/api', async () => {
  for (const path of ['/jobs', '/members', '/audit']) {
    const query = path === '/audit' ? { occurredBefore: new Date().toISOString() } : {};
    const pages = await walk(path, { getter: admin.get, query: { ...query, limit: path === '/members' ? 1 : 7 } });
    assert.deepEqual(ids_of(pages), ids_of(await walk(path, { key, query })), path);
    const { headers } = await admin.get(path, { query: { limit: 1 } });
    assert.match(headers.link, /^<[^>]*\/console\/api\//);
  }
});

test('a sync goes on where it was', async () => {
  for (const path of ['/jobs', '/members']) {
    const first = (await admin.get(path, { query: { syncToken: '', limit: 200 } })).json;
    assert.deepEqual(ids_of(first.data), ids_of((await sync_round(path, '', { key, limit: 200 })).records), path);
    await admin.get(path, { query: { syncToken: first.page.syncToken } });
  }
});

test('the chain\'s head is the one that recruitctl prints', async () => {
  await await_condition(async () => {
    const chain = (await admin.get('/audit/chain')).json.data;
    const { sequence, hash } = await recruitctl('audit', 'head', '--organization', organization.slug);
    if (chain.sequence !== sequence) return false; // the sealer came by between the two
    assert.equal(chain.head, hash);
    return sequence > 0 && chain.sealedUntil !== null && chain.unsealedRows >= 0;
  }, 'both show one head');
});

test('answers are compressed where the client wants it, and never stored', async () => {
  const { headers } = await admin.get('/jobs', { query: { include: 'description' }, headers: { 'Accept-Encoding': 'gzip' } });
  assert.deepEqual([headers['content-encoding'], headers['cache-control']], ['gzip', 'no-store']);
});
