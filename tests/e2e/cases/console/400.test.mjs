// Bodies and queries of the console that are refused.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, console_prefix, send } from '../../support/client.mjs';
import { call, create_key, fresh_address, in_days, sign_in } from '../../support/console.mjs';
import { make_organization } from '../../support/organization.mjs';

let organization, admin, member;
before(async () => {
  organization = await make_organization();
  member = await organization.add_member('recruiter');
  admin = await sign_in(organization);
});
after(close_connections);

/** [field, reason] of each detail. */
const details_of = ({ error }) => {
  assert.equal(error.code, 'invalid_request');
  return error.details.map(({ field, reason }) => [field, reason]);
};
const refused = async (method, path, body, ...wanted) =>
  assert.deepEqual(details_of(await admin.change(method, path, body, { expect: 400 })), wanted, `${path} ${JSON.stringify(body)}`);

test('a sign-in link is sent to an e-mail address', async () => {
  const address = fresh_address();
  for (const [body, ...wanted] of [
    [{}, ['email', 'missing']], [{ email: 'nobody' }, ['email', 'invalid']], [{ email: 'a b@mail.example' }, ['email', 'invalid']],
    [{ email: 7 }, ['email', 'wrong_type']], [{ email: 'a@mail.example', language: 'xx' }, ['language', 'not_allowed']],
    [{ email: 'a@mail.example', password: 'x' }, ['password', 'unknown']],
  ]) assert.deepEqual(details_of(await call('POST', '/sign-in-links', { body, address, expect: 400 })), wanted, JSON.stringify(body));
});

test('a token has its form; what has not is as unknown as any other', async () => {
  for (const path of ['/sign-in-links/inspect', '/session']) {
    assert.deepEqual(details_of(await call('POST', path, { body: {}, expect: 400 })), [['token', 'missing']]);
    for (const token of ['x', '', 'x'.repeat(43), 'x'.repeat(2000)]) await call('POST', path, { body: { token }, expect: 404 });
  }
});

test('keys', async () => {
  const good = { name: 'Good', scopes: ['jobs:read'], expiresAt: in_days(1) };
  await refused('POST', '/api-keys', {}, ['name', 'missing'], ['scopes', 'missing'], ['expiresAt', 'missing']);
  await refused('POST', '/api-keys', { ...good, secret: 'x' }, ['secret', 'unknown']);
  await refused('POST', '/api-keys', { ...good, expiresAt: 'tomorrow' }, ['expiresAt', 'invalid']);
  await refused('POST', '/api-keys', { ...good, scopes: 'jobs:read' }, ['scopes', 'wrong_type']);
  await refused('POST', '/api-keys', { ...good, scopes: ['jobs:write'] }, ['scopes', 'unknown_scope']);
  for (const [field, value] of [['expiresAt', in_days(-1)], ['scopes', []], ['name', ''], ['name', 'x'.repeat(121)], ['allowedIps', ['300.0.0.1']]]) {
    const details = details_of(await admin.change('POST', '/api-keys', { ...good, [field]: value }, { expect: 400 }));
    assert.deepEqual(details.map(([name]) => name), [field], JSON.stringify(details));
  }
  const { key } = await create_key(admin, 'Typed to confirm');
  await refused('POST', `/api-keys/${key.id}/revoke`, { name: 'typed to confirm' }, ['name', 'mismatch']);
  await refused('POST', `/api-keys/${key.id}/revoke`, {}, ['name', 'missing']);
});

test('members', async () => {
  await refused('POST', '/members', {}, ['email', 'missing'], ['name', 'missing'], ['role', 'missing']);
  const good = { email: `new@${organization.slug}.example`, name: 'New', role: 'viewer' };
  await refused('POST', '/members', { ...good, role: 'boss' }, ['role', 'not_allowed']);
  await refused('POST', '/members', { ...good, email: member.email }, ['email', 'taken']);
  await refused('POST', '/members', { ...good, admin: true }, ['admin', 'unknown']);
  await refused('PATCH', `/members/${member.id}`, { role: null }, ['role', 'missing']);
  await refused('PATCH', `/members/${member.id}`, { role: 'viewer', name: 'Another' }, ['name', 'not_allowed']);
  await refused('PATCH', `/members/${member.id}`, { name: '' }, ['name', 'invalid']);
  await refused('POST', `/members/${member.id}/invitation`, undefined, ['id', 'not_invited']);
  const own = organization.admin_member.id;
  await refused('PATCH', `/members/${own}`, { role: 'viewer' }, ['role', 'last_admin']);
  await refused('DELETE', `/members/${own}`, undefined, ['id', 'last_admin']);
  for (const query of [{}, { role: 'viewer', removed: true }, { removed: false }, { role: 'boss' }])
    await admin.get(`/members/${member.id}/key-effects`, { query, expect: 400 });
});

test('webhooks', async () => {
  const good = { url: 'https://hooks.example.com/recruiting', resources: ['jobs'] };
  await refused('POST', '/webhooks', {}, ['url', 'missing'], ['resources', 'missing']);
  await refused('POST', '/webhooks', { ...good, secret: 'x' }, ['secret', 'unknown']);
  await refused('POST', '/webhooks', { ...good, url: 7 }, ['url', 'wrong_type']);
  await refused('POST', '/webhooks', { ...good, resources: 'jobs' }, ['resources', 'wrong_type']);
  const refused_urls = [
    'hooks.example.com', 'ftp://hooks.example.com/', 'https://', 'https://kim:secret@hooks.example.com/', 'https://192.168.0.1/', 'https://[::1]/',
    'https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/latest/meta-data', 'https://0x0a000001/', 'https://167772161/', `https://hooks.example.com/${'x'.repeat(2000)}`,
  ];
  for (const [field, value] of [...refused_urls.map((url) => ['url', url]), ['description', 'x'.repeat(201)], ['resources', []], ['resources', ['billing']]]) {
    const details = details_of(await admin.change('POST', '/webhooks', { ...good, [field]: value }, { expect: 400 }));
    assert.deepEqual(details.map(([name]) => name.replace(/\[.*/, '')), [field], `${value} ${JSON.stringify(details)}`);
  }
  assert.deepEqual((await admin.get('/webhooks')).json.data, []);
});

test('a query that no operation knows, a body where none belongs, and one of another kind', async () => {
  for (const path of ['/session', '/sessions', '/api-keys', '/members', '/webhooks', '/jobs', '/audit', '/audit/chain', '/billing', '/scopes', '/organization'])
    assert.deepEqual(details_of(await admin.get(path, { query: { colour: 'red' }, expect: 400 })), [['colour', 'unknown']], path);
  await admin.change('DELETE', '/sessions', { all: true }, { expect: 400 });
  await admin.change('POST', `/members/${member.id}/restore`, {}, { expect: 400 });
  const raw = (body, type, expect) => send('POST', `${console_prefix}/api-keys`, {
    body, expect, headers: { Cookie: admin.cookie, 'X-CSRF-Token': admin.csrf, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': type } });
  await raw('name=x', 'application/x-www-form-urlencoded', 415);
  await raw('{}', 'text/plain', 415);
  for (const body of ['', '[]', '{', '"x"', '{"name":"a","name":"b"}']) await raw(body, 'application/json', 400);
  await raw(JSON.stringify({ name: 'x'.repeat(20_000) }), 'application/json', 413);
});
