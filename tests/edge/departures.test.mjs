// Clients that go away, at any moment: what is done for them ends, nothing is held against the service, nothing leaks.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { chunked, get, post } from './support/cases.mjs';
import { make_authority } from './support/certificates.mjs';
import { free_port, path_of, start_gateway, until } from './support/gateway.mjs';
import { plain_answer, start_recorder } from './support/recorder.mjs';
import { connect } from './support/wire.mjs';

let authority, service, gateway, secure_port;
before(async () => {
  authority = make_authority();
  service = await start_recorder();
  secure_port = await free_port();
  gateway = await start_gateway(service.address, service.address, {
    TLS_LISTEN: `127.0.0.1:${secure_port}`, TLS_CERTIFICATES: authority.issue('edge', 'IP:127.0.0.1'), BODY_LIMIT: 1024 * 1024 * 1024,
    HEADERS_TIMEOUT: '3s', BODY_TIMEOUT: '3s', CLIENT_CONNECTIONS: 5000,
  });
});
after(async () => {
  await gateway?.stop();
  await service?.stop();
  authority?.stop();
});
beforeEach(() => service.reset());

const to = (secure) => connect(secure ? secure_port : gateway.port, { secure });
const losses = () => gateway.metric('recruiting_gateway_upstream_requests_lost_total{upstream="auth-api"}');
const ended = (path) => until(() => gateway.requests(path).length === 1, 'the request is in the log').then(() => gateway.requests(path)[0]);

for (const secure of [false, true]) {
  const by = secure ? 'over TLS' : 'plain';

  test(`${by}: a client that resets while its request waits: the service is told, which is not to blame`, async () => {
    const known = await losses();
    service.reply = () => {};
    service.drop_connections();
    const wire = await to(secure);
    await wire.send(get(path_of(`reset-${secure}`)));
    await until(() => service.requests === 1, 'the service has the request');
    const [connection] = [...service.connections].slice(-1);
    wire.reset();
    await until(() => connection.destroyed, "the service's connection is closed");
    assert.equal((await ended(path_of(`reset-${secure}`))).status, 0);
    assert.equal(await losses(), known);
    service.reset();
    const next = await to(secure);
    await next.send(get());
    assert.equal((await next.answer()).status, 200);
    next.close();
  });

  test(`${by}: a client that resets while it reads or writes a large body: the service is told`, async () => {
    const known = await losses();
    service.reply = (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n${'x'.repeat(1_000_000)}`);
    const reader = await to(secure);
    await reader.send(get(path_of(`reader-${secure}`)));
    await new Promise((done) => reader.socket.once('data', done));
    reader.reset();
    assert.equal((await ended(path_of(`reader-${secure}`))).truncated, true);
    const writer = await to(secure);
    await writer.send(post('Content-Length: 1000000\r\n', 'x'.repeat(1000), path_of(`writer-${secure}`)));
    await until(() => service.recorded.includes(path_of(`writer-${secure}`)), 'the service has the beginning');
    writer.reset();
    assert.equal((await ended(path_of(`writer-${secure}`))).status, 0);
    await until(() => service.connections.size === 0, 'the service is told');
    assert.equal(await losses(), known);
  });

  test(`${by}: a client that only ends its side gets its answer`, async () => {
    let reply;
    service.reply = (socket) => (reply = () => socket.write(plain_answer));
    const wire = await to(secure);
    await wire.send(get());
    wire.half_close();
    await until(() => reply, 'the service has the request');
    reply();
    const answer = await wire.answer();
    assert.equal(answer?.status, 200);
    assert.equal(await wire.end(), '');
    wire.close();
  });
}

// What a client may have begun when it goes: nothing, a part of a head, of a body, of an answer, of a handshake.
const beginnings = [
  '', 'GET /api/v1/x HT', get(), get() + get() + get(), post('Content-Length: 100000\r\n', 'x'.repeat(500)),
  chunked('5\r\nhello\r\n'), chunked('5\r\nhel'), post('Content-Length: 5\r\nExpect: 100-continue\r\n'), 'nonsense\r\n\r\n',
  post('Content-Length: 2000000000\r\n', 'x'.repeat(100_000)), '\x16\x03\x01\x02\x00\x01\x00\x01\xfc',
];

const storm = async (seed) => {
  let state = seed; // the same in each run
  const random = (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
  service.reply = (socket) => {
    const how = random(4);
    if (how === 0) return; // never
    if (how === 1) return void setTimeout(() => socket.writable && socket.write(plain_answer), random(20));
    if (how === 2) return void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(100_000)}`);
    socket.write(plain_answer);
  };
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 100 }, async () => {
      const [secure, begin, moment, leave] = [random(5) === 0, beginnings[random(beginnings.length)], random(30), random(3)];
      // Half of those to the TLS port speak no TLS, or stop within the handshake.
      const wire = secure && random(2) ? await connect(secure_port) : await to(secure);
      await wire.send(begin);
      await new Promise((done) => (moment === 0 ? done() : setTimeout(done, moment)));
      if (leave === 0) wire.close();
      else wire.reset();
    }));
  }
};

test('2,000 clients that go away at any moment: descriptors, connections and requests under way are what they were', async () => {
  const known = await losses();
  service.drop_connections();
  await until(async () => (await gateway.metric('recruiting_gateway_connections')) === 0, 'nobody is there');
  await until(() => service.connections.size === 0, 'nothing lies idle');
  const descriptors = gateway.descriptors();
  await storm(20_26);
  service.reset();
  service.drop_connections(); // what those wait for who only closed their side
  await until(async () => (await gateway.metric('recruiting_gateway_connections')) === 0, 'the connections are gone');
  await until(async () => (await gateway.metric('recruiting_gateway_upstream_requests_in_flight{upstream="auth-api"}')) === 0, 'no request is under way');
  await until(() => gateway.descriptors() <= descriptors, 'the descriptors are as before');
  assert.ok(gateway.alive());
  const wire = await to(false);
  await wire.send(get());
  assert.equal((await wire.answer()).status, 200);
  wire.close();
  assert.ok((await losses()) >= known);
});
