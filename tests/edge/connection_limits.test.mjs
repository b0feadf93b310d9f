// How many connections there may be: in all, and of one client. And what one costs that is idle.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, beforeEach, test } from 'node:test';
import { get } from './support/cases.mjs';
import { start_gateway, until } from './support/gateway.mjs';
import { start_recorder } from './support/recorder.mjs';
import { connect } from './support/wire.mjs';

let service;
before(async () => (service = await start_recorder()));
after(() => service.stop());
beforeEach(() => service.reset());

const run = (name, settings, body) =>
  test(name, async (t) => {
    const gateway = await start_gateway(service.address, service.address, settings);
    const wires = [];
    const open = async (from) => {
      const wire = await connect(gateway.port, { from });
      wires.push(wire);
      return wire;
    };
    try {
      await body(gateway, open, t);
    } finally {
      for (const wire of wires) wire.close();
      await gateway.stop();
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
  assert.equal(await gateway.metric('recruiting_gateway_connections_refused_total'), 1);
  assert.equal(await gateway.metric('recruiting_gateway_connections_evicted_total'), 0);
});

run('beyond CLIENT_CONNECTIONS a client is closed at once; others and trusted proxies are not', { CLIENT_CONNECTIONS: 2, TRUSTED_PROXIES: '127.0.7.0/24' }, async (gateway, open) => {
  const mine = [await served(await open('127.0.5.1')), await served(await open('127.0.5.1'))];
  const more = await open('127.0.5.1');
  assert.equal(await more.end(), '');
  assert.equal(await gateway.metric('recruiting_gateway_connections_refused_total'), 1);
  await served(await open('127.0.5.2'));
  for (let i = 0; i < 4; i += 1) await served(await open('127.0.7.1'));
  mine[0].close();
  await until(async () => (await gateway.metric('recruiting_gateway_connections')) === 6, 'the place is free again');
  await served(await open('127.0.5.1'));
});

const most = 10_000;
const own_limit = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })) || Infinity;

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
