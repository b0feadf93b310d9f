// Booking under load and faults (proto-docs/booking.md): one slot is given once, whoever asks at once and whatever dies
// meanwhile; no request is lost, and nobody is told twice.
//
// RECRUITING_BOOKING_FAULTS (10, in a long run 25) faults with RECRUITING_FAULTS_SEED (random; it is printed).
import assert from 'node:assert/strict';
import test from 'node:test';
import { candidate_email, start_booking_world } from './support/booking_world.mjs';
import { booking_problems, seal } from './support/evidence.mjs';
import { inject } from './support/injection.mjs';
import { make_random } from '../support/random.mjs';
import { is_long_run } from '../support/run_length.mjs';
import { until } from './support/wait.mjs';

const wanted = {
  faults: Number(process.env.RECRUITING_BOOKING_FAULTS ?? (is_long_run ? 15 : 10)),
  seed: Number(process.env.RECRUITING_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 32)),
};
const lease = 1_500;

/** "audience kind" → how many. */
const mails = async (world) => Object.fromEntries(
  (await world.postgres.rows("select audience || ' ' || kind as what, count(*) as n from recruiting.mail_outbox group by 1 order by 1"))
    .map(({ what, n }) => [what, n]));

const check_consistency = async (world) => {
  await seal(world.postgres);
  assert.deepEqual(await booking_problems(world.postgres), []);
};

const ask_at_once = async (world, count, slot) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => world.visitor.book(candidate_email(i), slot)));
  for (const answer of answers) assert.deepEqual([answer.status, answer.text], [200, '{"data":{"confirmed":true}}']);
};

test('fifty candidates ask for one slot at once: one booking, fifty equal answers', async (t) => {
  const world = await start_booking_world({ instances: 2, candidates: 50, slots: 3 });
  t.after(() => world.stop());
  await ask_at_once(world, 50, world.slots[1]);
  await world.worked_off();
  assert.equal(await world.count("bookings where status = 'confirmed'"), 1);
  assert.deepEqual(await mails(world), { 'candidate confirmed': 1, 'candidate slot_taken': 49, 'interviewer confirmed': 1 });
  await check_consistency(world);
});

test('kill -9 of all workers in the midst of it: nothing is lost, nothing happens twice', async (t) => {
  const asked = 250; // more than both instances take up at once
  const world = await start_booking_world({ instances: 2, candidates: asked, slots: 3 });
  t.after(() => world.stop());
  await world.postgres.sql(`
    create function public.slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.1); return new; end $$;
    create trigger slowly after insert on recruiting.bookings for each row execute function public.slowly()`);
  await ask_at_once(world, asked, world.slots[1]);
  await until(async () => (await world.count('bookings')) > 0, 'the first is booked');
  await Promise.all(world.instances.map((one) => one.end('SIGKILL')));
  const left = await world.count('booking_requests');
  t.diagnostic(`${left} requests were left`);
  assert.ok(left > 0, 'they died in the midst of it');
  await Promise.all(world.instances.map((one) => one.start()));
  await world.worked_off();
  assert.equal(await world.count("bookings where status = 'confirmed'"), 1);
  assert.equal(await world.count('bookings'), asked);
  await check_consistency(world);
});

test(`${wanted.faults} faults under bookings, seed ${wanted.seed}`, async (t) => {
  const candidates = 2_000;
  const world = await start_booking_world({ instances: 2, candidates, slots: 100, interviewers: 3, booking: { RECRUITING_BOOKING_LEASE: `${lease}ms` } });
  t.after(() => world.stop());
  let actors = 0;
  const random_for = () => make_random(wanted.seed + (actors += 1) * 7919);
  let going = true;
  let asked = 0;
  const keep_asking = async (_, client) => {
    const random = random_for();
    for (let i = client; going && i < candidates; i += 4) {
      const slot = random.pick(world.slots);
      for (let told = false; !told;) { // 503 and a lost connection: asked again, as the specification's clients do
        told = await world.visitor.book(candidate_email(i), slot).then((answer) => answer.status === 200, () => false);
        if (!told) await new Promise((done) => setTimeout(done, 100));
      }
      asked += 1;
      await new Promise((done) => setTimeout(done, random.between(0, 40)));
    }
  };
  const injected = inject({ count: wanted.faults, instances: world.instances, postgres: world.postgres, lease, random_for })
    .finally(() => (going = false));
  const [done] = await Promise.all([injected, ...Array.from({ length: 4 }, keep_asking)]);
  await world.worked_off();
  const booked = await world.count("bookings where status = 'confirmed'");
  t.diagnostic(JSON.stringify({ faults: done, asked, booked }));
  assert.equal(await world.count('bookings'), asked);
  assert.ok(booked > 0);
  await check_consistency(world);
});
