// The session's cookie opens the console and nothing else; other sites can do nothing with it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auth_prefix, close_connections, get, public_prefix, send } from '../../support/client.mjs';
import { call, create_key, sign_in } from '../../support/console.mjs';
import { gateway_url } from '../../support/environment.mjs';
import { make_organization } from '../../support/organization.mjs';

let organization, session, secret;
before(async () => {
  organization = await make_organization();
  session = await sign_in(organization);
  ({ secret } = await create_key(session, 'Beside the cookie'));
});
after(close_connections);

const reasons = ({ error }) => error.details.map(({ reason }) => reason);

test('below /api/v1 it is no credential', async () => {
  for (const path of ['/me', '/jobs', '/audit'])
    assert.equal((await get(path, { headers: { Cookie: session.cookie }, expect: 401 })).error.code, 'missing_credential');
});

test('with a bearer token it is refused, there and in the console', async () => {
  for (const cookie of [session.cookie, session.cookie.replace('sp_session', '__Host-sp_session')]) {
    assert.deepEqual(reasons(await get('/me', { key: secret, headers: { Cookie: cookie }, expect: 400 })), ['multiple_credentials']);
    assert.deepEqual(reasons(await call('GET', '/jobs', { key: secret, headers: { Cookie: cookie }, expect: 400 })), ['multiple_credentials']);
  }
  assert.equal((await call('GET', '/jobs', { key: secret, expect: 401 })).error.code, 'missing_credential');
});

test('the public API knows no sessions, and sets no cookie', async () => {
  for (const path of [`${public_prefix}/organizations/acme`, '/careers/acme', `${auth_prefix}/openapi.json`, '/console/sign-in']) {
    const { headers } = await send('GET', path, { headers: { Cookie: session.cookie }, expect: 200 });
    assert.equal(headers['set-cookie'], undefined, path);
  }
});

test('two cookies of the name are none, other cookies do not matter', async () => {
  const other = await sign_in(organization);
  await call('GET', '/session', { headers: { Cookie: `${session.cookie}; ${other.cookie}` }, expect: 401 });
  await call('GET', '/session', { headers: { Cookie: `theme=dark; ${session.cookie}; x_sp_session=1` }, expect: 200 });
});

test('where a browser does not say where a request is from, its origin must be the console\'s', async () => {
  const change = (headers, expect) =>
    call('DELETE', `/sessions/${'f'.repeat(32)}`, { headers: { Cookie: session.cookie, 'X-CSRF-Token': session.csrf, 'Sec-Fetch-Site': [], ...headers }, expect });
  await change({ Origin: gateway_url.origin }, 404);
  for (const origin of ['https://evil.example', 'null', `${gateway_url.origin}.evil.example`, gateway_url.origin.replace('http:', 'https:')])
    assert.equal((await change({ Origin: origin }, 403)).error.code, 'cross_site_request');
  assert.equal((await change({}, 403)).error.code, 'cross_site_request');
  await change({ 'Sec-Fetch-Site': 'same-origin', Origin: gateway_url.origin }, 404);
});

test('no other origin may read an answer', async () => {
  const { headers } = await session.get('/session', { headers: { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' } });
  assert.deepEqual(Object.keys(headers).filter((name) => name.startsWith('access-control-')), []);
  const preflight = await call('OPTIONS', '/session', { headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'DELETE' } });
  assert.ok(preflight.status >= 400);
});

test('pages: a strict policy, for any path of the application', async () => {
  for (const path of ['/console', '/console/members', '/console/no/such/page']) {
    const { headers, text } = await send('GET', path, { expect: 200 });
    assert.match(headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'.*require-trusted-types-for 'script'; trusted-types 'none'/);
    assert.deepEqual([headers['x-frame-options'], headers['referrer-policy'], headers['cross-origin-opener-policy'], headers['cache-control']], ['DENY', 'no-referrer', 'same-origin', 'no-cache']);
    assert.match(text, /<script[^>]+src=/);
  }
});
