// Limits of a request that the other files do not reach (proto-docs/http_rules.md).
import { auth, chunked, forwarded, forwarded_chunks, forwarded_get, get, open, passed, post, refused, run_cases } from './support/cases.mjs';

const line = (size) => `X: ${'y'.repeat(size - 5)}\r\n`;
const fields = (count) => 'X: y\r\n'.repeat(count);
const bad_body = (name, body, status = 400) => ({ ...refused(name, chunked(body), status), saw: undefined, unfinished: true });
const to_public = (row) => ({ ...row, to_public: true });

run_cases([
  passed('a field at its limit', get(auth, line(16_384)), forwarded_get(auth, line(16_384))),
  passed('a body at its limit', post('Content-Length: 10\r\n', '0123456789'), forwarded(`POST ${auth}`, { framing: 'Content-Length: 10\r\n', body: '0123456789' })),
  refused('a body above its limit', post('Content-Length: 11\r\n', 'x'), 413),
  passed('chunks at the limit of a body', chunked('a\r\n0123456789\r\n0\r\n\r\n'), forwarded_chunks('0123456789')),
  bad_body('chunks above the limit of a body', 'b\r\n0123456789A\r\n0\r\n\r\n', 413),
  to_public(refused('a body above the limit of the public API', post('Content-Length: 65537\r\n', 'x', open), 413)),
  passed('trailers at their limit of bytes', chunked(`0\r\n${line(8192)}\r\n`), forwarded_chunks()),
  passed('trailers at their limit of number', chunked(`0\r\n${fields(32)}\r\n`), forwarded_chunks()),
  passed('chunk extensions at their limit', chunked(`1;${'a'.repeat(1023)}\r\nx\r\n0\r\n\r\n`), forwarded_chunks('x')),
  bad_body('chunk extensions above their limit', `1;${'a'.repeat(1024)}\r\nx\r\n0\r\n\r\n`),
], { BODY_LIMIT: 10 });
