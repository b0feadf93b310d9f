// POST /mcp: who may not, from where not, and how not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auth_prefix, close_connections, send } from '../../support/client.mjs';
import { gateway_url, settings_of } from '../../support/environment.mjs';
import { ask, call, legacy, modern, post, result_of, tools } from '../../support/mcp.mjs';
import { fill, id_of, make_organization } from '../../support/organization.mjs';
import { recruitctl } from '../../support/recruitctl.mjs';

let organization, key, job, candidate;
before(async () => {
  organization = await make_organization();
  await fill(organization, { jobs: 2, candidates: 2 });
  key = (await organization.key('*')).secret;
  [job, candidate] = [await id_of(organization, 'jobs', 'job-1'), await id_of(organization, 'candidates', 'candidate-1')];
});
after(close_connections);

test('401 without a credential of ours, before the message is looked at', async () => {
  for (const [options, code] of [[{}, 'missing_credential'], [{ key: 'sp_test_x' }, 'invalid_credential'], [{ headers: { Authorization: 'Basic eDp5' } }, undefined]]) {
    for (const send_it of [() => ask('tools/list', {}, { ...options, expect: 401 }), () => post('{', { ...options, expect: 401 }), () => post('', { ...options, headers: { ...options.headers, 'Content-Type': 'text/plain' }, expect: 401 })]) {
      const { error, json, headers } = await send_it();
      if (code) assert.equal(error.code, code);
      assert.equal(json.jsonrpc, undefined);
      assert.match(headers['www-authenticate'], /^Bearer realm="api"/);
    }
  }
});

test('a key revoked between two calls', async () => {
  for (const version of [modern, legacy]) {
    const { id, secret } = await organization.key('*');
    await call('get_job', { jobId: job }, { key: secret, version });
    await recruitctl('key', 'revoke', '--organization', organization.slug, '--id', id);
    const { error, headers } = await call('get_job', { jobId: job }, { key: secret, version, expect: 401 });
    assert.equal(error.code, 'credential_revoked');
    assert.match(headers['www-authenticate'], /^Bearer realm="api", error="invalid_token"/);
    await ask('tools/list', {}, { key: secret, version, expect: 401 });
  }
});

test('an owner demoted between two calls: the tool is no longer listed, and no longer answers', async () => {
  const { email } = await organization.add_member('admin', `second@${organization.slug}.example`);
  const { secret } = await organization.key('*', email);
  await call('get_billing', {}, { key: secret });
  await organization.member('set-role', email, '--role', 'recruiter');
  assert.equal((await call('get_billing', {}, { key: secret, expect: 403 })).error.code, 'insufficient_role');
  const { tools: listed } = await result_of('tools/list', {}, { key: secret });
  assert.ok(!listed.some(({ name }) => name === 'get_billing'));
});

test('403: each tool and each resource needs its scope, and says which', async () => {
  const given = { get_job: { jobId: job }, list_job_candidates: { jobId: job }, get_candidate: { candidateId: candidate }, get_pipeline: { jobId: job },
    get_agent_session: { sessionId: job }, agent_invoke: { prompt: 'How many open jobs are there?' } };
  for (const scope of new Set(Object.values(tools))) {
    const others = [...new Set(Object.values(tools))].filter((other) => other !== scope);
    const { secret } = await organization.key(others.join(','));
    const { tools: listed } = await result_of('tools/list', {}, { key: secret });
    assert.deepEqual(listed.map(({ name }) => name), Object.keys(tools).filter((name) => tools[name] !== scope));
    for (const name of Object.keys(tools).filter((one) => tools[one] === scope)) {
      const { error, headers } = await call(name, given[name] ?? {}, { key: secret, expect: 403 });
      assert.equal(error.code, 'insufficient_scope', name);
      assert.equal(headers['www-authenticate'], `Bearer error="insufficient_scope", scope="${scope}"`, name);
      // Scope is checked before what is asked.
      await call(name, { colour: 'red' }, { key: secret, expect: 403 });
    }
  }
  const { secret } = await organization.key('pipeline:read');
  for (const [uri, scope] of [['recruiting://organization', 'organization:read'], [`recruiting://jobs/${job}`, 'jobs:read'], [`recruiting://candidates/${candidate}`, 'candidates:read'],
    ['recruiting://billing', 'billing:read'], [`recruiting://agent/sessions/${job}`, 'agents:history']]) {
    const { headers } = await ask('resources/read', { uri }, { key: secret, expect: 403 });
    assert.equal(headers['www-authenticate'], `Bearer error="insufficient_scope", scope="${scope}"`, uri);
  }
});

test('403 outside the key\'s addresses, and for another organization', async () => {
  const { secret } = await organization.key('*', organization.admin, { more: ['--allow-ip', '127.0.7.0/24'] });
  await ask('tools/list', {}, { key: secret, address: '127.0.7.9' });
  assert.equal((await ask('tools/list', {}, { key: secret, address: '127.0.8.9', expect: 403 })).error.code, 'ip_not_allowed');
  const other = await make_organization();
  assert.equal((await ask('tools/list', {}, { key, headers: { 'Service-Organization': other.id }, expect: 403 })).error.code, 'organization_mismatch');
  await ask('tools/list', {}, { key, headers: { 'Service-Organization': organization.id } });
});

test('Origin: this deployment\'s and pages of the client\'s own machine, and no other', async () => {
  const own = new URL(settings_of('auth-api').RECRUITING_PUBLIC_URL ?? gateway_url).origin;
  for (const origin of [own, 'http://localhost', 'http://localhost:6274', 'http://127.0.0.1:6274', 'http://[::1]:6274']) {
    await ask('tools/list', {}, { key, headers: { Origin: origin } });
  }
  for (const origin of ['https://evil.example', 'null', '', `${own}.evil.example`, 'http://localhost.evil.example', 'http://localhost@evil.example', 'http://127.0.0.1.evil.example:80',
    'http://127.0.0.2', 'file://', 'http://localhost:6274/x', 'http://localhost:x', 'http://localhost, https://evil.example', 'http://evil.example#http://localhost']) {
    for (const version of [modern, legacy]) {
      assert.equal((await ask('tools/list', {}, { key, version, headers: { Origin: origin }, expect: 403 })).error.code, 'cross_site_request', origin);
    }
    assert.equal((await post('{', { key, headers: { Origin: origin }, expect: 403 })).error.code, 'cross_site_request', origin);
    assert.equal((await ask('tools/list', {}, { headers: { Origin: origin }, expect: 403 })).error.code, 'cross_site_request', origin);
  }
});

test('405 for every other method: there is no stream to open and no session to end', async () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
    const { headers, error } = await send(method, `${auth_prefix}/mcp`, { key, headers: { Accept: 'text/event-stream' }, expect: 405 });
    assert.equal(headers.allow, 'POST', method);
    if (method !== 'HEAD') assert.equal(error.code, 'method_not_allowed');
  }
  await send('POST', `${auth_prefix}/mcp/x`, { key, body: '{}', headers: { 'Content-Type': 'application/json' }, expect: 404 });
});
