// POST /agent/invoke: completed runs, what an Idempotency-Key makes of a repeat, resuming.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completed, invoke, new_key, runs_of, session_of, without_replay } from '../../support/agent.mjs';
import { close_connections, get } from '../../support/client.mjs';
import { fill, make_organization } from '../../support/organization.mjs';
import { recruitctl } from '../../support/recruitctl.mjs';

const question = 'How many open jobs are there?';
let organization, admin;
before(async () => {
  organization = await make_organization();
  await fill(organization, { jobs: 7, candidates: 3 });
  admin = await organization.key('*');
});
after(close_connections);

test('an answer with real data, as a bare object, and its session', async () => {
  const answer = await invoke({ key: admin.secret, prompt: question });
  const { sessionId, reply, status, idempotentReplay, ...rest } = answer.json;
  assert.deepEqual([status, idempotentReplay, rest], ['completed', false, {}]);
  const { openJobCount } = (await get('/organization', { key: admin.secret })).json.data;
  assert.match(reply, new RegExp(`\\b${openJobCount}\\b`));
  assert.equal(answer.headers['idempotency-mismatch'], undefined);
  assert.equal(answer.headers['retry-after'], undefined);
  const session = await session_of(sessionId, { key: admin.secret });
  assert.deepEqual([session.status, session.reply, session.title, session.runCount], ['completed', reply, question, 1]);
  assert.deepEqual([session.memberId, session.credentialId], [organization.admin_member.id, admin.id]);
});

test('without Idempotency-Key a repeat runs again, in a session of its own', async () => {
  const before_them = await runs_of(organization);
  const one = await completed({ key: admin.secret, prompt: question });
  const two = await completed({ key: admin.secret, prompt: question });
  assert.notEqual(one.sessionId, two.sessionId);
  assert.equal(await runs_of(organization), before_them + 2);
});

test('with it every repeat gets the first result, byte for byte, and nothing runs', async () => {
  const idempotency = new_key();
  const first = await invoke({ key: admin.secret, prompt: question, idempotency });
  const runs = await runs_of(organization);
  assert.equal(first.json.idempotentReplay, false);
  for (let i = 0; i < 3; i += 1) {
    const again = await invoke({ key: admin.secret, prompt: question, idempotency });
    assert.equal(again.json.idempotentReplay, true);
    assert.equal(without_replay(again), without_replay(first));
    assert.equal(again.headers['idempotency-mismatch'], undefined);
  }
  assert.equal(await runs_of(organization), runs);
});

test('concurrent repeats: one run, and each is told of it', async () => {
  const runs = await runs_of(organization);
  const idempotency = new_key();
  const answers = await Promise.all(Array.from({ length: 12 }, () => invoke({ key: admin.secret, prompt: question, idempotency })));
  assert.equal(await runs_of(organization), runs + 1);
  assert.equal(new Set(answers.map(({ json }) => json.sessionId)).size, 1);
  assert.equal(answers.filter(({ json }) => !json.idempotentReplay).length, 1, 'one of them began it');
  for (const { json, headers } of answers) {
    assert.ok(['completed', 'in_progress'].includes(json.status));
    assert.equal(headers['retry-after'], json.status === 'in_progress' ? '2' : undefined);
  }
});

test('a key in quotes (RFC 8941) is the key without them', async () => {
  const idempotency = new_key();
  const plain = await invoke({ key: admin.secret, prompt: question, idempotency });
  const quoted = await invoke({ key: admin.secret, prompt: question, idempotency: `"${idempotency}"` });
  assert.equal(without_replay(quoted), without_replay(plain));
  const odd = 'all of !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ and spaces';
  const first = await invoke({ key: admin.secret, prompt: question, idempotency: odd });
  const escaped = await invoke({ key: admin.secret, prompt: question, idempotency: `"${odd.replace(/["\\]/g, '\\$&')}"` });
  assert.equal(without_replay(escaped), without_replay(first));
  await completed({ key: admin.secret, prompt: question, idempotency: 'k'.repeat(255) });
});

test('another prompt under a used key: the original result, and a header that says so', async () => {
  const idempotency = new_key();
  const first = await invoke({ key: admin.secret, prompt: question, idempotency });
  const other = await invoke({ key: admin.secret, prompt: 'Who are the admins?', idempotency });
  assert.equal(other.headers['idempotency-mismatch'], 'true');
  assert.equal(other.json.idempotentReplay, true);
  assert.equal(without_replay(other), without_replay(first));
});

test('an Idempotency-Key belongs to the credential that sent it: another API key, or another member, runs', async () => {
  const idempotency = new_key();
  const first = await invoke({ key: admin.secret, prompt: question, idempotency });
  const another = await completed({ key: (await organization.key('*')).secret, prompt: question, idempotency });
  assert.equal(another.idempotentReplay, false);
  assert.notEqual(another.sessionId, first.json.sessionId);
  const again = await invoke({ key: admin.secret, prompt: question, idempotency });
  assert.equal(without_replay(again), without_replay(first));
  const { email } = await organization.add_member('recruiter', `other@${organization.slug}.example`);
  const other = await organization.key('*', email);
  const own = await completed({ key: other.secret, prompt: question, idempotency });
  assert.equal(own.idempotentReplay, false);
  assert.notEqual(own.sessionId, first.json.sessionId);
});

test('sessionId goes on in the session', async () => {
  const first = await completed({ key: admin.secret, prompt: question });
  const second = await completed({ key: admin.secret, prompt: 'Who are the admins?', session: first.sessionId });
  assert.equal(second.sessionId, first.sessionId);
  assert.equal(second.idempotentReplay, false);
  const session = await session_of(first.sessionId, { key: admin.secret });
  assert.equal(session.runCount, 2);
  assert.equal(session.reply, second.reply);
  assert.deepEqual(session.messages.filter(({ role }) => role === 'user').map(({ content }) => content), [question, 'Who are the admins?']);
  assert.equal(session.messages.length, session.messageCount);
  assert.equal(session.messages.at(-1).content, second.reply);
});

test('a prompt is counted in characters: 32,000 of four bytes each are taken', async () => {
  await completed({ key: admin.secret, prompt: '🙂'.repeat(32_000) });
});

test('an answer never repeats a secret that was pasted into the prompt', async () => {
  const { sessionId } = await completed({ key: admin.secret, prompt: `Is ${admin.secret} a good key?` });
  const answer = await get(`/agent/sessions/${sessionId}`, { key: admin.secret });
  assert.ok(!answer.text.includes(admin.secret));
});

test('usage and billing count the runs', async () => {
  const own = await make_organization();
  const { secret: key } = await own.key('*');
  const usage = async () => (await get('/billing', { key })).json.data.usage;
  assert.equal((await usage()).agentRuns, 0);
  const { sessionId } = await completed({ key, prompt: question });
  await completed({ key, prompt: question, session: sessionId });
  const { usage: spent } = await session_of(sessionId, { key });
  assert.deepEqual(await usage(), { agentRuns: 2, agentInputTokens: spent.inputTokens, agentOutputTokens: spent.outputTokens, bookings: 0 });
});

test('a role that was narrowed narrows the agent\'s answers, and a key that was revoked none', async () => {
  const { email } = await organization.add_member('admin', `narrowed@${organization.slug}.example`);
  const key = await organization.key('*', email);
  const { sessionId, reply } = await completed({ key: key.secret, prompt: 'List the API keys' });
  assert.match(reply, /^There are \d+ API keys:/);
  await organization.member('set-role', email, '--role', 'recruiter');
  const narrowed = await completed({ key: key.secret, prompt: 'List the API keys' });
  assert.match(narrowed.reply, /^There is 1 API key:/, 'a recruiter is shown their own key only');
  await session_of(sessionId, { key: key.secret });
  await recruitctl('key', 'revoke', '--organization', organization.slug, '--id', key.id);
  const { error } = await invoke({ key: key.secret, prompt: question, expect: 401 });
  assert.equal(error.code, 'credential_revoked');
});
