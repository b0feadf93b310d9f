// Slow clients and services, with small settings. Upper bounds only: the suite's own patience.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunked, get, post, run_cases } from './support/cases.mjs';
import { connect } from './support/wire.mjs';

const world = run_cases([], { HEADERS_TIMEOUT: '1s', IDLE_TIMEOUT: '2s', BODY_TIMEOUT: '1s', RESPONSE_TIMEOUT: '1s', RUN_TIMEOUT: '1s' });

const code = (answer) => JSON.parse(answer.body).error.code;

test('a head that does not end: 408', async () => {
  const wire = await connect(world.gateway.port);
  await wire.send('GET /api/v1/x HTTP/1.1\r\nHost: a\r\n');
  const answer = await wire.answer();
  assert.equal(answer.status, 408);
  assert.equal(code(answer), 'request_timeout');
  assert.equal(answer.value('connection'), 'close');
  assert.equal(await wire.end(), '');
});

test('a head that drips does not gain time: 408', async () => {
  const wire = await connect(world.gateway.port);
  await wire.send('GET /api/v1/x HTTP/1.1\r\nHost: a\r\n');
  const drip = setInterval(() => wire.socket.writable && wire.socket.write('X: y\r\n'), 50);
  const answer = await wire.answer();
  clearInterval(drip);
  assert.equal(answer.status, 408);
  wire.close();
});

test('a connection without a request is closed without an answer', async () => {
  for (const sent of ['', '\r\n']) {
    const wire = await connect(world.gateway.port);
    await wire.send(sent);
    assert.equal(await wire.end(), '');
    wire.close();
  }
});

test('a kept connection without a further request is closed without an answer', async () => {
  const wire = await connect(world.gateway.port);
  await wire.send(get());
  assert.equal((await wire.answer()).status, 200);
  assert.equal(await wire.end(), '');
});

for (const [name, text] of [['with a length', post('Content-Length: 50\r\n', 'hello')], ['in chunks', chunked('5\r\nhel')], ['that never comes', post('Content-Length: 50\r\n')]]) {
  test(`a body ${name} that stops: 408, and the service gets no whole request`, async () => {
    const wire = await connect(world.gateway.port);
    await wire.send(text);
    const answer = await wire.answer();
    assert.equal(answer.status, 408);
    assert.equal(answer.value('connection'), 'close');
    assert.equal(world.auth.requests, 0);
    wire.close();
  });
}

test('a service that does not answer: 503 to what may be repeated, outcome_unknown to the rest', async () => {
  world.auth.reply = () => {};
  const wire = await connect(world.gateway.port);
  await wire.send(get());
  const read = await wire.answer();
  assert.equal(read.status, 503);
  assert.equal(read.value('retry-after'), '1');
  await wire.send(post(''));
  const written = await wire.answer();
  assert.equal(written.status, 500);
  assert.equal(code(written), 'outcome_unknown');
  wire.close();
});

test('a service that stops within its answer ends the connection', async () => {
  world.auth.reply = (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello');
  const wire = await connect(world.gateway.port);
  await wire.send(get());
  assert.match(await wire.end(), /\r\n\r\nhello$/);
});
