// Failovers of PostgreSQL under Patroni, with load on all programs: what callers notice, and that nothing acknowledged is lost.
// The programs reach the primary by a list of hosts and through HAProxy. proto-docs/high_availability.md has the figures.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { check_history } from '../faults/support/checker.mjs';
import { booking_problems, collect } from '../faults/support/evidence.mjs';
import { ask } from '../faults/support/http.mjs';
import { pause, until } from '../faults/support/wait.mjs';
import { start_load } from './support/load.mjs';
import { start_world, ways } from './support/world.mjs';

const limit = 5_000; // ms from when each kind of client has been answered by the new primary to the last failure
let world, load;

before(async () => {
  world = await start_world();
  load = start_load(world);
});
after(async () => {
  await load?.end();
  await world?.stop();
});

const seconds = (ms) => (ms / 1_000).toFixed(1);
const kinds = ['read', 'revoked', 'invoke', 'booking', 'operator'];
const success = (kind) => (kind === 'revoked' ? 401 : 200);
/** The kinds of clients that an instance has not answered since. */
const unanswered_since = (when) => kinds.flatMap((kind) => ways.filter((_, number) => !(kind === 'operator' && number > 0)
  && !load.answers.some((one) => one.kind === kind && one.instance === number && one.status === success(kind) && one.at - one.took > when))
  .map((way) => `${kind} ${way}`));
const all_answered_since = async (when, limit) => {
  for (const end = performance.now() + limit; unanswered_since(when).length > 0; await pause(20)) {
    assert.ok(performance.now() < end, `no answer in ${limit / 1_000} s: ${unanswered_since(when).join(', ')}`);
  }
};

const catalogue_follows = async () => {
  const [{ id, title }] = await world.cluster.rows("update recruiting.jobs set title = 'Engineer ' || md5(random()::text) where published returning replace(id::text, '-', '') id, title");
  const began = performance.now();
  for (const { port } of world.public_apis) {
    await until(async () => (await ask({ port, path: `/api/public/v1/jobs/${id}`, timeout: 5_000 }).catch(() => ({ text: '' }))).text.includes(title), 'the catalogue has the change', 10);
  }
  return performance.now() - began;
};

/**
 * A failover under load. fault(node) hits the primary, repair(node) makes it a standby again; excused(answer): may it have
 * failed while the old primary came back?
 */
const fail_over = async (t, fault, repair, excused = () => false) => {
  await world.cluster.settled();
  await all_answered_since(performance.now(), 60_000);
  const old = await world.cluster.primary();
  const began = performance.now();
  const successor = world.cluster.successor(old);
  await fault(old);
  const { node, promoted, writable } = await successor;
  await all_answered_since(writable, 60_000);
  const back = performance.now();
  const change = await catalogue_follows();
  const first = (kind, number) => load.answers.find((one) => one.kind === kind && one.instance === number && one.status === success(kind) && one.at > writable);
  t.diagnostic(`${node.name} promoted after ${seconds(promoted - began)} s, writes after ${seconds(writable - began)} s; the catalogue after a change: ${seconds(change)} s`);
  for (const [number, way] of ways.entries()) {
    t.diagnostic(`${way}: ${kinds.map((kind) => `${kind} ${first(kind, number) ? seconds(first(kind, number).at - writable) : '-'}`).join(', ')}`);
  }
  await repair(old);
  await world.cluster.settled();
  const failed = load.answers.filter(({ kind, status, at }) => at > began && status !== success(kind));
  const counts = {};
  for (const { kind, status } of failed) counts[`${kind} ${status}`] = (counts[`${kind} ${status}`] ?? 0) + 1;
  t.diagnostic(`failed: ${JSON.stringify(counts)}; the last ${seconds(Math.max(...failed.map(({ at }) => at)) - writable)} s after the first write`);
  const described = ({ kind, instance, status, at, took, error }) => `${seconds(at - writable)} s after the first write: ${kind} ${ways[instance]} ${status} in ${seconds(took)} s ${error ?? ''}`;
  assert.deepEqual(failed.filter((one) => one.status !== 503 && !excused(one)).map(described), [], 'only 503');
  assert.deepEqual(failed.filter((one) => one.at > back + limit && !excused(one)).map(described), [], 'service is back');
};

test('the primary and its Patroni are killed', async (t) => {
  await fail_over(t, (node) => node.kill(), (node) => node.start());
});

// Afterwards its PostgreSQL takes writes again, until the node is fenced: reset, as a watchdog does. A new process, as an
// operator's command is, knows no timeline and may reach it: what it reads there is old, and none of its writes is acknowledged,
// for no standby is left. Its Patroni does not resume: before version 3.0.3 it takes the lock back from its successor.
test('the primary and its Patroni hang', async (t) => {
  await fail_over(t, (node) => node.freeze(), async (node) => {
    node.thaw_postgres();
    await pause(3_000);
    await node.kill();
    node.start();
  }, ({ kind }) => kind === 'operator');
});

test('the network of the primary is cut', async (t) => {
  await fail_over(t, (node) => node.cut(), (node) => node.mend());
});

test('an operator switches over', async (t) => {
  await fail_over(t, (node) => world.cluster.control(node, 'switchover', '--force', 'recruiting'), () => {});
});

test('nothing acknowledged is lost, and no standby was written to', async (t) => {
  await load.end();
  const { cluster } = world;
  await until(async () => (await cluster.sql('select count(*) from recruiting.booking_requests')) === '0', 'every booking is worked off');
  await until(async () => (await cluster.sql('select count(*) from recruiting.audit_intake')) === '0', 'every audit row is sealed');
  const evidence = await collect({ postgres: cluster, model: world.model, instances: world.auth_apis }, load.requests);
  const ids = (rows) => new Set(rows.map(({ id }) => id));
  const reads = load.answers.filter(({ kind, status }) => status === 200 && ['read', 'new key'].includes(kind));
  assert.deepEqual(reads.filter(({ id }) => evidence.audited[id] !== 1), [], 'every read has one audit row');
  const booked = ids(await cluster.rows('select c.email as id from recruiting.bookings b join recruiting.candidates c on c.id = b.candidate_id'));
  assert.deepEqual(load.bookings.filter((email) => !booked.has(email)), []);
  assert.deepEqual(await booking_problems(cluster), []);
  const key_states = new Map((await cluster.rows("select replace(id::text, '-', '') as id, revoked_at from recruiting.api_keys")).map((row) => [row.id, row]));
  assert.deepEqual(load.keys.filter(({ id, revoked }) => !key_states.has(id) || (revoked && !key_states.get(id).revoked_at)), []);
  const problems = check_history({ ...evidence, revoked: [] });
  assert.deepEqual(problems.slice(0, 20), []);
  assert.deepEqual(load.answers.filter(({ kind, status }) => kind === 'revoked' && status === 200), [], 'a revoked key stays revoked');
  await world.recruitctl('audit', 'verify'); // fails when a chain is not intact
  const refused = cluster.nodes.flatMap((node) => node.log_text().split('\n').filter((line) => /cannot execute \w+ in a read-only transaction/.test(line)));
  assert.deepEqual(refused, []);
  t.diagnostic(JSON.stringify({ reads: reads.length, bookings: load.bookings.length, keys: load.keys.length, runs: load.requests.length }));
});
