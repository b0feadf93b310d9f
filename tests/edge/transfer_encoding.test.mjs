// Transfer-Encoding (RFC 9112 section 6.1): "chunked", once, in HTTP/1.1, and nothing else.
import { auth, chunked, forwarded_chunks, get, passed, post, refused, run_cases } from './support/cases.mjs';

const body = '5\r\nhello\r\n0\r\n\r\n';
const bad = (name, fields, status = 400) => refused(name, post(fields, body), status);
const value = (text, status = 400) => bad(`Transfer-Encoding: ${JSON.stringify(text)}`, `Transfer-Encoding: ${text}\r\n`, status);

run_cases([
  passed('chunked', chunked(body), forwarded_chunks('hello')),
  passed('the coding in any case', post('transfer-encoding:\tChUnKeD \r\n', body), forwarded_chunks('hello')),
  passed('a chunked body that looks like a request is a body', chunked(`${get().length.toString(16)}\r\n${get()}\r\n0\r\n\r\n`), forwarded_chunks(get())),

  ...['gzip, chunked', 'deflate,chunked', 'gzip;q=1, chunked', 'GZIP , CHUNKED'].map((text) => value(text, 501)),
  ...['', 'identity', 'gzip', 'chunked, gzip', 'chunked, chunked', 'chunked,', ',chunked', 'chunked;q=1', 'xchunked', 'chunkedx', 'chunke', '"chunked"', "'chunked'",
    'chunked chunked', 'chunked\tchunked', '\vchunked', 'chunked\v', '\x00chunked', '\xa0chunked', 'chunked\xa0', 'chunk\u0065d'.replace('k', '\xe9'), 'identity, chunked, identity'].map((text) => value(text)),
  bad('twice, the same', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'),
  bad('twice, one of no known coding', 'Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n'),
  bad('twice, identity last', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n'),
  bad('a blank before the colon', 'Transfer-Encoding : chunked\r\n'),
  bad('a tab before the colon', 'Transfer-Encoding\t: chunked\r\n'),
  bad('folded', 'Transfer-Encoding:\r\n chunked\r\n'),
  bad('behind a bare CR', 'X: y\rTransfer-Encoding: chunked\r\n'),
  bad('behind a bare LF', 'X: y\nTransfer-Encoding: chunked\r\n'),
  bad('after a NUL', 'Transfer-Encoding\0: chunked\r\n'),
  bad('named by Connection', 'Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n'),
  refused('in HTTP/1.0', `POST ${auth} HTTP/1.0\r\nHost: api.example\r\nTransfer-Encoding: chunked\r\n\r\n${body}`),
  refused('in HTTP/1.0 with keep-alive', `POST ${auth} HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n${body}`),
]);
