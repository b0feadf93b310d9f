// One audit row for every authenticated request, before its answer; none for a request without a credential of ours.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { auth_prefix, close_connections, get, send } from '../../support/client.mjs';
import { fill, id_of, make_organization } from '../../support/organization.mjs';
import { recruitctl, audit_sql, sql } from '../../support/recruitctl.mjs';

let organization, admin, reader, job, candidate;
before(async () => {
  organization = await make_organization();
  await fill(organization, { jobs: 2, candidates: 2 });
  admin = await organization.key('*');
  const { email } = await organization.add_member('viewer');
  reader = { ...(await organization.key('jobs:read,candidates:read,billing:read', email, { name: 'Reader' })), email };
  job = await id_of(organization, 'jobs', 'job-1');
  candidate = await id_of(organization, 'candidates', 'candidate-1');
});
after(close_connections);

const unique_id = () => randomBytes(10).toString('hex');
const rows_of = async (request_id) => (await get('/audit', { key: admin.secret, query: { requestId: request_id } })).json.data;

/** Sends and returns the one row written for it. */
const row_after = async (path, { method = 'GET', ...options }) => {
  const request_id = unique_id();
  await send(method, auth_prefix + path, { headers: { 'X-Request-Id': request_id, 'User-Agent': 'e2e "a", b=1' }, ...options });
  const rows = await rows_of(request_id);
  assert.equal(rows.length, 1, `${method} ${path} wrote ${rows.length} rows`);
  return rows[0];
};

test('an answered request: who, what, from where, how it ended', async () => {
  const row = await row_after(`/jobs/${job}`, { key: reader.secret, query: { }, address: '127.0.9.1', expect: 200 });
  assert.equal(row.credentialId, reader.id);
  assert.equal(row.credentialName, 'Reader');
  assert.equal(row.actor.type, 'api_key');
  assert.equal(row.actor.email, reader.email);
  assert.equal(row.actor.role, 'viewer');
  assert.equal(row.action, 'api.request');
  assert.equal(row.method, 'GET');
  assert.equal(row.endpoint, '/api/v1/jobs/{id}');
  assert.equal(row.path, `/api/v1/jobs/${job}`);
  assert.equal(row.statusCode, 200);
  assert.equal(row.success, true);
  assert.equal(row.errorCode, null);
  assert.equal(row.requiredScope, 'jobs:read');
  assert.equal(row.ipAddress, '127.0.9.1');
  assert.equal(row.userAgent, 'e2e "a", b=1');
  assert.equal(row.sessionId, null);
  assert.ok(row.durationMs >= 0 && Math.abs(Date.parse(row.occurredAt) - Date.now()) < 60_000);
});

const refusals = () => [
  ['/candidates', 403, 'insufficient_role'],
  ['/members', 403, 'insufficient_scope'],
  ['/billing', 403, 'insufficient_role'],
  ['/jobs?limit=0', 400, 'invalid_request'],
  ['/jobs/0199c1a1c3d87f02b5a6e4d17c930f58', 404, 'not_found'],
];
test('refused requests have their row too', async () => {
  for (const [path, status, code] of refusals()) {
    const row = await row_after(path, { key: reader.secret, expect: status });
    assert.deepEqual([row.statusCode, row.success, row.errorCode, row.credentialId], [status, false, code, reader.id]);
  }
});

test('unknown paths and methods of an authenticated caller have their row', async () => {
  const unknown = await row_after('/no/such/path', { key: reader.secret, expect: 404 });
  assert.deepEqual([unknown.success, unknown.errorCode, unknown.path], [false, 'not_found', '/api/v1/{id}/{id}/{id}']);
  const method = await row_after('/jobs', { method: 'POST', key: reader.secret, expect: 405 });
  assert.deepEqual([method.success, method.errorCode, method.method], [false, 'method_not_allowed', 'POST']);
  const head = await row_after('/jobs', { method: 'HEAD', key: reader.secret, expect: 200 });
  assert.equal(head.method, 'HEAD');
});

test('the path is kept without its query: filters hold personal data', async () => {
  const row = await row_after('/candidates', { key: admin.secret, query: { email: 'private@mail.example' }, expect: 200 });
  assert.equal(row.path, '/api/v1/candidates');
  assert.ok(!JSON.stringify(row).includes('private@'));
});

// closing/logs.test.mjs searches the logs of all programs for the address.
test('a path keeps nothing of an address, whether it matches a route or not', async () => {
  const [[address]] = await sql(`select email from recruiting.candidates where email is not null limit 1`);
  for (const text of [address, encodeURIComponent(address)]) {
    for (const [path, kept] of [['/candidates/', '/candidates/{id}'], ['/candidate/', '/{id}/{id}'], ['/jobs/', '/jobs/{id}']]) {
      const row = await row_after(path + text, { key: admin.secret, expect: 404 });
      assert.equal(row.path, `/api/v1${kept}`);
    }
    for (const path of ['/careers/', '/api/public/v1/jobs/', '/interviews/', '/docs/', '/'])
      await send('GET', path + text, { expect: 404 });
  }
});

test('every endpoint writes exactly one row', async () => {
  for (const path of ['/me', '/scopes', '/organization', '/members', '/jobs', `/jobs/${job}`, `/jobs/${job}/candidates`,
    '/candidates', `/candidates/${candidate}`, `/pipeline?jobId=${job}`, '/agent/sessions', '/billing', '/audit']) {
    const row = await row_after(path, { key: admin.secret, expect: 200 });
    assert.equal(row.success, true, path);
  }
});

test('no row without a credential of ours, nor for the document', async () => {
  for (const [path, options] of [['/jobs', {}], ['/jobs', { key: admin.id }], ['/jobs', { key: 'sp_test_x' }], ['/openapi.json', { key: admin.secret }]]) {
    const request_id = unique_id();
    await send('GET', auth_prefix + path, { ...options, headers: { 'X-Request-Id': request_id } });
    assert.deepEqual(await audit_sql(`select action from recruiting.audit_log where request_id = '${request_id}'`), []);
  }
});

test('an organization reads its own rows only', async () => {
  const other = await make_organization();
  const { secret } = await other.key('*');
  const { data } = (await get('/audit', { key: secret, query: { credentialId: reader.id } })).json;
  assert.deepEqual(data, []);
});

test('an operator\'s acts are rows: key created and revoked, role changed, member removed', async () => {
  const { email } = await organization.add_member('recruiter', `acts@${organization.slug}.example`);
  const key = await organization.key('jobs:read', email);
  await recruitctl('key', 'revoke', '--organization', organization.slug, '--id', key.id);
  await organization.member('set-role', email, '--role', 'viewer');
  await organization.member('remove', email);
  const actions = [];
  for (const action of ['key.created', 'key.revoked', 'member.role_changed', 'member.removed']) {
    const { data } = (await get('/audit', { key: admin.secret, query: { action } })).json;
    actions.push(...data.map((row) => row.action));
    assert.ok(data.length > 0, `no row ${action}`);
    for (const row of data) assert.equal(row.success, true);
  }
});

test('a row is in the log at once, with its number, and the chain verifies', async () => {
  const { sequence } = await row_after('/me', { key: admin.secret });
  assert.ok(sequence > 0);
  const verdict = await recruitctl('audit', 'verify', '--organization', organization.slug);
  assert.notEqual(verdict.ok ?? verdict.valid ?? verdict.intact, false);
});
