// How many connections there may be: in all, and of one client. And what one costs that is idle.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, beforeEach, test } from 'node:test';
import { get } from './support/cases.mjs';
import { make_authority } from './support/certificates.mjs';
import { free_port, start_gateway, until } from './support/gateway.mjs';
import { start_recorder } from './support/recorder.mjs';
import { connect } from './support/wire.mjs';

let service;
before(async () => (service = await start_recorder()));
after(() => service.stop());
beforeEach(() => service.reset());

const run = (name, settings, body) =>
  test(name, async (t) => {
    const world = typeof settings === 'function' ? await settings() : { settings };
    const gateway = await start_gateway(service.address, service.address, world.settings);
    const wires = [];
    const open = async (from, { port = gateway.port, secure } = {}) => {
      const wire = await connect(port, { from, secure });
      wires.push(wire);
      return wire;
    };
    try {
      await body(gateway, open, t, world);
    } finally {
      for (const wire of wires) wire.close();
      await gateway.stop();
      world.authority?.stop();
    }
  });

const served = async (wire) => {
  await wire.send(get());
  assert.equal((await wire.answer())?.status, 200);
  return wire;
};

run('beyond CONNECTIONS the one that is idle longest goes', { CONNECTIONS: 3 }, async (gateway, open) => {
  const [first, second, third] = [await served(await open()), await served(await open()), await served(await open())];
  await served(first); // now the second is idle longest
  await served(await open());
  assert.equal(await second.end(), '');
  for (const wire of [first, third]) await served(wire);
  assert.equal(await gateway.metric('recruiting_gateway_connections_evicted_total'), 1);
  assert.equal(await gateway.metric('recruiting_gateway_connections'), 3);
});

run('when none is idle the new one goes', { CONNECTIONS: 2, DRAIN_TIMEOUT: '0ms' }, async (gateway, open) => {
  service.reply = () => {};
  const busy = [await open(), await open()];
  for (const wire of busy) await wire.send(get());
  await until(() => service.requests === 2, 'the service has both');
  const more = await open();
  await more.end();
  assert.equal(await gateway.metric('recruiting_gateway_connections_rejected_total'), 1);
  assert.equal(await gateway.metric('recruiting_gateway_connections_evicted_total'), 0);
});

run('beyond CLIENT_CONNECTIONS a client is closed at once; others and trusted proxies are not', { CLIENT_CONNECTIONS: 2, TRUSTED_PROXIES: '127.0.7.0/24' }, async (gateway, open) => {
  const mine = [await served(await open('127.0.5.1')), await served(await open('127.0.5.1'))];
  const more = await open('127.0.5.1');
  assert.equal(await more.end(), '');
  assert.equal(await gateway.metric('recruiting_gateway_connections_rejected_total'), 1);
  await served(await open('127.0.5.2'));
  for (let i = 0; i < 4; i += 1) await served(await open('127.0.7.1'));
  mine[0].close();
  await until(async () => (await gateway.metric('recruiting_gateway_connections')) === 6, 'the place is free again');
  await served(await open('127.0.5.1'));
});

const half = `${get().slice(0, -2)}X: `;

for (const [name, send] of [['half a head', (wire) => wire.send(half)], ['not a byte', async () => {}]]) {
  run(`beyond CONNECTIONS those whose client has sent ${name} go before idle ones`, { CONNECTIONS: 4 }, async (gateway, open) => {
    const idle = await served(await open());
    const [first, second] = [await open(), await open()];
    for (const wire of [first, second]) await send(wire);
    await served(await open());
    await served(await open('127.0.5.9'));
    assert.equal(await first.end(), '', 'the oldest goes, without an answer');
    await served(idle);
    assert.equal(await gateway.metric('recruiting_gateway_connections_evicted_total'), 1);
    assert.equal(await gateway.metric('recruiting_gateway_connections_rejected_total'), 0);
  });
}

run('a head that comes byte by byte grows no younger by it', { CONNECTIONS: 3 }, async (gateway, open) => {
  const [slow, quick] = [await open(), await open()];
  await slow.send('G');
  await quick.send('G');
  for (const byte of 'ET /x HTTP/1.1\r\n') {
    await slow.send(byte);
    await new Promise((done) => setImmediate(done));
  }
  await served(await open());
  await served(await open());
  assert.equal(await slow.end(), '');
  await quick.send('ET /x HTTP/1.1\r\nHost: a\r\n\r\n');
  assert.equal((await quick.answer()).status, 404);
});

run('a client that has as many connections as it may closes no other by asking for more', { CONNECTIONS: 3, CLIENT_CONNECTIONS: 1 }, async (gateway, open) => {
  const others = [await served(await open('127.0.5.1')), await served(await open('127.0.5.2')), await served(await open('127.0.5.3'))];
  for (let i = 0; i < 20; i += 1) assert.equal(await (await open('127.0.5.1')).end(), '');
  for (const wire of others) await served(wire);
  assert.equal(await gateway.metric('recruiting_gateway_connections_evicted_total'), 0);
  assert.equal(await gateway.metric('recruiting_gateway_connections_rejected_total'), 20);
});

run('an IPv6 /56 may have twice, a /48 four times as many connections as a client', { CLIENT_CONNECTIONS: 2, PROXY_PROTOCOL: 'v1', TRUSTED_PROXIES: '127.0.0.0/8', IDLE_TIMEOUT: '1h' }, async (gateway, open) => {
  const from = async (client) => {
    const wire = await open();
    await wire.send(`PROXY TCP6 ${client} 2001:db8::1 5000 80\r\n`, get());
    return wire;
  };
  const stays = async (client) => assert.equal((await (await from(client)).answer())?.status, 200, client);
  const goes = async (client) => assert.equal(await (await from(client)).end(), '', client);
  for (const client of ['2001:db8:1:11::1', '2001:db8:1:11::2', '2001:db8:1:12::1', '2001:db8:1:12::2']) await stays(client);
  await goes('2001:db8:1:13::1');
  for (const client of ['2001:db8:1:111::1', '2001:db8:1:112::1', '2001:db8:1:211::1', '2001:db8:1:311::1']) await stays(client);
  await goes('2001:db8:1:411::1');
  await stays('2001:db8:2:11::1');
});

const own_limit = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })) || Infinity;

run('16 addresses with a thousand half requests each do not keep a new client from being served', { CONNECTIONS: 16_000, CLIENT_CONNECTIONS: 1_000, HEADERS_TIMEOUT: '10m' }, async (gateway, open, t) => {
  const each = Math.min(1_000, Math.floor((own_limit - 1000) / 16));
  if (each < 1_000) t.diagnostic(`only ${each} of each: a process may have no more than ${own_limit} descriptors (ulimit -Hn)`);
  const addresses = Array.from({ length: 16 }, (_, i) => `127.0.20.${i + 1}`);
  const attack = async (from) => {
    const wire = await open(from);
    await wire.send(half).catch(() => {}); // refused at once, where there are a thousand already
  };
  for (let made = 0; made < each; made += 10) await Promise.all(addresses.flatMap((from) => Array.from({ length: 10 }, () => attack(from))));
  assert.ok(each < 1_000 || (await gateway.metric('recruiting_gateway_connections')) > 15_000 - 1);
  for (let i = 0; i < 50; i += 1) {
    await Promise.all(addresses.map(attack));
    await served(await open(`127.0.21.${i + 1}`));
  }
});

run('clients that never finish their TLS handshake do not keep a new one from being served', async () => {
  const authority = make_authority();
  const secure = await free_port();
  return { settings: { CONNECTIONS: 20, HEADERS_TIMEOUT: '1m', TLS_LISTEN: `127.0.0.1:${secure}`, TLS_CERTIFICATES: authority.issue('api', 'DNS:api.example') }, authority, secure };
}, async (gateway, open, t, { secure }) => {
  for (let i = 0; i < 60; i += 1) {
    await open('127.0.22.1', { port: secure });
    if (i % 10 === 9) await served(await open('127.0.22.2', { port: secure, secure: true }));
  }
  assert.equal(await gateway.metric('recruiting_gateway_connections_rejected_total'), 0);
});

const most = 10_000;

run('10,000 idle connections: at most 12 KiB of RSS each, and others are served', { CONNECTIONS: 20_000, IDLE_TIMEOUT: '1h' }, async (gateway, open, t) => {
  const count = Math.min(most, own_limit - 1000);
  if (count < most) t.diagnostic(`only ${count} connections: a process may have no more than ${own_limit} descriptors (ulimit -Hn)`);
  for (let i = 0; i < 200; i += 1) (await served(await open('127.0.9.1'))).close();
  await until(async () => (await gateway.metric('recruiting_gateway_connections')) === 0, 'they are gone');
  const before_them = gateway.memory('VmRSS');
  for (let made = 0; made < count; made += 100) {
    await Promise.all(Array.from({ length: 100 }, async (_, i) => served(await open(`127.0.10.${1 + ((made + i) % 20)}`))));
  }
  assert.ok((await gateway.metric('recruiting_gateway_connections')) >= count);
  const each = (gateway.memory('VmRSS') - before_them) / count;
  t.diagnostic(`${each.toFixed(2)} KiB each`);
  assert.ok(each <= 12, `${each} KiB each`);
  for (let i = 0; i < 20; i += 1) (await served(await open('127.0.9.2'))).close();
});
