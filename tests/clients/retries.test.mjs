// The clients of proto-docs/clients follow the rules of clients.md against a server that is unkind: which requests they
// repeat, how often, after which waits, and with which key. Waits are recorded, none is waited for.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { clients, secret, state_file } from './support/clients.mjs';
import { start_unkind } from './support/unkind.mjs';

let double;
before(async () => (double = await start_unkind()));
after(() => double?.stop());
afterEach(() => double.reset());

/** A wait is what was told, or else the pause, and up to a pause more; with the shell's two decimals. */
const assert_waits = (waits, expected) => {
  assert.equal(waits.length, expected.length, `waits: ${waits}`);
  expected.forEach(([least, pause], i) => assert.ok(waits[i] >= least - 0.01 && waits[i] <= least + pause + 0.01, `wait ${i + 1} of ${waits}`));
};
const seconds = (value) => ({ status: 429, headers: { 'Retry-After': String(value) } });
const away = { status: 503 };
const keys = () => double.requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
const ids = (lines) => lines.map((line) => JSON.parse(line).id);
const numbered = (count) => Array.from({ length: count }, (_, i) => `r${i}`);

for (const [name, client] of Object.entries(clients)) {
  const run = (given, env = {}) => client(given, { RECRUITING_GATEWAY_URL: double.url, ...env });

  describe(`${name}: reads`, () => {
    test('every page is read, each record once, and the last page ends it', async () => {
      double.records = 450;
      const { code, lines } = await run(['list', '/candidates']);
      assert.equal(code, 0);
      assert.deepEqual(ids(lines), numbered(450));
      assert.equal(double.requests.length, 3);
    });

    test('a cursor that does not move is an error, not a loop', async () => {
      Object.assign(double, { records: 450, stuck: true });
      assert.equal((await run(['list', '/candidates'])).code, 2);
      assert.equal(double.requests.length, 2);
    });

    test('429 waits as long as it is told; 503 without a word waits a pause that grows', async () => {
      double.faults = [seconds(7), away, away, { status: 503, headers: { 'Retry-After': '1' } }];
      const { code, waits, stdout } = await run(['get', '/me']);
      assert.deepEqual([code, JSON.parse(stdout)], [0, { role: 'admin' }]);
      assert_waits(waits, [[7, 1], [2, 2], [4, 4], [1, 8]]);
    });

    test('a date in Retry-After is compared with the server\'s clock', async () => {
      const at = (time) => new Date(time).toUTCString();
      double.faults = [{ status: 429, headers: { Date: at(1e12), 'Retry-After': at(1e12 + 9000) } }, { status: 503, headers: { Date: at(1e12), 'Retry-After': at(1e12 - 9000) } }];
      const { code, waits } = await run(['get', '/me']);
      assert.equal(code, 0);
      assert_waits(waits, [[9, 1], [0, 2]]);
    });

    test('a Retry-After that means nothing is none', async () => {
      double.faults = ['soon', '\u00b2'].map((value) => ({ status: 503, headers: { 'Retry-After': value } }));
      const { code, waits } = await run(['get', '/me']);
      assert.equal(code, 0);
      assert_waits(waits, [[1, 1], [2, 2]]);
    });

    test('pauses grow to a minute and no further', async () => {
      double.faults = Array(8).fill(away);
      const { waits } = await run(['get', '/me'], { RECRUITING_PATIENCE: '100000' });
      assert_waits(waits, [1, 2, 4, 8, 16, 32, 60, 60].map((pause) => [pause, pause]));
    });

    test('lost connections and half answers are asked again', async () => {
      double.records = 450;
      double.faults = ['refuse', 'half', null, 'lose', 'half'];
      const { code, lines, waits } = await run(['list', '/candidates']);
      assert.equal(code, 0);
      assert.deepEqual(ids(lines), numbered(450));
      assert.equal(double.requests.length, 7);
      assert_waits(waits, [[1, 1], [2, 2], [1, 1], [2, 2]]);
    });

    test('silence ends with the timeout, and is asked again', async () => {
      double.faults = ['hold'];
      const { code, waits } = await run(['get', '/me'], { RECRUITING_READ_TIMEOUT: '1' });
      assert.equal(code, 0);
      // On a machine that is busy enough the second answer may come too late as well.
      assert.ok(double.requests.length >= 2 && waits.length === double.requests.length - 1);
    });

    test('nobody there: tried again, and given up in the end', async () => {
      const { code, waits } = await run(['get', '/me'], { RECRUITING_GATEWAY_URL: 'http://127.0.0.1:1', RECRUITING_PATIENCE: '0' });
      assert.deepEqual([code, waits], [3, []]);
    });

    test('a wait beyond the patience is not begun', async () => {
      double.faults = [seconds(60)];
      const { code, waits, stderr } = await run(['get', '/me'], { RECRUITING_PATIENCE: '50' });
      assert.deepEqual([code, waits, double.requests.length], [3, [], 1]);
      assert.match(stderr, /429/);
    });

    for (const status of [400, 401, 403, 404, 405, 409, 413, 415, 500, 501, 502, 504]) {
      test(`${status} is final`, async () => {
        double.faults = [{ status, headers: { 'Retry-After': '1' } }];
        const { code, waits, stderr } = await run(['get', '/me']);
        assert.deepEqual([code, waits, double.requests.length], [2, [], 1]);
        assert.match(stderr, /a_code/);
      });
    }

    test('a redirect is not followed: the key would go elsewhere', async () => {
      double.faults = [{ status: 302, headers: { Location: `${double.url}/api/v1/me` } }];
      assert.equal((await run(['get', '/me'])).code, 2);
      assert.equal(double.requests.length, 1);
    });
  });

  describe(`${name}: sync`, () => {
    test('everything once, then only what changed', async () => {
      const state = state_file();
      double.changed = Array.from({ length: 450 }, (_, i) => ({ id: `r${i}` }));
      double.faults = [null, away];
      assert.deepEqual(ids((await run(['sync', '/candidates', state])).lines), numbered(450));
      assert.deepEqual((await run(['sync', '/candidates', state])).lines, []);
      double.changed.push({ id: 'r7', deletedAt: '2026-01-01T00:00:00.000Z' });
      assert.deepEqual(ids((await run(['sync', '/candidates', state])).lines), ['r7']);
    });

    test('broken off, it goes on where its last token stands', async () => {
      const state = state_file();
      double.changed = Array.from({ length: 450 }, (_, i) => ({ id: `r${i}` }));
      double.faults = [null, null, seconds(3000)];
      const first = await run(['sync', '/candidates', state]);
      assert.deepEqual([first.code, first.lines.length], [3, 400]);
      assert.deepEqual(ids((await run(['sync', '/candidates', state])).lines), numbered(450).slice(400));
    });

    for (const reason of ['sync_token_expired', 'bad_token']) {
      test(`${reason} is told by an exit code of its own: the copy begins anew`, async () => {
        const details = [{ location: 'query', field: 'syncToken', reason, message: 'Start over.' }];
        double.faults = [{ status: 400, body: { error: { code: 'invalid_request', message: 'No.', requestId: 'r', details } } }];
        assert.equal((await run(['sync', '/candidates', state_file()])).code, 5);
        double.faults = [{ status: 400, body: { error: { code: 'invalid_request', message: 'No.', requestId: 'r', details: [] } } }];
        assert.equal((await run(['sync', '/candidates', state_file()])).code, 2);
      });
    }
  });

  describe(`${name}: agent`, () => {
    test('an answer lost after the run: the same key again, and the agent ran once', async () => {
      double.faults = ['lose', 'half', seconds(2), away];
      const { code, stdout, waits } = await run(['invoke', 'key-1', 'Say "ä\\n"']);
      assert.deepEqual([code, stdout], [0, 'You said: Say "ä\\n"\n']);
      assert.deepEqual([keys(), double.runs.size], [Array(5).fill('key-1'), 1]);
      assert_waits(waits, [[1, 1], [2, 2], [2, 4], [8, 8]]);
    });

    test('a silent answer ends with the run\'s timeout, and is asked for again', async () => {
      double.faults = ['hold'];
      assert.equal((await run(['invoke', 'key-1', 'Hello'], { RECRUITING_RUN_TIMEOUT: '1' })).code, 0);
      assert.ok(keys().length >= 2 && keys().every((key) => key === 'key-1'));
      assert.equal(double.runs.size, 1);
    });

    test('in_progress is polled at the session, and never invoked again', async () => {
      double.next = { status: 'in_progress', polls: 2 };
      double.faults = [null, away, null, 'lose'];
      const { code, stdout, waits } = await run(['invoke', 'key-1', 'Hello']);
      assert.deepEqual([code, stdout, keys()], [0, 'You said: Hello\n', ['key-1']]);
      assert.ok(double.requests.slice(1).every(({ method, path }) => method === 'GET' && path === '/api/v1/agent/sessions/s0'));
      assert_waits(waits, [[3, 2], [1, 1], [2, 2], [1, 1], ...(waits.length > 4 ? [[2, 2]] : [])]);
    });

    test('a client whose session was resumed meanwhile takes nobody else\'s reply for its own', async () => {
      double.next = { status: 'in_progress', polls: 1 };
      const { code, stdout } = await run(['invoke', 'key-1', 'Hello']);
      assert.deepEqual([code, stdout], [0, 'You said: Hello\n']);
    });

    test('a failed run is final, and told with its correlation id', async () => {
      double.next = { status: 'in_progress', polls: 0, ends: 'failed' };
      for (const posts of [1, 2]) {
        const { code, stdout, stderr } = await run(['invoke', 'key-1', 'Hello']);
        assert.deepEqual([code, stdout, keys().length, double.runs.size], [1, '', posts, 1]);
        assert.match(stderr, /0f8fad5b-d9cb-469f-a165-70867728950e/);
      }
    });

    test('a key that was used for another prompt is an error', async () => {
      await run(['invoke', 'key-1', 'Hello']);
      const { code, stdout } = await run(['invoke', 'key-1', 'Good-bye']);
      assert.deepEqual([code, stdout], [2, '']);
    });

    test('resume has no key: repeated after 429 and 503, never when its answer is lost', async () => {
      double.faults = [seconds(1), away];
      assert.equal((await run(['resume', 's0', 'Hello'])).code, 0);
      assert.deepEqual([keys(), double.requests[0].body], [Array(3).fill(undefined), { prompt: 'Hello', sessionId: 's0' }]);
      for (const fault of ['lose', 'half', { status: 500 }]) {
        double.reset();
        double.faults = [fault];
        const { code, waits } = await run(['resume', 's0', 'Hello']);
        assert.deepEqual([code, waits, double.requests.length], [4, [], 1]);
      }
    });

    test('session_busy is told, not repeated', async () => {
      double.faults = [{ status: 409 }];
      assert.equal((await run(['resume', 's0', 'Hello'])).code, 2);
      assert.equal(double.requests.length, 1);
    });
  });

  describe(`${name}: booking`, () => {
    const book = (env) => run(['book', 'j1', 's1', 'jo@mail.example', '2026-01-13T09:00:00Z'], env);

    test('429 and 503 are repeated; no key is sent', async () => {
      double.faults = [seconds(4), away];
      const { code, waits } = await book();
      assert.deepEqual([code, double.bookings], [0, 1]);
      assert_waits(waits, [[4, 1], [2, 2]]);
      for (const { headers } of double.requests) assert.ok(!JSON.stringify(headers).includes(secret));
      const { email, slotStart } = double.requests[0].body;
      assert.deepEqual([email, slotStart], ['jo@mail.example', '2026-01-13T09:00:00Z']);
    });

    test('five attempts, and no wait beyond a minute and a half', async () => {
      double.faults = Array(9).fill(away);
      assert.deepEqual([(await book()).code, double.requests.length], [3, 5]);
      double.reset();
      double.faults = [seconds(3600)];
      const { code, waits } = await book();
      assert.deepEqual([code, waits, double.requests.length], [3, [], 1]);
    });

    test('an answer that is lost leaves the outcome unknown: it is not asked again', async () => {
      for (const fault of ['lose', 'half', { status: 500 }]) {
        double.reset();
        double.faults = [fault];
        const { code, waits } = await book();
        assert.deepEqual([code, waits, double.requests.length], [4, [], 1]);
      }
    });
  });
}
