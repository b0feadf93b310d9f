// POST /mcp: one audit row for each message of a known key, with the tool's name and what its endpoint would have answered.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { ask, legacy, modern, post } from '../../support/mcp.mjs';
import { fill, id_of, make_organization } from '../../support/organization.mjs';
import { audit_sql, recruitctl } from '../../support/recruitctl.mjs';

const unknown = '0199c1a1c3d87f02b5a6e4d17c930f58';
let organization, key, narrow, viewer, job;
before(async () => {
  organization = await make_organization();
  await fill(organization, { jobs: 2, candidates: 2 });
  key = await organization.key('*');
  narrow = await organization.key('jobs:read');
  viewer = await organization.key('*', (await organization.add_member('viewer')).email);
  job = await id_of(organization, 'jobs', 'job-1');
});
after(close_connections);

/** The one row that was written for what send_it sends with this X-Request-Id. */
const row_of = async (send_it) => {
  const id = randomBytes(10).toString('hex');
  await send_it({ 'X-Request-Id': id });
  const { data } = (await get('/audit', { key: key.secret, query: { requestId: id } })).json;
  const rows = data.filter(({ action }) => action === 'api.request');
  assert.equal(rows.length, 1, `${rows.length} rows`);
  return rows[0];
};
const holds = (row, expected) =>
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, row[name]])), expected);

test('a call: the tool, who, with which key, from where, how it ended', async () => {
  for (const version of [modern, legacy]) {
    const row = await row_of((headers) => ask('tools/call', { name: 'get_job', arguments: { jobId: job } }, { key: key.secret, version, headers, address: '127.0.9.2' }));
    holds(row, { action: 'api.request', method: 'POST', endpoint: 'mcp:get_job', path: '/api/v1/mcp', statusCode: 200, success: true, errorCode: null,
      requiredScope: 'jobs:read', credentialId: key.id, ipAddress: '127.0.9.2', count: null });
    assert.deepEqual([row.actor.type, row.actor.email], ['api_key', organization.admin]);
    assert.ok(row.durationMs >= 0);
  }
});

test('every way in which a call ends, as its endpoint would have put it', async () => {
  const refused = { success: false };
  for (const [who, method, params, expect, expected] of [
    [key, 'tools/call', { name: 'get_job', arguments: { jobId: unknown } }, 200, { ...refused, endpoint: 'mcp:get_job', statusCode: 404, errorCode: 'not_found', requiredScope: 'jobs:read' }],
    [key, 'tools/call', { name: 'list_jobs', arguments: { limit: 0 } }, 200, { ...refused, endpoint: 'mcp:list_jobs', statusCode: 400, errorCode: 'invalid_request' }],
    [key, 'tools/call', { name: 'no_such_tool' }, 200, { ...refused, statusCode: 404, errorCode: 'not_found' }],
    [narrow, 'tools/call', { name: 'get_billing' }, 403, { ...refused, endpoint: 'mcp:get_billing', statusCode: 403, errorCode: 'insufficient_scope', requiredScope: 'billing:read' }],
    [viewer, 'tools/call', { name: 'get_billing' }, 403, { ...refused, endpoint: 'mcp:get_billing', statusCode: 403, errorCode: 'insufficient_role', requiredScope: 'billing:read' }],
    [key, 'resources/read', { uri: `recruiting://jobs/${job}` }, 200, { success: true, endpoint: 'mcp:resources/read', statusCode: 200, errorCode: null, requiredScope: 'jobs:read' }],
    [key, 'resources/read', { uri: `recruiting://jobs/${unknown}` }, 200, { ...refused, endpoint: 'mcp:resources/read', statusCode: 404, errorCode: 'not_found' }],
  ]) {
    holds(await row_of((headers) => ask(method, params, { key: who.secret, headers, expect })), { ...expected, credentialId: who.id });
  }
});

test('the other methods have their row too', async () => {
  for (const method of ['server/discover', 'tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
    holds(await row_of((headers) => ask(method, {}, { key: narrow.secret, headers })), { endpoint: `mcp:${method}`, statusCode: 200, success: true, requiredScope: null, credentialId: narrow.id });
  }
  holds(await row_of((headers) => ask('initialize', { protocolVersion: legacy, capabilities: {}, clientInfo: { name: 'e2e', version: '1' } }, { key: key.secret, version: null, headers })),
    { endpoint: 'mcp:initialize', statusCode: 200, success: true });
  holds(await row_of((headers) => ask('prompts/get', { name: 'longest_waiting' }, { key: key.secret, headers })), { endpoint: 'mcp:prompts/get', statusCode: 200, success: true });
});

test('what was not understood is a row of the endpoint, and keeps nothing of what was sent', async () => {
  const marker = 'private.person@mail.example';
  for (const send_it of [
    (headers) => post(`{"${marker}`, { key: key.secret, headers, expect: 400 }),
    (headers) => post(JSON.stringify([marker]), { key: key.secret, headers, expect: 400 }),
    (headers) => ask(marker, {}, { key: key.secret, headers, expect: 404 }),
    (headers) => ask('tools/call', { name: marker }, { key: key.secret, headers }),
    (headers) => ask('tools/call', { name: 'search_candidates', arguments: { email: marker } }, { key: key.secret, headers }),
    (headers) => ask('resources/read', { uri: `recruiting://jobs/${marker}` }, { key: key.secret, headers }),
  ]) {
    const row = await row_of(send_it);
    assert.ok(!JSON.stringify(row).includes('private.person'), JSON.stringify(row));
    assert.ok(row.endpoint === '/api/v1/mcp' || row.endpoint.startsWith('mcp:'), row.endpoint);
  }
  holds(await row_of((headers) => post('{', { key: key.secret, headers, expect: 400 })), { endpoint: '/api/v1/mcp', statusCode: 400, success: false, errorCode: 'invalid_request' });
  holds(await row_of((headers) => ask('tools/list', {}, { key: key.secret, headers: { ...headers, Origin: 'https://evil.example' }, expect: 403 })),
    { statusCode: 403, success: false, errorCode: 'cross_site_request' });
});

test('a revoked key has its row; a key that is none has not', async () => {
  const dead = await organization.key('*');
  await recruitctl('key', 'revoke', '--organization', organization.slug, '--id', dead.id);
  holds(await row_of((headers) => ask('tools/list', {}, { key: dead.secret, headers, expect: 401 })),
    { endpoint: 'mcp:tools/list', statusCode: 401, success: false, errorCode: 'credential_revoked', credentialId: dead.id });
  for (const secret of ['sp_test_x', key.id, undefined]) {
    const id = randomBytes(10).toString('hex');
    await ask('tools/list', {}, { key: secret, headers: { 'X-Request-Id': id }, expect: 401 });
    assert.deepEqual(await audit_sql(`select action from recruiting.audit_log where request_id = '${id}'`), []);
  }
});

test('the audit log is searched by the tool\'s name, and its chain verifies', async () => {
  const { data } = (await get('/audit', { key: key.secret, query: { endpoint: 'mcp:get_job' } })).json;
  assert.ok(data.length >= 2);
  for (const { endpoint } of data) assert.equal(endpoint, 'mcp:get_job');
  const verdict = await recruitctl('audit', 'verify', '--organization', organization.slug);
  assert.notEqual(verdict.ok ?? verdict.valid ?? verdict.intact, false);
});
