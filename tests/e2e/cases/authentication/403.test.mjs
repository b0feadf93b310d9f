// The cross-check, the allow list, every scope, every role: refused with 403 and audited.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { fill, id_of, make_organization } from '../../support/organization.mjs';
import { audit_sql } from '../../support/recruitctl.mjs';

let organization, other, paths;
before(async () => {
  [organization, other] = [await make_organization(), await make_organization()];
  await fill(organization, { jobs: 3, candidates: 6 });
  const [job, candidate] = [await id_of(organization, 'jobs', 'job-1'), await id_of(organization, 'candidates', 'candidate-1')];
  paths = {
    '/organization': 'organization:read',
    '/members': 'members:read',
    '/jobs': 'jobs:read',
    [`/jobs/${job}`]: 'jobs:read',
    [`/jobs/${job}/candidates`]: 'candidates:read',
    '/candidates': 'candidates:read',
    [`/candidates/${candidate}`]: 'candidates:read',
    [`/pipeline?jobId=${job}`]: 'pipeline:read',
    '/agent/sessions': 'agents:read',
    '/billing': 'billing:read',
    '/audit': 'audit:read',
  };
  for (const role of ['recruiter', 'hiring_manager', 'interviewer', 'viewer']) await organization.add_member(role);
});
after(close_connections);

const request = (path, options) => {
  const [route, query] = path.split('?');
  return get(route, { ...options, query });
};
const audited = async ({ error }) =>
  audit_sql(`select status_code, success, error_code, required_scope from recruiting.audit_log where request_id = '${error.requestId}'`);

test('each scope missing: insufficient_scope, which names it', async () => {
  const scopes = [...new Set(Object.values(paths))];
  for (const missing of scopes) {
    const key = await organization.key([...scopes.filter((scope) => scope !== missing), 'agents:invoke'].join(','));
    for (const [path, scope] of Object.entries(paths)) {
      if (scope !== missing) {
        await request(path, { key: key.secret });
        continue;
      }
      const answer = await request(path, { key: key.secret, expect: 403 });
      assert.equal(answer.error.code, 'insufficient_scope');
      assert.equal(answer.headers['www-authenticate'], `Bearer error="insufficient_scope", scope="${scope}"`);
      assert.deepEqual([answer.error.details[0].field, answer.error.details[0].reason], ['scope', 'missing_scope']);
      assert.ok(answer.error.details[0].message.includes(scope));
      assert.deepEqual(await audited(answer), [['403', 'f', 'insufficient_scope', scope]]);
    }
  }
});

const allowed = {
  admin: Object.values({ a: 'organization:read', b: 'members:read', c: 'jobs:read', d: 'candidates:read', e: 'pipeline:read', f: 'agents:read', g: 'billing:read', h: 'audit:read' }),
  recruiter: ['organization:read', 'members:read', 'jobs:read', 'candidates:read', 'pipeline:read', 'agents:read'],
  interviewer: ['organization:read', 'members:read', 'jobs:read'],
  viewer: ['organization:read', 'jobs:read'],
};
for (const [role, scopes] of Object.entries(allowed)) {
  test(`a key with * of a member who is ${role}: insufficient_role above the role`, async () => {
    const { secret } = await organization.key('*', `${role}@${organization.slug}.example`);
    for (const [path, scope] of Object.entries(paths)) {
      const answer = await request(path, { key: secret, expect: scopes.includes(scope) ? 200 : 403 });
      if (scopes.includes(scope)) continue;
      assert.equal(answer.error.code, 'insufficient_role');
      assert.equal(answer.error.details[0].field, 'role');
      const would_do = Object.keys(allowed).filter((other) => allowed[other].includes(scope));
      for (const other of would_do) assert.ok(answer.error.details[0].message.includes(other), other);
      assert.deepEqual((await audited(answer)).map((row) => row.slice(0, 3)), [['403', 'f', 'insufficient_role']]);
    }
  });
}

test('scope is checked before role, both before parameters', async () => {
  const { secret } = await organization.key('jobs:read', `viewer@${organization.slug}.example`);
  assert.equal((await get('/billing', { key: secret, query: { x: '1' }, expect: 403 })).error.code, 'insufficient_scope');
  const { secret: wide } = await organization.key('*', `viewer@${organization.slug}.example`);
  assert.equal((await get('/billing', { key: wide, query: { x: '1' }, expect: 403 })).error.code, 'insufficient_role');
  assert.equal((await get('/candidates/x', { key: wide, expect: 403 })).error.code, 'insufficient_role');
});

test('Service-Organization: right, other, malformed', async () => {
  const { secret } = await organization.key('*');
  const with_header = (value, expect) => get('/me', { key: secret, headers: { 'Service-Organization': value }, expect });
  assert.equal((await with_header(organization.id, 200)).json.organization.id, organization.id);
  for (const value of [other.id, '0'.repeat(32), 'x', organization.slug, `${organization.id}0`]) {
    const answer = await with_header(value, 403);
    assert.equal(answer.error.code, 'organization_mismatch');
    const is_id = /^[0-9a-f]{32}$/.test(value);
    assert.deepEqual(answer.error.details.map(({ field, reason }) => [field, reason]), is_id ? [] : [['Service-Organization', 'invalid']]);
    if (!is_id) assert.match(answer.error.details[0].message, /32 hexadecimal characters/);
    assert.deepEqual((await audited(answer)).map((row) => row.slice(0, 3)), [['403', 'f', 'organization_mismatch']]);
  }
});

test('Service-Organization never switches organizations', async () => {
  const { secret } = await organization.key('*');
  const { error } = await get('/organization', { key: secret, headers: { 'Service-Organization': other.id }, expect: 403 });
  assert.equal(error.code, 'organization_mismatch');
});

test('every path refuses the wrong Service-Organization', async () => {
  const { secret } = await organization.key('*');
  for (const path of ['/me', '/scopes', ...Object.keys(paths)]) {
    const { error } = await request(path, { key: secret, headers: { 'Service-Organization': other.id }, expect: 403 });
    assert.equal(error.code, 'organization_mismatch');
  }
});

test('IP allow list: only from its addresses', async () => {
  const { secret } = await organization.key('*', organization.admin, { more: ['--allow-ip', '127.0.7.0/24'] });
  await get('/me', { key: secret, address: '127.0.7.9' });
  const answer = await get('/me', { key: secret, address: '127.0.8.9', expect: 403 });
  assert.equal(answer.error.code, 'ip_not_allowed');
  assert.deepEqual((await audited(answer)).map((row) => row.slice(0, 3)), [['403', 'f', 'ip_not_allowed']]);
});

test('IP allow list: a forged X-Forwarded-For does not help', async () => {
  const { secret } = await organization.key('*', organization.admin, { more: ['--allow-ip', '127.0.7.0/24'] });
  for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP']) {
    const value = name === 'Forwarded' ? 'for=127.0.7.9' : '127.0.7.9';
    await get('/me', { key: secret, address: '127.0.8.9', headers: { [name]: value }, expect: 403 });
  }
});
