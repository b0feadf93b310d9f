// Content-Length (RFC 9112 section 6.3), alone and beside Transfer-Encoding: one length, plainly written, or none.
import { auth, declined, forwarded, get, passed, post, refused, request, run_cases } from './support/cases.mjs';

const body = 'hello';
const up = (length, text = body) => forwarded(`POST ${auth}`, { framing: `Content-Length: ${length}\r\n`, body: text });
const bad = (name, fields, status = 400) => refused(name, post(fields, body), status);
const spelled = (value) => bad(`Content-Length: ${JSON.stringify(value)}`, `Content-Length: ${value}\r\n`);

run_cases([
  passed('a body with its length', post('Content-Length: 5\r\n', body), up(5)),
  passed('a body that comes in pieces', [post('Content-Length: 5\r\n'), 'he', 'll', 'o'], up(5)),
  passed('a body cut at the head', [post('Content-Length: 5\r\n').slice(0, -1), `\n${body}`], up(5)),
  passed('no body', post('Content-Length: 0\r\n'), up(0, '')),
  passed('POST without any length has no body', post(''), forwarded(`POST ${auth}`)),
  passed('the name in any case', post('cOnTeNt-LeNgTh:5\r\n', body), up(5)),
  passed('blanks around the number', post('Content-Length: \t5 \t\r\n', body), up(5)),
  passed('GET with a body is framed like any other', request(`GET ${auth}`, 'Content-Length: 5\r\n', body), forwarded(`GET ${auth}`, { framing: 'Content-Length: 5\r\n', body })),
  passed('a body that looks like a request is a body', post(`Content-Length: ${get().length}\r\n`, get()), up(get().length, get())),

  ...['', '-5', '+5', '0x5', '5.0', '5e0', '5 5', '5,5', '5, 5', '5;', '5\t5', '"5"', '05', '00', '5_0', '\u0665', 'five', '5L', 'NaN', '0b1',
    '99999999999999999999', '18446744073709551621', '4294967301x', '5 ,', ',5', '5\v'].map(spelled),
  bad('twice, the same', 'Content-Length: 5\r\nContent-Length: 5\r\n'),
  bad('a list of equal lengths on two lines', 'Content-Length: 5,\r\n 5\r\n'),
  bad('twice, apart', 'Content-Length: 5\r\nX: y\r\ncontent-length: 6\r\n'),
  bad('twice, one empty', 'Content-Length: 5\r\nContent-Length:\r\n'),
  bad('a blank before the colon', 'Content-Length : 5\r\n'),
  bad('folded', 'Content-Length:\r\n 5\r\n'),
  bad('a tab before the name', '\tContent-Length: 5\r\n'),
  bad('with Transfer-Encoding: chunked', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
  bad('after Transfer-Encoding: chunked', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n'),
  bad('0 with Transfer-Encoding: chunked', 'Transfer-Encoding: chunked\r\nContent-Length: 0\r\n'),
  bad('with Transfer-Encoding: identity', 'Transfer-Encoding: identity\r\nContent-Length: 5\r\n'),
  bad('named by Connection', 'Content-Length: 5\r\nConnection: Content-Length\r\n'),

  refused('a body larger than its limit', post('Content-Length: 1048577\r\n', body), 413),
  { ...refused('a body larger than the public limit', post('Content-Length: 65537\r\n', body, '/api/public/v1/x'), 413), to_public: true },
  declined('a small body of a refused request is read over', request('POST /elsewhere', 'Content-Length: 5\r\n', body), 404),
  refused('a body of a refused request that has not come yet ends the connection', request('POST /elsewhere', 'Content-Length: 50\r\n', body), 404),
  passed('HTTP/1.0 with a length', `POST ${auth} HTTP/1.0\r\nHost: api.example\r\nContent-Length: 5\r\n\r\n${body}`,
    forwarded(`POST ${auth}`, { version: '1.0', framing: 'Content-Length: 5\r\n', body }), { closes: true }),
]);
