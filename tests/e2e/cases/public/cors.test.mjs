// CORS on every answer of the public prefix, the edge's own included; preflights; keys that must not be sent here.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close_connections, get_public, public_prefix, send } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';

after(close_connections);
const Origin = 'https://careers.example';
const cors = (answer) => Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name.startsWith('access-control-')));

test('every answer: 200, 400, 404, 405, with or without Origin', async () => {
  const answers = [
    await get_public(`/organizations/${demo.slug}/jobs`, { headers: { Origin } }),
    await get_public(`/organizations/${demo.slug}/jobs`),
    await get_public(`/organizations/${demo.slug}/jobs`, { query: { limit: 0 }, headers: { Origin }, expect: 400 }),
    await get_public('/jobs/x', { headers: { Origin }, expect: 404 }),
    await get_public('/nothing/here', { headers: { Origin }, expect: 404 }),
    await send('DELETE', `${public_prefix}/jobs/x`, { headers: { Origin }, expect: 405 }),
    await send('GET', public_prefix, { headers: { Origin }, expect: 404 }),
  ];
  for (const answer of answers) {
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    const exposed = answer.headers['access-control-expose-headers'].split(/, ?/).map((name) => name.toLowerCase());
    for (const name of ['retry-after', 'ratelimit', 'ratelimit-policy', 'x-request-id', 'etag', 'link']) assert.ok(exposed.includes(name), name);
    assert.ok(!('access-control-allow-credentials' in answer.headers));
  }
});

test('preflight', async () => {
  for (const path of [`/organizations/${demo.slug}`, `/organizations/${demo.slug}/jobs`, '/jobs', '/jobs/0199c1a1c3d87f02b5a6e4d17c930f58', '/openapi.json']) {
    const answer = await send('OPTIONS', public_prefix + path, {
      headers: { Origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' }, expect: 204,
    });
    assert.equal(answer.text, '');
    assert.deepEqual({ ...cors(answer), 'access-control-expose-headers': undefined }, {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': 'Content-Type, Accept, If-None-Match, X-Request-Id, traceparent',
      'access-control-max-age': '86400',
      'access-control-expose-headers': undefined,
    });
  }
});

test('outside both prefixes: JSON, no CORS', async () => {
  for (const path of ['/api', '/api/v2/me', '/metrics', '/healthz', '/apiv1', '/api/public', '/api/public/v2/jobs/x']) {
    const answer = await send('GET', path, { headers: { Origin }, expect: 404 });
    assert.equal(answer.error.code, 'not_found');
    assert.deepEqual(cors(answer), {});
  }
});

test('a session cookie does not reach the public service: the answer is the same', async () => {
  const [plain, with_cookie] = [await get_public(`/organizations/${demo.slug}`), await get_public(`/organizations/${demo.slug}`, { headers: { Cookie: 'sp_session=x' } })];
  assert.equal(plain.text, with_cookie.text);
});
