// A client that sends a head and withholds the body takes no place of the service from others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auth, chunked, get, post, run_cases } from './support/cases.mjs';
import { until } from './support/gateway.mjs';
import { connect } from './support/wire.mjs';

const client_uploads = 64; // of one client
const places = client_uploads + 2;
const world = run_cases([], { UPSTREAM_REQUESTS: places });

const answer_to = async (bytes, from) => {
  const wire = await connect(world.gateway.port, { from });
  await wire.send(bytes);
  const answer = await wire.answer();
  wire.close();
  return answer;
};

test('small bodies that do not come take no place, and are forwarded once they are here', async () => {
  const wires = [];
  for (let i = 0; i < places + 20; i += 1) {
    const wire = await connect(world.gateway.port);
    await wire.send(post(`${i % 2 ? 'Expect: 100-continue\r\n' : ''}Content-Length: 16384\r\n`));
    if (i % 2) assert.equal((await wire.answer({ interim: true })).status, 100);
    await wire.send('x'.repeat(16383));
    wires.push(wire);
  }
  for (let i = 0; i < 3; i += 1) assert.equal((await answer_to(get())).status, 200);
  assert.equal(world.auth.requests, 3);
  for (const wire of wires) {
    await wire.send('x');
    assert.equal((await wire.answer()).status, 200);
    wire.close();
  }
  assert.equal(world.auth.requests, places + 23);
});

for (const [name, head, rest] of [['a large body', post('Content-Length: 16385\r\n'), 'x'.repeat(16385)], ['a body in chunks', chunked(''), '0\r\n\r\n']]) {
  test(`${name} holds a place, and a client has 64 of them`, async () => {
    const wires = [];
    for (let i = 0; i < client_uploads; i += 1) {
      const wire = await connect(world.gateway.port);
      await wire.send(head);
      wires.push(wire);
    }
    await until(() => world.auth.connections.size === client_uploads, 'all are forwarded');
    const refused = await answer_to(head);
    assert.equal(refused.status, 429);
    assert.equal(refused.value('retry-after'), '1');
    assert.deepEqual(JSON.parse(refused.body).error.details.map(({ field, reason }) => [field, reason]), [['uploads', 'gateway']]);
    assert.equal((await answer_to(get())).status, 200);
    assert.equal((await answer_to(post('Content-Length: 5\r\n', 'hello'))).status, 200);
    assert.equal((await answer_to(head + rest, '127.0.0.2')).status, 200, 'another client');
    await wires[0].send(rest);
    assert.equal((await wires[0].answer()).status, 200);
    assert.equal((await answer_to(head + rest)).status, 200);
    for (const wire of wires) wire.close();
    await until(async () => (await world.gateway.metric('recruiting_gateway_connections')) === 0, 'the connections are gone');
  });
}

test('a client that goes away before its body is here is forgotten', async () => {
  const wire = await connect(world.gateway.port);
  await wire.send(post('Content-Length: 5\r\n', 'hell', auth));
  wire.close();
  await until(async () => (await world.gateway.metric('recruiting_gateway_connections')) === 0, 'the connection is gone');
  assert.equal(world.auth.requests, 0);
});
