// "Revoke the key …": at once, by name, one's own or as an admin; and what the audit log says of a run.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { completed, invoke, session_of } from '../../support/agent.mjs';
import { close_connections, get } from '../../support/client.mjs';
import { call } from '../../support/mcp.mjs';
import { make_organization } from '../../support/organization.mjs';

let organization, admin, recruiter;
before(async () => {
  organization = await make_organization();
  admin = await organization.key('*');
  const { email } = await organization.add_member('recruiter');
  recruiter = { ...(await organization.key('*', email)), email };
});
after(close_connections);

const revoke = (name, key) => completed({ key, prompt: `Revoke the key “${name}”` });
const is_revoked = async (key) => {
  const { error } = await get('/me', { key, expect: 401 });
  assert.equal(error.code, 'credential_revoked');
};

test('the very next request with the revoked key is 401', async () => {
  const victim = await organization.key('jobs:read', organization.admin, { name: 'warehouse-sync' });
  await get('/me', { key: victim.secret });
  const { reply } = await revoke('warehouse-sync', admin.secret);
  assert.match(reply, /warehouse-sync/);
  await is_revoked(victim.secret);
});

test('a run that an assistant asked for revokes nothing: a record may have told it to', async () => {
  const victim = await organization.key('jobs:read', organization.admin, { name: 'nightly-export' });
  const { json } = await call('agent_invoke', { prompt: 'Revoke the key “nightly-export”' }, { key: admin.secret, expect: 200 });
  assert.equal(json.result.structuredContent.status, 'completed');
  await get('/me', { key: victim.secret, expect: 200 });
});

test('revoking the key in use: its reply still comes', async () => {
  const own = await organization.key('*', organization.admin, { name: 'in-use' });
  await revoke('in-use', own.secret);
  await is_revoked(own.secret);
});

test('a recruiter revokes their own keys and no other\'s', async () => {
  const own = await organization.key('jobs:read', recruiter.email, { name: 'recruiters own' });
  const admins = await organization.key('jobs:read', organization.admin, { name: 'the admins' });
  await revoke('recruiters own', recruiter.secret);
  await is_revoked(own.secret);
  await revoke('the admins', recruiter.secret);
  await get('/me', { key: admins.secret });
  await revoke('recruiters own', admin.secret); // revoked before: told, not done again
});

test('a name that is not exactly a key\'s revokes nothing', async () => {
  const key = await organization.key('jobs:read', organization.admin, { name: 'Nightly Export' });
  for (const name of ['nightly', 'Export', 'Nightly Exports']) await revoke(name, admin.secret);
  await get('/me', { key: key.secret });
});

const rows = async (query) => (await get('/audit', { key: admin.secret, query })).json.data;

test('the audit log: the request, its run and each tool call, linked, without a word of what was said', async () => {
  const request_id = randomBytes(10).toString('hex');
  const victim = await organization.key('jobs:read', organization.admin, { name: 'to-be-audited' });
  const prompt = 'Revoke the key “to-be-audited”';
  const { json } = await invoke({ key: admin.secret, prompt, headers: { 'X-Request-Id': request_id } });
  await is_revoked(victim.secret);
  const session = await session_of(json.sessionId, { key: admin.secret });
  const { correlationId } = session.runs[0];

  const [request] = (await rows({ requestId: request_id, action: 'api.request' }));
  assert.deepEqual([request.endpoint, request.method, request.statusCode, request.success], ['/api/v1/agent/invoke', 'POST', 200, true]);
  assert.deepEqual([request.credentialId, request.sessionId, request.correlationId], [admin.id, json.sessionId, correlationId]);

  const calls = await rows({ sessionId: json.sessionId, action: 'agent.tool_call' });
  assert.equal(calls.length, session.runs[0].toolCallCount);
  for (const call of calls) {
    assert.deepEqual([call.correlationId, call.actor.type, call.actor.memberId], [correlationId, 'agent', organization.admin_member.id]);
    assert.equal(call.credentialId, admin.id);
    assert.equal(call.requestId, request_id);
  }
  assert.ok(calls.some(({ target }) => target?.id === 'revoke_api_key'), 'the call that changed something');
  const [revoked] = (await rows({ action: 'key.revoked' })).filter(({ target }) => target?.id === victim.id);
  assert.ok(revoked, 'what it changed has its own row');
  const all = JSON.stringify(await rows({ sessionId: json.sessionId }));
  assert.ok(!all.includes(prompt) && !all.includes(json.reply));
});
