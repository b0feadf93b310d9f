// TLS towards the services: whom the gateway believes, what it shows of itself, how connections are kept.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, renameSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import { after, before, test } from 'node:test';
import tls from 'node:tls';
import { make_authority } from './support/certificates.mjs';
import { start_gateway, until } from './support/gateway.mjs';
import { start_recorder } from './support/recorder.mjs';
import { connect } from './support/wire.mjs';

const stops = [];
let authority, stranger;

before(() => {
  [authority, stranger] = [make_authority(), make_authority()];
  for (const one of [authority, stranger]) one.issue('service', 'DNS:service.test', 'IP:127.0.0.1');
  authority.issue('gateway');
  stranger.issue('gateway');
});
after(async () => {
  for (const stop of stops.reverse()) await stop();
  for (const one of [authority, stranger]) one?.stop();
});

const files = (of, name) => ({ cert: readFileSync(of.path(`${name}.pem`)), key: readFileSync(of.path(`${name}.key`)) });
const pair = (of, name) => `${of.path(`${name}.pem`)}:${of.path(`${name}.key`)}`;

/** A service that believes nobody without a certificate of the authority. */
const start_service = async (options = {}) => {
  const service = { requests: 0, sockets: [], clients: [], versions: [] };
  const server = https.createServer({ ...files(authority, 'service'), ca: authority.pem, requestCert: true, ...options }, (request, answer) => {
    service.requests += 1;
    service.clients.push(request.socket.getPeerCertificate().subject?.CN);
    service.versions.push(request.socket.getProtocol());
    request.resume().on('end', () => answer.end('secret'));
  });
  server.keepAliveTimeout = 60_000;
  server.on('secureConnection', (socket) => service.sockets.push(socket.on('error', () => {})));
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return Object.assign(service, { port: server.address().port, address: `127.0.0.1:${server.address().port}` });
};

const start = async (address, settings = {}) => {
  const gateway = await start_gateway(address, address, {
    UPSTREAM_CA_FILE: authority.file, UPSTREAM_CERTIFICATE: pair(authority, 'gateway'), ...settings,
  });
  stops.push(() => gateway.stop());
  return gateway;
};

const ask = async (gateway, body = '') => {
  const wire = await connect(gateway.port);
  const how = body ? `POST /api/v1/x HTTP/1.1\r\nContent-Length: ${body.length}` : 'GET /api/v1/x HTTP/1.1';
  await wire.send(`${how}\r\nHost: api.example\r\n\r\n${body}`);
  const answer = await wire.answer();
  wire.close();
  return answer;
};

for (const version of ['TLSv1.2', 'TLSv1.3']) {
  test(`${version}: the service sees the gateway's certificate, and a connection serves many requests`, async () => {
    const service = await start_service({ minVersion: version, maxVersion: version });
    const gateway = await start(service.address);
    const long = 'x'.repeat(300_000);
    for (const body of ['', long, '', '', long]) {
      const answer = await ask(gateway, body);
      assert.equal(answer.status, 200);
      assert.equal(answer.body, 'secret');
    }
    assert.deepEqual(service.clients, Array(5).fill('gateway'));
    assert.deepEqual(service.versions, Array(5).fill(version));
    assert.equal(await gateway.metric('recruiting_gateway_upstream_connects_total{upstream="auth-api"}'), 1);
  });

  test(`${version}: connections the service closed while they lay idle are noticed`, async () => {
    const service = await start_service({ minVersion: version, maxVersion: version });
    const gateway = await start(service.address);
    assert.equal((await ask(gateway)).status, 200);
    for (const close of ['end', 'destroy']) {
      const sockets = service.sockets.splice(0).filter((socket) => !socket.destroyed);
      const closed = sockets.map((socket) => new Promise((done) => socket.once('close', done)));
      for (const socket of sockets) socket[close]();
      await Promise.all(closed);
      for (const body of ['', 'x']) assert.equal((await ask(gateway, body)).status, 200);
    }
    assert.equal(await gateway.metric('recruiting_gateway_upstream_requests_lost_total{upstream="auth-api"}'), 0);
  });

  test(`${version}: a gateway that shows no certificate, or one of another authority, gets nothing`, async () => {
    const service = await start_service({ minVersion: version, maxVersion: version });
    for (const certificate of ['', pair(stranger, 'gateway')]) {
      const gateway = await start(service.address, { UPSTREAM_CERTIFICATE: certificate });
      assert.equal((await ask(gateway)).status, 503);
    }
    assert.equal(service.requests, 0);
  });
}

test('a service of another authority, or of another name, is sent nothing', async () => {
  const impostor = await start_service({ ...files(stranger, 'service'), ca: stranger.pem, rejectUnauthorized: false });
  const right = await start_service();
  for (const [service, settings, why] of [
    [impostor, {}, /unable to (verify the first|get local issuer) certificate|certificate/],
    [right, { UPSTREAM_SERVER_NAME: 'other.test' }, /hostname mismatch/i],
  ]) {
    const gateway = await start(service.address, settings);
    assert.equal((await ask(gateway, 'x')).status, 503);
    assert.equal(service.requests, 0);
    await until(() => gateway.log().includes('"event":"upstream_tls_failed"'), 'the log tells');
    assert.match(gateway.log(), why);
    await until(async () => (await gateway.metric('recruiting_gateway_upstream_up{upstream="auth-api"}')) === 0, 'the health check sees it');
  }
});

test('the name may be set for all services', async () => {
  const names = [];
  const service = await start_service({ SNICallback: (name, done) => {
    names.push(name);
    done(null, undefined);
  } });
  const gateway = await start(service.address, { UPSTREAM_SERVER_NAME: 'service.test' });
  assert.equal((await ask(gateway)).status, 200);
  assert.equal(names.at(-1), 'service.test');
});

test('a plain service where TLS is expected is sent no request', async () => {
  const service = await start_recorder();
  stops.push(() => service.stop());
  service.on_connect = (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'));
  const gateway = await start(service.address);
  assert.equal((await ask(gateway, 'x')).status, 503);
  assert.equal(service.requests, 0);
});

test('an answer whose end the service did not vouch for is not passed on as whole', async () => {
  for (const how of ['properly', 'cut off']) {
    const secure = tls.createSecureContext(files(authority, 'service'));
    const server = net.createServer((raw) => {
      const socket = new tls.TLSSocket(raw, { isServer: true, secureContext: secure });
      for (const one of [raw, socket]) one.on('error', () => {});
      const end = () => (how === 'properly' ? socket : raw).end();
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nDate: now\r\n\r\nall of it', end));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(() => new Promise((done) => server.close(done)));
    const gateway = await start(`127.0.0.1:${server.address().port}`);
    const wire = await connect(gateway.port);
    await wire.send('GET /api/v1/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const text = await wire.end();
    assert.equal(text.endsWith('0\r\n\r\n'), how === 'properly', `${how}: ${JSON.stringify(text)}`);
    wire.close();
  }
});

test('SIGHUP: new files are for new connections, files of no use leave the old ones', async () => {
  const service = await start_service();
  authority.issue('renewed-gateway');
  const gateway = await start(service.address);
  assert.equal((await ask(gateway)).status, 200);
  for (const kind of ['key', 'pem']) renameSync(authority.path(`renewed-gateway.${kind}`), authority.path(`gateway.${kind}`));
  gateway.signal('SIGHUP');
  await until(async () => {
    for (const socket of service.sockets.splice(0)) socket.destroy(); // the next request connects anew
    assert.equal((await ask(gateway)).status, 200);
    return service.clients.at(-1) === 'renewed-gateway';
  }, 'the new certificate is shown');
  renameSync(authority.path('gateway.pem'), authority.path('away.pem'));
  gateway.signal('SIGHUP');
  await until(async () => (await gateway.metric('recruiting_gateway_tls_reloads_failed_total')) >= 1, 'the failure is counted');
  assert.equal((await ask(gateway)).status, 200);
  renameSync(authority.path('away.pem'), authority.path('gateway.pem'));
});

test('settings that contradict themselves are refused', async () => {
  await assert.rejects(start('127.0.0.1:1', { UPSTREAM_CA_FILE: '' }), /need RECRUITING_GATEWAY_UPSTREAM_CA_FILE/);
  await assert.rejects(start('unix:/tmp/none.sock'), /needs RECRUITING_GATEWAY_UPSTREAM_SERVER_NAME/);
  await assert.rejects(start('127.0.0.1:1', { UPSTREAM_CERTIFICATE: 'one.pem' }), /must be CHAIN\.pem:KEY\.pem/);
  await assert.rejects(start('127.0.0.1:1', { UPSTREAM_CA_FILE: '/nowhere.pem' }), /nowhere\.pem: No such file/);
});
