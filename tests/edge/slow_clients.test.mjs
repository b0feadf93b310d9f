// Slow clients cost nobody else: each kind of slowness has its deadline, and nothing of them stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunked, get, post, run_cases } from './support/cases.mjs';
import { path_of, until } from './support/gateway.mjs';
import { connect } from './support/wire.mjs';

const world = run_cases([], { BODY_TIMEOUT: '1500ms', WRITE_TIMEOUT: '400ms', RESPONSE_TIMEOUT: '5m', RUN_TIMEOUT: '5m' });
const nobody_left = () => until(async () => (await world.gateway.metric('recruiting_gateway_connections')) === 0, 'the connections are gone');

for (const [name, head, drop] of [['with a length', post('Content-Length: 100000\r\n'), 'x'], ['in chunks', chunked(''), '1\r\nx\r\n']]) {
  test(`a body ${name} below the minimum rate: 408, though it never stops`, async () => {
    const wire = await connect(world.gateway.port);
    await wire.send(head);
    const drip = setInterval(() => wire.socket.writable && wire.socket.write(drop), 50);
    const answer = await wire.answer();
    clearInterval(drip);
    assert.equal(answer.status, 408);
    assert.equal(answer.value('connection'), 'close');
    assert.equal(world.auth.requests, 0);
    wire.close();
    await nobody_left();
    await until(() => world.auth.connections.size === 0, 'the service is told');
  });
}

test('a body above the minimum rate may take its time', async () => {
  const wire = await connect(world.gateway.port);
  await wire.send(post('Content-Length: 15000\r\n'));
  for (let i = 0; i < 30; i += 1) {
    await wire.send('x'.repeat(500));
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.equal((await wire.answer()).status, 200);
  wire.close();
});

test('a client that reads none of a large answer loses it, and the service its reader', async () => {
  const answer = 'x'.repeat(64 * 1024 * 1024);
  world.auth.reply = (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
  const wire = await connect(world.gateway.port);
  wire.socket.pause();
  await wire.send(get(path_of('unread')));
  await until(() => world.gateway.requests(path_of('unread')).length === 1, 'the request has ended');
  const [line] = world.gateway.requests(path_of('unread'));
  assert.equal(line.status, 200);
  assert.equal(line.truncated, true);
  await nobody_left();
  await until(() => world.auth.connections.size === 0, 'the service is told');
  wire.close();
});

test('a client that sends requests and reads no answer is closed', async () => {
  const answer = 'x'.repeat(1024 * 1024);
  world.auth.reply = (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
  const wire = await connect(world.gateway.port);
  wire.socket.pause();
  for (let i = 0; i < 64; i += 1) wire.socket.write(get(path_of('pipelined')));
  await until(() => world.gateway.requests(path_of('pipelined')).some((line) => line.truncated), 'an answer is cut off');
  await nobody_left();
  assert.ok(world.auth.requests < 64);
  wire.close();
});
