// Each service in two instances, behind one gateway, under load: restarted one at a time no client sees an error; killed,
// clients see what the API's conventions allow and no more.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { auth_prefix, public_prefix } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { await_condition, start_program } from '../../support/programs.mjs';

// The delay is what the gateway has to notice in: on a busy machine a check may be late.
const services = {
  'auth-api': { RECRUITING_AUTH_API_WORKERS: 'false', RECRUITING_AUTH_API_DRAIN_DELAY: '3s' },
  'public-api': { RECRUITING_PUBLIC_API_DRAIN_DELAY: '3s' },
};
const instances = [];
let gateway;
before(async () => {
  const settings = { RECRUITING_GATEWAY_RATE_LIMIT: '1000000000', RECRUITING_GATEWAY_PUBLIC_RATE_LIMIT: '1000000000' };
  for (const [name, own] of Object.entries(services)) {
    const two = [await start_program(name, own), await start_program(name, own)];
    instances.push(...two);
    const setting = `RECRUITING_GATEWAY_${name.toUpperCase().replace('-', '_')}`;
    settings[setting] = two.map((one) => one.url.host).join(',');
    settings[`${setting}_HEALTH`] = two.map((one) => `:${one.admin_url.port}`).join(',');
  }
  gateway = await start_program('gateway', settings);
});
after(async () => {
  agent.destroy();
  for (const program of [gateway, ...instances]) await program?.stop();
});

const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
const authorization = `Bearer ${demo.key}`;
// A POST to where there is none is answered by the service: 405. It has no Idempotency-Key, so it is never sent twice.
const requests = {
  'GET auth-api': { method: 'GET', path: `${auth_prefix}/me`, headers: { authorization }, good: 200 },
  'POST auth-api': { method: 'POST', path: `${auth_prefix}/me`, headers: { authorization, 'content-length': 2 }, body: '{}', good: 405 },
  'GET public-api': { method: 'GET', path: `${public_prefix}/organizations/${demo.slug}`, headers: {}, good: 200 },
  'POST public-api': { method: 'POST', path: `${public_prefix}/organizations/${demo.slug}`, headers: { 'content-length': 2 }, body: '{}', good: 405 },
};

/** "200", "500 outcome_unknown", or what the connection failed with. */
const send = ({ method, path, headers, body }) =>
  new Promise((done) => {
    const request = http.request(gateway.url.origin + path, { method, headers, agent }, (answer) => {
      let text = '';
      answer.on('data', (bytes) => (text += bytes));
      answer.on('end', () => done(answer.statusCode < 500 ? `${answer.statusCode}` : `${answer.statusCode} ${JSON.parse(text).error.code}`));
      answer.on('error', (error) => done(error.code));
    });
    request.on('error', (error) => done(error.code));
    request.end(body);
  });

/** Clients of every kind until stop(), which tells what each kind met: {"200": 12}. */
const load = () => {
  const seen = Object.fromEntries(Object.keys(requests).map((name) => [name, {}]));
  let running = true;
  const clients = Object.entries(requests).flatMap(([name, one]) => Array.from({ length: 6 }, async () => {
    while (running) {
      const met = await send(one);
      seen[name][met] = (seen[name][met] ?? 0) + 1;
    }
  }));
  return { async stop() {
    running = false;
    await Promise.all(clients);
    return seen;
  } };
};

/** The gateway sends requests to each: had it not noticed yet that one is back, the next would be the last one. */
const all_serve = () => await_condition(async () => {
  const pages = await Promise.all(instances.map(async (one) => (await fetch(new URL('/metrics', one.admin_url))).text()));
  return pages.every((text) => /_requests_total\{.*\} [1-9]/.test(text));
}, 'all instances serve');

const only = (good) => (seen, name) => assert.deepEqual(Object.keys(seen[name]), [String(good)], `${name}: ${JSON.stringify(seen[name])}`);

test('each instance restarted: no client sees an error', async (t) => {
  const clients = load();
  for (const one of instances) {
    await all_serve();
    await one.stop();
    await one.start();
  }
  const seen = await clients.stop();
  t.diagnostic(JSON.stringify(seen));
  for (const [name, { good }] of Object.entries(requests)) only(good)(seen, name);
});

// An instance that is back before the next health check, but not yet ready, answers 503 itself for a moment.
test('an instance killed: what is safe to repeat is at most refused, the rest at most of unknown outcome', async (t) => {
  const clients = load();
  for (const one of instances) {
    await all_serve();
    await one.kill();
    await one.start();
  }
  const seen = await clients.stop();
  t.diagnostic(JSON.stringify(seen));
  for (const [name, { method, good }] of Object.entries(requests)) {
    const allowed = [String(good), '503 service_unavailable', ...(method === 'POST' ? ['500 outcome_unknown'] : [])];
    for (const met of Object.keys(seen[name])) assert.ok(allowed.includes(met), `${name}: ${JSON.stringify(seen[name])}`);
  }
});
