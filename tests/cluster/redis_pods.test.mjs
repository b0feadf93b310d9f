// The Redis pods of the Kubernetes manifests (components/redis-sentinel), as processes: they find each other, replace a lost
// master and admit only the users they must.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { start_instance } from '../faults/support/instance.mjs';
import { ask } from '../faults/support/http.mjs';
import { until } from '../faults/support/wait.mjs';
import { programs } from '../faults/support/world.mjs';
import { make_redis_pods } from './support/redis_pods.mjs';

let folder;
let redis;
const all_are = (pods, holds) => Promise.all(pods.map((pod) => holds(pod).catch(() => false))).then((list) => list.every(Boolean));
const all_ready = (pods) => until(() => all_are(pods, (pod) => pod.ready()), 'all pods are ready');
/** Every Sentinel has the same master, two replicas and two other Sentinels, no more: then the master's pod. */
const settled = async () => {
  let names;
  const knows = async (pod) => {
    const [name] = (await pod.sentinel('get-master-addr-by-name', 'counts')).split('\n');
    names.add(name);
    const text = await pod.sentinel_as_node('master', 'counts');
    return /flags\nmaster\n/.test(text) && /num-slaves\n2\n/.test(text) && /num-other-sentinels\n2\n/.test(text);
  };
  await until(async () => {
    names = new Set();
    return await all_are(redis.pods, knows) && names.size === 1;
  }, 'the Sentinels agree');
  await all_ready(redis.pods);
  return redis.pods.find((pod) => names.has(pod.name));
};
const others = (master) => redis.pods.filter((pod) => pod !== master);
const moved_from = async (old) => until(() => all_are(others(old), async (pod) => {
  const [name] = (await pod.sentinel('get-master-addr-by-name', 'counts')).split('\n');
  return name !== old.name && redis.pods.some((one) => one.name === name);
}), 'the other Sentinels have another master');
const offset_of = async (pod) => Number(/^master_repl_offset:(\d+)/m.exec(await pod.as('node', 'info', 'replication'))[1]);
const synced = async (master) => {
  const written = await offset_of(master);
  await until(() => all_are(redis.pods, async (pod) => (await offset_of(pod)) >= written), 'every replica has what the master wrote');
};

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recruiting-redis-pods-'));
  redis = make_redis_pods(folder);
  for (const pod of redis.pods) pod.start();
});
after(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true });
});

test('new pods: the first is the master, the others follow it', async () => {
  const master = await settled();
  assert.equal(master, redis.pods[0]);
});

test('users have their own keys, and Sentinels change nothing for the programs', async () => {
  const master = await settled();
  assert.equal(await master.as('gateway', 'incrby', 'rl:a', '5'), '5');
  assert.equal(await master.as('public', 'incrby', 'bl:a', '1'), '1');
  assert.match(await master.as('gateway', 'incrby', 'bl:a', '1'), /^NOPERM/);
  assert.match(await master.as('public', 'incrby', 'rl:a', '1'), /^NOPERM/);
  assert.match(await master.as('node', 'get', 'rl:a'), /^NOPERM/);
  assert.match(await master.ask(6379, 'ping'), /^NOAUTH/);
  assert.match(await master.sentinel('failover', 'counts'), /^NOPERM/);
});

test('the master is restarted alone: a replica keeps the counters', async () => {
  const master = await settled();
  assert.equal(await master.as('gateway', 'incrby', 'rl:kept', '7'), '7');
  await synced(master);
  await master.restart('redis');
  assert.equal(await (await settled()).as('gateway', 'incrby', 'rl:kept', '0'), '7');
});

test('the pod of the master is replaced: another takes over, and the new pod follows it', async () => {
  const master = await settled();
  assert.equal(await master.as('gateway', 'incrby', 'rl:kept', '1'), '8');
  await synced(master);
  const id = await master.sentinel_as_node('myid');
  await master.end();
  await moved_from(master);
  master.start();
  await settled();
  assert.equal(await master.sentinel_as_node('myid'), id, 'the others count its Sentinel once');
  assert.equal(await (await settled()).as('gateway', 'incrby', 'rl:kept', '0'), '8');
});

test('a gateway counts by the names that the Sentinels announce, and in the next master after a failover', async (t) => {
  const master = await settled();
  const gateway = await start_instance(0, { name: 'gateway', program: join(programs(), 'recruiting-gateway'), folder, settings: {
    RECRUITING_GATEWAY_AUTH_API: '127.0.0.1:1', RECRUITING_GATEWAY_PUBLIC_API: '127.0.0.1:1', RECRUITING_REDIS_URL: redis.url, RECRUITING_GATEWAY_THREADS: '1',
  } });
  t.after(() => gateway.end('SIGKILL'));
  const counted = async () => {
    await ask({ port: gateway.port, path: '/api/v1/me', timeout: 5_000 });
    return (await gateway.metric('recruiting_redis_connections')) === 1;
  };
  await until(counted, 'the gateway counts');
  await master.end();
  await moved_from(master);
  await until(counted, 'the gateway counts in the next master');
  master.start();
  await settled();
});

test('a master that no replica follows takes no counts', async () => {
  const master = await settled();
  for (const pod of others(master)) await pod.running.get('redis').end();
  await until(async () => /^NOREPLICAS/.test(await master.as('gateway', 'incrby', 'rl:a', '1')), 'the master rejects writes');
});
