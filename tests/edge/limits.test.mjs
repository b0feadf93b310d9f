// Every limit is a setting: small ones here.
import { auth, chunked, forwarded, forwarded_chunks, forwarded_get, get, open, passed, post, refused, run_cases } from './support/cases.mjs';

const small = { HEADERS_LIMIT: 1024, TARGET_LIMIT: 256, FIELD_LIMIT: 256, FIELDS_LIMIT: 10, BODY_LIMIT: 10, PUBLIC_BODY_LIMIT: 5, TRAILER_LIMIT: 20, TRAILER_FIELDS_LIMIT: 2, CHUNK_EXTENSION_LIMIT: 0 };
const target = (size) => `/api/v1/${'x'.repeat(size - 8)}`;
const line = (size) => `X: ${'y'.repeat(size - 5)}\r\n`;
const fields = (count) => 'X: y\r\n'.repeat(count);
const bad_body = (name, body, status = 400) => ({ ...refused(name, chunked(body), status), saw: undefined, unfinished: true });
const to_public = (row) => ({ ...row, to_public: true });

run_cases([
  passed('a target at its limit', get(target(256)), forwarded_get(target(256))),
  refused('a target above its limit', get(target(257)), 414),
  passed('a field at its limit', get(auth, line(256)), forwarded_get(auth, line(256))),
  refused('a field above its limit', get(auth, line(257)), 431),
  passed('as many fields as may be', get(auth, fields(9)), forwarded_get(auth, fields(9))),
  refused('one field too many', get(auth, fields(10)), 431),
  passed('a head at its limit', get(auth, `${line(250).repeat(3)}${line(1024 - get().length - 750)}`), /^GET/),
  refused('a head above its limit', get(auth, `${line(250).repeat(3)}${line(1025 - get().length - 750)}`), 431),
  passed('a body at its limit', post('Content-Length: 10\r\n', '0123456789'), forwarded(`POST ${auth}`, { framing: 'Content-Length: 10\r\n', body: '0123456789' })),
  refused('a body above its limit', post('Content-Length: 11\r\n', 'x'), 413),
  passed('chunks at the limit of a body', chunked('a\r\n0123456789\r\n0\r\n\r\n'), forwarded_chunks('0123456789')),
  bad_body('chunks above the limit of a body', 'b\r\n0123456789A\r\n0\r\n\r\n', 413),
  to_public(refused('a body above the limit of the public API', post('Content-Length: 6\r\n', 'x', open), 413)),
  passed('trailers at their limits', chunked('0\r\nA: 1234\r\nB: 12345\r\n\r\n'.replace('12345', '1234')), forwarded_chunks()),
  bad_body('trailers above their limit of bytes', '1\r\nx\r\n0\r\nA: 1234567890123456\r\n\r\n', 431),
  bad_body('trailers above their limit of number', '1\r\nx\r\n0\r\nA:\r\nB:\r\nC:\r\n\r\n', 431),
  bad_body('chunk extensions are forbidden by a limit of 0', '1;a\r\nx\r\n0\r\n\r\n'),
], small);
