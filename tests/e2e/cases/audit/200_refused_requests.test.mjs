// A row for every request whose credential matched a key, whatever it is refused for; floods with a dead key are counted.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { auth_prefix, close_connections, get, send } from '../../support/client.mjs';
import { make_organization } from '../../support/organization.mjs';
import { await_condition } from '../../support/programs.mjs';
import { recruitctl, sql, uuid } from '../../support/recruitctl.mjs';

let organization, admin, key;
before(async () => {
  organization = await make_organization();
  [admin, key] = [await organization.key('*'), await organization.key('*')];
});
after(close_connections);

const json = { 'Content-Type': 'application/json' };
const cases = [
  ['a bearer token with a session cookie, refused 400', 'GET', '/jobs', { headers: { Cookie: 'sp_session=x' } }, [400, 'invalid_request', '/api/v1/jobs']],
  ['a body too large, refused 413', 'POST', '/agent/invoke', { headers: json, body: 'x'.repeat(300_000) }, [413, 'payload_too_large', '/api/v1/agent/invoke']],
  ['a wrong type, refused 415', 'POST', '/agent/invoke', { headers: { 'Content-Type': 'text/plain' }, body: 'x' }, [415, 'unsupported_media_type', '/api/v1/agent/invoke']],
  ['an unknown path, refused 404', 'GET', '/nowhere', {}, [404, 'not_found', null]],
  ['a wrong method, refused 405: the row names the endpoint', 'DELETE', '/jobs/0199c1a1c3d87f02b5a6e4d17c930f58', {}, [405, 'method_not_allowed', '/api/v1/jobs/{id}']],
];
for (const [what, method, path, { headers, ...options }, expected] of cases) {
  test(`a row for ${what}`, async () => {
    const request_id = randomBytes(10).toString('hex');
    await send(method, auth_prefix + path, { key: key.secret, headers: { 'X-Request-Id': request_id, ...headers }, ...options, expect: expected[0] });
    const { data } = (await get('/audit', { key: admin.secret, query: { requestId: request_id } })).json;
    assert.equal(data.length, 1);
    assert.deepEqual([data[0].statusCode, data[0].errorCode, data[0].endpoint], expected);
    assert.deepEqual([data[0].credentialId, data[0].success, data[0].method, data[0].count], [key.id, false, method, null]);
  });
}

test('a flood with a revoked key: 60 rows a minute, the rest of that minute one row with a count', async () => {
  const dead = await organization.key('*');
  await recruitctl('key', 'revoke', '--organization', organization.slug, '--id', dead.id);
  const sent = 150;
  for (let i = 0; i < sent; i += 1) await get('/jobs', { key: dead.secret, address: '127.0.23.1', expect: 401 });
  const of_key = `credential_id = ${uuid(dead.id)}`;
  const minutes = await sql(`select requests, unwritten from recruiting.audit_refusals where ${of_key}`);
  assert.ok(minutes.length >= 1);
  // As if the minute were over.
  await sql(`update recruiting.audit_refusals set minute = minute - interval '2 minutes' where ${of_key}`);
  const rows = async () => (await get('/audit', { key: admin.secret, query: { credentialId: dead.id, action: 'api.request', limit: 200 } })).json.data;
  await await_condition(async () => (await rows()).some(({ count }) => count !== null), 'the count is a row');
  const [single, counted] = [(await rows()).filter((row) => row.count === null), (await rows()).filter((row) => row.count !== null)];
  assert.ok(single.length >= 60 && single.length <= 120, `${single.length} single rows`);
  assert.equal(single.length + counted.reduce((sum, { count }) => sum + count, 0), sent);
  for (const row of counted) {
    assert.deepEqual([row.errorCode, row.statusCode, row.success, row.endpoint], ['credential_revoked', 401, false, null]);
    assert.equal(row.ipAddress, '127.0.23.1');
  }
  assert.ok((await rows()).every(({ sequence }) => sequence > 0));
  const verdict = await recruitctl('audit', 'verify', '--organization', organization.slug);
  assert.equal(verdict.problems?.length ?? 0, 0);
});
