// GET /agent/sessions and /agent/sessions/{id}: pages, filters, order, refusals, and a conversation read back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completed, session_of } from '../../support/agent.mjs';
import { close_connections, get } from '../../support/client.mjs';
import { check_filters, check_refusals, check_refused, check_sorts, check_time_filters, ids_of, walk } from '../../support/lists.mjs';
import { make_organization } from '../../support/organization.mjs';
import { sql, uuid } from '../../support/recruitctl.mjs';

const prompts = ['How many open jobs are there?', 'Who are the admins?', 'List the API keys', 'How many candidates do we have?', 'Ärger: what can you do?'];
let organization, key, members, whole;

/** As a run that died would have left it. */
const make_failed = (id) => sql(`with died as (
    update recruiting.agent_runs set status = 'failed', reply = null, failure = 'round_limit' where session_id = ${uuid(id)} returning session_id)
  update recruiting.agent_sessions set status = 'failed' where id in (select session_id from died)`);

before(async () => {
  organization = await make_organization();
  key = (await organization.key('*')).secret;
  const { email, id } = await organization.add_member('recruiter');
  const recruiter = (await organization.key('*', email)).secret;
  members = [organization.admin_member.id, id];
  const made = [];
  for (let i = 0; i < 11; i += 1) made.push((await completed({ key: i % 3 ? key : recruiter, prompt: prompts[i % prompts.length] })).sessionId);
  for (const id of [made[2], made[5]]) await make_failed(id);
  whole = await walk('/agent/sessions', { key });
});
after(close_connections);

test('pages hold all sessions once', async () => {
  assert.equal(whole.length, 11);
  assert.deepEqual(ids_of(await walk('/agent/sessions', { key, query: { limit: 4 } })), ids_of(whole));
});

test('every sort, both ways', () => check_sorts('/agent/sessions', ['createdAt', 'updatedAt', 'title'], whole, { key }));

test('every filter', () =>
  check_filters('/agent/sessions', [
    ...['completed', 'failed', 'in_progress'].map((status) => [{ status }, (s) => s.status === status]),
    [{ status: 'failed,in_progress' }, (s) => s.status !== 'completed'],
    [{ status: 'completed,failed' }, (s) => s.status !== 'in_progress'],
    [{ memberId: members.join(',') }, (s) => members.includes(s.memberId)],
    ...members.map((memberId) => [{ memberId }, (s) => s.memberId === memberId]),
    [{ status: 'failed', memberId: members[0] }, (s) => s.status === 'failed' && s.memberId === members[0]],
    [{ memberId: '0199c1a1c3d87f02b5a6e4d17c930f58' }, () => false],
  ], whole, { key }));

test('time filters', () => check_time_filters('/agent/sessions', ['created', 'updated'], whole, { key }));

test('bad parameters, all at once; limits; cursors', () =>
  check_refusals('/agent/sessions', {
    bad: { limit: '0', status: 'running', memberId: 'me', sort: 'lastRunAt', createdAfter: 'yesterday', syncToken: '' },
    filter: { status: 'completed' },
  }, { key }));

test('a failed session: the fixed error, and which run died', async () => {
  const { id } = whole.find(({ status }) => status === 'failed');
  const session = await session_of(id, { key });
  assert.equal(session.error, 'The agent run did not complete.');
  assert.equal(session.failedCorrelationId, session.runs[0].correlationId);
  assert.equal(session.correlationId, session.failedCorrelationId);
  assert.equal(session.reply, null);
});

test('a conversation with its tools, and back through it page by page', async () => {
  const { sessionId } = await completed({ key, prompt: prompts[0] });
  await completed({ key, prompt: prompts[1], session: sessionId });
  const session = await session_of(sessionId, { key });
  assert.equal(session.hasMoreMessages, false);
  assert.equal(session.messages.length, session.messageCount);
  assert.equal(session.runs.length, 2);
  const calls = session.messages.flatMap(({ toolCalls }) => toolCalls ?? []);
  const results = session.messages.filter(({ role }) => role === 'tool');
  assert.ok(calls.length > 0, 'the built-in responder asks its tools');
  assert.deepEqual(calls.map(({ name }) => name), results.map(({ toolName }) => toolName));
  assert.equal(session.runs.reduce((sum, run) => sum + run.toolCallCount, 0), calls.length);
  for (const { content } of results) assert.ok('data' in JSON.parse(content));
  for (const run of session.runs) assert.ok(run.status === 'completed' && run.startedAt <= run.finishedAt);

  const seen = [];
  let before_id;
  for (;;) {
    const page = await session_of(sessionId, { key, query: { messagesLimit: 3, messagesBefore: before_id } });
    seen.unshift(...page.messages);
    if (!page.hasMoreMessages) break;
    assert.equal(page.messages.length, 3);
    before_id = page.messages[0].id;
  }
  assert.deepEqual(seen, session.messages);
});

test('what the record refuses', async () => {
  const { id } = whole[0];
  const path = `/agent/sessions/${id}`;
  await check_refused(path, { limit: '5', messagesLimit: '0' }, ['limit', 'messagesLimit'], { key });
  for (const messagesLimit of ['1001', '-1', 'all', '']) await check_refused(path, { messagesLimit }, ['messagesLimit'], { key });
  const elsewhere = (await session_of(whole[1].id, { key })).messages[0].id;
  for (const messagesBefore of ['x', '', elsewhere, '0199c1a1c3d87f02b5a6e4d17c930f58']) {
    await check_refused(path, { messagesBefore }, ['messagesBefore'], { key });
  }
  await get(`${path}?messagesLimit=1000`, { key });
});
