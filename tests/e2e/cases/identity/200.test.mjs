// GET /me and GET /scopes: who the caller is, wildcards expanded, what the role lets through.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { make_organization } from '../../support/organization.mjs';

const catalogue = [
  'organization:read', 'members:read', 'jobs:read', 'candidates:read', 'pipeline:read',
  'agents:read', 'agents:history', 'agents:invoke', 'billing:read', 'audit:read',
];
let organization;
before(async () => {
  organization = await make_organization();
  for (const role of ['recruiter', 'hiring_manager', 'interviewer', 'viewer']) await organization.add_member(role);
});
after(close_connections);

test('/me of the demo key names its owner, organization and every scope', async () => {
  const { json } = await get('/me', { key: demo.key });
  assert.equal(json.principal.type, 'api_key');
  assert.equal(json.principal.memberEmail, demo.admin);
  assert.equal(json.principal.environment, 'test');
  assert.ok(demo.key.startsWith(json.principal.displayedPrefix));
  assert.equal(json.organization.slug, demo.slug);
  assert.equal(json.role, 'admin');
  assert.deepEqual(json.scopes, catalogue);
  assert.deepEqual(json.effectiveScopes, catalogue);
  assert.deepEqual(json.grantedScopes, ['*']);
});

test('/me shows what recruitctl printed for the key', async () => {
  const key = await organization.key('jobs:read', organization.admin, { name: 'Warehouse „sync“' });
  const { principal, organization: bound } = (await get('/me', { key: key.secret })).json;
  assert.equal(principal.credentialId, key.id);
  assert.equal(principal.name, 'Warehouse „sync“');
  assert.equal(principal.displayedPrefix, key.displayedPrefix);
  assert.equal(principal.expiresAt, key.expiresAt);
  assert.equal(bound.id, organization.id);
  assert.ok(principal.createdAt < principal.expiresAt);
});

const expansions = {
  '*': catalogue,
  '*:read': catalogue.filter((scope) => scope.endsWith(':read')),
  'agents:*': ['agents:read', 'agents:history', 'agents:invoke'],
  '*:invoke': ['agents:invoke'],
  'audit:read,jobs:read': ['jobs:read', 'audit:read'],
  'jobs:*,jobs:read,candidates:read': ['jobs:read', 'candidates:read'],
};
for (const [scopes, expanded] of Object.entries(expansions)) {
  test(`/me expands ${scopes} in catalogue order, and keeps it as stored`, async () => {
    const { secret } = await organization.key(scopes);
    const { json } = await get('/me', { key: secret });
    assert.deepEqual(json.scopes, expanded);
    assert.deepEqual(json.effectiveScopes, expanded);
    assert.deepEqual([...json.grantedScopes].sort(), scopes.split(',').sort());
  });
}

const effective = {
  admin: catalogue,
  recruiter: catalogue.slice(0, 8),
  hiring_manager: catalogue.slice(0, 8),
  interviewer: ['organization:read', 'members:read', 'jobs:read'],
  viewer: ['organization:read', 'jobs:read'],
};
for (const [role, scopes] of Object.entries(effective)) {
  test(`a key with * of a member who is ${role} reaches what the role allows`, async () => {
    const email = `${role.replace('_', '-')}@${organization.slug}.example`;
    const { secret } = await organization.key('*', email);
    const { json } = await get('/me', { key: secret });
    assert.equal(json.role, role);
    assert.deepEqual(json.scopes, catalogue);
    assert.deepEqual(json.effectiveScopes, scopes);
    const { data } = (await get('/scopes', { key: secret })).json;
    assert.deepEqual(data.filter((entry) => entry.effective).map((entry) => entry.scope), scopes);
    assert.ok(data.every((entry) => entry.granted));
  });
}

test('/scopes is the whole catalogue, whatever the key holds', async () => {
  const { secret } = await organization.key('jobs:*');
  const { data } = (await get('/scopes', { key: secret })).json;
  assert.deepEqual(data.map((entry) => entry.scope), catalogue);
  for (const entry of data) {
    assert.equal(`${entry.resource}:${entry.action}`, entry.scope);
    assert.ok(entry.description.length > 0);
    assert.equal(entry.granted, entry.scope === 'jobs:read');
    assert.equal(entry.effective, entry.scope === 'jobs:read');
  }
});
