// A client as the specification wants it: one Idempotency-Key per logical request, retried with the same API key until it is
// known how the run ended, on any instance. It writes down every answer it gets.
import { performance } from 'node:perf_hooks';
import { ask } from './http.mjs';
import { pause } from './wait.mjs';

const prefix = '/api/v1';
const ended = ['completed', 'failed'];
const retryable = [429, 503];

/**
 * instances: who may be asked; random; answered(request, answer): where answers go.
 */
export const make_client = ({ instances, random, answered }) => {
  /** One HTTP request; undefined when the connection was lost or the client lost patience. */
  const send = async (request, kind, what, instance = random.pick(instances)) => {
    const began = performance.now();
    const patience = random.weighted([[3, random.between(1_500, 4_000)], [1, random.between(20, 600)]]);
    const headers = { Authorization: `Bearer ${request.secret}`, ...what.headers };
    let got;
    try {
      got = await ask({ port: instance.port, timeout: patience, ...what, headers });
    } catch {
      return undefined;
    }
    const answer = {
      kind, began, ended: performance.now(), instance: instance.number, status: got.status, body: JSON.parse(got.text),
      request_id: got.headers['x-request-id'], retry_after: got.headers['retry-after'],
    };
    answered(request, answer);
    return answer;
  };

  const invoke = (request, instance) =>
    send(request, 'invoke', {
      method: 'POST',
      path: `${prefix}/agent/invoke`,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': request.key },
      body: JSON.stringify({ prompt: request.prompt }),
    }, instance);

  const poll = (request, session) => send(request, 'session', { path: `${prefix}/agent/sessions/${session}` });

  /** Polls a while; a client that is told nothing new asks again with its key. */
  const await_session = async (request, session) => {
    for (let tries = random.between(1, 6); tries > 0; tries -= 1) {
      await pause(random.between(50, 300));
      const answer = await poll(request, session);
      if (answer?.status === 200 && ended.includes(answer.body.data.status)) return;
    }
  };

  /** Asks until the run has ended for this client; what can't be retried ends it too, and the checker sees it. */
  const settle = async (request) => {
    for (;;) {
      const answer = await invoke(request);
      if (answer?.status === 200 && answer.body.status === 'in_progress') await await_session(request, answer.body.sessionId);
      else if (answer?.status === 200 && ended.includes(answer.body.status)) return;
      else if (answer && !retryable.includes(answer.status)) return;
      else await pause(random.between(20, 200));
    }
  };

  return {
    invoke,
    poll,
    /** The whole life of a logical request; some clients ask twice at the same time. */
    async run(request) {
      await Promise.all(random.chance(0.3) ? [settle(request), settle(request)] : [settle(request)]);
      for (let again = random.between(1, 4); again > 0; again -= 1) await invoke(request);
    },
    /** Asks this instance until it answers. */
    async ask_again(request, instance) {
      for (;;) {
        const answer = await invoke(request, instance);
        if (answer && !retryable.includes(answer.status)) return;
        await pause(50);
      }
    },
    async read_session(request, session) {
      for (;;) {
        const answer = await poll(request, session);
        if (answer && !retryable.includes(answer.status)) return answer;
        await pause(50);
      }
    },
  };
};
