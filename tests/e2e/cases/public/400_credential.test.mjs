// An API key must never be sent to the public API: refused, whatever field or parameter holds it, and never echoed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get_public } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { make_organization } from '../../support/organization.mjs';

let secret;
before(async () => { secret = (await (await make_organization()).key('jobs:read')).secret; });
after(close_connections);

const path = `/organizations/${demo.slug}`;
const check = async (options, where = path) => {
  const { error, text } = await get_public(where, { ...options, expect: 400 });
  assert.equal(error.code, 'credential_not_allowed');
  assert.ok(!text.includes(secret), 'the answer repeats the key');
};

test('as bearer token', () => check({ headers: { Authorization: `Bearer ${secret}` } }));
test('as bare Authorization', () => check({ headers: { Authorization: secret } }));
test('in another header', () => check({ headers: { 'X-Api-Key': secret } }));
test('in the query', () => check({ query: { api_key: secret } }));
test('in the query, percent-encoded', () => check({ query: `key=${secret.replace('sp_', '%73p%5F')}` }));
test('on a list and on the document', async () => {
  await check({ query: { q: secret } }, `${path}/jobs`);
  await check({ query: { key: secret } }, '/openapi.json');
});
test('any bearer token, even one that is no key', () => check({ headers: { Authorization: 'Bearer something-else' } }));
test('what is no key is ignored', async () => {
  await get_public(path, { headers: { Authorization: 'Basic eDp5' } });
  await get_public(path, { query: { api_key: 'abc' }, headers: { 'X-Api-Key': 'abc' } });
});
