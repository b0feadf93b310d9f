/**
 * A client of the recruiting API that follows its retry rules. Needs fetch only: Node 18 or later. In browsers use it
 * without a key, for the public API.
 *
 *     const client = new Client('https://jobs.example.com', { apiKey });
 *     for await (const job of client.listAll('/jobs', { status: 'open' })) …
 */

export type JsonRecord = Record<string, unknown>;
export type Query = Record<string, string | number | undefined>;
interface Page {
  data: JsonRecord[];
  page: { nextCursor: string | null; hasMore: boolean; syncToken?: string };
}
interface Run {
  sessionId?: string;
  status: 'completed' | 'in_progress' | 'failed';
  reply: string | null;
  error?: string;
  failedCorrelationId?: string;
}
interface ErrorBody {
  error?: { code?: string; message?: string; details?: JsonRecord[] };
}
interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** The API said no. The same request gets the same answer: correct it, or report a 500 under its request id. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: JsonRecord[];
  readonly requestId: string | null;

  constructor(answer: Answer) {
    let body: ErrorBody = {};
    try {
      body = JSON.parse(answer.text) as ErrorBody;
    } catch {
      // Not from the API: a proxy's page.
    }
    const { code, message, details = [] } = body.error ?? {};
    const requestId = answer.headers.get('x-request-id');
    super(`${answer.status} ${code}: ${message} (request ${requestId}) ${JSON.stringify(details)}`);
    this.name = 'Refused';
    this.status = answer.status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}
/** The sync token can't be used any more. Begin with an empty one, and replace the copy with what it brings. */
export class StartOver extends Error {
  override readonly name = 'StartOver';
}
/** 429, 503 or no connection for longer than the client's patience. Asking again later is safe. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp';
}
/** The connection was lost after a request that must not be repeated blindly: look first whether it had its effect. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}
/** The agent's run died, for ever under its key. It may have had effects: a new key is somebody's decision. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed';
  constructor(message: string, readonly correlationId: string | undefined) {
    super(`${message} ${correlationId}`);
  }
}

/** The request is not from a webhook of ours, or was changed, or recorded and sent again later: answer 400, do nothing. */
export class NotVerified extends Error {
  override readonly name = 'NotVerified';
}

/** What a webhook sends: that something changed, and where to fetch it. */
export interface WebhookMessage {
  type: string;
  timestamp: string;
  data: { organizationId: string; resource: string; fetch: string; jobId?: string; sessionId?: string; correlationId?: string };
}

/**
 * The message in a request to a webhook's URL, if one of the secrets ('whsec_…') signed these bytes in the last five
 * minutes; else NotVerified. headers: those of a Fetch request, or of Node's. body: as it came, before any parser.
 * A message that is sent again has the webhook-id it had before.
 */
export const verifyWebhook = async (
  headers: Headers | Record<string, string | string[] | undefined>, body: BlobPart, ...secrets: string[]
): Promise<WebhookMessage> => {
  const field = (name: string): string => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  const sentAt = field('webhook-timestamp');
  if (!/^\d{1,12}$/.test(sentAt) || Math.abs(Date.now() / 1000 - Number(sentAt)) > 300) {
    throw new NotVerified('no webhook-timestamp, or one that is more than five minutes off');
  }
  const { subtle } = globalThis.crypto ?? ((await import('node:crypto' as string)) as { webcrypto: Crypto }).webcrypto; // Node 18
  const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const signed = await new Blob([`${field('webhook-id')}.${sentAt}.`, body]).arrayBuffer();
  for (const secret of secrets) {
    const raw = bytesOf(secret.slice('whsec_'.length));
    // An empty one would verify what anybody signs.
    if (!secret.startsWith('whsec_') || raw.length < 24) throw new Error('not the secret of a webhook');
    const key = await subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const [, signature = ''] of field('webhook-signature').matchAll(/(?<!\S)v1,([A-Za-z0-9+/]{43}=)(?!\S)/g)) {
      if (await subtle.verify('HMAC', key, bytesOf(signature), signed)) return JSON.parse(await new Blob([body]).text()) as WebhookMessage;
    }
  }
  throw new NotVerified('no signature is by one of the secrets');
};

export interface Options {
  apiKey?: string;
  /** Milliseconds after which an operation is given up. */
  patience?: number;
  /** Of one request. */
  readTimeout?: number;
  /** Of one request that runs the agent: longer than the gateway's own (150 s). */
  runTimeout?: number;
  sleep?: (milliseconds: number) => Promise<void>;
  clock?: () => number;
}
interface Request {
  method?: 'GET' | 'POST';
  body?: JsonRecord;
  headers?: Record<string, string>;
  timeout?: number;
  /** May a lost answer be asked for again? */
  repeatable?: boolean;
  attempts?: number;
  deadline: number;
}

export class Client {
  readonly #base: string;
  readonly #options: Required<Omit<Options, 'apiKey'>> & { apiKey: string | undefined };

  constructor(baseUrl: string, options: Options = {}) {
    this.#base = new URL(baseUrl).href.replace(/\/$/, '');
    this.#options = {
      apiKey: options.apiKey,
      patience: options.patience ?? 600_000,
      readTimeout: options.readTimeout ?? 30_000,
      runTimeout: options.runTimeout ?? 180_000,
      sleep: options.sleep ?? ((milliseconds) => new Promise((done) => setTimeout(done, milliseconds))),
      clock: options.clock ?? (() => performance.now()),
    };
  }

  // --- the authenticated API ---

  /** One record or one page: get('/jobs', { limit: 10 }). */
  async get<T = JsonRecord>(path: string, query: Query = {}): Promise<T> {
    const answer = await this.#get(path, this.#deadline(), query);
    return JSON.parse(answer.text) as T;
  }

  /** Every record of a list, page by page. */
  async *listAll(path: string, query: Query = {}): AsyncGenerator<JsonRecord, void, undefined> {
    let cursor: string | undefined;
    while (true) {
      const page: Page = await this.get<Page>(path, { limit: 200, ...query, cursor });
      yield* page.data;
      const following = page.page.nextCursor;
      if (following === null) return;
      if (following === cursor) throw new Error(`${path}: the cursor does not move`);
      cursor = following;
    }
  }

  /**
   * What changed since token ('': everything), in parts: write each part's records by id, delete those with a deletedAt,
   * of which there may be no more than the id, then keep its token. A token goes with its include. Throws StartOver when
   * the token is of no more use.
   */
  async *sync(path: string, token = '', { include }: { include?: string } = {}): AsyncGenerator<{ records: JsonRecord[]; token: string }, void, undefined> {
    for (let more = true; more; ) {
      const page: Page = await this.get<Page>(path, { limit: 200, include, syncToken: token }).catch((error: unknown) => {
        const expired = ['sync_token_expired', 'bad_token'];
        if (error instanceof Refused && error.details.some(({ reason }) => expired.includes(String(reason)))) throw new StartOver(error.message);
        throw error;
      });
      token = page.page.syncToken ?? '';
      more = page.page.hasMore;
      yield { records: page.data, token };
    }
  }

  /**
   * The agent's reply. It runs once, however often this is called with the same key, such as crypto.randomUUID(): keep
   * the key with the work it belongs to before you call, and a restarted program gets the same run.
   */
  async invoke(key: string, prompt: string): Promise<string> {
    const deadline = this.#deadline();
    let answer = await this.#repeat('/api/v1/agent/invoke', {
      method: 'POST', body: { prompt }, headers: { 'Idempotency-Key': key }, timeout: this.#options.runTimeout, deadline,
    });
    if (answer.headers.get('idempotency-mismatch') === 'true') throw new Error('this key was used for another prompt');
    let run = JSON.parse(answer.text) as Run;
    const session = `/agent/sessions/${encodeURIComponent(run.sessionId ?? '')}`;
    const ownRun = { correlationId: answer.headers.get('correlation-id') ?? undefined }; // also when the session is resumed meanwhile
    while (run.status === 'in_progress') { // poll; never invoke again
      await this.#wait(answer, 2_000, deadline);
      answer = await this.#get(session, deadline, ownRun);
      run = (JSON.parse(answer.text) as { data: Run }).data;
    }
    return replyOf(run);
  }

  /**
   * Goes on in a session. It can't have a key, so it is not repeated when its answer is lost: look at the session. Refused
   * with 409 session_busy: poll the session until its status is no longer in_progress, then call this again.
   */
  async resume(sessionId: string, prompt: string): Promise<string> {
    const answer = await this.#repeat('/api/v1/agent/invoke', {
      method: 'POST', body: { prompt, sessionId }, timeout: this.#options.runTimeout, repeatable: false, deadline: this.#deadline(),
    });
    return replyOf(JSON.parse(answer.text) as Run);
  }

  // --- the public API: never with the key ---

  async slots(jobId: string, stageId: string): Promise<JsonRecord[]> {
    const slots: JsonRecord[] = [];
    for (let from: string | null = ''; from !== null; ) {
      const answer = await this.#repeat(`${scheduling(jobId, stageId)}/slots${from && `?from=${from}`}`, { deadline: this.#deadline() });
      const { data, page } = JSON.parse(answer.text) as { data: JsonRecord[]; page: { nextFrom: string | null } };
      slots.push(...data);
      from = page.nextFrom;
    }
    return slots;
  }

  /** Asks for an interview, as the widget does. The answer is the same for everybody; what becomes of it is mailed. */
  async book(jobId: string, stageId: string, email: string, slotStart: string, timeZone = 'UTC'): Promise<void> {
    const deadline = this.#options.clock() + Math.min(90_000, this.#options.patience); // somebody waits in front of a page
    await this.#repeat(`${scheduling(jobId, stageId)}/bookings`, {
      method: 'POST', body: { email, slotStart, timeZone }, repeatable: false, attempts: 5, deadline,
    });
  }

  // --- the rules ---

  #deadline(): number {
    return this.#options.clock() + this.#options.patience;
  }

  #get(path: string, deadline: number, query: Query = {}): Promise<Answer> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]);
    const text = new URLSearchParams(given).toString();
    return this.#repeat(`/api/v1${path}${text && `?${text}`}`, { deadline });
  }

  /** Sends until there is an answer that is final. */
  async #repeat(path: string, request: Request): Promise<Answer> {
    const { method = 'GET', repeatable = true, attempts = 1_000, deadline } = request;
    let pause = 1_000;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const answer = await this.#send(method, path, request);
      if (answer?.status === 200) return answer;
      if (!repeatable && (answer === null || (answer.status >= 500 && answer.status !== 503))) {
        throw new OutcomeUnknown(`${method} ${path}: ${answer?.status ?? 'no answer'}`);
      }
      if (answer !== null && answer.status !== 429 && answer.status !== 503) throw new Refused(answer);
      if (attempt < attempts) await this.#wait(answer, pause, deadline);
      pause = Math.min(pause * 2, 60_000);
    }
    throw new GaveUp(`${method} ${path}: ${attempts} attempts`);
  }

  /** As long as the answer says, else `pause`; and up to a pause more, so that many clients don't return at once. */
  async #wait(answer: Answer | null, pause: number, deadline: number): Promise<void> {
    const told = answer === null ? undefined : retryAfter(answer.headers);
    const wait = (told ?? pause) + Math.random() * pause;
    if (this.#options.clock() + wait > deadline) {
      throw new GaveUp(`${answer?.status ?? 'no answer'}; it would take ${Math.round(wait / 1000)} s more`);
    }
    await this.#options.sleep(wait);
  }

  async #send(method: string, path: string, { body, headers = {}, timeout = this.#options.readTimeout }: Request): Promise<Answer | null> {
    const { apiKey } = this.#options;
    const url = this.#base + path;
    const init: RequestInit = {
      method,
      headers: {
        ...headers,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(apiKey && path.startsWith('/api/v1/') && { Authorization: `Bearer ${apiKey}` }),
      },
      body: body ? JSON.stringify(body) : null,
      credentials: 'omit', // a cookie beside the key is refused
      redirect: 'manual', // it would take the key elsewhere
      signal: AbortSignal.timeout(timeout),
    };
    try {
      const response = await fetch(url, init);
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch {
      return null; // no connection, a timeout, or half an answer
    }
  }
}

const scheduling = (jobId: string, stageId: string): string =>
  `/api/public/v1/scheduling/${encodeURIComponent(jobId)}/${encodeURIComponent(stageId)}`;

const replyOf = (run: Run): string => {
  if (run.status !== 'completed' || run.reply === null) throw new RunFailed(run.error ?? 'The run failed.', run.failedCorrelationId);
  return run.reply;
};

/** Milliseconds; the field has seconds or a date (RFC 9110 section 10.2.3), to be compared with the server's own clock. */
const retryAfter = (headers: Headers): number | undefined => {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const wait = Date.parse(value) - (Date.parse(headers.get('date') ?? '') || Date.now());
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
};
