// The state table of an invocation, on an auth-api of the test's own whose model answers when it is told to: in progress,
// busy, too many at once, no model, and a process that is killed in the middle.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { start_model_double } from '../../../support/model_double.mjs';
import { completed, invoke, new_key, runs_of, session_of, sessions_of, without_replay } from '../../support/agent.mjs';
import { close_connections } from '../../support/client.mjs';
import { make_organization } from '../../support/organization.mjs';
import { await_condition, start_program } from '../../support/programs.mjs';

let double, service, organization, key, on;
let held = [];
before(async () => {
  double = await start_model_double();
  service = await start_program('auth-api', {
    RECRUITING_AGENT_MODEL_BASE_URL: double.url,
    RECRUITING_AGENT_MODEL: 'double',
    RECRUITING_AGENT_RUNS_PER_ORGANIZATION: '3',
    RECRUITING_AGENT_LEASE: '4s', // a loaded machine must not lose it
  });
  on = { base: service.url, direct: true };
});
beforeEach(async () => {
  organization = await make_organization();
  key = (await organization.key('*')).secret;
  double.forget();
  held = [];
  // Prompts that begin with "Wait" are answered when release is called.
  double.answer = ({ prompt }) => (prompt.startsWith('Wait') ? new Promise((done) => held.push(done)) : `You said: ${prompt}`);
});
after(async () => {
  release();
  await service?.stop();
  await double?.stop();
  close_connections();
});

const release = () => held.splice(0).forEach((done) => done('This took its time.'));
const holds = (count) => await_condition(() => held.length >= count, `${count} runs wait for the model`);

test('a concurrent duplicate is told in_progress and polls; the result is the first run\'s', async () => {
  const idempotency = new_key();
  const first = invoke({ key, prompt: 'Wait for me, please', idempotency, ...on });
  await holds(1);
  const duplicate = await invoke({ key, prompt: 'Wait for me, please', idempotency, ...on });
  const { sessionId, ...rest } = duplicate.json;
  assert.deepEqual(rest, { reply: null, status: 'in_progress', idempotentReplay: true });
  assert.equal(duplicate.headers['retry-after'], '2');
  const running = await session_of(sessionId, { key, ...on });
  assert.deepEqual([running.status, running.reply, running.runs[0].status, running.runs[0].finishedAt], ['in_progress', null, 'in_progress', null]);
  assert.deepEqual((await sessions_of({ key, query: { status: 'in_progress' }, ...on })).map(({ id }) => id), [sessionId]);
  release();
  const answer = await first;
  assert.deepEqual(answer.json, { sessionId, reply: 'This took its time.', status: 'completed', idempotentReplay: false });
  assert.equal((await session_of(sessionId, { key, ...on })).reply, 'This took its time.');
  const repeat = await invoke({ key, prompt: 'Wait for me, please', idempotency, ...on });
  assert.equal(without_replay(repeat), without_replay(answer));
  assert.equal(double.first_calls('Wait for me, please'), 1);
});

test('409 session_busy: one run at a time in a session', async () => {
  const { sessionId } = await completed({ key, prompt: 'Hello to a session', ...on });
  const running = invoke({ key, prompt: 'Wait in that session', session: sessionId, ...on });
  await holds(1);
  const busy = await invoke({ key, prompt: 'Me too, in that session', session: sessionId, expect: 409, ...on });
  assert.equal(busy.error.code, 'session_busy');
  assert.equal(busy.headers['retry-after'], undefined, 'this request is not repeated');
  assert.match(busy.error.message, /Poll the session until it has ended, then invoke again as a new request/);
  release();
  await running;
  await completed({ key, prompt: 'Me too, in that session', session: sessionId, ...on });
  assert.equal((await session_of(sessionId, { key, ...on })).runCount, 3);
});

test('a client whose session was resumed meanwhile takes nobody else\'s reply for its own', async () => {
  const idempotency = new_key();
  const first = invoke({ key, prompt: 'Wait for the first', idempotency, ...on });
  await holds(1);
  const polling = await invoke({ key, prompt: 'Wait for the first', idempotency, ...on });
  const { sessionId } = polling.json;
  const own = { correlationId: polling.headers['correlation-id'] };
  release();
  assert.equal((await first).headers['correlation-id'], own.correlationId);
  const other = invoke({ key, prompt: 'Wait for another', session: sessionId, ...on });
  await holds(1);
  const last = await session_of(sessionId, { key, ...on });
  assert.deepEqual([last.status, last.reply], ['in_progress', null]);
  assert.notEqual(last.correlationId, own.correlationId);
  const mine = await session_of(sessionId, { key, query: own, ...on });
  assert.deepEqual([mine.correlationId, mine.status, mine.reply], [own.correlationId, 'completed', 'This took its time.']);
  release();
  assert.equal((await other).headers['correlation-id'], last.correlationId);
});

test('429 rate_limited: too many runs of one organization; another one\'s still run, and the key stays free', async () => {
  const idempotency = new_key();
  const running = [1, 2, 3].map((n) => invoke({ key, prompt: `Wait, number ${n} of them`, ...on }));
  await holds(3);
  const refused = await invoke({ key, prompt: 'One more of them', idempotency, expect: 429, ...on });
  assert.equal(refused.error.code, 'rate_limited');
  assert.ok(Number(refused.headers['retry-after']) >= 1);
  assert.equal(refused.error.details[0].reason, 'agent_runs', 'each 429 says which limit');
  assert.match(refused.headers.ratelimit, /^"agent_runs";r=0;t=\d+/, 'and RateLimit fits it');
  assert.match(refused.headers['ratelimit-policy'], /^"agent_runs";q=3;qu="concurrent-requests"/);
  const other = await make_organization();
  await completed({ key: (await other.key('*')).secret, prompt: 'And one elsewhere', ...on });
  assert.equal(await runs_of(organization), 3);
  release();
  await Promise.all(running);
  assert.equal((await completed({ key, prompt: 'One more of them', idempotency, ...on })).idempotentReplay, false);
});

test('a client that goes away does not stop its run', async () => {
  const idempotency = new_key();
  const leaving = new AbortController();
  const gone = fetch(new URL('/api/v1/agent/invoke', service.url), {
    method: 'POST', signal: leaving.signal, body: JSON.stringify({ prompt: 'Wait although I leave' }),
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': idempotency },
  }).catch((error) => error.name);
  await holds(1);
  leaving.abort();
  assert.equal(await gone, 'AbortError');
  release();
  let repeat;
  await await_condition(async () => {
    repeat = await invoke({ key, prompt: 'Wait although I leave', idempotency, ...on });
    return repeat.json.status === 'completed';
  }, 'the run completes');
  assert.equal(repeat.json.reply, 'This took its time.');
  assert.equal(double.first_calls('Wait although I leave'), 1);
});

test('kill -9 in the middle: failed for ever within the lease, one run, the session says so too', async () => {
  const idempotency = new_key();
  const { sessionId } = await completed({ key, prompt: 'Before the kill', ...on });
  const lost = invoke({ key, prompt: 'Wait and be killed', idempotency, ...on }).catch((error) => error.code);
  const resumed = invoke({ key, prompt: 'Wait and be killed too', session: sessionId, ...on }).catch((error) => error.code);
  await holds(2);
  await service.kill();
  assert.deepEqual([await lost, await resumed], ['ECONNRESET', 'ECONNRESET']);
  await service.start();
  let answer;
  await await_condition(async () => {
    answer = await invoke({ key, prompt: 'Wait and be killed', idempotency, ...on });
    return answer.json.status !== 'in_progress';
  }, 'the lease runs out');
  const { status, reply, idempotentReplay, error, failedCorrelationId } = answer.json;
  assert.deepEqual([status, reply, idempotentReplay, error], ['failed', null, true, 'The agent run did not complete.']);
  for (let i = 0; i < 3; i += 1) {
    const again = await invoke({ key, prompt: 'Wait and be killed', idempotency, ...on });
    assert.equal(again.text, answer.text);
  }
  const session = await session_of(answer.json.sessionId, { key, ...on });
  assert.deepEqual([session.status, session.reply, session.failedCorrelationId], ['failed', null, failedCorrelationId]);
  assert.equal(double.first_calls('Wait and be killed'), 1, 'nobody ran it again');
  // The session whose run died can go on: its own prompt is kept, and a note instead of an answer.
  await await_condition(async () => (await session_of(sessionId, { key, ...on })).status === 'failed', 'the other lease runs out');
  await completed({ key, prompt: 'After the kill', session: sessionId, ...on });
  assert.equal((await completed({ key, prompt: 'Wait and be killed'.replace('Wait', 'Go'), idempotency: new_key(), ...on })).idempotentReplay, false);
});

test('SIGTERM: a run may still end, and its answer is delivered', async () => {
  const running = invoke({ key, prompt: 'Wait through the end', ...on });
  await holds(1);
  const stopped = service.stop();
  await await_condition(async () => (await service.health('/readyz')) !== 200, 'the program drains');
  release();
  assert.equal((await running).json.status, 'completed');
  await stopped;
  await service.start();
});

test('a model that fails makes a failed run, and HTTP 200', async () => {
  for (const wrong of [{ status: 500, raw: 'oops' }, { raw: '<html>not a model</html>' }, { raw: '{"choices":[]}' }, { text: '' }]) {
    double.answer = () => wrong;
    const { json } = await invoke({ key, prompt: 'Are you well today?', ...on });
    assert.deepEqual([json.status, json.reply, json.error], ['failed', null, 'The agent run did not complete.'], JSON.stringify(wrong));
    assert.match(json.failedCorrelationId, /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test('503 model_unavailable: no model server, nothing is stored, the key is free when it is back', async () => {
  const lost = await start_program('auth-api', { RECRUITING_AGENT_MODEL_BASE_URL: 'http://127.0.0.1:9/v1', RECRUITING_AGENT_MODEL: 'gone' });
  const idempotency = new_key();
  try {
    const there = { base: lost.url, direct: true };
    const refused = await invoke({ key, prompt: 'Is anybody at home?', idempotency, expect: 503, ...there });
    assert.equal(refused.error.code, 'model_unavailable');
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.deepEqual(await sessions_of({ key, ...there }), []);
    assert.equal(await runs_of(organization), 0);
    await session_of('0199c1a1c3d87f02b5a6e4d17c930f58', { key, expect: 404, ...there });
  } finally {
    await lost.stop();
  }
  assert.equal((await completed({ key, prompt: 'Is anybody at home?', idempotency, ...on })).idempotentReplay, false);
});
