// The PROXY protocol before plain connections and before TLS: believed from trusted proxies, demanded of them.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { make_authority } from './support/certificates.mjs';
import { free_port, start_gateway, until } from './support/gateway.mjs';
import { start_recorder } from './support/recorder.mjs';
import { connect_tls, get_once } from './support/secure.mjs';
import { connect } from './support/wire.mjs';

const request = 'GET /api/v1/x HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 9.9.9.9\r\n\r\n';
const signature = '\r\n\r\n\0\r\nQUIT\n';
const v1 = (client) => `PROXY TCP4 ${client} 203.0.113.1 56324 443\r\n`;
const v2 = (client, more = '') =>
  `${signature}\x21\x11\0${String.fromCharCode(12 + more.length)}${String.fromCharCode(...client.split('.').map(Number), 203, 0, 113, 1)}\xdc\x04\x01\xbb${more}`;
const v2_local = `${signature}\x20\0\0\0`;

let authority, service, gateway, distrustful, secure;

before(async () => {
  authority = make_authority();
  service = await start_recorder();
  secure = await free_port();
  const common = { PROXY_PROTOCOL: 'any', HEADERS_TIMEOUT: '500ms' };
  gateway = await start_gateway(service.address, service.address, {
    ...common,
    TRUSTED_PROXIES: '127.0.0.1',
    TLS_LISTEN: `127.0.0.1:${secure}`,
    TLS_CERTIFICATES: authority.issue('api', 'DNS:api.example'),
    RATE_LIMIT: 3,
    WINDOW: 86_400,
    CLIENT_CONNECTIONS: 2,
  });
  distrustful = await start_gateway(service.address, service.address, { ...common, TRUSTED_PROXIES: '10.0.0.0/8' });
});
after(async () => {
  await gateway?.stop();
  await distrustful?.stop();
  await service?.stop();
  authority?.stop();
});
beforeEach(() => service.reset());

const forwarded_for = () => /\r\nX-Forwarded-For: ([^\r]+)\r\n/.exec(service.recorded)?.[1];
const plain = async (...pieces) => {
  const wire = await connect(gateway.port);
  await wire.send(...pieces);
  return wire;
};

test('what a trusted proxy says of its client counts; what the client says of itself does not', async () => {
  const wire = await plain(v1('198.51.100.7') + request);
  assert.equal((await wire.answer()).status, 200);
  assert.equal(forwarded_for(), '198.51.100.7');
  await wire.send(request);
  assert.equal((await wire.answer()).value('ratelimit').split(';')[1], 'r=1', 'both requests are the same client\'s');
  wire.close();
});

test('the header may come in pieces', async () => {
  const wire = await connect(gateway.port);
  for (const piece of (v1('198.51.100.8') + request).match(/[^]{1,9}/g)) {
    await wire.send(piece);
    await new Promise((done) => setTimeout(done, 1));
  }
  assert.equal((await wire.answer()).status, 200);
  assert.equal(forwarded_for(), '198.51.100.8');
  wire.close();
});

test('a proxy that speaks for itself is its own client', async () => {
  const wire = await plain(`PROXY UNKNOWN\r\n${request}`);
  assert.equal((await wire.answer()).status, 200);
  assert.equal(forwarded_for(), '9.9.9.9', 'it is trusted with X-Forwarded-For');
  wire.close();
});

test('without the header, or with a bad one, nothing is answered', async () => {
  for (const bytes of [request, `PROXY TCP4 198.51.100.9\r\n${request}`, ` ${v1('198.51.100.9')}${request}`]) {
    const wire = await plain(bytes);
    assert.equal(await wire.end(), '', JSON.stringify(bytes));
    wire.close();
  }
  assert.equal(service.requests, 0);
});

test('a header that does not come in time ends the connection', async () => {
  for (const bytes of ['', 'PROXY TCP4 198.51.100.9']) {
    const wire = await plain(bytes);
    assert.equal(await wire.end(), '');
    wire.close();
  }
});

test('from who is no trusted proxy nothing is believed, and nothing answered', async () => {
  for (const bytes of [v1('198.51.100.9') + request, request]) {
    const wire = await connect(distrustful.port);
    await wire.send(bytes);
    assert.equal(await wire.end(), '');
    wire.close();
  }
  assert.equal(service.requests, 0);
});

test('the client a proxy names has its own rate limit and its own share of connections', async () => {
  const statuses = [];
  for (let i = 0; i < 4; i += 1) {
    const wire = await plain(v1('198.51.100.20') + request);
    statuses.push((await wire.answer()).status);
    wire.close();
    await until(async () => (await gateway.metric('recruiting_gateway_connections')) === 0, 'the connection has ended');
  }
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  const wires = [await plain(v1('198.51.100.21') + request), await plain(v1('198.51.100.21') + request)];
  for (const wire of wires) assert.equal((await wire.answer()).status, 200);
  const third = await plain(v1('198.51.100.21') + request);
  assert.equal(await third.end(), '');
  for (const wire of [...wires, third]) wire.close();
});

for (const [name, header, client] of [
  ['version 1', v1('198.51.100.30'), '198.51.100.30'],
  ['version 2', v2('198.51.100.31'), '198.51.100.31'],
  ['version 2 with an extension', v2('198.51.100.32', '\x02\0\x03abc'), '198.51.100.32'],
  ['version 2, LOCAL', v2_local, '127.0.0.1'],
])
  test(`before TLS: ${name}`, async () => {
    const { answer } = await get_once(secure, { ca: authority.pem, before: Buffer.from(header, 'latin1') });
    assert.equal(answer.status, 200);
    assert.equal(forwarded_for(), client);
    assert.match(service.recorded, /\r\nX-Forwarded-Proto: https\r\n/);
  });

test('before TLS: header and handshake in one piece, or without the header', async () => {
  await assert.rejects(connect_tls(secure, { ca: authority.pem }));
  const wire = await connect(secure);
  await wire.send(`${v2('198.51.100.33')}\x16\x03\x01\x00\x05hello`); // no handshake, but read as one
  assert.equal((await wire.end()).charCodeAt(0), 0x15, 'an alert of TLS');
  wire.close();
});
