// One request of the public API, repeated as its rules allow. No credential, no cookie, no header of our own.
import { kind_of, pause_before_retry, retry_after } from './retry.js';

const patience = 20 * 1000;

export class failure extends Error {
  constructor(kind, more = {}) {
    super(kind);
    this.kind = kind;
    Object.assign(this, more);
  }
}

export const sleep = (milliseconds, signal) =>
  new Promise((done, fail) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      fail(signal.reason);
    }, { once: true });
  });

const one_attempt = async (url, body, signal) => {
  const own = new AbortController();
  const stop = () => own.abort();
  const timer = setTimeout(stop, patience);
  signal.addEventListener('abort', stop);
  try {
    const sent = body ? { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {};
    const answer = await fetch(url, { ...sent, credentials: 'omit', referrerPolicy: 'no-referrer', signal: own.signal });
    const json = await answer.json().catch(() => ({}));
    return { status: answer.status, json, after: retry_after(answer.headers.get('Retry-After'), Date.now()) };
  } catch {
    return { status: 0, json: {}, after: 0 };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
};

/** The answer's JSON, or a failure. on_wait(milliseconds): told before each pause. Without a body it is a GET. */
export const request = async (url, { body, signal, on_wait }) => {
  for (let attempt = 1; ; attempt += 1) {
    if (!navigator.onLine) throw new failure('offline');
    const { status, json, after } = await one_attempt(url, body, signal);
    if (signal.aborted) throw signal.reason;
    if (status >= 200 && status < 300) return json;
    const pause = pause_before_retry({ status, attempt, after, read: !body, random: Math.random() });
    if (pause === null) {
      const { code, details = [] } = json.error || {};
      throw new failure(kind_of({ status, read: !body }), { status, code, details, until: Date.now() + after });
    }
    on_wait(pause);
    await sleep(pause, signal);
  }
};
