// What is no credential of ours: refused, and nothing written to the audit log.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auth_prefix, close_connections, get, send } from '../../support/client.mjs';
import { environment } from '../../support/environment.mjs';
import { make_organization } from '../../support/organization.mjs';
import { audit_sql } from '../../support/recruitctl.mjs';

let organization, key;
const audited = async (request_id) => (await audit_sql(`select error_code from recruiting.audit_log where request_id = '${request_id}'`)).flat();
before(async () => {
  organization = await make_organization();
  key = await organization.key('*');
});
after(close_connections);

const every_path = ['/me', '/scopes', '/organization', '/members', '/jobs', '/jobs/0199c1a1c3d87f02b5a6e4d17c930f58',
  '/jobs/0199c1a1c3d87f02b5a6e4d17c930f58/candidates', '/candidates', '/candidates/0199c1a1c3d87f02b5a6e4d17c930f58',
  '/pipeline', '/billing', '/audit'];

for (const path of every_path) {
  test(`${path} without a credential`, async () => {
    const { error, headers } = await get(path, { expect: 401 });
    assert.equal(error.code, 'missing_credential');
    assert.equal(headers['www-authenticate'], 'Bearer realm="api"');
    assert.deepEqual(await audited(error.requestId), []);
  });
}

const crc_changed = (secret) => secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
const other_body = (secret) => secret.slice(0, 20) + (secret[20] === 'a' ? 'b' : 'a') + secret.slice(21);

const bearer = {
  'the key ID': () => key.id,
  'a wrong checksum': () => crc_changed(key.secret),
  'a changed character': () => other_body(key.secret),
  'the secret without its prefix': () => key.secret.slice('sp_test_'.length),
  'the displayed prefix': () => key.displayedPrefix,
  'a secret that is too long': () => `${key.secret}a`,
  'a secret that is too short': () => key.secret.slice(0, -1),
  'a well-formed secret of nobody': () => secret_of_nobody(),
  'upper case': () => key.secret.toUpperCase(),
  'two secrets': () => `${key.secret} ${key.secret}`,
  'a quoted secret': () => `"${key.secret}"`,
  'nothing after Bearer': () => '',
};
for (const [what, credential] of Object.entries(bearer)) {
  test(`${what} as bearer token`, async () => {
    const { error, headers } = await get('/me', { headers: { Authorization: `Bearer ${credential()}` }, expect: 401 });
    assert.ok(['invalid_credential', 'missing_credential'].includes(error.code));
    if (credential() !== '') assert.equal(error.code, 'invalid_credential');
    assert.match(headers['www-authenticate'], /^Bearer realm="api"/);
    assert.deepEqual(await audited(error.requestId), []);
  });
}

test('a key ID as bearer token: the refusal says what it is and what to send, also in its dashed form', async () => {
  for (const id of [key.id, key.id.toUpperCase(), key.id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')]) {
    const { error } = await get('/me', { headers: { Authorization: `Bearer ${id}` }, expect: 401 });
    assert.deepEqual([error.code, ...error.details.map(({ reason }) => reason)], ['invalid_credential', 'key_id']);
    assert.match(error.message, /ID of an API key.*secret/);
  }
});

const schemes = {
  Basic: () => `Basic ${Buffer.from(`api:${key.secret}`).toString('base64')}`,
  Digest: () => 'Digest username="x"',
  Token: () => `Token ${key.secret}`,
  'no scheme': () => key.secret,
  'Bearer without a space': () => `Bearer${key.secret}`,
};
for (const [what, value] of Object.entries(schemes)) {
  test(`another scheme: ${what}`, async () => {
    const { error } = await get('/me', { headers: { Authorization: value() }, expect: 401 });
    assert.equal(error.code, 'invalid_credential');
    assert.equal(error.details[0].reason, 'not_a_bearer_token');
    assert.ok(error.message.includes('Authorization: Bearer <API_KEY>') && !JSON.stringify(error).includes(key.secret));
    assert.deepEqual(await audited(error.requestId), []);
  });
}

test('the scheme is case-insensitive (RFC 9110 section 11.1)', async () => {
  for (const scheme of ['bearer', 'BEARER']) await get('/me', { headers: { Authorization: `${scheme} ${key.secret}` } });
});

test('a key in the query or in another header is no credential', async () => {
  assert.equal((await get('/me', { headers: { 'X-Api-Key': key.secret }, expect: 401 })).error.code, 'missing_credential');
  assert.equal((await get('/me', { query: { access_token: key.secret }, expect: 401 })).error.code, 'missing_credential');
});

test('a live key in a test deployment: wrong_environment', async () => {
  assert.equal(environment.RECRUITING_ENVIRONMENT, 'test');
  const { error } = await get('/me', { headers: { Authorization: `Bearer ${secret_of_nobody('sp_live_')}` }, expect: 401 });
  assert.equal(error.code, 'wrong_environment');
  assert.deepEqual(await audited(error.requestId), []);
});

test('an unknown path without a credential tells nothing about paths', async () => {
  const { status } = await send('GET', `${auth_prefix}/no/such/path`);
  assert.ok(status === 401 || status === 404);
});

/** 34 characters and base62(CRC-32) in 6: right in form, of no key. */
function secret_of_nobody(prefix = 'sp_test_') {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const body = Array.from({ length: 34 }, () => digits[Math.floor(Math.random() * 62)]).join('');
  let crc = 0xffffffff;
  for (const byte of Buffer.from(body)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let value = (crc ^ 0xffffffff) >>> 0;
  let tail = '';
  for (let i = 0; i < 6; i += 1) [tail, value] = [digits[value % 62] + tail, Math.floor(value / 62)];
  return prefix + body + tail;
}
