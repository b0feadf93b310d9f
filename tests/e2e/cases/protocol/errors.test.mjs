// Both forms of an error, the order of checks, 404 and 405, request ids, HEAD, the documents.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { auth_prefix, close_connections, get, get_public, public_prefix, send } from '../../support/client.mjs';
import { demo, settings_of } from '../../support/environment.mjs';
import { json_path } from '../../support/openapi_json.mjs';

const key = demo.key;
after(close_connections);

const reads = ['/me', '/scopes', '/organization', '/members', '/jobs', '/candidates', '/agent/sessions', '/billing', '/audit'];

test('RFC 9457 when the client accepts it, with the same facts', async () => {
  const query = { limit: '0', colour: 'red' };
  const { error } = await get('/jobs', { key, query, expect: 400 });
  for (const accept of ['application/problem+json', 'application/json, application/problem+json', 'application/problem+json;q=0.5, */*;q=0.1']) {
    const { json, headers } = await get('/jobs', { key, query, headers: { Accept: accept }, expect: 400 });
    assert.equal(headers['content-type'], 'application/problem+json');
    assert.equal(json.status, 400);
    assert.equal(json.code, error.code);
    assert.equal(json.detail, error.message);
    assert.deepEqual(json.details, error.details);
  }
  for (const accept of ['application/json', '*/*', 'application/problem+json;q=0', 'text/html']) {
    const { headers } = await get('/jobs', { key, query, headers: { Accept: accept }, expect: 400 });
    assert.equal(headers['content-type'], 'application/json');
  }
});

test('RFC 9457 for every class of error', async () => {
  const headers = { Accept: 'application/problem+json' };
  const status_of = async (method, path, options) => (await send(method, path, { ...options, headers })).json.status;
  assert.equal(await status_of('GET', `${auth_prefix}/me`, {}), 401);
  assert.equal(await status_of('GET', `${auth_prefix}/jobs/x`, { key }), 404);
  assert.equal(await status_of('DELETE', `${auth_prefix}/jobs`, { key }), 405);
  assert.equal(await status_of('GET', `${public_prefix}/jobs/x`, {}), 404);
  assert.equal(await status_of('GET', `${public_prefix}/nothing`, {}), 404);
});

test('404: an unknown path, whatever its form', async () => {
  const paths = ['', '/', '/job', '/jobs/', '//jobs', '/jobs//x', '/jobs/x/y', '/jobs/x/candidates/y', '/Jobs', '/me/', '/me.json', '/agent', '/../v2/me', '/%6aobs/x'];
  for (const path of paths) await send('GET', auth_prefix + path, { key }).then(({ status }) => assert.ok([400, 404].includes(status), `${path}: ${status}`));
});

test('404: an empty segment and a slash at the end are one and the same, through the gateway and at the services', async () => {
  const services = [[auth_prefix, 'auth-api', 'RECRUITING_AUTH_API_LISTEN'], [public_prefix, 'public-api', 'RECRUITING_PUBLIC_API_LISTEN']];
  for (const [prefix, program, setting] of services) {
    const known = prefix === auth_prefix ? '/jobs' : `/organizations/${demo.slug}`;
    for (const where of [{}, { base: `http://${settings_of(program)[setting]}`, direct: true }]) {
      const options = { ...(prefix === auth_prefix && { key }), headers: { 'X-Request-Id': 'the-same-id' }, ...where };
      await send('GET', prefix + known, { ...options, expect: 200 });
      const bodies = [];
      for (const path of [`/${known}`, `${known}/`, `/.${known}//`, '/no/such/path']) bodies.push((await send('GET', prefix + path, { ...options, expect: 404 })).text);
      assert.equal(new Set(bodies).size, 1, bodies.join());
    }
  }
});

test('405 with Allow, on every path of both APIs', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const path of [...reads, '/jobs/x', '/jobs/x/candidates', '/candidates/x', '/agent/sessions/x', '/pipeline']) {
      const { headers, error } = await send(method, auth_prefix + path, { key, expect: 405 });
      assert.deepEqual(headers.allow.split(/, ?/).filter((m) => m !== 'OPTIONS').sort(), ['GET', 'HEAD']);
      assert.equal(error.code, 'method_not_allowed');
    }
    for (const path of ['/organizations/acme', '/organizations/acme/jobs', '/jobs/x', '/openapi.json']) {
      const { headers } = await send(method, public_prefix + path, { expect: 405 });
      assert.ok(['GET', 'HEAD'].every((allowed) => headers.allow.split(/, ?/).includes(allowed)), headers.allow);
    }
  }
});

test('HEAD: status and headers of GET, no body', async () => {
  for (const path of reads) {
    const [got, head] = [await get(path, { key }), await send('HEAD', auth_prefix + path, { key, expect: 200 })];
    assert.equal(head.headers['content-type'], got.headers['content-type']);
    assert.equal(head.text, '');
  }
  await send('HEAD', `${auth_prefix}/jobs/x`, { key, expect: 404 });
  await send('HEAD', `${auth_prefix}/me`, { expect: 401 });
  await send('HEAD', `${public_prefix}/organizations/${demo.slug}`, { expect: 200 });
  const { headers } = await send('HEAD', `${auth_prefix}/jobs`, { key, query: { limit: 1 }, expect: 200 });
  assert.match(headers.link, /rel="next"/);
});

test('X-Request-Id: kept when well-formed, otherwise a new one', async () => {
  const returned = async (path, sent, options) => (await send('GET', path, { ...options, headers: { 'X-Request-Id': sent } })).headers['x-request-id'];
  const paths = [[`${auth_prefix}/me`, { key }], [`${auth_prefix}/me`, {}], [`${public_prefix}/jobs/x`, {}], ['/elsewhere', {}]];
  for (const [path, options] of paths) {
    for (const kept of ['12345678', 'A-z_0-9-A-z_0-9', 'x'.repeat(64)]) assert.equal(await returned(path, kept, options), kept);
    for (const replaced of ['1234567', 'x'.repeat(65), 'with space', 'semi;colon', 'ünïcödé1', '']) {
      const id = await returned(path, Buffer.from(replaced).toString('latin1'), options);
      assert.notEqual(id, replaced);
      assert.match(id, /^[A-Za-z0-9_-]{8,64}$/);
    }
  }
  const ids = await Promise.all(Array.from({ length: 50 }, async () => (await get('/me', { key })).headers['x-request-id']));
  assert.equal(new Set(ids).size, 50);
});

test('a traceparent of any form does no harm', async () => {
  for (const traceparent of ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'nonsense', '00-0-0-0', 'ff-x']) {
    await get('/me', { key, headers: { traceparent } });
  }
});

test('credential before path, method and parameters', async () => {
  await get('/jobs', { query: { limit: '0' }, expect: 401 });
  await get('/jobs/x', { expect: 401 });
  await send('POST', `${auth_prefix}/jobs`, { expect: 401 });
});

test('the documents are served as they are in proto-docs', async () => {
  const served = { auth_api: await get('/openapi.json'), public_api: await get_public('/openapi.json') };
  for (const [name, { json }] of Object.entries(served)) {
    assert.deepEqual(json, JSON.parse(readFileSync(json_path(name), 'utf8')));
  }
});

test('no CORS on the authenticated API', async () => {
  const headers = { Origin: 'https://careers.example' };
  for (const options of [{ key, headers }, { headers }]) {
    const answer = await send('GET', `${auth_prefix}/me`, options);
    assert.deepEqual(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-')), []);
  }
  const preflight = await send('OPTIONS', `${auth_prefix}/me`, { headers: { ...headers, 'Access-Control-Request-Method': 'GET' } });
  assert.ok(preflight.status >= 400);
});
