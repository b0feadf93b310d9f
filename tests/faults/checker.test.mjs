// The checker itself: a faultless history passes, and each way a history can be wrong is found.
import assert from 'node:assert/strict';
import test from 'node:test';
import { check_history } from './support/checker.mjs';

const died = '01234567-89ab-4def-8123-456789abcdef';
const completed = { sessionId: 's1', reply: 'Done.', status: 'completed', idempotentReplay: false };
const failed = {
  sessionId: 's2', reply: null, status: 'failed', idempotentReplay: true,
  error: 'The agent run did not complete.', failedCorrelationId: died,
};
const in_progress = { sessionId: 's1', reply: null, status: 'in_progress', idempotentReplay: true };

let clock;
let requests;
const invoke = (body, more = {}) => {
  const began = (clock += 10);
  requests += 1;
  return { kind: 'invoke', began, ended: began + 5, instance: 0, status: 200, body, request_id: `r${requests}`, retry_after: body.status === 'in_progress' ? '2' : undefined, ...more };
};
const session = (data) => ({ ...invoke({ data }), kind: 'session' });

/** One request that completed and revoked a key, one whose run died; every kind of answer occurs. */
const faultless = () => {
  clock = requests = 0;
  const history = {
    requests: [
      { id: 1, credential: 'c1', key: 'k', prompt: 'one', reply: 'Done.', revokes: 'old key', answers: [
        invoke({ error: { code: 'service_unavailable' } }, { status: 503 }),
        invoke(in_progress),
        session({ id: 's1', status: 'in_progress', reply: null }),
        invoke(completed),
        invoke({ ...completed, idempotentReplay: true }),
        session({ id: 's1', status: 'completed', reply: 'Done.' }),
      ] },
      { id: 2, credential: 'c2', key: 'k', prompt: 'two', reply: 'Done.', answers: [
        invoke(failed),
        session({ id: 's2', status: 'failed', reply: null, error: failed.error, failedCorrelationId: died }),
      ] },
    ],
    model_calls: [{ prompt: 'one', round: 0 }, { prompt: 'one', round: 1 }, { prompt: 'two', round: 0 }],
    runs: [
      { id: 'a', credential: 'c1', key: 'k', session: 's1', status: 'completed', finished: '2026-01-01T00:00:02', messages_after: 0, metered: 1, recorded: 'agent.run_completed' },
      { id: died, credential: 'c2', key: 'k', session: 's2', status: 'failed', finished: '2026-01-01T00:00:03', messages_after: 0, metered: 0, recorded: 'agent.run_failed' },
    ],
    revoked: [{ name: 'old key', at: '2026-01-01T00:00:01' }],
    audited: {},
    recorded_as_failed: [],
    errors: [],
    exits: [{ asked: 'SIGKILL', got: 'SIGKILL' }, { asked: 'SIGTERM', got: 0 }],
  };
  for (const { answers } of history.requests) for (const answer of answers) if (answer.status === 200) history.audited[answer.request_id] = 1;
  history.recorded_as_failed.push(fails(history)[0].request_id);
  return history;
};

test('a history without a fault passes', () => assert.deepEqual(check_history(faultless()), []));

const completes = (history) => history.requests[0].answers;
const fails = (history) => history.requests[1].answers;
const add = (answers, history, answer) => {
  answers.push(answer);
  history.audited[answer.request_id] = 1;
  if (answer.kind === 'invoke' && answer.body.status === 'failed') history.recorded_as_failed.push(answer.request_id);
};

const wrong = {
  'completed and failed for one key': [/ended in several ways/, (h) => add(completes(h), h, invoke({ ...failed, sessionId: 's1' }))],
  'two replies for one key': [/another reply/, (h) => add(completes(h), h, invoke({ ...completed, reply: 'Else.', idempotentReplay: true }))],
  'another failedCorrelationId': [/ended in several ways/, (h) => add(fails(h), h, invoke({ ...failed, failedCorrelationId: died.replace('0', '1') }))],
  'a failedCorrelationId of no run': [/the run that died is/, (h) => (h.runs[1].id = 'another')],
  'a failedCorrelationId without dashes': [/without a failedCorrelationId/, (h) => add(fails(h), h, invoke({ ...failed, failedCorrelationId: died.replaceAll('-', '') }))],
  'another error text': [/without the fixed error/, (h) => add(fails(h), h, invoke({ ...failed, error: 'It broke.' }))],
  'a failed run with a reply': [/failed with a reply/, (h) => add(fails(h), h, invoke({ ...failed, reply: 'Hm.' }))],
  'a completed run with an error': [/completed with an error/, (h) => add(completes(h), h, invoke({ ...completed, idempotentReplay: true, error: failed.error }))],
  'in progress after the end': [/went on after it had ended/, (h) => add(completes(h), h, invoke(in_progress))],
  'in progress with a reply': [/in_progress with a reply/, (h) => (completes(h)[1].body = { ...in_progress, reply: 'Done.' })],
  'in progress that is no replay': [/without idempotentReplay/, (h) => (completes(h)[1].body = { ...in_progress, idempotentReplay: false })],
  'in progress without Retry-After': [/without Retry-After/, (h) => (completes(h)[1].retry_after = undefined)],
  'the session in progress after the end': [/went on after it had ended/, (h) => add(completes(h), h, session({ id: 's1', status: 'in_progress', reply: null }))],
  'a session that disagrees': [/ended in several ways/, (h) => (completes(h)[5].body.data = { id: 's1', status: 'failed', reply: null, error: failed.error, failedCorrelationId: died })],
  'an unknown status': [/has the status odd/, (h) => (completes(h)[1].body = { ...in_progress, status: 'odd' })],
  'two sessions for one key': [/several sessions/, (h) => add(completes(h), h, invoke({ ...completed, sessionId: 's9', idempotentReplay: true }))],
  'two first answers for one key': [/as the first call twice/, (h) => (completes(h)[4].body = completed)],
  'no end': [/never ended/, (h) => (h.requests[1].answers = [])],
  'a status that is no answer': [/answered 500/, (h) => add(completes(h), h, invoke({ error: {} }, { status: 500 }))],
  'a failedCorrelationId without a version': [/without a failedCorrelationId/, (h) => add(fails(h), h, invoke({ ...failed, failedCorrelationId: died.replace('-4', '-0') }))],
  'a run of another credential for the key': [/has 2 runs/, (h) => (h.runs[1].credential = 'c1')],
  'an end that the audit log does not tell': [/is in the audit log as ""/, (h) => (h.runs[1].recorded = '')],
  'an end that the audit log tells twice': [/is in the audit log as/, (h) => (h.runs[0].recorded = 'agent.run_failed agent.run_completed')],
  'a failed run whose request was recorded as successful': [/failed is recorded as another/, (h) => (h.recorded_as_failed = [])],
  'a completed run whose request was recorded as failed': [/completed is recorded as another/, (h) => h.recorded_as_failed.push(completes(h)[3].request_id)],
  'a second run': [/has 2 runs/, (h) => h.runs.push({ ...h.runs[0], id: 'b' })],
  'no run': [/has 0 runs/, (h) => h.runs.pop()],
  'an answer the database does not hold': [/is stored as failed/, (h) => (h.runs[0].status = 'failed')],
  'a run that never ends': [/still in progress/, (h) => h.runs.push({ ...h.runs[0], key: 'k3', status: 'in_progress' })],
  'a first model call made twice': [/asked 2 times: "two", round 0/, (h) => h.model_calls.push({ prompt: 'two', round: 0 })],
  'messages of a run that had died': [/written to after it had failed/, (h) => (h.runs[1].messages_after = 1)],
  'a completed run nobody counted': [/metered 0 times/, (h) => (h.runs[0].metered = 0)],
  'a run counted twice': [/metered 2 times/, (h) => (h.runs[1].metered = 2)],
  'a key revoked that nobody named': [/nobody asked/, (h) => h.revoked.push({ name: 'other', at: '2026-01-01T00:00:01' })],
  'a key revoked by a run that had ended': [/after its run had ended/, (h) => (h.revoked[0].at = '2026-01-01T00:00:04')],
  'a key not revoked though it was said': [/was not revoked/, (h) => (h.revoked = [])],
  'an answer without its audit row': [/has 0 audit rows/, (h) => delete h.audited[fails(h)[0].request_id]],
  'an answer with two audit rows': [/has 2 audit rows/, (h) => (h.audited[fails(h)[0].request_id] = 2)],
  'an error in a log': [/an error was logged: task_failed/, (h) => h.errors.push('task_failed')],
  'a process that crashed': [/ended with SIGSEGV on SIGTERM/, (h) => h.exits.push({ asked: 'SIGTERM', got: 'SIGSEGV' })],
};

for (const [name, [expected, spoil]] of Object.entries(wrong)) {
  test(`found: ${name}`, () => {
    const history = faultless();
    spoil(history);
    const problems = check_history(history);
    assert.ok(problems.some((problem) => expected.test(problem)), `not found; found instead: ${problems.join('; ') || 'nothing'}`);
  });
}
