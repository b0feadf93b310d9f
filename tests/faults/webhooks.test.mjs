// The promise of webhooks under faults (proto-docs/webhooks.md): while auth-api is killed with -9 and receivers are down, hang, are
// slow or answer 500, no change is without a later message. Each receiver keeps a copy by nothing but syncs when it is called; in
// the end each copy is what the database holds. A deleted webhook is not called again, and one that hangs delays no other.
//
// RECRUITING_FAULTS_SEED (random; it is printed).
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import test from 'node:test';
import { make_random } from '../support/random.mjs';
import { answers, start_receiver, verified } from '../support/receiver.mjs';
import { is_long_run } from '../support/run_length.mjs';
import { ask } from './support/http.mjs';
import { pause, until } from './support/wait.mjs';
import { start_world } from './support/world.mjs';

const seed = Number(process.env.RECRUITING_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 32));
const random = make_random(seed);
const kills = is_long_run ? 8 : 5; // each may leave leases of a minute
const candidates = 40;
const settings = {
  RECRUITING_WEBHOOK_HTTP: 'true',
  RECRUITING_WEBHOOK_PORTS: 'any',
  RECRUITING_WEBHOOK_NETWORKS: '127.0.0.0/8',
  RECRUITING_WEBHOOK_WINDOW: '100ms',
  RECRUITING_WEBHOOK_RETRY_FIRST: '50ms',
};
const of_faults = "organization_id = (select id from recruiting.organizations where slug = 'faults')";
const organize = `
  insert into recruiting.candidates (id, organization_id, name, email, email_key, current_title)
    select gen_random_uuid(), o.id, 'Candidate ' || n, 'c' || n || '@mail.example', 'c' || n || '@mail.example', 'none'
    from generate_series(1, ${candidates}) n, recruiting.organizations o where o.slug = 'faults';
  insert into recruiting.organizations (id, slug, name) values (gen_random_uuid(), 'others', 'Others');`;

/** A copy of the candidates' titles, kept by syncs alone: one at a time, and one more for what is told meanwhile. */
const make_copy = (world) => {
  const copy = { titles: new Map(), called() {} };
  const { secret } = world.members[0].systems[0];
  let token = '';
  const page = async () => {
    for (;; await pause(50)) {
      const { port } = random.pick(world.instances);
      const path = `/api/v1/candidates?limit=200&syncToken=${encodeURIComponent(token)}`;
      const answer = await ask({ port, path, headers: { Authorization: `Bearer ${secret}` }, timeout: 5_000 }).catch(() => undefined);
      if (answer?.status === 200) return JSON.parse(answer.text);
    }
  };
  let asked = 0;
  let running;
  const sync = async () => {
    for (let done = 0; done < asked;) {
      done = asked;
      for (let more = true; more;) {
        const { data, page: { syncToken, hasMore } } = await page();
        for (const { id, currentTitle } of data) copy.titles.set(id, currentTitle);
        [token, more] = [syncToken, hasMore];
      }
    }
    running = undefined;
  };
  copy.called = () => {
    asked += 1;
    running ??= sync();
  };
  return copy;
};

test(`webhooks under ${kills} kills, seed ${seed}`, async (t) => {
  const world = await start_world({ instances: 3, revocable: 0, answer: () => ({ text: 'Hello.' }), more: settings });
  t.after(() => world.stop());
  await world.postgres.sql(organize);

  /** {receiver, secret, id, copy}: a webhook of candidates, made as the programs make them. */
  const add = async (organization = 'faults') => {
    const receiver = await start_receiver();
    t.after(() => receiver.stop().catch(() => {}));
    const [id, secret] = [randomUUID(), randomBytes(32)];
    await world.postgres.sql(`
      insert into recruiting.webhooks (id, organization_id, url, resources, secret)
        select '${id}', id, '${receiver.url}', '{candidates}', '\\x${secret.toString('hex')}' from recruiting.organizations where slug = '${organization}';
      insert into recruiting.webhook_positions (webhook_id, resource, organization_id, seen_xid)
        select id, 'candidates', organization_id, '1' from recruiting.webhooks where id = '${id}'`);
    const copy = make_copy(world);
    const hook = { id, receiver, copy, secret: `whsec_${secret.toString('base64')}` };
    hook.accepts = (response) => {
      copy.called();
      response.writeHead(204).end();
    };
    hook.slow = (response, message) => setTimeout(() => hook.accepts(response, message), random.between(200, 1_500));
    receiver.answer = hook.accepts;
    return hook;
  };

  let changes = 0;
  /** Some candidates' titles, in a transaction that others overtake at times. */
  const change = () => world.postgres.sql(`begin;
    update recruiting.candidates set current_title = 'title ${(changes += 1)}' where id in (select id from recruiting.candidates where ${of_faults} order by random() limit 2);
    select pg_sleep(${random.pick([0, 0, 0.3])}); commit`);
  /** ms until the receiver was called after a change. */
  const called_after_change = async ({ receiver }) => {
    const already = receiver.messages.length;
    const began = Date.now();
    await change();
    await until(() => receiver.messages.length > already, 'a message after a change', 120);
    return Date.now() - began;
  };
  const truth = async () => new Map((await world.postgres.rows(`select replace(id::text, '-', '') id, current_title from recruiting.candidates where ${of_faults}`)).map((row) => [row.id, row.current_title]));
  const equals = ({ titles }, expected) => titles.size === expected.size && [...expected].every(([id, title]) => titles.get(id) === title);

  const steady = await add();
  const others = [await add(), await add(), await add()];

  await t.test('each change is told to each receiver', async () => {
    const expected = await truth();
    await called_after_change(steady);
    assert.ok(expected.size === candidates);
    for (const { copy } of [steady, ...others]) await until(async () => equals(copy, await truth()), 'the copy is complete');
  });

  await t.test('receivers that hang delay no other, neither of this organization nor of another', async () => {
    const hanging = [await add(), await add()];
    for (let i = 0; i < 6; i += 1) hanging.push(await add('others'));
    for (const { receiver } of hanging) {
      receiver.answer = answers.hang;
      receiver.messages.length = 0;
    }
    await world.postgres.sql(`insert into recruiting.candidates (id, organization_id, name, email, email_key)
      select gen_random_uuid(), id, 'Other', 'o@mail.example', 'o@mail.example' from recruiting.organizations where slug = 'others'`);
    await change();
    for (const { receiver } of hanging) await until(() => receiver.messages.length > 0, 'it hangs');
    const took = [];
    for (let i = 0; i < 5; i += 1) took.push(await called_after_change(steady));
    t.diagnostic(JSON.stringify({ took }));
    assert.ok(Math.max(...took) < 14_000, `${took} ms`); // an attempt that hangs takes 15 s
    await world.postgres.sql(`delete from recruiting.webhooks where id in (${hanging.map(({ id }) => `'${id}'`)})`);
  });

  await t.test('under kills, with receivers down, slow, hanging and failing: no change without a later message', async () => {
    const down = new Set();
    const set = async (hook, way) => {
      if (down.delete(hook)) await hook.receiver.start();
      if (way === 'down') {
        down.add(hook);
        await hook.receiver.stop();
      } else hook.receiver.answer = way;
    };
    const took = [];
    for (let killed = 0; killed < kills; killed += 1) {
      for (const hook of others) await set(hook, random.pick(['down', 500, 503, answers.hang, hook.slow, hook.accepts]));
      const told = called_after_change(steady);
      await pause(random.between(0, 300));
      const one = random.pick(world.instances);
      await one.end('SIGKILL');
      if (random.chance(0.5)) await change();
      await one.start();
      took.push(await told);
    }
    for (const hook of others) await set(hook, hook.accepts);
    const expected = await truth();
    for (const { copy } of [steady, ...others]) await until(() => equals(copy, expected), 'the copy is the database', 180);
    t.diagnostic(JSON.stringify({ changes, took, messages: [steady, ...others].map(({ receiver }) => receiver.messages.length) }));
  });

  await t.test('every message is signed, and repeated ones are the same', () => {
    for (const { receiver, secret } of [steady, ...others]) {
      const bodies = new Map();
      for (const message of receiver.messages) {
        verified(secret, message);
        assert.equal(bodies.get(message.id) ?? message.body, message.body);
        bodies.set(message.id, message.body);
      }
    }
  });

  await t.test('a deleted webhook is not called again, whoever is killed', async () => {
    const doomed = [await add(), await add(), await add()];
    for (const { receiver } of doomed) receiver.answer = random.pick([500, 503]);
    await change();
    for (const { receiver } of doomed) await until(() => receiver.messages.length > 1, 'it is tried again');
    await world.postgres.sql(`delete from recruiting.webhooks where id in (${doomed.map(({ id }) => `'${id}'`)})`);
    for (const one of world.instances) await one.end('SIGKILL'); // with the attempts that were under way
    for (const { receiver } of doomed) receiver.messages.length = 0;
    for (const one of world.instances) await one.start();
    for (let i = 0; i < 4; i += 1) await called_after_change(steady);
    for (const { receiver } of doomed) assert.deepEqual(receiver.messages, []);
  });

  await t.test('nothing is left, and no log holds a URL or a secret', async () => {
    await until(async () => Number(await world.postgres.sql('select count(*) from recruiting.webhook_messages')) === 0, 'no message waits', 120);
    const text = world.instances.flatMap((one) => one.log_lines()).join('\n');
    for (const { receiver, secret } of [steady, ...others]) {
      assert.ok(!text.includes(receiver.url));
      assert.ok(!text.includes(secret.slice(6)));
    }
  });
});
