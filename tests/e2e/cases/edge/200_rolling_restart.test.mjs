// auth-api in two instances, restarted one at a time under load: no client sees an error.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { auth_prefix } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { await_condition, start_program } from '../../support/programs.mjs';

let instances = [], gateway;
before(async () => {
  for (let i = 0; i < 2; i += 1) instances.push(await start_program('auth-api', { RECRUITING_AUTH_API_WORKERS: 'false' }));
  const all = (part) => instances.map((one) => part(one).host).join(',');
  gateway = await start_program('gateway', {
    RECRUITING_GATEWAY_CEILING: '1000000000',
    RECRUITING_GATEWAY_AUTH_API: all((one) => one.url),
    RECRUITING_GATEWAY_AUTH_API_HEALTH: all((one) => one.admin_url),
  });
});
after(async () => {
  for (const program of [gateway, ...instances]) await program?.stop();
});

const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
const me = () =>
  new Promise((done) => {
    const request = http.get(`${gateway.url.origin}${auth_prefix}/me`, { agent, headers: { authorization: `Bearer ${demo.key}` } }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode));
    });
    request.on('error', (error) => done(error.code));
  });

const addresses_ready = async () => {
  const text = await (await fetch(new URL('/metrics', gateway.admin_url))).text();
  return [...text.matchAll(/^gateway_upstream_addresses_ready\{service="auth-api".*\} (\d+)$/gm)].reduce((sum, [, value]) => sum + Number(value), 0);
};

test('each instance restarted twice: 200 and nothing else', async () => {
  const statuses = new Map();
  let running = true;
  const clients = Array.from({ length: 16 }, async () => {
    while (running) {
      const status = await me();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  for (const one of [...instances, ...instances]) {
    await await_condition(async () => (await addresses_ready()) === 2, 'both instances are ready');
    await one.stop();
    await one.start();
  }
  running = false;
  await Promise.all(clients);
  agent.destroy();
  assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
});
