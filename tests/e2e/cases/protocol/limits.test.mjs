// What is too large or not HTTP is refused at the edge, in the API's error form.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { auth_prefix, close_connections, get, public_prefix, send, send_raw } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';

after(close_connections);
const raw_status = (answer) => Number(answer.match(/^HTTP\/1\.1 (\d{3})/)?.[1]);
const raw_code = (answer) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4).replace(/^[0-9a-f]+\r\n/, '').split('\r\n')[0]).error.code;

test('414 and 431', async () => {
  const long_target = await send_raw(`GET ${auth_prefix}/jobs?q=${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  assert.ok([414, 431].includes(raw_status(long_target)), long_target.slice(0, 200));
  const long_headers = await send_raw(`GET ${auth_prefix}/jobs HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(200_000)}\r\nConnection: close\r\n\r\n`);
  assert.equal(raw_status(long_headers), 431, long_headers.slice(0, 200));
  assert.equal(raw_code(long_headers), 'headers_too_large');
});

const bad_heads = {
  'two lengths that differ': 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  'length and chunked': 'POST /api/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a length that is no number': 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\n',
  'a space before the colon': 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization : Bearer x\r\n\r\n',
  'a folded field': 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n',
  'NUL in a field': 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-A: b\0c\r\n\r\n',
  'a bare CR': 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-A: b\rc\r\n\r\n',
  'not HTTP': 'HELLO\r\n\r\n',
};
for (const [what, text] of Object.entries(bad_heads)) {
  test(`not HTTP: ${what}`, async () => {
    const answer = await send_raw(text);
    const status = raw_status(answer);
    assert.ok(status === undefined || Number.isNaN(status) || (status >= 400 && status < 500), answer.slice(0, 200));
    assert.ok(status, 'the edge says what is wrong before it closes');
    assert.match(answer, /x-request-id: [A-Za-z0-9_-]{8,64}\r\n/i);
  });
}

test('two Authorization fields are never chosen between', async () => {
  const answer = await send_raw(`GET ${auth_prefix}/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${demo.key}\r\nAuthorization: Bearer ${demo.key}\r\nConnection: close\r\n\r\n`);
  assert.ok([400, 401].includes(raw_status(answer)), answer.slice(0, 200));
});

test('the spelling of a path opens no other route', async () => {
  for (const path of ['/api/v1/jobs%00', '/api/v1/../../api/v1/me', '//api/v1/me', '/api//v1/me', '/api/v1/%6de', '/api/v1%2fme', '/api/./v1/me', '/api/public/../v1/me']) {
    const answer = await send_raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    assert.ok([400, 401, 404].includes(raw_status(answer)), `${path}: ${answer.slice(0, 100)}`);
  }
});

test('a body where none is expected', async () => {
  await get('/me', { key: demo.key, headers: { 'Content-Type': 'application/json', 'Content-Length': 2 }, body: '{}', expect: undefined })
    .then(({ status }) => assert.ok([200, 400, 413].includes(status)));
  const large = await send('POST', `${public_prefix}/jobs/x`, { body: 'x'.repeat(5_000_000) }).catch(() => ({ status: 413 }));
  assert.ok([405, 413].includes(large.status));
});
