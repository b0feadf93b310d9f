// A service may answer before it has read all of a body: the client gets the answer, then the connection ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunked, post, run_cases } from './support/cases.mjs';
import { connect } from './support/wire.mjs';

const megabyte = 'x'.repeat(1024 * 1024);
const world = run_cases([], { BODY_LIMIT: 1024 * 1024 * 1024 });

/** A client that writes its whole body before it reads anything, as many do. */
const write_all = async (wire, pieces, piece) => {
  for (let i = 0; i < pieces && wire.socket.writable; i += 1) {
    if (!wire.socket.write(piece, 'latin1')) {
      await Promise.race([new Promise((done) => wire.socket.once('drain', done)), new Promise((done) => wire.socket.once('close', done))]);
    }
  }
};

const early = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno';
for (const [name, after_answer] of [['and reads no more', (socket) => socket.pause()], ['and closes', (socket) => socket.end()], ['and reads on', () => {}]]) {
  for (const [framing, head, piece] of [
    ['a length', post(`Content-Length: ${32 * megabyte.length}\r\n`), megabyte],
    ['chunks', chunked(''), `100000\r\n${megabyte}\r\n`],
  ]) {
    test(`an early answer to a large body with ${framing}, when the service answers ${name}`, async () => {
      world.auth.on_head = (socket) => {
        socket.write(early);
        after_answer(socket);
      };
      const wire = await connect(world.gateway.port);
      await wire.send(head);
      await write_all(wire, 32, piece);
      const answer = await wire.answer();
      assert.equal(answer?.status, 403, String(wire.failure()));
      assert.equal(answer.body, 'no');
      assert.equal(answer.value('connection'), 'close');
      assert.equal(await wire.end(), '');
      wire.close();
      world.auth.drop_connections();
    });
  }
}

test('a refusal by the edge reaches a client that is still writing', async () => {
  const wire = await connect(world.gateway.port);
  await wire.send(post(`Content-Length: ${2 * 1024 * 1024 * 1024}\r\n`));
  await write_all(wire, 16, megabyte);
  const answer = await wire.answer();
  assert.equal(answer?.status, 413, String(wire.failure()));
  wire.close();
});

test('a malformed chunk in the middle of a large body is told', async () => {
  const wire = await connect(world.gateway.port);
  await wire.send(chunked(''));
  await write_all(wire, 4, `100000\r\n${megabyte}\r\n`);
  await wire.send('nonsense\r\n');
  await write_all(wire, 4, megabyte);
  const answer = await wire.answer();
  assert.equal(answer?.status, 400, String(wire.failure()));
  assert.equal(world.auth.requests, 0);
  wire.close();
});

test('an answer to a whole large body keeps the connection', async () => {
  const wire = await connect(world.gateway.port);
  for (let round = 0; round < 2; round += 1) {
    await wire.send(post(`Content-Length: ${4 * megabyte.length}\r\n`));
    await write_all(wire, 4, megabyte);
    assert.equal((await wire.answer()).status, 200);
  }
  assert.equal(world.auth.recorded.length, 2 * (world.auth.recorded.indexOf('\r\n\r\n') + 4 + 4 * megabyte.length));
  wire.close();
});
