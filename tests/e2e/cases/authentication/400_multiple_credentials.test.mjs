// Exactly one credential a request: a bearer token with the session cookie is refused, no precedence is applied.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';

after(close_connections);
const refused = async (headers) => {
  const { error } = await get('/me', { headers, expect: 400 });
  assert.equal(error.code, 'invalid_request');
  assert.equal(error.details[0].reason, 'multiple_credentials');
};
const authorization = { Authorization: `Bearer ${demo.key}` };

test('bearer with sp_session', () => refused({ ...authorization, Cookie: 'sp_session=abc' }));
test('bearer with sp_session among others', () => refused({ ...authorization, Cookie: 'theme=dark; sp_session=abc; lang=de' }));
test('an invalid bearer with sp_session', () => refused({ Authorization: 'Bearer nonsense', Cookie: 'sp_session=abc' }));
test('other cookies are ignored', () => get('/me', { headers: { ...authorization, Cookie: 'theme=dark; not_sp_session=1; sp_sessions=2' } }));
test('sp_session alone is no credential of this API', async () => {
  const { error } = await get('/me', { headers: { Cookie: 'sp_session=abc' }, expect: 401 });
  assert.ok(['missing_credential', 'invalid_credential'].includes(error.code));
});
