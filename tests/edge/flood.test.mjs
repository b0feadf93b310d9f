// Clients that send far too much: everything they send is counted, refused beyond a limit, and told in few lines.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { early_in } from '../support/clock.mjs';
import { make_authority } from './support/certificates.mjs';
import { get, request } from './support/cases.mjs';
import { free_port, start_gateway, until } from './support/gateway.mjs';
import { start_recorder } from './support/recorder.mjs';
import { connect } from './support/wire.mjs';

const total = 40;
const answered_refusals = 60 + total / 10;
const preflight = request('OPTIONS /api/public/v1/jobs', 'Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n');

let service, authority, gateway, secure, redirecting;
before(async () => {
  service = await start_recorder();
  authority = make_authority();
  [secure, redirecting] = [await free_port(), await free_port()];
  gateway = await start_gateway(service.address, service.address, {
    RATE_LIMIT: 2, PUBLIC_RATE_LIMIT: 2, TOTAL_RATE_LIMIT: total, TRUSTED_PROXIES: '127.7.0.0/16',
    TLS_LISTEN: `127.0.0.1:${secure}`, TLS_CERTIFICATES: authority.issue('api', 'DNS:api.example'), REDIRECT_LISTEN: `127.0.0.1:${redirecting}`,
  });
});
after(async () => {
  await gateway?.stop();
  await service?.stop();
  authority?.stop();
});

let last = 0;
const new_address = () => `127.6.${Math.floor(Math.random() * 250)}.${(last += 1)}`;

/** Sends the text again and again, on a new connection whenever one was closed: the statuses, 0 for none. */
const send = async (text, count, { from, port = gateway.port } = {}) => {
  const statuses = [];
  let wire;
  for (let i = 0; i < count; i += 1) {
    wire ??= await connect(port, { from });
    await wire.send(text).catch(() => {});
    const answer = await wire.answer().catch(() => undefined);
    statuses.push(answer?.status ?? 0);
    if (answer && answer.value('connection') !== 'close') continue;
    wire.close();
    wire = undefined;
  }
  wire?.close();
  return statuses;
};
const times = (count, status) => Array(count).fill(status);

for (const [name, text, status, settings = {}] of [
  ['an unknown path', get('/x'), 404],
  ['a preflight', preflight, 200],
  ['the documentation', get('/docs/'), 200],
  ['a question for the server', request('OPTIONS *'), 204],
  ['a malformed head', get('/x', 'X : y\r\n'), 400],
  ['a redirect to TLS', get('/x'), 308, { redirect: true }],
]) {
  test(`${name} is counted: beyond TOTAL_RATE_LIMIT 429, and the connection is closed`, async () => {
    await early_in(60, 15);
    const where = { from: new_address(), port: settings.redirect ? redirecting : gateway.port };
    assert.deepEqual(await send(text, total, where), times(total, status));
    const wire = await connect(where.port, { from: where.from });
    await wire.send(get('/x'));
    const answer = await wire.answer();
    assert.equal(answer.status, 429);
    assert.deepEqual([answer.value('ratelimit-policy'), answer.value('connection')], [`"total";q=${total};w=60`, 'close']);
    assert.match(answer.value('ratelimit'), /^"total";r=0;t=\d+$/);
    const { error } = JSON.parse(answer.body);
    assert.deepEqual([error.code, error.details[0].reason, error.details[0].field], ['rate_limited', 'gateway', 'total']);
    assert.ok(Number(answer.value('retry-after')) >= 1);
    assert.equal(await wire.end(), '');
  });
}

test('requests that the first limit refuses count as well', async () => {
  await early_in(60, 15);
  const from = new_address();
  assert.deepEqual(await send(get(), total + 1, { from }), [200, 200, ...times(total - 1, 429)]);
  const wire = await connect(gateway.port, { from });
  await wire.send(get());
  assert.equal((await wire.answer()).value('ratelimit-policy'), `"total";q=${total};w=60`);
  wire.close();
});

test('pages and APIs count together with all else', async () => {
  await early_in(60, 15);
  const from = new_address();
  const mixed = [get('/x'), preflight, get('/docs/'), get()];
  for (let i = 0; i < total; i += 1) assert.notEqual((await send(mixed[i % 4], 1, { from }))[0], 0);
  assert.deepEqual(await send(get('/docs/'), 1, { from }), [429]);
});

test('a client that goes on is not even answered, and others are served', async () => {
  await early_in(60, 20);
  const from = new_address();
  const refused_before = await gateway.metric('recruiting_gateway_connections_rejected_total');
  assert.deepEqual(await send(get('/x'), total, { from }), times(total, 404));
  assert.deepEqual(await send(get('/x'), answered_refusals + 1, { from }), times(answered_refusals + 1, 429));
  assert.deepEqual(await send(get('/x'), 5, { from }), times(5, 0));
  assert.equal(await gateway.metric('recruiting_gateway_connections_rejected_total') - refused_before, 5);
  assert.deepEqual(await send(get('/docs/'), 1, { from: new_address() }), [200]);
  assert.ok((await gateway.metric('recruiting_gateway_rate_limit_decisions_total{policy="total",decision="rejected"}')) >= answered_refusals + 1);
});

test('a TLS handshake counts as a request does', async () => {
  await early_in(60, 20);
  const from = new_address();
  for (let i = 0; i < total - 1; i += 1) (await connect(secure, { from, secure: true })).close();
  assert.deepEqual(await send(get('/x'), 2, { from }), [404, 429]);
  for (let i = 0; i < answered_refusals - 1; i += 1) (await connect(secure, { from, secure: true })).close();
  assert.deepEqual(await send(get('/x'), 1, { from }), [429]);
  await assert.rejects(connect(secure, { from, secure: true }), 'closed before the handshake');
});

const through_proxy = (client, path = '/x') => get(path, `X-Forwarded-For: ${client}\r\n`);

test('behind a trusted proxy the client counts, the proxy never does', async () => {
  await early_in(60, 15);
  const from = '127.7.0.1';
  assert.deepEqual(await send(through_proxy('203.0.113.5'), total + 1, { from }), [...times(total, 404), 429]);
  assert.deepEqual(await send(through_proxy('203.0.113.6'), 1, { from }), [404]);
  assert.deepEqual(await send(get('/x', 'X : y\r\n'), total + 5, { from }), times(total + 5, 400));
});

test('an IPv6 /56 may send twice, a /48 four times as much as a client', async () => {
  await early_in(60, 20);
  const from = '127.7.0.2';
  const many = (client, count) => send(through_proxy(client), count, { from });
  for (const client of [1, 2, 3, 4]) assert.deepEqual(await many(`2001:db8:1:1${client}::1`, total / 2), times(total / 2, 404));
  assert.deepEqual(await many('2001:db8:1:15::1', 1), [429], 'the /56 is full, its fifth /64 has sent nothing');
  assert.deepEqual(await many('2001:db8:1:100::1', total), times(total, 404), 'another /56');
  assert.deepEqual(await many('2001:db8:1:200::1', total - 1), times(total - 1, 404));
  assert.deepEqual(await many('2001:db8:1:300::1', 1), [429], 'the /48 is full');
  assert.deepEqual(await many('2001:db8:2::1', 1), [404], 'another /48');
});

for (const mode of ['shadow', 'off']) {
  test(`RATE_LIMIT_MODE=${mode} refuses nobody`, async () => {
    await early_in(60, 15);
    const other = await start_gateway(service.address, service.address, { RATE_LIMIT: 1, PUBLIC_RATE_LIMIT: 1, TOTAL_RATE_LIMIT: 5, RATE_LIMIT_MODE: mode });
    try {
      assert.deepEqual(await send(get('/x'), 100, { port: other.port }), times(100, 404));
      assert.equal(await other.metric('recruiting_gateway_rate_limit_decisions_total{policy="total",decision="shadow_rejected"}'), mode === 'shadow' ? 95 : 0);
    } finally {
      await other.stop();
    }
  });
}

test('what the rate limits let pass, the total lets pass too', async () => {
  await early_in(60, 15);
  const other = await start_gateway(service.address, service.address, { RATE_LIMIT: 50, PUBLIC_RATE_LIMIT: 50, TOTAL_RATE_LIMIT: 5 });
  try {
    assert.deepEqual(await send(get('/docs/'), 151, { port: other.port }), [...times(150, 200), 429]); // the console has 50 as well
  } finally {
    await other.stop();
  }
});

test('the first 60 refusals of a client and minute have lines in the log, the others have none', async () => {
  await early_in(60, 20);
  const other = await start_gateway(service.address, service.address, { RATE_LIMIT: 10, PUBLIC_RATE_LIMIT: 10 });
  try {
    const [flood, quiet] = [new_address(), new_address()];
    await send(get('/x'), 90, { from: flood, port: other.port });
    await send(get(), 25, { from: flood, port: other.port });
    await send(get('/x'), 60, { from: quiet, port: other.port });
    other.signal('SIGTERM');
    await other.exit();
    const lines = other.log().split('\n').filter((line) => line.includes('"event":"request')).map((line) => JSON.parse(line));
    const of = (client) => lines.filter((line) => line.client === client);
    assert.equal(of(flood).filter(({ status }) => status >= 400).length, 60);
    assert.equal(of(flood).filter(({ status }) => status === 200).length, 10, 'what was served has its line');
    assert.equal(of(quiet).length, 60);
  } finally {
    await other.stop();
  }
});

/** How many of a flood's 1000 requests a gateway answers before the one of another client. */
const requests_before_polite = async () => {
  const other = await start_gateway(service.address, service.address, { TOTAL_RATE_LIMIT: 1_000_000_000 });
  try {
    const [flood, polite] = [await connect(other.port), await connect(other.port)];
    for (const wire of [flood, polite]) {
      await wire.send(request('OPTIONS *'));
      assert.equal((await wire.answer()).status, 204);
    }
    // Both find the gateway at work on neither: it is stopped until their requests are there.
    other.signal('SIGSTOP');
    const line = request('OPTIONS *', 'X-Request-Id: flood-one\r\n');
    flood.socket.write(line.repeat(1000), 'latin1');
    await new Promise((done) => setTimeout(done, 200)); // the kernel has them; the order decides nothing but how hard this test is
    polite.socket.write(request('OPTIONS *', 'X-Request-Id: polite-one\r\n'), 'latin1');
    await new Promise((done) => setTimeout(done, 200));
    other.signal('SIGCONT');
    for (let i = 0; i < 1000; i += 1) assert.equal((await flood.answer()).status, 204);
    assert.equal((await polite.answer()).status, 204);
    const ids = () => other.requests().map(({ requestId }) => requestId).filter((id) => id.endsWith('-one'));
    await until(() => ids().length === 1001, 'all are logged');
    const place = ids().indexOf('polite-one');
    for (const wire of [flood, polite]) wire.close();
    return place;
  } finally {
    await other.stop();
  }
};

test('a client that sends request after request without waiting does not keep others waiting', async () => {
  // A busy machine's kernel may deliver the polite request late; a gateway that gave the flood its thread would always be late.
  const places = [];
  const is_fair = (place) => place >= 0 && place <= 64;
  while (places.length < 5 && !places.some(is_fair)) places.push(await requests_before_polite());
  assert.ok(places.some(is_fair), `${places} requests went before`);
});
