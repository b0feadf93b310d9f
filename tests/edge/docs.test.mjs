// The documentation under /docs: answered by public-api from memory, whole, whatever is asked.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { key_of } from '../support/api_key.mjs';
import { declined, get, refused, request, run_cases } from './support/cases.mjs';
import { until } from './support/gateway.mjs';
import { start_public_api } from './support/public_api.mjs';
import { connect } from './support/wire.mjs';

const folder = mkdtempSync(join(tmpdir(), 'recruiting-docs-'));
after(() => rmSync(folder, { recursive: true }));
const put = (name, content) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const page = '<!doctype html><title>Errors</title>';
const large = randomBytes(24 * 1024 * 1024);
put('index.html', 'front');
put('errors.html', page);
put('errors.html.gz', 'squeezed');
put('decisions/index.html', 'all decisions');
put('assets/site.0123456789ab.css', 'a{}');
put('assets/large.0123456789ab.bin', large);
put('assets/unread.0123456789ab.bin', large);
put('404.html', '<p>No such page</p>');
put('.hidden/index.html', 'hidden');
put('lonely.txt.gz', 'a file like any other');
symlinkSync('/etc/hostname', join(folder, 'outside.html'));

const browser = 'Accept: text/html,*/*;q=0.8\r\n';
const shown = (name, send, body, more = {}) => ({ name, send, status: 200, closes: false, saw: '', body, from_service: true, ...more });
const value = (field, expected) => ({ check: (answer) => assert.equal(answer.value(field), expected) });
const allows = { check: (answer) => assert.equal(answer.value('allow'), 'GET, HEAD') };
const missing = (path) => declined(`nothing is at ${path}`, get(path), 404);
const unsafe = (path) => refused(`no path: ${path}`, get(path));

const world = run_cases([
  shown('a page', get('/docs/errors.html'), page, value('content-type', 'text/html; charset=utf-8')),
  shown('the front page', get('/docs/'), 'front'),
  shown('a folder', get('/docs/decisions/'), 'all decisions'),
  shown('HEAD', request('HEAD /docs/errors.html'), '', { to_head: true, ...value('content-length', String(page.length)) }),
  shown('a range is not looked at', get('/docs/errors.html', 'Range: bytes=0-3\r\n'), page, value('content-range', undefined)),
  shown('nor is a date', get('/docs/errors.html', 'If-Modified-Since: Sat, 21 Nov 2126 14:00:00 GMT\r\n'), page),
  shown('nor a query', get('/docs/errors.html?a=..%2F..'), page),
  shown('nor a body, which is read away', get('/docs/errors.html', 'Content-Length: 3\r\n') + 'abc', page),
  shown('compressed', get('/docs/errors.html', 'Accept-Encoding: gzip\r\n'), 'squeezed', value('content-encoding', 'gzip')),
  shown('a file that browsers keep', get('/docs/assets/site.0123456789ab.css'), 'a{}', value('cache-control', 'public, max-age=31536000, immutable')),
  shown('a page that they ask for again', get('/docs/errors.html'), page, value('cache-control', 'no-cache')),
  shown('one after the other', get('/docs/errors.html') + request('HEAD /docs/') + get('/docs/decisions/'), page, {
    next: [{ status: 200, from_service: true, body: '', to_head: true }, { status: 200, from_service: true, body: 'all decisions' }],
  }),
  shown('in HTTP/1.0', 'GET /docs/errors.html HTTP/1.0\r\n\r\n', page, { closes: true }),
  shown('in another spelling', get('/careers/../%64ocs/./errors%2Ehtml'), page),
  shown('another path of the site by a detour', get('/docs/decisions/../errors.html'), page),
  { name: 'no slash at its end', send: get('/docs?q=1'), status: 308, closes: false, saw: '', from_service: true, body: '', ...value('location', '/docs/?q=1') },
  { name: 'nor at a folder', send: get('/docs/decisions'), status: 308, closes: false, saw: '', from_service: true, body: '', ...value('location', '/docs/decisions/') },
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].map((method) => declined(`${method} is not for documents`, request(`${method} /docs/errors.html`), 405, allows)),
  declined('a method nobody knows', request('BREW /docs/'), 501),
  ...['/docs/none', '/docs//errors.html', '/docs/404.html', '/docs/Errors.html', '/docs/errors.html/', '/docs/errors.html.gz', '/docs/.hidden/', '/docs/.hidden/index.html',
    '/docs/outside.html', '/docs/errors.html%3Fa', '/docs/%252e%252e/', '/Docs/', '/docsx', '/docs/assets/', '/docs/../errors.html', '/docs/%2e%2e/errors.html'].map(missing),
  ...['/docs/../../etc/passwd', '/docs/%2e%2e/%2e%2e/etc/passwd', '/docs/..%2fetc', '/docs/errors%2ehtml%00', '/docs/a%5cb', '/docs/%zz', '/docs/\\..\\'].map(unsafe),
  { name: 'a browser is shown a page where nothing is', send: get('/docs/none', browser), status: 404, closes: false, saw: '', from_service: true, body: '<p>No such page</p>' },
  declined('a key has no business here', get('/docs/', `Authorization: Bearer ${key_of('docs')}\r\n`), 400, { code: 'credential_not_allowed' }),
  declined('a large body is refused', get('/docs/', 'Content-Length: 70000\r\n'), 413, { closes: true }),
  shown('a file that only looks compressed', get('/docs/lonely.txt.gz'), 'a file like any other'),
], { RATE_LIMIT: 5, PUBLIC_RATE_LIMIT: 5, WRITE_TIMEOUT: '5s' }, () => start_public_api({ DOCS: folder }));

const asked = async (text, port = world.gateway.port) => {
  const wire = await connect(port);
  await wire.send(text);
  const answer = await wire.answer();
  wire.close();
  return answer;
};

test('a page may do nothing but show what this site holds', async () => {
  const answer = await asked(get('/docs/'));
  assert.match(answer.value('content-security-policy'), /^default-src 'none'; script-src 'self'; style-src 'self'; /);
  assert.equal(answer.value('x-content-type-options'), 'nosniff');
  assert.equal(answer.value('referrer-policy'), 'no-referrer');
});

test('nothing of it is for scripts of other sites: no CORS on a document, an error or a refused preflight', async () => {
  const preflight = 'Origin: https://elsewhere.example\r\nAccess-Control-Request-Method: GET\r\n';
  for (const [text, status] of [[get('/docs/', 'Origin: https://elsewhere.example\r\n'), 200], [get('/docs/none'), 404], [request('OPTIONS /docs/', preflight), 405]]) {
    const answer = await asked(text);
    assert.equal(answer.status, status);
    assert.deepEqual(answer.fields.filter(([name]) => name.toLowerCase().startsWith('access-control-')), []);
  }
});

test('public-api refuses a key and other methods by itself too', async () => {
  const port = world.public.port;
  assert.equal((await asked(get('/docs/', `Authorization: Bearer ${key_of('docs')}\r\n`), port)).status, 400);
  const options = await asked(request('OPTIONS /docs/'), port);
  assert.deepEqual([options.status, options.value('allow'), options.value('cache-control')], [405, 'GET, HEAD', 'no-store']);
});

test('who sends the tag of what it has gets no body', async () => {
  const first = await asked(get('/docs/errors.html'));
  const again = await asked(get('/docs/errors.html', `If-None-Match: ${first.value('etag')}\r\n`));
  assert.equal(again.status, 304);
  assert.equal(again.value('etag'), first.value('etag'));
  assert.equal(again.value('content-length'), undefined);
  const compressed = await asked(get('/docs/errors.html', `Accept-Encoding: gzip\r\nIf-None-Match: ${first.value('etag')}\r\n`));
  assert.equal(compressed.status, 200);
});

test('documents cost a client nothing of its rate limits, and are logged and counted', async () => {
  const before = await world.gateway.metric('recruiting_gateway_requests_total{route="/docs",status="2xx"}');
  for (let i = 0; i < 20; i += 1) {
    const answer = await asked(get('/docs/decisions/'));
    assert.deepEqual([answer.status, answer.value('ratelimit')], [200, undefined]);
  }
  assert.equal(await world.gateway.metric('recruiting_gateway_requests_total{route="/docs",status="2xx"}'), before + 20);
  await until(() => world.gateway.requests('/docs/{id}/').length >= 20, 'they are logged');
  const line = world.gateway.requests('/docs/{id}/').at(-1);
  assert.deepEqual([line.route, line.status, line.rateLimit], ['/docs', 200, 'none']);
});

/** Asks for the large file, and reads what comes first of it. */
const begin_large = async () => {
  const socket = net.connect(world.gateway.port, '127.0.0.1');
  socket.write(get('/docs/assets/large.0123456789ab.bin', 'Connection: close\r\n'));
  await once(socket, 'readable');
  return socket;
};

test('a slow reader gets all of a large file, and many share its memory', async () => {
  await asked(get('/docs/'));
  const memory = () => world.gateway.memory('VmRSS') + world.public.memory('VmRSS');
  const before = memory();
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, begin_large));
  assert.ok(memory() - before < 3 * (large.length / 1024), 'the body is not copied for each');
  for (const socket of others) socket.resetAndDestroy();
  const pieces = [];
  for await (const piece of first) {
    pieces.push(piece);
    await new Promise((done) => setImmediate(done));
  }
  assert.equal(Buffer.compare(Buffer.concat(pieces).subarray(-large.length), large), 0);
});

test('a client that reads nothing is closed, and the log says how much it got', async () => {
  const wire = await connect(world.gateway.port);
  wire.socket.pause();
  await wire.send(get('/docs/assets/unread.0123456789ab.bin', 'X-Request-Id: unread-document\r\n'));
  const cut = () => world.gateway.requests().find(({ requestId, truncated }) => requestId === 'unread-document' && truncated);
  await until(cut, 'the answer is cut off');
  assert.ok(cut().bytesOut < large.length);
  wire.close();
});
