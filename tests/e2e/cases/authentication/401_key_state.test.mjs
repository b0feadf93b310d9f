// The specification's key lifecycle, live: each change acts on the very next request, and is audited.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { make_organization } from '../../support/organization.mjs';
import { recruitctl, audit_sql, sql, uuid } from '../../support/recruitctl.mjs';

let organization;
before(async () => { organization = await make_organization(); });
after(close_connections);

const audit_row = async (request_id) =>
  (await audit_sql(`select replace(credential_id::text, '-', ''), endpoint, status_code, success, error_code
    from recruiting.audit_log where request_id = '${request_id}'`));

const check_refused = async (key, code) => {
  const { error, headers } = await get('/jobs', { key: key.secret, expect: 401 });
  assert.equal(error.code, code);
  const time = { credential_revoked: 'revokedAt', credential_expired: 'expiresAt' }[code];
  if (time) {
    assert.equal(error.details[0].field, time);
    assert.match(error.details[0].message, /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/);
  }
  assert.match(headers['www-authenticate'], /^Bearer realm="api"/);
  assert.deepEqual(await audit_row(error.requestId), [[key.id, '/api/v1/jobs', '401', 'f', code]]);
};

test('revoked: the next request is refused, and stays so', async () => {
  const key = await organization.key('*');
  await get('/jobs', { key: key.secret });
  await recruitctl('key', 'revoke', '--organization', organization.slug, '--id', key.id);
  await check_refused(key, 'credential_revoked');
  await check_refused(key, 'credential_revoked');
});

test('revoked under concurrency: no request that starts afterwards passes', async () => {
  const key = await organization.key('*');
  let revoked = false;
  const late = [];
  const hammer = async () => {
    for (let i = 0; i < 200 && late.length < 20; i += 1) {
      const after_revocation = revoked;
      const { status } = await get('/me', { key: key.secret, expect: undefined });
      if (after_revocation) late.push(status);
    }
  };
  const workers = Array.from({ length: 8 }, hammer);
  await recruitctl('key', 'revoke', '--organization', organization.slug, '--id', key.id);
  revoked = true;
  await Promise.all(workers);
  late.push((await get('/me', { key: key.secret, expect: undefined })).status);
  assert.deepEqual([...new Set(late)], [401]);
});

test('expired: from its expiry time on', async () => {
  const key = await organization.key('*', organization.admin, { expires_in: '1h' });
  await get('/jobs', { key: key.secret });
  const expire_in = (interval) => sql(`update recruiting.api_keys set expires_at = clock_timestamp() + interval '${interval}' where id = ${uuid(key.id)}`);
  await expire_in('1 second');
  await get('/jobs', { key: key.secret });
  await expire_in('-1 microsecond');
  await check_refused(key, 'credential_expired');
});

test('owner demoted: the key is narrowed at once; promoted again: widened', async () => {
  const { email } = await organization.add_member('admin', `second@${organization.slug}.example`);
  const key = await organization.key('*', email);
  await get('/billing', { key: key.secret });
  await organization.member('set-role', email, '--role', 'viewer');
  assert.equal((await get('/billing', { key: key.secret, expect: 403 })).error.code, 'insufficient_role');
  assert.equal((await get('/candidates', { key: key.secret, expect: 403 })).error.code, 'insufficient_role');
  await get('/jobs', { key: key.secret });
  assert.equal((await get('/me', { key: key.secret })).json.role, 'viewer');
  await organization.member('set-role', email, '--role', 'recruiter');
  await get('/candidates', { key: key.secret });
  await get('/billing', { key: key.secret, expect: 403 });
});

test('owner removed: not accepted; added back: accepted again', async () => {
  const { email } = await organization.add_member('recruiter', `third@${organization.slug}.example`);
  const key = await organization.key('*', email);
  await get('/jobs', { key: key.secret });
  await organization.member('remove', email);
  await check_refused(key, 'credential_inactive');
  await organization.member('restore', email);
  await get('/jobs', { key: key.secret });
});

test('owner removed from one organization keeps the keys of another', async () => {
  const other = await make_organization();
  const { email } = await organization.add_member('recruiter', `both@${organization.slug}.example`);
  await other.add_member('recruiter', email);
  const [here, there] = [await organization.key('*', email), await other.key('*', email)];
  await organization.member('remove', email);
  await check_refused(here, 'credential_inactive');
  assert.equal((await get('/me', { key: there.secret })).json.organization.id, other.id);
});

test('revoked and expired and owner removed: one of these codes, still audited', async () => {
  const { email } = await organization.add_member('recruiter', `fourth@${organization.slug}.example`);
  const key = await organization.key('*', email);
  await organization.member('remove', email);
  await sql(`update recruiting.api_keys set expires_at = now() - interval '1 day' where id = ${uuid(key.id)}`);
  await recruitctl('key', 'revoke', '--organization', organization.slug, '--id', key.id);
  await check_refused(key, 'credential_revoked');
});

test('every path refuses a revoked key', async () => {
  const key = await organization.key('*');
  await recruitctl('key', 'revoke', '--organization', organization.slug, '--id', key.id);
  const id = '0199c1a1c3d87f02b5a6e4d17c930f58';
  for (const path of ['/me', '/scopes', '/organization', '/members', '/jobs', `/jobs/${id}`, `/jobs/${id}/candidates`, '/candidates',
    `/candidates/${id}`, '/pipeline', '/billing', '/audit']) {
    assert.equal((await get(path, { key: key.secret, expect: 401 })).error.code, 'credential_revoked');
  }
});
