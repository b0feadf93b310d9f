// Field lines (RFC 9112 section 5): names, values, white space, control characters, line ends, limits.
import assert from 'node:assert/strict';
import { auth, forwarded_get, get, passed, refused, run_cases } from './support/cases.mjs';

const bad = (name, lines) => refused(name, get(auth, lines));
const kept = (name, lines) => passed(name, get(auth, lines), forwarded_get(auth, lines));
const fields = (count) => Array.from({ length: count }, (_, i) => `X-${i}: y\r\n`).join('');
const size_of_get = get().length;

run_cases([
  kept('fields keep their order, case and blanks', 'X-b: 1\r\nx-A:  2\t3 \r\nX-b:4\r\n'),
  kept('an empty value', 'X-Empty:\r\n'),
  kept('every token character in a name', "!#$%&'*+-.^_`|~09azAZ: x\r\n"),
  kept('every visible character in a value', 'X: !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~\r\n'),
  kept('bytes above 7F in a value are opaque', 'X: caf\xc3\xa9 \xe9\xff\x80\r\n'),
  kept('a colon in a value', 'X: a:b: c\r\n'),
  kept('a name of two parts', 'X_Own: a\r\n'),
  kept('a repeated list', 'Accept: a/b\r\nAccept: c/d\r\n'),

  bad('a blank before the colon', 'X : y\r\n'),
  bad('a tab before the colon', 'X\t: y\r\n'),
  bad('a blank before the name', ' X: y\r\n'),
  bad('a folded line', 'X: a\r\n b\r\n'),
  bad('a line folded with a tab', 'X: a\r\n\tb\r\n'),
  bad('a folded line of blanks', 'X: a\r\n \r\n'),
  bad('a value that begins on the next line', 'X:\r\n a\r\n'),
  bad('a value that begins two lines further on', 'X:\r\n \r\n\ta\r\n'),
  bad('an empty value and a fold of blanks', 'X:\r\n \t\r\n'),
  bad('no colon', 'X\r\n'),
  bad('an empty name', ': y\r\n'),
  bad('a blank within a name', 'X Y: z\r\n'),
  bad('a NUL in a name', 'X\0Y: z\r\n'),
  bad('a byte above 7F in a name', 'X\xe9: z\r\n'),
  bad('a DEL in a name', 'X\x7f: z\r\n'),
  bad('a name in parentheses', '(X): z\r\n'),
  bad('a name with a slash', 'X/Y: z\r\n'),
  bad('a quoted name', '"X": z\r\n'),
  bad('a NUL in a value', 'X: a\0b\r\n'),
  bad('a NUL at the end of a value', 'X: a\0\r\n'),
  bad('a bare CR in a value', 'X: a\rb\r\n'),
  bad('a CR before the CRLF', 'X: a\r\r\n'),
  bad('a bare LF between fields', 'X: a\nY: b\r\n'),
  bad('a bare LF at the end of the head', 'X: a\r\n\n'),
  bad('a bell in a value', 'X: a\x07\r\n'),
  bad('an escape character in a value', 'X: a\x1b[0m\r\n'),
  bad('a vertical tab in a value', 'X: a\vb\r\n'),
  bad('a DEL in a value', 'X: a\x7f\r\n'),
  refused('all lines end with a bare LF', `GET ${auth} HTTP/1.1\nHost: a\n\n`),
  refused('LF CR instead of CRLF', `GET ${auth} HTTP/1.1\n\rHost: a\n\r\n\r`),
  refused('the request line alone ends with a bare LF', `GET ${auth} HTTP/1.1\nHost: a\r\n\r\n`),

  ...['Content_Length: 5', 'Transfer_Encoding: chunked', 'X_Forwarded_For: 1.2.3.4', 'X_Real_IP: 1.2.3.4', 'X_Client_IP: 1.2.3.4', 'X_Original_URL: /x', 'Idempotency_Key: a', 'host_: b'.replace('host_', 'Content_length')]
    .map((line) => bad(`${line}: an underscore that some read as a hyphen`, `${line}\r\n`)),
  ...['Authorization: a', 'Content-Type: a/b', 'Cookie: a=1', 'Expect: 100-continue', 'Idempotency-Key: a', 'Origin: https://a.example', 'Service-Organization: a']
    .map((line) => bad(`${line.split(':')[0]} twice`, `${line}\r\nX: y\r\n${line}\r\n`)),

  refused('a field beyond the limit of their number', get(auth, fields(100)), 431),
  passed('as many fields as may be', get(auth, fields(99)), forwarded_get(auth, fields(99))),
  refused('a field line beyond its limit', get(auth, `X: ${'y'.repeat(16 * 1024)}\r\n`), 431),
  refused('a head beyond its limit', get(auth, `X: ${'y'.repeat(15_000)}\r\n`.repeat(3)), 431),
  refused('a head beyond its limit, before its end', `GET ${auth} HTTP/1.1\r\n${`X: ${'y'.repeat(15_000)}\r\n`.repeat(3)}`, 431),
  passed('a head at its limit', get(auth, `X: ${'y'.repeat(15_000)}\r\nY: ${'y'.repeat(15_000)}\r\nZ: ${'y'.repeat(32 * 1024 - size_of_get - 2 * 15_005 - 5)}\r\n`), /\r\nZ: y+\r\n/),
  refused('a field name without end', `GET ${auth} HTTP/1.1\r\n${'X'.repeat(33 * 1024)}`, 431),
  passed('an answer to a strange Accept is still JSON', get('/api/v1/x', 'Accept: */*;q=0\r\n'), forwarded_get(auth, 'Accept: */*;q=0\r\n')),
  refused('RFC 9457 when it is asked for', get(`${auth}%00`, 'Accept: application/problem+json\r\n'), 400, {
    from_service: true, // not the envelope
    check: (answer) => {
      assert.equal(answer.value('content-type'), 'application/problem+json');
      assert.equal(JSON.parse(answer.body).code, 'invalid_request');
    },
  }),
]);
