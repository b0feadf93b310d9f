// Connection, hop-by-hop fields (RFC 9110 section 7.6), HTTP/1.0, Upgrade: what is for the next hop stays here.
import assert from 'node:assert/strict';
import { auth, forwarded, forwarded_get, get, passed, post, refused, request, run_cases } from './support/cases.mjs';

const dropped = (name, fields, kept = '') => passed(name, get(auth, fields), forwarded_get(auth, kept));
const bad = (name, fields) => refused(name, get(auth, fields));
const old = (fields = '', line = `GET ${auth}`) => `${line} HTTP/1.0\r\nHost: api.example\r\n${fields}\r\n`;
const old_get = forwarded(`GET ${auth}`, { version: '1.0' });
const downstream = (...gone) => (answer) => {
  for (const name of gone) assert.equal(answer.value(name), undefined, name);
};

run_cases([
  passed('Connection: close ends the connection', get(auth, 'Connection: close\r\n'), forwarded_get(), { closes: true }),
  passed('close in any case, among others', get(auth, 'Connection: keep-alive, CLOSE\r\n'), forwarded_get(), { closes: true }),
  passed('close in a second Connection field', get(auth, 'Connection: keep-alive\r\nConnection: close\r\n'), forwarded_get(), { closes: true }),
  passed('what follows Connection: close is not read', get(auth, 'Connection: close\r\n') + get('/api/v1/second'), forwarded_get(), { closes: true }),
  dropped('keep-alive', 'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n'),
  dropped('a field that Connection names', 'Connection: X-Hop\r\nX-Hop: 1\r\nX-End: 2\r\nx-hop: 3\r\n', 'X-End: 2\r\n'),
  dropped('fields that several Connection fields name', 'Connection: A, B\r\nA: 1\r\nConnection: ,C ,\r\nB: 2\r\nC: 3\r\n'),
  dropped('a named field that is not there', 'Connection: Nothing\r\n'),
  dropped('an empty Connection', 'Connection:\r\n'),
  ...['Keep-Alive: 5', 'Proxy-Connection: keep-alive', 'Proxy-Authorization: Basic YTpi', 'Proxy-Authenticate: Basic', 'TE: trailers', 'TE: gzip;q=0.5, trailers', 'Trailer: X-Sum']
    .map((line) => dropped(`hop-by-hop though Connection does not name it: ${line}`, `${line}\r\n`)),
  ...['Host', 'Content-Length', 'Transfer-Encoding', 'Authorization', 'Cookie', 'Content-Type', 'Idempotency-Key', 'X-Forwarded-For', 'X-Forwarded-Proto', 'X-Real-IP', 'Forwarded',
    'X-Request-Id', 'traceparent', 'Service-Organization', 'Origin', 'Expect', 'Connection']
    .map((name) => bad(`Connection names ${name}`, `Connection: close, ${name.toLowerCase()}\r\n`)),
  bad('Connection names no token', 'Connection: a b\r\n'),
  bad('Connection with a quoted name', 'Connection: "close"\r\n'),
  bad('Connection with a semicolon', 'Connection: close;x\r\n'),
  bad('Connection names more than anyone needs', `Connection: ${'a,'.repeat(33)}\r\n`),

  passed('HTTP/1.0 is forwarded as HTTP/1.1 and closed', old(), old_get, { closes: true }),
  passed('HTTP/1.0 with keep-alive is kept', old('Connection: keep-alive\r\n'), old_get, { connection: 'keep-alive' }),
  passed('HTTP/1.0 with keep-alive and close is closed', old('Connection: keep-alive, close\r\n'), old_get, { closes: true }),
  passed('an answer of unknown length to HTTP/1.0 ends with the connection', old('Connection: keep-alive\r\n'), old_get, {
    closes: true, body: 'hello', answer: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n', check: downstream('transfer-encoding', 'content-length'),
  }),
  passed('Expect in HTTP/1.0 is not for it', old('Expect: 100-continue\r\nContent-Length: 2\r\n', `POST ${auth}`) + 'hi',
    forwarded(`POST ${auth}`, { version: '1.0', framing: 'Content-Length: 2\r\n', body: 'hi' }), { closes: true }),
  refused('a refusal of HTTP/1.0 is answered in HTTP/1.1', old('X : y\r\n')),

  dropped('an offer of h2c is not taken up', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'),
  dropped('h2c that Connection does not name', 'Upgrade: h2c\r\n'),
  bad('Upgrade: websocket', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n'),
  bad('Upgrade to TLS', 'Connection: Upgrade\r\nUpgrade: TLS/1.2\r\n'),
  bad('h2c among others', 'Connection: Upgrade\r\nUpgrade: h2c, websocket\r\n'),
  bad('Upgrade twice', 'Connection: Upgrade\r\nUpgrade: h2c\r\nUpgrade: h2c\r\n'),

  passed("a service's hop-by-hop fields stay with it", get(), forwarded_get(), {
    answer: 'HTTP/1.1 200 OK\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nProxy-Authenticate: x\r\nTrailer: x\r\nUpgrade: h2c\r\nTE: x\r\nX-End: 1\r\nContent-Length: 2\r\n\r\nok',
    check: (answer) => {
      downstream('x-hop', 'keep-alive', 'proxy-authenticate', 'trailer', 'upgrade', 'te', 'connection')(answer);
      assert.equal(answer.value('x-end'), '1');
    },
  }),
  passed("a service's Connection: close does not close the client's", get(), forwarded_get(), { answer: 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok', then: 'close' }),
  passed('POST of HTTP/1.1 whose body ends with the connection has none', post('Connection: close\r\n'), forwarded(`POST ${auth}`), { closes: true }),
  passed('DELETE keeps its body', request(`DELETE ${auth}`, 'Content-Length: 2\r\n', 'hi'), forwarded(`DELETE ${auth}`, { framing: 'Content-Length: 2\r\n', body: 'hi' })),
]);
