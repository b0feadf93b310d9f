// The agent's promise under faults (proto-docs/agent.md): processes are killed, paused and restarted and PostgreSQL is
// crashed at random moments under retrying clients; every logical request ran at most once and every answer for its key
// agrees. An Idempotency-Key is its API key's: all of them send daily-1, daily-2 and so on.
//
// RECRUITING_FAULTS (50, in a long run 100) faults with RECRUITING_FAULTS_SEED (random; it is printed).
import assert from 'node:assert/strict';
import test from 'node:test';
import { check_history } from './support/checker.mjs';
import { make_client } from './support/client.mjs';
import { collect } from './support/evidence.mjs';
import { inject } from './support/injection.mjs';
import { make_random } from '../support/random.mjs';
import { is_long_run } from '../support/run_length.mjs';
import { until } from './support/wait.mjs';
import { lease, start_world } from './support/world.mjs';

const wanted = {
  faults: Number(process.env.RECRUITING_FAULTS ?? (is_long_run ? 60 : 50)),
  seed: Number(process.env.RECRUITING_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 32)),
  instances: 3,
  clients: 12,
  revocable: 20, // keys a member
};

let actors = 0;
const random_for = () => make_random(wanted.seed + (actors += 1) * 7919);

/** Requests by prompt: what the model is to do for each. */
const scripts = new Map();

const answer = ({ prompt, round }) => {
  const { tools, delays, reply } = scripts.get(prompt) ?? { tools: [], delays: [0], reply: 'Unknown.' };
  const delay = delays[Math.min(round, delays.length - 1)];
  return round < tools.length ? { calls: [tools[round]], delay } : { text: reply, delay };
};

const reading_tools = [{ name: 'get_organization' }, { name: 'list_jobs' }, { name: 'list_members' }];

const requests = [];
const new_request = (member, random) => {
  const id = requests.length + 1;
  const system = random.pick(member.systems);
  const revokes = random.chance(0.25) ? member.revocable.pop() : undefined;
  const tools = Array.from({ length: random.between(0, 2) }, () => random.pick(reading_tools));
  if (revokes) tools.push({ name: 'revoke_api_key', arguments: { name: revokes } });
  const request = {
    id, revokes, secret: system.secret, credential: system.credential, answers: [],
    key: `daily-${system.sent += 1}`, // every system sends the same keys: they are its own
    prompt: revokes ? `Revoke the key "${revokes}": request ${id}` : `Request ${id}: look around`,
    reply: `Done with request ${id}.`,
  };
  scripts.set(request.prompt, { tools, reply: request.reply, delays: tools.concat(0).map(() => random.between(0, 500)) });
  requests.push(request);
  return request;
};

const answered = (request, one) => request.answers.push(one);
const member_of = (world, i) => world.members[i % world.members.length];

const in_progress = async (world) =>
  Number(await world.postgres.sql("select count(*) from recruiting.agent_runs where status = 'in_progress'"));

/** Every key once more on every instance, and every session: all must tell the same. */
const ask_everything_again = async (world) => {
  const queue = [...requests];
  const again = async () => {
    const client = make_client({ instances: world.instances, random: random_for(), answered });
    for (let request = queue.pop(); request; request = queue.pop()) {
      for (const instance of world.instances) await client.ask_again(request, instance);
      const session = request.answers.find((one) => one.kind === 'invoke' && one.status === 200)?.body.sessionId;
      if (session) await client.read_session(request, session);
    }
  };
  await Promise.all(Array.from({ length: wanted.clients }, again));
};

const judge = async (world) => {
  for (const one of world.instances) assert.ok(one.alive(), `auth-api ${one.number} ended by itself`);
  await until(async () => (await in_progress(world)) === 0, 'no run is in progress any more');
  await ask_everything_again(world);
  for (const one of world.instances) await one.end('SIGTERM');
  const problems = check_history(await collect(world, requests));
  assert.equal(problems.length, 0, `seed ${wanted.seed}, ${problems.length} problems:\n${problems.slice(0, 40).join('\n')}`);
};

const ends = () => {
  const last = requests.map(({ answers }) => answers.filter((one) => one.kind === 'invoke' && one.status === 200).at(-1)?.body.status);
  return { completed: last.filter((one) => one === 'completed').length, failed: last.filter((one) => one === 'failed').length };
};

test(`${wanted.faults} faults under retrying clients, seed ${wanted.seed}`, async (t) => {
  const world = await start_world({ instances: wanted.instances, revocable: wanted.revocable, answer });
  t.after(() => world.stop());

  await t.test('without a fault every request completes', async () => {
    await Promise.all(Array.from({ length: wanted.clients }, (_, i) =>
      make_client({ instances: world.instances, random: random_for(), answered }).run(new_request(member_of(world, i), random_for()))));
    assert.deepEqual(ends(), { completed: wanted.clients, failed: 0 });
  });

  await t.test('with faults every request runs at most once, and all its answers agree', async () => {
    let going = true;
    const keep_asking = async (_, i) => {
      const random = random_for();
      const client = make_client({ instances: world.instances, random, answered });
      while (going) await client.run(new_request(member_of(world, i), random));
    };
    const clients = Array.from({ length: wanted.clients }, keep_asking);
    const injected = inject({ count: wanted.faults, instances: world.instances, postgres: world.postgres, lease, random_for })
      .finally(() => (going = false));
    const [done] = await Promise.all([injected, ...clients]);
    t.diagnostic(JSON.stringify({ faults: done, requests: requests.length, ...ends(),
      answers: requests.reduce((sum, { answers }) => sum + answers.length, 0), modelCalls: world.model.requests.length }));
    await judge(world);
    // Both must have been seen, or the faults hit nothing.
    if (wanted.faults >= 50) assert.ok(ends().completed > wanted.clients && ends().failed > 0, JSON.stringify(ends()));
  });
});
