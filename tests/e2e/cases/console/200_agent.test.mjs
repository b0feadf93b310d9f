// The agent in the console: it answers at once, runs on as the member, and is polled; its sessions are the member's, keys included.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { invoke, new_key, session_of } from '../../support/agent.mjs';
import { close_connections, get } from '../../support/client.mjs';
import { sign_in } from '../../support/console.mjs';
import { fill, make_organization } from '../../support/organization.mjs';
import { await_condition } from '../../support/programs.mjs';

let organization, admin, recruiter, key;
before(async () => {
  organization = await make_organization();
  await fill(organization, { jobs: 4, candidates: 3 });
  const { email } = await organization.add_member('recruiter');
  [admin, recruiter] = [await sign_in(organization), await sign_in(organization, email)];
  key = (await organization.key('*', email)).secret;
});
after(close_connections);

const ask = (session, body, { idempotency, expect = 202 } = {}) =>
  session.change('POST', '/agent/invocations', body, { headers: idempotency && { 'Idempotency-Key': idempotency }, expect });
const ended = async (session, { sessionId, correlationId }) => {
  let found;
  await await_condition(async () => {
    found = (await session.get(`/agent/sessions/${sessionId}`, { query: { correlationId } })).json.data;
    return found.status !== 'in_progress';
  }, 'the run ends');
  assert.equal(found.status, 'completed', JSON.stringify(found));
  return found;
};

test('begun at once, polled until it has ended, in the audit log as the member\'s', async () => {
  const { json: { data }, headers } = await ask(recruiter, { prompt: 'How many open jobs are there?' });
  assert.equal(data.status, 'in_progress');
  assert.ok(Number(headers['retry-after']) > 0);
  const run = await ended(recruiter, data);
  assert.ok(run.reply.length > 0);
  const rows = (await admin.get('/audit', { query: { sessionId: data.sessionId } })).json.data;
  assert.ok(rows.some(({ action }) => action === 'agent.run_completed'));
  assert.ok(rows.every(({ actor, credentialId }) => actor.email === recruiter.data.email && credentialId === null));
});

test('the member\'s keys see it and go on with it, and the console with what a key began', async () => {
  const { sessionId, correlationId } = (await ask(recruiter, { prompt: 'Which jobs are open?' })).json.data;
  await ended(recruiter, { sessionId, correlationId });
  assert.equal((await session_of(sessionId, { key })).credentialId, null);
  const resumed = (await invoke({ key, prompt: 'And which are closed?', session: sessionId })).json;
  assert.equal(resumed.sessionId, sessionId);
  const begun = (await invoke({ key, prompt: 'Which jobs are open?' })).json;
  const more = (await ask(recruiter, { prompt: 'And which are closed?', sessionId: begun.sessionId })).json.data;
  const shown = await ended(recruiter, { sessionId: begun.sessionId, correlationId: more.correlationId });
  assert.ok(shown.messages.length >= 4);
  const query = { messagesLimit: 1 };
  const [last] = (await recruiter.get(`/agent/sessions/${begun.sessionId}`, { query })).json.data.messages;
  const [earlier] = (await recruiter.get(`/agent/sessions/${begun.sessionId}`, { query: { ...query, messagesBefore: last.id } })).json.data.messages;
  assert.deepEqual([last.id, earlier.id], shown.messages.slice(-2).map(({ id }) => id).reverse());
});

test('with an Idempotency-Key it runs once, in whichever of the member\'s browsers', async () => {
  const idempotency = new_key();
  const body = { prompt: 'How many jobs are open?' };
  const first = (await ask(recruiter, body, { idempotency })).json.data;
  await ended(recruiter, first);
  const elsewhere = await sign_in(organization, recruiter.data.email);
  const again = (await ask(elsewhere, body, { idempotency, expect: 200 })).json.data;
  assert.deepEqual([again.sessionId, again.correlationId, again.idempotentReplay], [first.sessionId, first.correlationId, true]);
  const other = (await ask(admin, body, { idempotency })).json.data;
  assert.notEqual(other.sessionId, first.sessionId);
  const of_a_key = (await invoke({ key, idempotency, ...body })).json;
  assert.notEqual(of_a_key.sessionId, first.sessionId);
});

test('lists are the API\'s, with every parameter', async () => {
  const time = '2026-01-01T00:00:00Z';
  await ended(recruiter, (await ask(recruiter, { prompt: 'Hello' })).json.data);
  const whole = (await recruiter.get('/agent/sessions')).json.data;
  assert.ok(whole.length > 0);
  const queries = [{}, { limit: 2 }, { sort: 'title' }, { status: 'completed,failed' }, { createdAfter: time }, { createdBefore: time }, { updatedAfter: time }, { updatedBefore: time },
    { memberId: recruiter.data.member.id }];
  for (const query of queries)
    assert.deepEqual((await recruiter.get('/agent/sessions', { query })).json.data, (await get('/agent/sessions', { key, query })).json.data, JSON.stringify(query));
  const { page } = (await recruiter.get('/agent/sessions', { query: { limit: 1 } })).json;
  await recruiter.get('/agent/sessions', { query: { limit: 1, cursor: page.nextCursor } });
});

test('another member\'s session is 404, to go on with it too; an admin reads it', async () => {
  const mine = (await ask(admin, { prompt: 'How many open jobs are there?' })).json.data;
  await ended(admin, mine);
  await recruiter.get(`/agent/sessions/${mine.sessionId}`, { expect: 404 });
  await ask(recruiter, { prompt: 'Hello', sessionId: mine.sessionId }, { expect: 404 });
  const theirs = (await ask(recruiter, { prompt: 'How many open jobs are there?' })).json.data;
  await ended(admin, theirs);
});

test('who was demoted cannot go on with what they may not read any more', async () => {
  const { email, id } = await organization.add_member('recruiter', `demoted@${organization.slug}.example`);
  const session = await sign_in(organization, email);
  const run = (await ask(session, { prompt: 'How many candidates do we have?' })).json.data;
  await ended(session, run);
  await admin.change('PATCH', `/members/${id}`, { role: 'interviewer' });
  assert.equal((await ask(session, { prompt: 'Hello', sessionId: run.sessionId }, { expect: 403 })).error.code, 'insufficient_role');
});

test('what is refused, before anything runs', async () => {
  await ask(recruiter, {}, { expect: 400 });
  await ask(recruiter, { prompt: '' }, { expect: 400 });
  await ask(recruiter, { prompt: 'Hello', model: 'x' }, { expect: 400 });
  await ask(recruiter, { prompt: 'Hello', sessionId: 'f'.repeat(32) }, { expect: 404 });
});
