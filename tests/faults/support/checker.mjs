// Judges a whole history of logical requests, their answers and what is left in the database and the logs. Pure: the
// answer is a list of what is wrong, empty when nothing is.
//
// history:
//   requests      [{id, credential, key, prompt, reply (what the model answers it), revokes (a key's name or undefined), answers}]
//     answers     [{kind 'invoke'|'session', began, ended, instance, status, body, request_id, retry_after}]
//   model_calls   [{prompt, round}]
//   runs          [{id, credential, key, session, status, finished, messages_after (messages written after it had ended),
//                  metered, recorded (the audit log's actions that say how it ended)}]
//   revoked       [{name, at}] of the API keys there were to revoke
//   audited       {request_id: number of rows}
//   recorded_as_failed  [request_id] of the rows that tell of a failed run
//   errors        events logged as errors; exits: [{asked, got}]

const fixed_error = 'The agent run did not complete.';
const dashed_uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** An Idempotency-Key belongs to the credential that sent it. */
const identity = ({ credential, key }) => `${credential} ${key}`;
const ended = ['completed', 'failed'];
const allowed_status = [200, 429, 503];

/** An answer's say on the run, in one form for both endpoints; undefined when it says nothing. */
const said = (answer) => {
  if (answer.status !== 200) return undefined;
  const record = answer.kind === 'invoke' ? answer.body : answer.body.data;
  return {
    session: answer.kind === 'invoke' ? record.sessionId : record.id,
    status: record.status, reply: record.reply, error: record.error, failed: record.failedCorrelationId,
  };
};
const outcome_of = (answer) => JSON.stringify(said(answer));
const is_end = (answer) => ended.includes(said(answer)?.status);

const count_by = (list, name) => {
  const counts = new Map();
  for (const one of list) counts.set(name(one), (counts.get(name(one)) ?? 0) + 1);
  return counts;
};

const form_problems = (request, answer) => {
  if (!allowed_status.includes(answer.status)) return [`answered ${answer.status} ${JSON.stringify(answer.body)}`];
  const { status, reply, error, failed } = said(answer) ?? {};
  const as_told = (holds, what) => (holds ? [] : [`${status} ${what}: ${JSON.stringify(answer.body)}`]);
  switch (status) {
    case undefined: return [];
    case 'completed':
      return [...as_told(reply === request.reply, 'with another reply than the model gave'),
        ...as_told(error === undefined && failed === undefined, 'with an error')];
    case 'failed':
      return [...as_told(reply === null, 'with a reply'), ...as_told(error === fixed_error, 'without the fixed error'),
        ...as_told(dashed_uuid.test(failed ?? ''), 'without a failedCorrelationId')];
    case 'in_progress':
      return [...as_told(reply === null, 'with a reply'), ...as_told(error === undefined && failed === undefined, 'with an error'),
        ...as_told(answer.kind === 'session' || answer.body.idempotentReplay === true, 'without idempotentReplay'),
        ...as_told(answer.kind === 'session' || answer.retry_after === '2', 'without Retry-After: 2')];
    default: return [`has the status ${status}`];
  }
};

/** What must hold between the answers of one logical request. */
const agreement_problems = (request) => {
  const telling = request.answers.filter(said);
  const ends = telling.filter(is_end);
  const problems = [];
  const outcomes = [...new Set(ends.map(outcome_of))];
  if (outcomes.length > 1) problems.push(`ended in several ways: ${outcomes.join(' | ')}`);
  if (new Set(telling.map((answer) => said(answer).session)).size > 1) problems.push('was told several sessions');
  if (ends.length === 0) problems.push('never ended');
  const first_end = Math.min(...ends.map((answer) => answer.ended));
  if (telling.some((answer) => answer.began > first_end && !is_end(answer))) problems.push('went on after it had ended');
  if (telling.filter((answer) => answer.kind === 'invoke' && answer.body.idempotentReplay === false).length > 1) {
    problems.push('was answered as the first call twice');
  }
  return problems;
};

/** The answers against the one run the database holds for the key. */
const run_problems = (request, runs) => {
  if (runs.length !== 1) return [`has ${runs.length} runs`];
  const [run] = runs;
  const last = said(request.answers.filter(is_end).at(-1) ?? { status: 0 });
  const problems = [];
  if (last && (last.status !== run.status || last.session !== run.session)) problems.push(`is stored as ${run.status}`);
  if (last?.status === 'failed' && last.failed !== run.id) problems.push(`names ${last.failed}, the run that died is ${run.id}`);
  if (run.messages_after > 0) problems.push('was written to after it had failed');
  if (run.status !== 'in_progress' && run.recorded !== `agent.run_${run.status}`) problems.push(`is in the audit log as "${run.recorded}"`);
  if (run.metered > 1 || (run.status === 'completed' && run.metered !== 1)) problems.push(`is metered ${run.metered} times`);
  return problems;
};

/** A key is revoked by the run that asked for it, while that run was going, or not at all. */
const revocation_problems = ({ requests, revoked, runs }) => {
  const problems = [];
  for (const { name, at } of revoked) {
    const asked = requests.find((request) => request.revokes === name);
    const run = asked && runs.find((one) => identity(one) === identity(asked));
    if (!asked) problems.push(`key "${name}" was revoked, nobody asked for it`);
    else if (!run || (run.finished && at > run.finished)) problems.push(`key "${name}" was revoked after its run had ended`);
  }
  for (const request of requests.filter(({ revokes }) => revokes)) {
    const completed = runs.some((run) => identity(run) === identity(request) && run.status === 'completed');
    if (completed && !revoked.some((one) => one.name === request.revokes)) problems.push(`key "${request.revokes}" was not revoked by its run`);
  }
  return problems;
};

const audit_problems = ({ requests, audited }) =>
  requests.flatMap(({ id, answers }) =>
    answers.filter((answer) => answer.status === 200 && audited[answer.request_id] !== 1)
      .map((answer) => `request ${id}: an answer has ${audited[answer.request_id] ?? 0} audit rows (${answer.kind}, ${answer.request_id})`));

const failure_problems = ({ requests, recorded_as_failed }) => {
  const recorded = new Set(recorded_as_failed);
  const invocations = requests.flatMap(({ id, answers }) => answers.filter(({ kind, status }) => kind === 'invoke' && status === 200).map((answer) => [id, answer]));
  return invocations.filter(([, { body, request_id }]) => recorded.has(request_id) !== (body.status === 'failed'))
    .map(([id, { body, request_id }]) => `request ${id}: an answer ${body.status} is recorded as another (${request_id})`);
};

const model_problems = ({ model_calls }) =>
  [...count_by(model_calls, ({ prompt, round }) => `"${prompt}", round ${round}`)]
    .filter(([, times]) => times > 1)
    .map(([which, times]) => `the model was asked ${times} times: ${which}`);

export const check_history = (history) => {
  const runs_of = new Map();
  for (const run of history.runs) runs_of.set(identity(run), [...(runs_of.get(identity(run)) ?? []), run]);
  const of_requests = history.requests.flatMap((request) =>
    [...request.answers.flatMap((answer) => form_problems(request, answer)), ...agreement_problems(request),
      ...run_problems(request, runs_of.get(identity(request)) ?? [])].map((problem) => `request ${request.id} ${problem}`));
  return [
    ...of_requests,
    ...history.runs.filter((run) => run.status === 'in_progress').map((run) => `run ${run.id} is still in progress`),
    ...model_problems(history),
    ...revocation_problems(history),
    ...audit_problems(history),
    ...failure_problems(history),
    ...history.errors.map((event) => `an error was logged: ${event}`),
    ...history.exits.filter(({ asked, got }) => got !== (asked === 'SIGTERM' ? 0 : asked))
      .map(({ asked, got }) => `a process ended with ${got} on ${asked}`),
  ];
};
