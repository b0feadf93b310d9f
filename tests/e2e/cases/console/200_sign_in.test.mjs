// Sign-in by mail, the session, the choice of an organization, a person's own sessions.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { call, fresh_address, open_session, sign_in, sign_in_by_mail } from '../../support/console.mjs';
import { make_organization } from '../../support/organization.mjs';
import { gateway_url } from '../../support/environment.mjs';
import { await_mails, mails_to, text_of } from '../../../support/mails.mjs';
import { link_in, operator_link, token_of } from '../../../support/sign_in.mjs';

let organization, other, both;
before(async () => {
  [organization, other] = await Promise.all([make_organization('First'), make_organization('Second')]);
  both = `both@${organization.slug}.example`;
  await organization.add_member('recruiter', both);
  await other.add_member('viewer', both);
});
after(close_connections);

const request_link = (email, more = {}) => call('POST', '/sign-in-links', { body: { email, ...more }, address: fresh_address(), expect: 202 });
const inspect = (token, expect = 200) => call('POST', '/sign-in-links/inspect', { body: { token }, expect });
const audit_of = async ({ slug }, key, action) => (await get('/audit', { key, query: { action } })).json.data;

test('what the sign-in page knows before anybody signs in', async () => {
  const { data } = (await call('GET', '/settings', { expect: 200 })).json;
  assert.deepEqual([data.environment, data.signIn.mail], ['test', true]);
});

test('a link by mail: looked at as often as one likes, used once, then as unknown as any other', async () => {
  assert.deepEqual((await request_link(organization.admin, { language: 'de' })).json, { data: { accepted: true } });
  const [mail] = await await_mails(organization.admin, 1);
  assert.match(text_of(mail), /anmelden/i);
  const token = token_of(link_in(mail));
  for (let times = 0; times < 3; times += 1) {
    const { data } = (await inspect(token)).json;
    assert.equal(data.email, organization.admin);
    assert.ok(Date.parse(data.expiresAt) > Date.now() && Date.parse(data.expiresAt) < Date.now() + 16 * 60_000);
  }
  const session = await open_session(token);
  assert.match(session.answer.headers['set-cookie'][0], /^sp_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.equal(session.answer.headers['cache-control'], 'no-store');
  const { data } = session;
  assert.deepEqual([data.email, data.organization.slug, data.member.role, data.publicUrl], [organization.admin, organization.slug, 'admin', gateway_url.origin]);
  assert.deepEqual(data.organizations, [{ id: organization.id, slug: organization.slug, name: 'First', role: 'admin' }]);
  assert.deepEqual((await session.get('/session')).json.data, data);
  const [used, unknown] = [await call('POST', '/session', { body: { token }, expect: 404 }), await inspect('x'.repeat(43), 404)];
  assert.equal(used.text.replace(used.error.requestId, ''), unknown.text.replace(unknown.error.requestId, ''));
  await inspect(token, 404);
});

test('signing in makes a new cookie and ends the session that the browser had', async () => {
  const first = await sign_in(organization);
  const second = await sign_in(organization, organization.admin, { headers: { Cookie: first.cookie } });
  assert.notEqual(second.cookie, first.cookie);
  await first.get('/session', { expect: 401 });
  // A cookie that somebody planted opens nothing afterwards.
  const planted = `sp_session=${'p'.repeat(43)}`;
  const third = await sign_in(organization, organization.admin, { headers: { Cookie: planted } });
  assert.notEqual(third.cookie, planted);
  await call('GET', '/session', { headers: { Cookie: planted }, expect: 401 });
});

test('signing out ends the session, clears the cookie and leaves an audit row', async () => {
  const session = await sign_in(organization);
  const { headers } = await session.change('DELETE', '/session', undefined, { expect: 204 });
  const { secret } = await organization.key('audit:read');
  const [newest] = await audit_of(organization, secret, 'member.signed_out');
  assert.equal(newest.requestId, headers['x-request-id']);
  assert.deepEqual([newest.actor.type, newest.actor.email, newest.target.type, newest.success], ['member', organization.admin, 'member', true]);
  assert.equal(headers['set-cookie'][0], 'sp_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
  await session.get('/session', { expect: 401 });
});

test('a link to who is a member no more opens nothing', async () => {
  const { email } = await organization.add_member('viewer', `gone@${organization.slug}.example`);
  const token = token_of(await operator_link(organization, email));
  await organization.member('remove', email);
  await inspect(token, 404);
  await call('POST', '/session', { body: { token }, expect: 404 });
  await organization.member('restore', email);
});

test('of two organizations one is chosen, and another later; with the role there', async () => {
  const session = await sign_in_by_mail(both);
  assert.deepEqual([session.data.organization, session.data.member, session.data.scopes, session.data.mayCreateKeys], [null, null, [], false]);
  assert.deepEqual(session.data.organizations.map(({ name, role }) => [name, role]), [['First', 'recruiter'], ['Second', 'viewer']]);
  const choose = (id, expect = 200) => session.change('PUT', '/session/organization', { organizationId: id }, { expect });
  const stranger = await make_organization();
  for (const id of [stranger.id, 'f'.repeat(32)]) assert.equal((await choose(id, 404)).error.code, 'not_found');
  const { data } = (await choose(organization.id)).json;
  assert.deepEqual([data.organization.id, data.member.role, data.mayCreateKeys], [organization.id, 'recruiter', true]);
  assert.equal((await session.get('/organization')).json.data.slug, organization.slug);
  assert.equal((await choose(other.id)).json.data.member.role, 'viewer');
  const scopes = (await session.get('/scopes')).json.data;
  assert.ok(scopes.every(({ granted }) => granted));
  assert.deepEqual(scopes.filter(({ effective }) => effective).map(({ scope }) => scope), ['organization:read', 'jobs:read']);
  assert.equal((await session.get('/members', { expect: 403 })).error.code, 'insufficient_role');
  for (const one of [organization, other]) {
    const { secret } = await one.key('audit:read');
    const rows = await audit_of(one, secret, 'member.signed_in');
    assert.ok(rows.some(({ actor }) => actor.type === 'member' && actor.email === both), one.slug);
  }
});

test('a person lists and ends their own sessions, of all organizations', async () => {
  const email = `many@${organization.slug}.example`;
  for (const one of [organization, other]) await one.add_member('recruiter', email);
  const agents = ['Firefox on the desk', 'Safari on the phone', 'Chromium'];
  const sessions = [];
  for (const [i, agent] of agents.entries()) sessions.push(await sign_in(i === 1 ? other : organization, email, { headers: { 'User-Agent': agent } }));
  const listed = async (session) => (await session.get('/sessions')).json.data;
  const seen = await listed(sessions[0]);
  assert.deepEqual(seen.map(({ userAgent, current }) => [userAgent, current]), [[agents[2], false], [agents[1], false], [agents[0], true]]);
  assert.ok(seen.every(({ ipAddress }) => ipAddress === '127.0.0.1'));
  await sessions[0].change('DELETE', `/sessions/${sessions[2].data.id}`, undefined, { expect: 204 });
  await sessions[2].get('/session', { expect: 401 });
  await sessions[0].change('DELETE', `/sessions/${sessions[2].data.id}`, undefined, { expect: 404 });
  const another = await sign_in(organization);
  const unused = token_of(await operator_link(other, email));
  const { headers } = await sessions[1].change('DELETE', '/sessions', undefined, { expect: 204 });
  assert.match(headers['set-cookie'][0], /^sp_session=;.*Max-Age=0/);
  for (const session of sessions) await session.get('/session', { expect: 401 });
  await inspect(unused, 404);
  await another.get('/session');
});

test('an unknown address gets what a member\'s gets: status, header fields, bytes; and no mail', async () => {
  const stranger = `nobody@${organization.slug}.example`;
  const answers = [];
  for (const email of [both, stranger, both, stranger]) answers.push(await request_link(email));
  const its_own = ['date', 'x-request-id', 'ratelimit'];
  const [known, unknown] = [answers[2], answers[3]].map(({ status, headers, text }) =>
    [status, Object.entries(headers).map(([name, value]) => [name, its_own.includes(name) ? '…' : value]), text]);
  assert.deepEqual(unknown, known);
  const already = mails_to(both).length;
  await await_mails(both, already + 1);
  assert.deepEqual(mails_to(stranger), []);
});
