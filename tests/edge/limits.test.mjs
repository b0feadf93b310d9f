// Limits of a request, each at its value and one above (proto-docs/http_rules.md).
import { auth, chunked, forwarded, forwarded_chunks, forwarded_get, get, open, passed, post, refused, run_cases } from './support/cases.mjs';

const target = (size) => `/api/v1/${'x'.repeat(size - 8)}`;
const line = (size) => `X: ${'y'.repeat(size - 5)}\r\n`;
const fields = (count) => 'X: y\r\n'.repeat(count);
const bad_body = (name, body, status = 400) => ({ ...refused(name, chunked(body), status), saw: undefined, unfinished: true });
const to_public = (row) => ({ ...row, to_public: true });

run_cases([
  passed('a target at its limit', get(target(8192)), forwarded_get(target(8192))),
  refused('a target above its limit', get(target(8193)), 414),
  passed('a field at its limit', get(auth, line(16_384)), forwarded_get(auth, line(16_384))),
  refused('a field above its limit', get(auth, line(16_385)), 431),
  passed('as many fields as may be', get(auth, fields(99)), forwarded_get(auth, fields(99))),
  refused('one field too many', get(auth, fields(100)), 431),
  passed('a head at its limit', get(auth, line(12_000).repeat(2) + line(32_768 - get().length - 24_000)), /^GET/),
  refused('a head above its limit', get(auth, line(12_000).repeat(2) + line(32_769 - get().length - 24_000)), 431),
  passed('a body at its limit', post('Content-Length: 10\r\n', '0123456789'), forwarded(`POST ${auth}`, { framing: 'Content-Length: 10\r\n', body: '0123456789' })),
  refused('a body above its limit', post('Content-Length: 11\r\n', 'x'), 413),
  passed('chunks at the limit of a body', chunked('a\r\n0123456789\r\n0\r\n\r\n'), forwarded_chunks('0123456789')),
  bad_body('chunks above the limit of a body', 'b\r\n0123456789A\r\n0\r\n\r\n', 413),
  to_public(refused('a body above the limit of the public API', post('Content-Length: 65537\r\n', 'x', open), 413)),
  passed('trailers at their limit of bytes', chunked(`0\r\n${line(8192)}\r\n`), forwarded_chunks()),
  bad_body('trailers above their limit of bytes', `1\r\nx\r\n0\r\n${line(8193)}\r\n`, 431),
  passed('trailers at their limit of number', chunked(`0\r\n${fields(32)}\r\n`), forwarded_chunks()),
  bad_body('trailers above their limit of number', `1\r\nx\r\n0\r\n${fields(33)}\r\n`, 431),
  passed('chunk extensions at their limit', chunked(`1;${'a'.repeat(1023)}\r\nx\r\n0\r\n\r\n`), forwarded_chunks('x')),
  bad_body('chunk extensions above their limit', `1;${'a'.repeat(1024)}\r\nx\r\n0\r\n\r\n`),
], { BODY_LIMIT: 10 });
