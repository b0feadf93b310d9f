// SIGTERM: not ready at once, what is under way is finished, then the program ends with 0, within DRAIN_TIMEOUT at most.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { get, post } from './support/cases.mjs';
import { start_gateway, until } from './support/gateway.mjs';
import { plain_answer, start_recorder } from './support/recorder.mjs';
import { connect } from './support/wire.mjs';

let service;
before(async () => (service = await start_recorder()));
after(() => service.stop());
beforeEach(() => service.reset());

const run = (name, settings, body) =>
  test(name, async () => {
    const gateway = await start_gateway(service.address, service.address, { DRAIN_DELAY: '500ms', ...settings });
    try {
      await body(gateway);
    } finally {
      await gateway.stop();
    }
  });

/** A connection whose first request was answered. */
const used = async (gateway) => {
  const wire = await connect(gateway.port);
  await wire.send(get());
  assert.equal((await wire.answer()).status, 200);
  return wire;
};
const not_ready = (gateway) => until(async () => (await gateway.admin('/readyz')).status === 503, 'readiness goes');
const nothing_new = (gateway) =>
  until(() => connect(gateway.port).then((wire) => !wire.close(), (error) => error.code === 'ECONNREFUSED'), 'nothing new is taken');

run('not ready first, yet new connections and kept ones are served, each with Connection: close', { DRAIN_DELAY: '5s' }, async (gateway) => {
  const kept = await used(gateway);
  gateway.signal('SIGTERM');
  await not_ready(gateway);
  assert.equal((await gateway.admin('/healthz')).status, 200);
  for (const wire of [kept, await connect(gateway.port)]) {
    await wire.send(get());
    const answer = await wire.answer();
    assert.equal(answer.status, 200);
    assert.equal(answer.value('connection'), 'close');
    assert.equal(await wire.end(), '');
    wire.close();
  }
});

run('a request under way is finished, an idle connection ends, nothing new is taken', {}, async (gateway) => {
  let reply;
  service.reply = (socket, count) => (count === 1 ? socket.write(plain_answer) : (reply = () => socket.write(plain_answer)));
  const idle = await used(gateway);
  const busy = await connect(gateway.port);
  await busy.send(get());
  await until(() => reply, 'the service has the request');
  gateway.signal('SIGTERM');
  assert.equal(await idle.end(), '');
  await assert.rejects(connect(gateway.port), /ECONNREFUSED/);
  assert.ok(gateway.alive());
  reply();
  const answer = await busy.answer();
  assert.equal(answer.status, 200);
  assert.equal(answer.value('connection'), 'close');
  assert.equal(await gateway.exit(), 0);
  for (const wire of [idle, busy]) wire.close();
});

run('bodies under way go on to their end, both ways', {}, async (gateway) => {
  let download;
  service.reply = (socket) => (download = socket);
  const [reader, writer] = [await connect(gateway.port), await connect(gateway.port)];
  await reader.send(get());
  await until(() => download, 'the service has the request');
  download.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n' + 'x'.repeat(1000));
  await writer.send(post('Content-Length: 100000\r\n', 'x'.repeat(1000)));
  await until(() => /Content-Length: 100000\r\n\r\nx/.test(service.recorded), 'the service has the beginning of a body');
  gateway.signal('SIGTERM');
  await nothing_new(gateway);
  download.write('y'.repeat(99_000));
  assert.equal((await reader.answer()).body.length, 100_000);
  service.reply = (socket) => socket.write(plain_answer);
  await writer.send('y'.repeat(99_000));
  assert.equal((await writer.answer()).status, 200);
  assert.equal(await gateway.exit(), 0);
  for (const wire of [reader, writer]) wire.close();
});

run('a connection that waits with its first request gets an answer', { DRAIN_DELAY: '0ms' }, async (gateway) => {
  const wire = await connect(gateway.port);
  await until(async () => (await gateway.metric('recruiting_gateway_connections')) === 1, 'the connection is taken');
  gateway.signal('SIGTERM');
  await nothing_new(gateway);
  await wire.send(get());
  assert.equal((await wire.answer()).status, 200);
  assert.equal(await gateway.exit(), 0);
  wire.close();
});

run('connections without any request do not hold the program', { DRAIN_DELAY: '0ms', DRAIN_TIMEOUT: '60s' }, async (gateway) => {
  const wires = await Promise.all(Array.from({ length: 10 }, () => connect(gateway.port)));
  gateway.signal('SIGTERM');
  for (const wire of wires) assert.equal(await wire.end(), '');
  assert.equal(await gateway.exit(), 0);
});

run('a request that takes longer than DRAIN_TIMEOUT is cut off', { DRAIN_DELAY: '0ms', DRAIN_TIMEOUT: '1s' }, async (gateway) => {
  service.reply = () => {};
  const wire = await connect(gateway.port);
  await wire.send(get());
  await until(() => service.requests === 1, 'the service has the request');
  gateway.signal('SIGTERM');
  await wire.end();
  assert.equal(await gateway.exit(), 0);
});

run('a second SIGTERM closes what is left at once', { DRAIN_DELAY: '0ms', DRAIN_TIMEOUT: '10m' }, async (gateway) => {
  service.reply = () => {};
  const wire = await connect(gateway.port);
  await wire.send(get());
  await until(() => service.requests === 1, 'the service has the request');
  gateway.signal('SIGTERM');
  await nothing_new(gateway);
  assert.ok(gateway.alive());
  gateway.signal('SIGTERM');
  await wire.end();
  assert.equal(await gateway.exit(), 0);
});
