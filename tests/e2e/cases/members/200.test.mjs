// GET /members: pages, filters, order, warehouse sync.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { check_filters, check_sorts, check_time_filters, ids_of, sync_changes, sync_round, walk } from '../../support/lists.mjs';
import { make_organization } from '../../support/organization.mjs';

let organization, key, whole;
before(async () => {
  organization = await make_organization();
  key = (await organization.key('members:read')).secret;
  for (let i = 0; i < 12; i += 1) {
    await organization.add_member(['viewer', 'recruiter', 'interviewer'][i % 3], `person${i}@${organization.slug}.example`);
  }
  whole = await walk('/members', { key });
});
after(close_connections);

test('the demo organization has its admin', async () => {
  const members = await walk('/members', { key: demo.key });
  const admin = members.find((member) => member.email === demo.admin);
  assert.equal(admin.role, 'admin');
  assert.equal(admin.status, 'active');
});

test('pages hold all members once', async () => {
  assert.equal(whole.length, 13);
  assert.deepEqual(ids_of(await walk('/members', { key, query: { limit: 5 } })), ids_of(whole));
  assert.ok(whole.every((member) => member.deletedAt === null));
});

test('every sort, both ways', () => check_sorts('/members', ['createdAt', 'updatedAt', 'name'], whole, { key }));

test('every filter', () =>
  check_filters('/members', [
    ...['admin', 'recruiter', 'viewer', 'hiring_manager'].map((role) => [{ role }, (m) => m.role === role]),
    [{ role: 'admin,viewer' }, (m) => ['admin', 'viewer'].includes(m.role)],
    [{ status: 'invited,active', role: 'recruiter,hiring_manager' }, (m) => m.role === 'recruiter'],
    [{ status: 'active' }, (m) => m.status === 'active'],
    [{ status: 'invited' }, (m) => m.status === 'invited'],
    [{ status: 'active', role: 'viewer' }, (m) => m.role === 'viewer'],
  ], whole, { key }));

test('time filters', () => check_time_filters('/members', ['created', 'updated'], whole, { key }));

test('warehouse sync returns all, then exactly what changed, removal and return included', async () => {
  const first = await sync_changes('/members', '', ids_of(whole), { key, limit: 4 });
  const [removed, promoted] = [0, 1].map((i) => whole.find((m) => m.email.startsWith(`person${i}@`)));
  await organization.member('remove', removed.email);
  await organization.member('set-role', promoted.email, '--role', 'admin');
  const second = await sync_changes('/members', first.token, [removed.id, promoted.id], { key });
  const row = (id) => second.records.find((m) => m.id === id);
  assert.deepEqual(Object.keys(row(removed.id)), ['id', 'deletedAt']);
  assert.notEqual(row(removed.id).deletedAt, null);
  assert.equal(row(promoted.id).role, 'admin');
  assert.equal(row(promoted.id).deletedAt, null);

  const listed = await walk('/members', { key, query: { status: 'removed' } });
  assert.deepEqual(ids_of(listed), [removed.id]);
  assert.equal((await walk('/members', { key, query: { status: 'active,removed' } })).length, whole.length);

  await organization.member('restore', removed.email);
  const third = await sync_changes('/members', second.token, [removed.id], { key });
  assert.deepEqual(third.records.map((m) => [m.id, m.status, m.deletedAt]), [[removed.id, 'active', null]]);
  assert.deepEqual((await sync_round('/members', third.token, { key })).records, []);
});
