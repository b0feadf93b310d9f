// Members: invited by mail, with another role, removed, restored; what becomes of their sessions and keys.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { close_connections, get } from '../../support/client.mjs';
import { call, create_key, me, open_session, sign_in, sign_in_by_mail } from '../../support/console.mjs';
import { make_organization } from '../../support/organization.mjs';
import { await_mails, mails_to } from '../../../support/mails.mjs';
import { link_in, token_of } from '../../../support/sign_in.mjs';

let organization, admin;
before(async () => {
  organization = await make_organization();
  admin = await sign_in(organization);
});
after(close_connections);

const invite = async (name, role, more = {}) => {
  const email = `${name}@${organization.slug}.example`;
  return (await admin.change('POST', '/members', { email, name, role, ...more }, { expect: 201 })).json.data;
};
const newest_link = async (email, count) => token_of(link_in((await await_mails(email, count)).at(-1)));
const actions_on = async ({ id }) =>
  (await admin.get('/audit', { query: { order: 'asc', limit: 200 } })).json.data.filter(({ target }) => target?.id === id).map(({ action }) => action);

test('invited by mail, joined by the link', async () => {
  const member = await invite('lena', 'interviewer', { title: 'Chef' });
  assert.deepEqual([member.status, member.role, member.title], ['invited', 'interviewer', 'Chef']);
  const token = await newest_link(member.email, 1);
  assert.equal((await call('POST', '/sign-in-links/inspect', { body: { token }, expect: 200 })).json.data.email, member.email);
  const { data } = (await admin.get('/members', { query: { status: 'invited' } })).json;
  assert.deepEqual(data.map(({ id }) => id), [member.id]);
  const session = await open_session(token);
  assert.deepEqual([session.data.organization.slug, session.data.member.role], [organization.slug, 'interviewer']);
  assert.deepEqual((await admin.get('/members', { query: { status: 'invited' } })).json.data, []);
  const actions = await actions_on(member);
  assert.deepEqual(actions.filter((action) => action !== 'member.signed_in'), ['member.invited', 'member.joined']);
});

test('invited again: another mail, for who has not joined', async () => {
  const member = await invite('otto', 'viewer');
  await newest_link(member.email, 1);
  // A mail counts as waiting until its sending has been noted, and is not joined by another until then.
  for (let asked = 0; asked < 3 && mails_to(member.email).length < 2; asked += 1) {
    assert.equal((await admin.change('POST', `/members/${member.id}/invitation`, undefined, { expect: 202 })).json.data.status, 'invited');
    for (let i = 0; i < 50 && mails_to(member.email).length < 2; i += 1) await setTimeout(100);
  }
  await open_session(await newest_link(member.email, 2));
  await admin.change('POST', `/members/${member.id}/invitation`, undefined, { expect: 400 });
});

test('whom another organization has already joins by choosing', async () => {
  const elsewhere = await make_organization('Elsewhere');
  const email = `mia@${organization.slug}.example`;
  await elsewhere.add_member('recruiter', email);
  const session = await sign_in_by_mail(email);
  const member = await invite('mia', 'hiring_manager');
  assert.equal(session.data.organization.id, elsewhere.id);
  assert.deepEqual((await session.get('/session')).json.data.organizations.map(({ slug }) => slug).sort(), [elsewhere.slug, organization.slug].sort());
  const { data } = (await session.change('PUT', '/session/organization', { organizationId: organization.id })).json;
  assert.equal(data.member.role, 'hiring_manager');
  assert.ok((await actions_on(member)).includes('member.joined'));
});

test('what another role would do to their keys is what it does', async () => {
  const member = await organization.add_member('recruiter', `rosa@${organization.slug}.example`);
  const theirs = await sign_in(organization, member.email);
  const [wide, narrow] = [await create_key(theirs, 'Wide', ['*']), await create_key(theirs, 'Narrow', ['candidates:read'])];
  const effects = async (query) => (await admin.get(`/members/${member.id}/key-effects`, { query })).json.data;
  const of = (list, { key }) => list.find(({ id }) => id === key.id);
  const to_viewer = await effects({ role: 'viewer' });
  assert.deepEqual([of(to_viewer, wide).stops, of(to_viewer, narrow).stops, of(to_viewer, narrow).scopesLost], [false, true, ['candidates:read']]);
  assert.ok((await effects({ removed: true })).every(({ stops }) => stops));
  const to_admin = of(await effects({ role: 'admin' }), wide);
  assert.deepEqual([to_admin.scopesLost, to_admin.scopesGained], [[], ['billing:read', 'audit:read']]);
  const had = (await me(wide.secret)).effectiveScopes;
  await admin.change('PATCH', `/members/${member.id}`, { role: 'viewer' });
  assert.deepEqual((await me(wide.secret)).effectiveScopes, had.filter((scope) => !of(to_viewer, wide).scopesLost.includes(scope)));
  assert.equal((await theirs.get('/session')).json.data.member.role, 'viewer');
});

test('removed: sessions end, keys stop; restored: keys work, sessions stay ended', async () => {
  const member = await organization.add_member('recruiter', `sam@${organization.slug}.example`);
  const theirs = await sign_in(organization, member.email);
  const { secret } = await create_key(theirs, 'Of Sam');
  assert.equal((await admin.change('DELETE', `/members/${member.id}`)).json.data.status, 'removed');
  assert.equal((await get('/me', { key: secret, expect: 401 })).error.code, 'credential_inactive');
  const refused = await theirs.get('/organization', { expect: undefined });
  assert.ok([401, 409].includes(refused.status), String(refused.status));
  const { data } = (await admin.get('/api-keys')).json;
  assert.equal(data.find(({ name }) => name === 'Of Sam').state, 'inactive');
  assert.equal((await admin.change('POST', `/members/${member.id}/restore`)).json.data.role, 'recruiter');
  await me(secret);
  await theirs.get('/organization', { expect: refused.status });
  assert.equal((await sign_in(organization, member.email)).data.member.role, 'recruiter');
  assert.deepEqual((await actions_on(member)).filter((action) => action.startsWith('member.re')), ['member.removed', 'member.restored']);
});

test('the last admin stays; a second one may take over', async () => {
  const second = await organization.add_member('admin', `second@${organization.slug}.example`);
  const theirs = await sign_in(organization, second.email);
  await theirs.change('PATCH', `/members/${organization.admin_member.id}`, { role: 'recruiter' });
  assert.equal((await admin.get('/billing', { expect: 403 })).error.code, 'insufficient_role');
  await theirs.change('DELETE', `/members/${second.id}`, undefined, { expect: 400 });
  await theirs.change('PATCH', `/members/${organization.admin_member.id}`, { role: 'admin' });
});
