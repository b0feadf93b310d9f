// Answers of a service (RFC 9112, RFC 9110 section 15): what is well-formed reaches the client, anything else becomes 503,
// or outcome_unknown where the request must not be repeated. Never 502 or 504: clients of this API don't repeat those.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auth, forwarded, forwarded_get, get, passed, post, run_cases } from './support/cases.mjs';
import { path_of, until } from './support/gateway.mjs';
import { connect } from './support/wire.mjs';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const good = (name, answer, more = {}) => passed(name, get(), forwarded_get(), { answer, ...more });
const has = (name, value) => (answer) => assert.equal(answer.value(name), value);
const bad = (name, answer, more = {}) => ({ name, send: get(), status: 503, closes: false, saw: forwarded_get(), answer, check: has('retry-after', '1'), ...more });
const with_fields = (fields, body = 'ok') => `HTTP/1.1 200 OK\r\n${fields}\r\n${body}`;
const in_chunks = (body) => with_fields('Transfer-Encoding: chunked\r\n', body);
const lost = (answer) => ({ answer, then: 'close' });

const rows = [
  good('a body with its length', with_fields('Content-Length: 5\r\n', 'hello'), { body: 'hello' }),
  good('a body in chunks', in_chunks('5\r\nhello\r\n1;x=y\r\n!\r\n0\r\nX-Trailer: 1\r\n\r\n'), { body: 'hello!', check: has('transfer-encoding', 'chunked') }),
  good('a body that ends with the connection is sent in chunks', with_fields('', 'hello'), { ...lost(with_fields('', 'hello')), body: 'hello', check: has('transfer-encoding', 'chunked') }),
  good('HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  good('HTTP/1.0 until close', '', { ...lost('HTTP/1.0 200 OK\r\n\r\nhello'), body: 'hello' }),
  good('no reason', 'HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok'),
  good('no blank before no reason', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok'),
  good('its own Date stays', with_fields('Date: Sat, 01 Jan 2000 00:00:00 GMT\r\nContent-Length: 2\r\n'), { check: has('date', 'Sat, 01 Jan 2000 00:00:00 GMT') }),
  good('a Date is made where there is none', ok, { check: (answer) => assert.match(answer.value('date'), / GMT$/) }),
  good('204 has no body and no length', 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n', { status: 204, body: '', check: has('content-length', undefined) }),
  good('204 with a body: the body goes nowhere', 'HTTP/1.1 204 No Content\r\n\r\nsurprise', { status: 204, body: '' }),
  good('304 keeps the length it tells of', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\nETag: "a"\r\n\r\n', { status: 304, body: '', check: has('content-length', '99') }),
  good('304 with a body: the body goes nowhere', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 8\r\n\r\nsurprise', { status: 304, body: '' }),
  good('an error of the service is its own', 'HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nno', { status: 404, body: 'no', from_service: true }),
  good('502 of the service is its own', 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n', { status: 502, body: '', from_service: true }),
  good('bytes behind the answer reach nobody', `${ok}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`),
  good('bytes behind the last chunk reach nobody', `${in_chunks('2\r\nok\r\n0\r\n\r\n')}HTTP/1.1 200 OK\r\n\r\n`),

  good('100 is not passed on', `HTTP/1.1 100 Continue\r\n\r\n${ok}`),
  good('103 is not passed on', `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${ok}`),
  good('several of them', `HTTP/1.1 102 Processing\r\n\r\n${'HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n'.repeat(10)}${ok}`),
  bad('a flood of 100', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(17) + ok),
  bad('a flood of 103', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(1000)),
  bad('101 nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'),
  bad('100 with a body', `HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nhello${ok}`),

  ...[['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'], ['another version', 'HTTP/2.0 200 OK\r\n\r\n'], ['HTTP/1.2', 'HTTP/1.2 200 OK\r\n\r\n'], ['small letters', 'http/1.1 200 OK\r\n\r\n'],
    ['two digits', 'HTTP/1.1 20 OK\r\n\r\n'], ['four digits', 'HTTP/1.1 2000 OK\r\n\r\n'], ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n'], ['a status above 599', 'HTTP/1.1 600 OK\r\n\r\n'],
    ['a sign', 'HTTP/1.1 +20 OK\r\n\r\n'], ['two blanks', 'HTTP/1.1  200 OK\r\n\r\n'], ['a tab', 'HTTP/1.1\t200 OK\r\n\r\n'], ['no status', 'HTTP/1.1\r\n\r\n'], ['a bare LF', 'HTTP/1.1 200 OK\n\n'],
    ['a control character', 'HTTP/1.1 200 O\x01K\r\n\r\n'], ['an empty line before it', `\r\n${ok}`]].map(([name, text]) => bad(`a status line with ${name}`, text)),
  ...[['a fold', 'X: a\r\n b\r\n'], ['a blank before the colon', 'X : a\r\n'], ['a bare LF', 'X: a\nY: b\r\n'], ['a bare CR', 'X: a\rb\r\n'], ['a NUL', 'X: a\0\r\n'], ['no colon', 'X\r\n'], ['no name', ': x\r\n']]
    .map(([name, fields]) => bad(`a field with ${name}`, with_fields(`${fields}Content-Length: 2\r\n`))),
  ...[['two lengths that agree', 'Content-Length: 2\r\nContent-Length: 2\r\n'], ['two lengths that differ', 'Content-Length: 2\r\nContent-Length: 3\r\n'], ['a list of lengths', 'Content-Length: 2, 2\r\n'],
    ['a negative length', 'Content-Length: -2\r\n'], ['a hexadecimal length', 'Content-Length: 0x2\r\n'], ['an empty length', 'Content-Length:\r\n'], ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'],
    ['a coding beside chunked', 'Transfer-Encoding: gzip, chunked\r\n'], ['an unknown coding', 'Transfer-Encoding: x\r\n'], ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n']]
    .map(([name, fields]) => bad(`framing by ${name}`, with_fields(fields, '2\r\nok\r\n0\r\n\r\n'))),
  bad('chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'),
  bad('a head beyond its limit', with_fields(`X: ${'y'.repeat(15_000)}\r\n`.repeat(3), '')),
  bad('too many fields', with_fields('X: y\r\n'.repeat(101), '')),
  bad('a head without end', `HTTP/1.1 200 OK\r\n${'X'.repeat(40_000)}`),
  bad('a close before the head ends', '', lost('HTTP/1.1 200 OK\r\nContent-')),
  bad('a close without a byte', '', { ...lost(''), saw: undefined }),
  ...[['no digit', 'zz\r\nok\r\n0\r\n\r\n'], ['a bare LF', '2\nok\n0\n\n'], ['17 digits', '00000000000000002\r\nok\r\n0\r\n\r\n'], ['a chunk longer than its size', '1\r\nok\r\n0\r\n\r\n'],
    ['a trailer that is none', '2\r\nok\r\n0\r\nX : y\r\n\r\n'], ['trailers beyond their limit', `2\r\nok\r\n0\r\nX: ${'y'.repeat(9000)}\r\n\r\n`]]
    .map(([name, body]) => bad(`chunks that come with their head and have ${name}`, in_chunks(body))),
  { ...bad('chunks that come with their head and are malformed, to POST', in_chunks('zz\r\n\r\n')), send: post(''), saw: forwarded(`POST ${auth}`), status: 500, check: undefined },
  { ...bad('a broken answer to POST', 'nonsense\r\n\r\n'), send: post(''), saw: forwarded(`POST ${auth}`), status: 500, check: undefined },
  { ...bad('a close without an answer to POST', '', lost('')), send: post(''), saw: forwarded(`POST ${auth}`), status: 500, check: undefined },
  { ...bad('a close without an answer to POST with a key', '', lost('')), send: post('Idempotency-Key: a\r\n'), saw: forwarded(`POST ${auth}`, { kept: 'Idempotency-Key: a\r\n' }) },
];
const world = run_cases(rows);

/** Everything the gateway sends until it closes. */
const until_close = async (answer) => {
  world.auth.reply = (socket) => socket.end(answer, 'latin1');
  const wire = await connect(world.gateway.port);
  await wire.send(get());
  const text = await wire.end();
  wire.close();
  return text;
};

for (const [name, answer, end] of [
  ['a length not reached', with_fields('Content-Length: 50\r\n', 'hello'), 'hello'],
  ['chunks without the last', in_chunks('5\r\nhello\r\n'), '5\r\nhello\r\n'],
  ['a chunk cut short', in_chunks('50\r\nhello'), '5\r\nhello\r\n'],
]) {
  test(`an answer cut short is seen to be: ${name}`, async () => {
    const text = await until_close(answer);
    assert.ok(text.startsWith('HTTP/1.1 200 OK\r\n'));
    assert.ok(text.endsWith(`\r\n\r\n${end}`), text);
  });
}

test('an answer until the end of its connection is not whole when that was reset', async () => {
  world.auth.reply = (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nhello');
  const wire = await connect(world.gateway.port);
  await wire.send(get());
  await wire.received('5\r\nhello\r\n');
  for (const one of world.auth.connections) one.resetAndDestroy();
  assert.ok((await wire.end()).endsWith('\r\n\r\n5\r\nhello\r\n'), 'no last chunk follows');
  wire.close();
});

test('chunks that turn out malformed end the connection without a last chunk', async () => {
  for (const rest of ['loX\r\n0\r\n\r\n', 'lo\r\nzz\r\n\r\n', 'lo\r\n0\r\nX : y\r\n\r\n']) {
    world.auth.reply = (socket) => socket.write(in_chunks('5\r\nhel'), 'latin1');
    const wire = await connect(world.gateway.port);
    await wire.send(get());
    await wire.received('3\r\nhel\r\n');
    for (const one of world.auth.connections) one.end(rest, 'latin1');
    const text = await wire.end();
    assert.ok(!text.includes('\r\n0\r\n'), text);
    wire.close();
  }
});

test('the log has the status and the bytes that were sent, not those of a malformed answer', async () => {
  world.auth.reply = (socket) => socket.write(in_chunks('zz\r\n\r\n'), 'latin1');
  const path = path_of('malformed');
  const wire = await connect(world.gateway.port, { from: '127.0.0.2' }); // the refusals of the first fill their minute of the log
  await wire.send(get(path));
  const answer = await wire.answer();
  assert.equal(answer.status, 503);
  await until(() => world.gateway.requests(path).length > 0, 'the request is logged');
  const [line] = world.gateway.requests(path);
  assert.deepEqual([line.status, line.truncated, line.bytesOut], [503, undefined, answer.size]);
  wire.close();
});

for (const [name, reply] of [
  ['a malformed head', (socket) => socket.write('nonsense\r\n\r\n')],
  ['a malformed first chunk', (socket) => socket.write(in_chunks('zz\r\n\r\n'))],
  ['the end of its connection', (socket) => socket.end()],
]) {
  test(`a service answers a body that is still on its way with ${name}: the client is told`, async () => {
    world.auth.on_head = reply;
    const wire = await connect(world.gateway.port);
    await wire.send(post('Content-Length: 100000\r\n', 'x'));
    assert.equal((await wire.answer())?.status, 500);
    wire.close();
  });
}

test('what a service sends on an idle connection reaches nobody', async () => {
  const poison = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison';
  for (const send of [get(), post('')]) {
    world.auth.drop_connections();
    world.auth.reset();
    let poisoned;
    const sent = new Promise((done) => { poisoned = done; });
    world.auth.reply = (socket, n) => {
      socket.write(ok);
      if (n === 1) setTimeout(() => socket.write(poison, 'latin1', poisoned), 20);
    };
    const wire = await connect(world.gateway.port);
    await wire.send(send);
    assert.equal((await wire.answer()).body, 'ok');
    await sent;
    await wire.send(send);
    assert.equal((await wire.answer()).body, 'ok');
    wire.close();
  }
});
