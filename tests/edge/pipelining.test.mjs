// Several requests on one connection (RFC 9112 section 9.3): answered one by one, in order; HEAD; half-closed clients.
import { key_of } from '../support/api_key.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auth, declined, forwarded, forwarded_get, get, open, passed, post, refused, request, run_cases } from './support/cases.mjs';
import { connect } from './support/wire.mjs';

const one = get('/api/v1/1');
const two = get('/api/v1/2');
const up_one = forwarded_get('/api/v1/1');
const up_two = forwarded_get('/api/v1/2');
const numbered = (socket, n) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n#${n}`);
const ok = (body = 'ok') => ({ status: 200, body });
const large = 'x'.repeat(200_000);

const world = run_cases([
  passed('two requests at once', one + two, up_one + up_two, { answer: numbered, body: '#1', next: [ok('#2')] }),
  passed('nine requests at once', one.repeat(9), up_one.repeat(9), { answer: numbered, body: '#1', next: [2, 3, 4, 5, 6, 7, 8, 9].map((n) => ok(`#${n}`)) }),
  passed('a request whose last byte comes with the next', [one.slice(0, -1), `\n${two}`], up_one + up_two, { next: [ok()] }),
  passed('an empty line between two requests is skipped', `${one}\r\n${two}`, up_one + up_two, { next: [ok()] }),
  passed('a body, then a request', post('Content-Length: 5\r\n', 'hello') + two,
    forwarded(`POST ${auth}`, { framing: 'Content-Length: 5\r\n', body: 'hello' }) + up_two, { next: [ok()] }),
  passed('chunks, then a request', post('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n0\r\n\r\n') + two,
    forwarded(`POST ${auth}`, { framing: 'Transfer-Encoding: chunked\r\n', body: '5\r\nhello\r\n0\r\n\r\n' }) + up_two, { next: [ok()] }),
  declined('refusals keep their place in the line', get('/elsewhere') + two + get('/elsewhere'), 404, { saw: up_two, next: [ok(), { status: 404 }] }),
  passed('a malformed request ends the line, the one before is answered', `${one}GET\r\n\r\n${two}`, up_one, { closes: true, next: [{ status: 400, closes: true }] }),
  refused('nothing behind a malformed request is read', `${get(auth, 'X : y\r\n')}${two}`),
  refused('nothing behind an ambiguous body is read', post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${two}`)),
  passed('a body longer than it says is the next request: refused', post('Content-Length: 5\r\n', 'helloX\r\n\r\n'), /hello$/, { closes: true, next: [{ status: 400, closes: true }] }),
  passed('a large answer, then another', one + two, up_one + up_two, {
    answer: (socket, n) => (n === 1 ? socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${large.length}\r\n\r\n${large}`) : numbered(socket, n)), body: large, next: [ok('#2')],
  }),

  passed('HEAD: the length of GET, and no body', request(`HEAD ${auth}`), forwarded(`HEAD ${auth}`), {
    to_head: true, answer: 'HTTP/1.1 200 OK\r\nContent-Length: 7777\r\n\r\n', check: (answer) => assert.equal(answer.value('content-length'), '7777'),
  }),
  passed('HEAD of an answer in chunks', request(`HEAD ${auth}`), forwarded(`HEAD ${auth}`), { to_head: true, answer: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' }),
  passed('HEAD of an answer without a length', request(`HEAD ${auth}`), forwarded(`HEAD ${auth}`), { to_head: true, answer: 'HTTP/1.1 200 OK\r\n\r\n' }),
  passed('HEAD, then GET', request(`HEAD ${auth}`) + two, forwarded(`HEAD ${auth}`) + up_two, {
    to_head: true, answer: (socket, n) => (n === 1 ? socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n') : numbered(socket, n)), next: [ok('#2')],
  }),
  declined('HEAD refused by the edge: a length, and no body', request('HEAD /elsewhere') + get('/elsewhere'), 404, {
    to_head: true, next: [{ status: 404 }], check: (answer) => assert.ok(Number(answer.value('content-length')) > 100),
  }),
  { ...declined('HEAD with a key towards the public API', request(`HEAD ${open}`, `Authorization: Bearer ${key_of('pipelining')}\r\n`), 400), to_head: true, to_public: true },
  refused('HEAD with a bad field', request(`HEAD ${auth}`, 'X : y\r\n'), 400, { to_head: true }),

  passed('a half-closed client gets its answer', get(), forwarded_get(), { half_close: true, closes: true }),
  passed('a half-closed client gets all its answers', one + two, up_one + up_two, { half_close: true, closes: true, next: [ok()] }),
]);

test('a half-closed client gets an answer that takes a while', async () => {
  let answer;
  world.auth.reply = (socket) => { answer = () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate'); };
  const wire = await connect(world.gateway.port);
  await wire.send(get());
  wire.half_close();
  while (!answer) await new Promise((done) => setTimeout(done, 5));
  await new Promise((done) => setTimeout(done, 50)); // the end must have been seen by then
  answer();
  assert.equal((await wire.answer()).body, 'late');
  assert.equal(await wire.end(), '');
});

test('a client that ends within a head, a length or a chunk gets no request through', async () => {
  for (const cut of [get().slice(0, -2), post('Content-Length: 5\r\n', 'he'), post('Transfer-Encoding: chunked\r\n', '5\r\nhel')]) {
    world.auth.reset();
    const wire = await connect(world.gateway.port);
    await wire.send(cut);
    wire.half_close();
    await wire.end();
    assert.equal(world.auth.requests, 0);
    wire.close();
  }
});
