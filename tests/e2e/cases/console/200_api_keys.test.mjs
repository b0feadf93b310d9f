// API keys made in the console: they work at once, as narrow as their owner's role, and stop with the next request.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { create_key, in_days, me, sign_in } from '../../support/console.mjs';
import { make_organization } from '../../support/organization.mjs';

let organization, admin, member, recruiter;
before(async () => {
  organization = await make_organization();
  member = await organization.add_member('recruiter');
  admin = await sign_in(organization);
  recruiter = await sign_in(organization, member.email);
});
after(close_connections);

const keys_of = async (session, query = {}) => (await session.get('/api-keys', { query })).json.data;
const revoke = (session, key, options) => session.change('POST', `/api-keys/${key.id}/revoke`, { name: key.name }, options);
const audit_of = async (action) => (await admin.get('/audit', { query: { action } })).json.data;

test('created, used, in the audit log', async () => {
  const expires = in_days(30);
  const { key, secret } = await create_key(admin, 'Warehouse', ['jobs:*', 'billing:read'], { expiresAt: expires, allowedIps: ['127.0.0.0/8'] });
  assert.deepEqual([key.name, key.state, key.scopes, key.expandedScopes, key.effectiveScopes], ['Warehouse', 'active', ['jobs:*', 'billing:read'], ['jobs:read', 'billing:read'], ['jobs:read', 'billing:read']]);
  assert.deepEqual([key.allowedIps, key.expiresAt.slice(0, 19), key.owner.email], [['127.0.0.0/8'], expires.slice(0, 19), organization.admin]);
  assert.ok(secret.startsWith(key.displayedPrefix));
  const principal = await me(secret);
  assert.equal(principal.principal.credentialId, key.id);
  assert.deepEqual(principal.effectiveScopes, ['jobs:read', 'billing:read']);
  const row = (await audit_of('key.created')).find(({ target }) => target.id === key.id);
  assert.deepEqual([row.actor.type, row.actor.email, row.actor.role, row.success], ['member', organization.admin, 'admin', true]);
  const used = (await admin.get('/audit', { query: { credentialId: key.id } })).json.data;
  assert.deepEqual(used.map(({ action, endpoint }) => [action, endpoint]), [['api.request', '/api/v1/me']]);
});

test('admins see every key, others their own', async () => {
  const { key } = await create_key(recruiter, 'Mine', ['jobs:read']);
  assert.deepEqual((await keys_of(recruiter)).map(({ id }) => id), [key.id]);
  assert.ok((await keys_of(admin)).some(({ id }) => id === key.id));
  const [theirs] = (await keys_of(admin)).filter(({ owner }) => owner.email === organization.admin);
  await revoke(recruiter, theirs, { expect: 404 });
  await me((await create_key(admin, 'Still alive')).secret);
});

test('a scope above the owner\'s role has no effect until the role allows it; a demotion narrows at once', async () => {
  const { key, secret } = await create_key(recruiter, 'Wide', ['*']);
  const before_it = (await me(secret)).effectiveScopes;
  assert.deepEqual(key.effectiveScopes, before_it);
  assert.ok(!before_it.includes('billing:read') && before_it.includes('members:read'));
  await admin.change('PATCH', `/members/${member.id}`, { role: 'viewer' });
  assert.deepEqual((await me(secret)).effectiveScopes, ['organization:read', 'jobs:read']);
  await get('/members', { key: secret, expect: 403 });
  assert.deepEqual((await keys_of(recruiter)).find(({ id }) => id === key.id).effectiveScopes, ['organization:read', 'jobs:read']);
  assert.equal((await recruiter.change('POST', '/api-keys', { name: 'None', scopes: ['jobs:read'], expiresAt: in_days(1) }, { expect: 403 })).error.code, 'insufficient_role');
  await admin.change('PATCH', `/members/${member.id}`, { role: 'admin' });
  assert.ok((await me(secret)).effectiveScopes.includes('billing:read'));
  await admin.change('PATCH', `/members/${member.id}`, { role: 'recruiter' });
  assert.deepEqual((await me(secret)).effectiveScopes, before_it);
});

test('revoked: 401 with the next request; again is the same answer', async () => {
  const { key, secret } = await create_key(recruiter, 'Short-lived');
  await me(secret);
  const { data } = (await revoke(recruiter, key)).json;
  assert.deepEqual([data.state, data.revokedBy], ['revoked', member.id]);
  assert.equal((await get('/me', { key: secret, expect: 401 })).error.code, 'credential_revoked');
  // A worker may note the last use between the two answers.
  const without_use = ({ lastUsedAt, lastUsedIp, ...rest }) => rest;
  const listed = (await keys_of(admin, { includeRevoked: true })).find(({ id }) => id === key.id);
  assert.deepEqual(without_use((await revoke(admin, key)).json.data), without_use(listed));
  assert.equal((await keys_of(admin)).some(({ id }) => id === key.id), false);
  const rows = (await audit_of('key.revoked')).filter(({ target }) => target.id === key.id);
  assert.deepEqual(rows.map(({ actor }) => [actor.type, actor.memberId]), [['member', member.id]]);
});

test('the list has pages, and filters by owner, state and id', async () => {
  const page_of = async (query) => (await admin.get('/api-keys', { query })).json;
  const { key } = await create_key(recruiter, 'Found by owner');
  const seen = [];
  let cursor;
  do {
    const { data, page } = await page_of({ limit: 2, ...(cursor && { cursor }) });
    assert.ok(data.length > 0 && data.length <= 2);
    seen.push(...data.map(({ id }) => id));
    cursor = page.nextCursor;
    assert.equal(page.hasMore, cursor !== null);
  } while (cursor);
  assert.deepEqual(seen, (await page_of({ limit: 200 })).data.map(({ id }) => id));
  assert.ok(seen.includes(key.id));
  const of_owner = (await page_of({ memberId: member.id, state: 'active' })).data;
  assert.ok(of_owner.some(({ id }) => id === key.id) && of_owner.every(({ owner, state }) => owner.memberId === member.id && state === 'active'));
  await revoke(recruiter, key);
  assert.deepEqual((await page_of({ id: key.id })).data.map(({ state }) => state), ['revoked']);
  assert.equal((await page_of({ memberId: member.id, state: 'active' })).data.some(({ id }) => id === key.id), false);
});

test('an admin revokes a member\'s key', async () => {
  const { key, secret } = await create_key(recruiter, 'Lost laptop');
  assert.equal((await revoke(admin, key)).json.data.revokedBy, organization.admin_member.id);
  await get('/me', { key: secret, expect: 401 });
});
