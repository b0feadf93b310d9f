// Redis behind Sentinels fails over under load: the rate limit of two gateways stays within what proto-docs/edge.md promises,
// and no request waits for it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { start_instance } from '../faults/support/instance.mjs';
import { pause, until } from '../faults/support/wait.mjs';
import { programs } from '../faults/support/world.mjs';
import { start_sentinels } from './support/sentinel.mjs';

const [rate_limit, seconds] = [200, 4]; // per window
const window = seconds * 1_000;
const longest = 250; // ms

/** Everything for the two gateways that share a count, and one beside them that counts nothing. */
const start_world = async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-sentinel-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const service = http.createServer((_, answer) => answer.end('{}')).listen(0, '127.0.0.1');
  await once(service, 'listening');
  t.after(() => service.closeAllConnections() ?? service.close());
  const redis = await start_sentinels(folder);
  t.after(() => redis.stop());
  const at = `127.0.0.1:${service.address().port}`;
  const start = async (number, own) => {
    const gateway = await start_instance(number, { name: 'gateway', program: join(programs(), 'recruiting-gateway'), folder, settings: {
      RECRUITING_GATEWAY_AUTH_API: at, RECRUITING_GATEWAY_PUBLIC_API: at, RECRUITING_REDIS_URL: redis.url, RECRUITING_GATEWAY_THREADS: '1',
      RECRUITING_GATEWAY_RATE_LIMIT: String(rate_limit), RECRUITING_GATEWAY_WINDOW: String(seconds), RECRUITING_GATEWAY_TOTAL_RATE_LIMIT: '1000000000', ...own,
    } });
    t.after(() => gateway.end('SIGKILL'));
    return gateway;
  };
  const gateways = [await start(0, {}), await start(1, {})];
  const beside = await start(2, { RECRUITING_GATEWAY_RATE_LIMIT_MODE: 'off' });
  return { redis, gateways, beside };
};

/** One request after the other to each gateway until stop(), which answers [{gateway, status, began, ended}]. */
const keep_asking = (gateways) => {
  const answers = [];
  let going = true;
  const ask = (agent, port) => new Promise((done, fail) => {
    http.get({ host: '127.0.0.1', port, path: '/api/v1/me', agent }, (answer) => answer.resume().on('end', () => done(answer.statusCode))).on('error', fail);
  });
  const client = async (gateway) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (; going; await pause(10)) {
      const began = Date.now();
      const status = await ask(agent, gateway.port);
      answers.push({ gateway: gateway.number, status, began, ended: Date.now() });
    }
    agent.destroy();
  };
  const all = Promise.all(gateways.flatMap((gateway) => [client(gateway), client(gateway)]));
  return { answers, async stop() {
    going = false;
    await all;
    return answers;
  } };
};

const window_of = (at) => Math.floor(at / window);
const next_window = (after = 1) => (window_of(Date.now()) + after) * window;
const start_of = async (at) => pause(at - Date.now());

/** How many of a window passed: at least, and at most; those near its ends may belong to the next or the last one. */
const passed_in = (answers, which) => {
  const passed = answers.filter(({ gateway, status }) => gateway < 2 && status === 200);
  const touching = passed.filter(({ began, ended }) => window_of(began) === which || window_of(ended) === which);
  return [touching.filter(({ began, ended }) => window_of(began) === window_of(ended)).length, touching.length];
};

const faults = {
  'is killed': { hit: (master) => master.end('SIGKILL') },
  hangs: { hit: (master) => master.signal('SIGSTOP') },
};

for (const [what, { hit }] of Object.entries(faults)) {
  test(`the master ${what}: the next one counts on, and no request takes longer for it`, async (t) => {
    const { redis, gateways, beside } = await start_world(t);
    const counts = async (gateway) => (await gateway.metric('recruiting_redis_connections')) === 1;
    /** Requests that a gateway decided without Redis, which does not answer in time on a busy machine. */
    const counted_locally = async () => (await Promise.all(gateways.map((gateway) => gateway.metric('recruiting_rate_limit_local_total')))).reduce((a, b) => a + b);
    const is_shared = async () => (await Promise.all(gateways.map(counts))).every(Boolean);
    await until(is_shared, 'the gateways count in Redis');
    const asking = keep_asking([...gateways, beside]);
    const first = next_window();
    await start_of(first + window + window / 4);
    const locally_before = await counted_locally();
    const old = await redis.master();
    const began = Date.now();
    await hit(old);
    await redis.moved(old);
    const moved = Date.now();
    await until(is_shared, 'the gateways count in the next master');
    const back = Date.now();
    const last = next_window();
    await start_of(last - 200);
    const locally_until = await counted_locally();
    await start_of(last + window + 500);
    const locally_in_last = (await counted_locally()) - locally_until;
    const answers = await asking.stop();

    const whole = window_of(first);
    const windows = Array.from({ length: window_of(last) - whole + 1 }, (_, i) => [whole + i, ...passed_in(answers, whole + i)]);
    const took = (which) => Math.max(...answers.filter(({ gateway, ended }) => which(gateway) && ended > began).map((one) => one.ended - one.began));
    const [counted, uncounted] = [took((gateway) => gateway < 2), took((gateway) => gateway === 2)];
    t.diagnostic(`another master after ${(moved - began) / 1_000} s, counted there after ${(back - began) / 1_000} s; passed per window: ${windows.map(([, , most]) => most).join(', ')}, ${locally_in_last} counted locally in the last; the slowest took ${counted} ms, beside them ${uncounted} ms`);
    for (const [which, least, most] of windows) {
      const shared = which === window_of(last) ? locally_in_last : locally_before;
      const allowed = which < window_of(began) || which > window_of(back) ? rate_limit + shared : 2 * rate_limit;
      assert.ok(most >= rate_limit, `${most} of ${rate_limit} passed in window ${which - whole}`);
      assert.ok(least <= allowed, `${least} passed in window ${which - whole} of a limit of ${rate_limit}, ${shared} counted locally`);
    }
    assert.ok(counted < longest + uncounted, `a request took ${counted} ms`);
  });
}
