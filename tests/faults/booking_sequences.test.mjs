// Booking tells nobody anything (proto-docs/booking.md): whatever a stranger sends, from however many networks, and
// whatever others sent before and meanwhile, it shows the same for the address of a candidate who has booked, of one
// who has not, and of nobody, used by others or not. Sequences are random; RECRUITING_TEST_SEED repeats a run.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { early_in } from '../support/clock.mjs';
import { appearance_and_wait } from './support/appearance.mjs';
import { candidate_email, start_booking_world, stranger_email } from './support/booking_world.mjs';
import { make_random } from '../support/random.mjs';

const rounds = 25;
const seed = Number(process.env.RECRUITING_TEST_SEED ?? Date.now() % 2 ** 31);
const random = make_random(seed);
const most_for_address = 5;
const most_in_all = 12;

let world;
before(async () => {
  world = await start_booking_world({ instances: 2, candidates: 2 * rounds, slots: 200, interviewers: 2, limits: {
    RECRUITING_PUBLIC_API_BOOKINGS_PER_ADDRESS: '10',
    RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL: String(most_for_address),
    RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL_TOTAL: String(most_in_all),
  } });
});
after(() => world?.stop());

const id = (n) => String(n).padStart(32, '0');
const never = () => new Date(Date.parse(world.slots[0]) + 60_000).toISOString();

/** One step of a stranger: from which of their networks, what. The address and the networks' first numbers are filled in. */
const random_step = () => {
  const where = random.weighted([[8, [world.job, world.stage]], [1, [id(7), world.stage]], [1, [world.job, id(7)]]]);
  const slotStart = random.weighted([[8, random.pick(world.slots)], [1, never()], [1, '2020-01-01T00:00:00Z'], [1, 'soon']]);
  return { network: random.between(0, 3), host: random.between(1, 2), is_ipv6: random.chance(0.3), where, slotStart,
    upper_case: random.chance(0.2) };
};

/** Networks are a kind's and a round's own, so that sequences beside each other share no count. */
const client_of = ({ network, host, is_ipv6 }, kind, round) =>
  is_ipv6 ? `2001:db8:${kind}:${(round * 4 + network).toString(16)}00::${host}` : `10.${kind}.${round * 4 + network}.${host}`;

const send_step = (step, email, kind, round) => world.visitor.send(
  JSON.stringify({ email: step.upper_case ? email.toUpperCase() : email, slotStart: step.slotStart }),
  client_of(step, kind, round), `/api/public/v1/scheduling/${step.where.join('/')}`);

/** Others who use the address: the candidate, or more strangers; from networks of their own. */
const used_by_others = async (email, kind, round, times) => {
  for (let i = 0; i < times; i += 1) {
    await send_step({ ...random_step(), where: [world.job, world.stage], slotStart: random.pick(world.slots) }, email, 100 + kind, round);
  }
};

const kinds = (round) => [
  { email: candidate_email(2 * round), used: true },
  { email: candidate_email(2 * round + 1), used: false },
  { email: stranger_email(2 * round), used: true },
  { email: stranger_email(2 * round + 1), used: false },
];

test('any sequence by a stranger shows the same, whether the address is a candidate\'s or not, was used or not', async (t) => {
  t.diagnostic(`RECRUITING_TEST_SEED=${seed}`);
  await early_in(3600, 180);
  const statuses = new Set();
  for (let round = 0; round < rounds; round += 1) {
    const addresses = kinds(round);
    for (const [kind, { email, used }] of addresses.entries()) {
      if (used) await used_by_others(email, kind, round, random.between(1, 2 * most_in_all));
    }
    if (random.chance(0.5)) await world.worked_off(); // the candidate who asked has an interview by now
    const told = addresses.map(() => []);
    for (let length = random.between(8, 30); length > 0; length -= 1) {
      const step = random_step();
      await Promise.all(addresses.map(async ({ email, used }, kind) => {
        if (used && random.chance(0.2)) await used_by_others(email, kind, round, 1);
        const answer = await send_step(step, email, kind, round);
        statuses.add(answer.status);
        told[kind].push({ step, ...appearance_and_wait(answer) });
      }));
    }
    for (const [kind, one] of told.entries()) {
      assert.deepEqual(one.map(({ step, shown }) => ({ step, shown })), told[0].map(({ step, shown }) => ({ step, shown })),
        `round ${round}, kind ${kind}, RECRUITING_TEST_SEED=${seed}`);
      for (const [i, { wait }] of one.entries()) assert.ok(Math.abs(wait - told[0][i].wait) <= 5, `Retry-After ${wait}, ${told[0][i].wait}`);
    }
  }
  assert.deepEqual([...statuses].sort(), [200, 400, 404, 429], 'the sequences met every limit');
  await world.worked_off();
});

test('a stranger with many networks locks no candidate out, sends no more mails than the limits, and fills no Redis', async () => {
  const email = candidate_email(0);
  const before_flood = await world.count('bookings');
  for (let i = 0; i < 250; i += 1) {
    const answer = await world.visitor.book(email, random.pick(world.slots), `2001:db8:ffff:${i.toString(16)}00::1`);
    assert.equal(answer.status, 200);
  }
  // The candidate's own network has a count of its own.
  for (let i = 0; i <= most_for_address; i += 1) {
    const answer = await world.visitor.book(email, world.slots[0], '203.0.113.1');
    assert.equal(answer.status, i < most_for_address ? 200 : 429);
  }
  await world.worked_off();
  const of_candidate = `(select b.id from recruiting.bookings b join recruiting.candidates c on c.id = b.candidate_id where c.email = '${email}')`;
  assert.equal(await world.count(`bookings where id in ${of_candidate}`), 1);
  assert.ok(await world.count('bookings') <= before_flood + 1);
  const mails = await world.count(`mail_outbox where audience = 'candidate' and booking_id in ${of_candidate}`);
  assert.ok(mails >= 1 && mails <= most_in_all, `${mails} mails: beyond the larger limit none is repeated`);
  const keys = world.redis_keys();
  assert.ok(keys.length > 0, 'RECRUITING_PUBLIC_API_REDIS_URL: the counts are there, not where the gateway counts');
  for (const key of keys) assert.match(key, /^bl:booking_(client|address|address_total):[A-Za-z0-9_-]{22}:\d+$/);
});

test('unknown jobs and stages leave no key and no row, whatever the address', async () => {
  const before_all = [world.redis_keys().length, await world.count('booking_requests')];
  for (let i = 0; i < 50; i += 1) {
    for (const where of [[id(i), world.stage], [world.job, id(i)]]) {
      const answer = await send_step({ where, slotStart: world.slots[0], network: 0, host: 1 }, candidate_email(i % 3), 200, i);
      assert.equal(answer.status, 404);
    }
  }
  assert.deepEqual([world.redis_keys().length, await world.count('booking_requests')], before_all);
});
