// A key that was sent to the public API is refused, and its organization finds that in its audit log: wherever it stood.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get, get_public, public_prefix, send } from '../../support/client.mjs';
import { demo, settings_of } from '../../support/environment.mjs';
import { make_organization } from '../../support/organization.mjs';
import { key_of } from '../../../support/api_key.mjs';
import { await_condition } from '../../support/programs.mjs';
import { record_secret } from '../../support/records.mjs';

let organization, auditor;
before(async () => {
  organization = await make_organization();
  auditor = await organization.key('audit:read');
});
after(close_connections);

const path = `/organizations/${demo.slug}`;
const base64 = (text) => Buffer.from(text).toString('base64');
const exposures = async (of) =>
  (await get('/audit', { key: auditor.secret, query: { action: 'key.exposed', limit: 200 } })).json.data.filter((row) => row.credentialId === of.id);
const told = (key) => await_condition(async () => (await exposures(key)).length > 0, 'key.exposed is in the audit log');

for (const [name, options] of [
  ['as bearer token', (secret) => ({ headers: { Authorization: `Bearer ${secret}` } })],
  ['in Basic credentials', (secret) => ({ headers: { Authorization: `Basic ${base64(`${secret}:`)}` } })],
  ['in X-Api-Key', (secret) => ({ headers: { 'X-Api-Key': secret } })],
  ['in another header', (secret) => ({ headers: { Referer: `https://careers.example/?key=${secret}` } })],
  ['in a cookie', (secret) => ({ headers: { Cookie: `a=1; token=${secret}` } })],
  ['as request id', (secret) => ({ headers: { 'X-Request-Id': secret } })],
  ['in the query', (secret) => ({ query: { key: secret } })],
  ['in the query, percent-encoded', (secret) => ({ query: `key=${secret.replaceAll('_', '%5F').replace('sp', '%73%70')}` })],
]) {
  test(name, async () => {
    const key = await organization.key('jobs:read');
    const more = options(key.secret);
    for (const value of Object.values(more.headers ?? {})) record_secret(String(value).split(/[ =;]+/).pop());
    const answer = await get_public(path, { ...more, expect: 400 });
    assert.equal(answer.error.code, 'credential_not_allowed');
    assert.ok(!JSON.stringify(answer.headers).includes(key.secret) && !answer.text.includes(key.secret));
    await told(key);
    const [row] = await exposures(key);
    assert.deepEqual([row.actor.type, row.credentialName, row.target.type, row.target.id, row.statusCode, row.success, row.errorCode],
      ['system', key.name ?? row.credentialName, 'api_key', key.id, 400, false, 'credential_not_allowed']);
    assert.equal(row.method, 'GET');
    assert.equal(row.endpoint, `${public_prefix}/organizations/{slug}`);
    assert.equal(row.requestId, answer.headers['x-request-id']);
    assert.ok(!JSON.stringify(row).includes(key.secret));
  });
}

test('on a page for people, and asked of the service itself', async () => {
  const [on_page, direct] = [await organization.key('jobs:read'), await organization.key('jobs:read')];
  const page = await send('GET', '/careers/acme', { headers: { 'X-Api-Key': on_page.secret }, expect: 400 });
  assert.ok(!page.text.includes(on_page.secret));
  const { RECRUITING_PUBLIC_API_LISTEN: address } = settings_of('public-api');
  await get_public(path, { base: `http://${address}`, direct: true, headers: { 'X-Api-Key': direct.secret }, expect: 400 });
  await told(on_page);
  await told(direct);
});

test('a revoked key is told too; a made-up one leaves nothing, and its answer is the same', async () => {
  const key = await organization.key('jobs:read');
  await organization.revoke?.(key);
  const made_up = key_of([...key.secret.slice(8, 42)].reverse().join(''), key.secret.slice(0, 8));
  record_secret(made_up);
  const of = async (secret) => (await get_public(path, { headers: { 'X-Api-Key': secret, 'X-Request-Id': 'the-same-id' }, expect: 400 })).text;
  assert.equal(await of(made_up), await of(key.secret));
  await told(key);
  assert.equal((await exposures(key)).length, 1);
});

test('in OPTIONS: a preflight, and one that is none', async () => {
  const preflight = { Origin: 'https://careers.example', 'Access-Control-Request-Method': 'GET' };
  for (const headers of [preflight, {}]) {
    const key = await organization.key('jobs:read');
    const answer = await send('OPTIONS', public_prefix + path, { headers: { ...headers, 'X-Api-Key': key.secret }, expect: 400 });
    assert.equal(answer.error.code, 'credential_not_allowed');
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    await told(key);
  }
});

test('a browser can not send one: a preflight does not allow Authorization', async () => {
  const answer = await send('OPTIONS', public_prefix + path, {
    headers: { Origin: 'https://careers.example', 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' }, expect: 204,
  });
  assert.doesNotMatch(answer.headers['access-control-allow-headers'], /authorization/i);
});
