// Load on the whole system, and a ledger of what it has acknowledged: reads that are audited, keyed invokes, bookings (and the
// mails about them), public jobs. Each flow asks at its own rate, whatever the answers are.
import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { candidate_email } from './booking_world.mjs';
import { pause, until } from './wait.mjs';

const patience = 10_000; // ms
const most_waiting = 16; // requests of a flow
const reads = ['/me', '/jobs?limit=5', '/candidates?limit=5', '/candidates?limit=50'];
export const flows = ['reads', 'invokes', 'bookings', 'jobs'];
/** ms between two requests of a flow. */
export const intervals = { reads: 40, invokes: 150, bookings: 150, jobs: 40 };

/** slower: a factor of the intervals. */
export const start_load = async (system, random, { slower = 1 } = {}) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const requests = []; // {flow, began, ended, status}; 0: no answer, or a run that failed. forget() empties it
  const ledger = { reads: [], invokes: [], bookings: [] };
  const waiting = Object.fromEntries(flows.map((flow) => [flow, 0]));
  let going = false;
  let ended = false;
  let number = 0;

  /** undefined when there was no whole answer. */
  const send = (flow, { method = 'GET', path, headers = {}, body }) => new Promise((done) => {
    const began = performance.now();
    const finish = (answer) => {
      clearTimeout(timer);
      requests.push({ flow, began, ended: performance.now(), status: answer?.status ?? 0 });
      done(answer);
    };
    const request = http.request({
      host: '127.0.0.1', port: system.servers.gateway.port, method, path, headers,
      agent: random.chance(0.2) ? false : agent,
    }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('error', () => finish());
      response.on('end', () => finish({ status: response.statusCode, id: response.headers['x-request-id'], text: Buffer.concat(chunks).toString('utf8') }));
    });
    const timer = setTimeout(() => request.destroy(new Error('timed out')), patience);
    request.on('error', () => finish());
    request.end(body);
  });
  const authorized = { Authorization: `Bearer ${system.secret}` };
  const json = { 'Content-Type': 'application/json' };

  /** As clients do it: the same request again until the answer is final. */
  const again = async (attempt) => {
    for (;;) {
      const final = await attempt();
      if (final || ended) return final;
      await pause(random.between(50, 150));
    }
  };

  const ask = {
    async reads() {
      const answer = await send('reads', { path: `/api/v1${random.pick(reads)}`, headers: authorized });
      if (answer?.status === 200) ledger.reads.push(answer.id);
    },
    jobs: () => send('jobs', { path: `/api/public/v1/organizations/${system.slug}/jobs?limit=5` }),
    async invokes() {
      const name = `request-${(number += 1)}`;
      const began = performance.now();
      const wanted = { method: 'POST', path: '/api/v1/agent/invoke', headers: { ...authorized, ...json, 'Idempotency-Key': name }, body: JSON.stringify({ prompt: name }) };
      const final = await again(async () => {
        const answer = await send('invokes', wanted);
        if (answer?.status !== 200) return undefined;
        const { status, sessionId } = JSON.parse(answer.text);
        return status === 'in_progress' ? undefined : { status, sessionId };
      });
      if (final) ledger.invokes.push({ name, ...final });
      if (final?.status === 'failed') requests.push({ flow: 'invokes', began, ended: performance.now(), status: 0 });
    },
    async bookings() {
      const email = candidate_email((number += 1) % system.candidates);
      const body = JSON.stringify({ email, slotStart: random.pick(slots) });
      const wanted = { method: 'POST', path: `${system.scheduling}/bookings`, headers: { ...json, 'Content-Length': Buffer.byteLength(body) }, body };
      if (await again(async () => (await send('bookings', wanted))?.status === 200)) ledger.bookings.push(email);
    },
  };

  let slots = [];
  await until(async () => {
    const answer = await send('jobs', { path: `${system.scheduling}/slots` });
    slots = answer?.status === 200 ? JSON.parse(answer.text).data.map(({ slotStart }) => slotStart) : [];
    return slots.length > 0;
  }, 'slots are shown');

  const keep_asking = async (flow) => {
    for (; !ended; await pause(intervals[flow] * slower)) {
      if (!going || waiting[flow] >= most_waiting) continue;
      waiting[flow] += 1;
      ask[flow]().finally(() => (waiting[flow] -= 1));
    }
  };
  const all = Promise.all(flows.map(keep_asking));

  return {
    ledger,
    requests,
    forget: () => requests.splice(0),
    begin: () => (going = true),
    /** No request of any flow is left unanswered, retries included. */
    async rest(seconds) {
      going = false;
      await until(() => flows.every((flow) => waiting[flow] === 0), 'every request has its final answer', seconds);
    },
    async end() {
      ended = true;
      await all;
      agent.destroy();
    },
  };
};

/** 429 would be the load's own fault; 4xx never happens. */
export const has_failed = ({ status }) => status === 0 || status >= 400;
