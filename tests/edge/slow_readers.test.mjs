// Clients that take little of their response keep neither the service's places nor the gateway's connections from others.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { auth, get, post } from './support/cases.mjs';
import { path_of, start_gateway, until } from './support/gateway.mjs';
import { start_recorder } from './support/recorder.mjs';
import { start_slow_readers } from './support/slow_readers.mjs';
import { connect } from './support/wire.mjs';

let service;
before(async () => (service = await start_recorder()));
after(() => service.stop());
beforeEach(() => service.reset());

const run = (name, settings, body) =>
  test(name, async () => {
    const gateway = await start_gateway(service.address, service.address, settings);
    const readers = start_slow_readers(gateway.port);
    try {
      await body(gateway, readers);
    } finally {
      await readers.stop();
      service.drop_connections();
      await gateway.stop();
    }
  });

const large_path = path_of('large');
/** A request for the large path is answered with this much, any other with "ok". */
const serve_large = (size, framing = 'length') => {
  const body = 'x'.repeat(size);
  const large = framing === 'length' ? `Content-Length: ${size}\r\n\r\n${body}` : `Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  let seen = 0;
  service.reply = (socket) => {
    const asked = service.recorded.slice(seen);
    seen = service.recorded.length;
    socket.write(asked.includes(` ${large_path}`) ? `HTTP/1.1 200 OK\r\n${large}` : 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  };
};

const status_of = async (gateway, bytes = get()) => {
  const wire = await connect(gateway.port);
  await wire.send(bytes);
  const answer = await wire.answer();
  wire.close();
  return answer?.status;
};

const large = get(large_path);
const line_of = async (gateway) => {
  await until(() => gateway.requests(large_path).length > 0, 'the request has ended');
  return gateway.requests(large_path)[0];
};
const unhurried = { WRITE_TIMEOUT: '10m' };

run('a response above the minimum rate may take its time', { WRITE_TIMEOUT: '3s' }, async (gateway, readers) => {
  serve_large(400_000);
  await readers.open(large);
  readers.read(65_536);
  await until(() => readers.clients[0].received > 400_000, 'all of it is taken');
  assert.equal((await line_of(gateway)).truncated, undefined);
});

run('the time that a service takes for its response is not the client\'s', { WRITE_TIMEOUT: '250ms' }, async (gateway) => {
  const pieces = 10;
  service.reply = async (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${pieces}\r\n\r\n`);
    for (let i = 0; i < pieces; i += 1) {
      await new Promise((done) => setTimeout(done, 300));
      socket.write('x');
    }
  };
  const wire = await connect(gateway.port);
  await wire.send(large);
  assert.equal((await wire.answer())?.body, 'x'.repeat(pieces));
  wire.close();
});

for (const framing of ['length', 'chunks']) {
  run(`the service's place is free once its response with ${framing} is in the gateway, which the client gets whole`, { UPSTREAM_REQUESTS: 1, ...unhurried }, async (gateway, readers) => {
    serve_large(60_000, framing);
    await readers.open(large);
    await until(() => service.requests === 1, 'the service has answered');
    for (let i = 0; i < 3; i += 1) assert.equal(await status_of(gateway), 200);
    assert.equal(service.connections.size, 1, 'its connection serves others');
    assert.equal(readers.clients[0].ended, false);
    assert.equal(gateway.requests(large_path).length, 0);
    readers.read(65_536);
    await until(() => readers.clients[0].received > 60_000, 'the client has its response');
    const line = await line_of(gateway);
    assert.deepEqual([line.status, line.truncated], [200, undefined]);
  });
}

run('a request that finds every place taken by clients that read nothing gets one of theirs', { UPSTREAM_REQUESTS: 4, ...unhurried }, async (gateway, readers) => {
  serve_large(8 * 1024 * 1024);
  await readers.open(large, { count: 4 });
  await until(() => service.requests === 4, 'all places are taken');
  assert.equal(await status_of(gateway), 200);
  assert.equal((await line_of(gateway)).truncated, true);
  assert.equal(gateway.requests(large_path).length, 1);
  assert.equal(await gateway.metric('recruiting_gateway_connections_evicted_total'), 1);
});

run('a request that finds every place taken by bodies that do not come gets one of theirs', { UPSTREAM_REQUESTS: 2, ...unhurried }, async (gateway, readers) => {
  await readers.open(post('Content-Length: 100000\r\n', 'x'), { count: 2 });
  await until(() => service.connections.size === 2, 'both places are taken');
  assert.equal(await status_of(gateway), 200);
  await until(() => readers.clients.some((one) => one.ended), 'one is closed');
  assert.equal(await gateway.metric('recruiting_gateway_connections_evicted_total'), 1);
});

for (const [name, request, size] of [
  ['a large response', large, 8 * 1024 * 1024],
  ['a response that is in the gateway', large, 60_000],
  ['nothing of their large body', post('Content-Length: 100000\r\n', 'x'), 2],
]) {
  run(`beyond CONNECTIONS those that hold the gateway up with ${name} go before idle ones`, { CONNECTIONS: 3, ...unhurried }, async (gateway, readers) => {
    serve_large(size);
    const idle = await connect(gateway.port);
    await idle.send(get());
    assert.equal((await idle.answer()).status, 200);
    await readers.open(request, { count: 2 });
    await until(() => service.connections.size >= 2 || service.requests >= 3, 'the service has their requests');
    await until(async () => (await status_of(gateway)) === 200, 'another client is served');
    await until(async () => (await gateway.metric('recruiting_gateway_connections_evicted_total')) > 0, 'one of them is closed');
    await idle.send(get());
    assert.equal((await idle.answer()).status, 200, 'the idle one stays');
    idle.close();
  });
}

run('a client that goes on sending after its response goes before idle ones', { CONNECTIONS: 2 }, async (gateway, readers) => {
  const idle = await connect(gateway.port);
  await idle.send(get());
  assert.equal((await idle.answer()).status, 200);
  const sender = await connect(gateway.port);
  await sender.send(post(`Content-Length: ${2 ** 40}\r\n`));
  assert.equal((await sender.answer()).status, 413);
  const drip = setInterval(() => sender.socket.writable && sender.socket.write('x'), 50);
  await until(async () => (await status_of(gateway)) === 200, 'another client is served');
  clearInterval(drip);
  sender.close();
  await idle.send(get());
  assert.equal((await idle.answer()).status, 200, 'the idle one stays');
  idle.close();
});
