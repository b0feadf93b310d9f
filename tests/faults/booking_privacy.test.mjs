// Nobody learns whether a candidate exists (proto-docs/booking.md): an address that belongs to a candidate
// of the stage and one that belongs to nobody get the same answers, in the same time, then and later.
//
// Time is compared in 2,000 pairs, both ways of comparison within 0.50 ± 0.03. Without any difference the paired one has
// a standard error of 0.011: it is outside by chance in 0.7 % of runs. Then 4,000 further pairs decide alone (standard
// error 0.008): outside by chance in 0.015 % of those, so once in a million runs. Of a true 0.54 one run in four tells
// nothing, of 0.55 one in twenty-five, of 0.57 none in five thousand.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { early_in } from '../support/clock.mjs';
import { appearance } from './support/appearance.mjs';
import { candidate_email, start_booking_world, stranger_email } from './support/booking_world.mjs';
import { compare, within } from './support/comparison.mjs';
import { make_random } from '../support/random.mjs';
import { pause } from './support/wait.mjs';

const pairs = 2_000;
const distance = 0.03;
const candidates = pairs / 2; // each asks twice: as one who has no interview yet, and as one who has
const random = make_random(20_260_302);

let world;
before(async () => {
  world = await start_booking_world({ instances: 2, candidates, slots: 200, interviewers: 2 });
});
after(() => world?.stop());

/** Random, and as often one way as the other in every two pairs: whoever is asked first has an effect of its own. */
const next_order = (() => {
  let other;
  return () => {
    const order = other ?? (random.chance(0.5) ? ['candidate', 'stranger'] : ['stranger', 'candidate']);
    other = other ? undefined : [...order].reverse();
    return order;
  };
})();

/** Both of a pair, one right after the other. */
const ask_pair = async (i, ask) => {
  const answers = {};
  const [first, second] = next_order();
  for (const kind of [first, second]) answers[kind] = await ask(kind === 'candidate' ? candidate_email(i) : stranger_email(i));
  assert.equal(appearance(answers.candidate), appearance(answers.stranger));
  return answers;
};

const measure = async (count) => {
  const times = [];
  for (let i = 0; i < count; i += 1) {
    const who = i % candidates;
    const slot = random.pick(world.slots);
    const { candidate, stranger } = await ask_pair(who, (email) => world.visitor.book(email, slot));
    assert.equal(candidate.status, 200, candidate.text);
    times.push([candidate.ns, stranger.ns]);
  }
  return times;
};

test('answers, and the time they take', async (t) => {
  const before_all = await world.visitor.slots();
  for (let i = 0; i < 100; i += 1) await world.visitor.book(stranger_email(999_999), world.slots[0]); // warm
  let seen = compare(await measure(pairs));
  t.diagnostic(JSON.stringify(seen));
  if (!within(seen, distance)) {
    seen = compare(await measure(2 * pairs));
    t.diagnostic(`again: ${JSON.stringify(seen)}`);
  }
  assert.ok(within(seen, distance), `P(the candidate's answer is slower): ${JSON.stringify(seen)}`);
  await world.worked_off();
  assert.equal(await world.count('bookings'), candidates, 'each candidate has a booking: the pairs were of different kinds');
  assert.equal(await world.count("mail_outbox where kind = 'already_booked'") > 0, true, 'and some had one already');
  assert.equal(appearance(await world.visitor.slots()), appearance(before_all), 'the schedule looks as before');
});

test('the time a response takes when the address is beyond the larger limit over all networks', async (t) => {
  const flooded = stranger_email(999_999);
  const measure_flooded = async (count) => {
    const times = [];
    for (let i = 0; i < count; i += 1) {
      const slot = random.pick(world.slots);
      const taken = {};
      const flooded_first = random.chance(0.5);
      for (const is_flooded of [flooded_first, !flooded_first]) {
        const answer = await world.visitor.book(is_flooded ? flooded : stranger_email(i), slot);
        assert.equal(answer.status, 200);
        taken[is_flooded] = answer.ns;
      }
      times.push([taken.true, taken.false]);
    }
    return times;
  };
  let seen = compare(await measure_flooded(pairs));
  t.diagnostic(JSON.stringify(seen));
  if (!within(seen, distance)) {
    seen = compare(await measure_flooded(2 * pairs));
    t.diagnostic(`again: ${JSON.stringify(seen)}`);
  }
  assert.ok(within(seen, distance), `P(the response beyond the limit is slower): ${JSON.stringify(seen)}`);
  await world.worked_off();
});

test('a time that is taken, closed or never was', async () => {
  const taken = (await world.postgres.rows("select to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') at from recruiting.bookings where status = 'confirmed' limit 1"))[0].at;
  const again = await ask_pair(1, (email) => world.visitor.book(email, taken));
  assert.equal(again.candidate.status, 200);
  const never = new Date(Date.parse(world.slots[0]) + 60_000).toISOString();
  const unknown = await ask_pair(2, (email) => world.visitor.book(email, never));
  assert.equal(unknown.candidate.status, 404);
  await world.postgres.sql(`update recruiting.interview_slots set closed_at = now() where starts_at = '${world.slots[3]}'`);
  const closed = await ask_pair(3, (email) => world.visitor.book(email, world.slots[3]));
  assert.equal(closed.candidate.status, 404);
});

test('requests that are wrong', async () => {
  for (const wrong of [{ slotStart: 'soon' }, { slotStart: undefined }, { timeZone: 'Mars/Olympus' }]) {
    const answers = await ask_pair(4, (email) =>
      world.visitor.send(JSON.stringify({ email, slotStart: world.slots[0], ...wrong }), '192.0.2.4'));
    assert.equal(answers.candidate.status, 400);
  }
});

test('the limits come at the same request, for both', async (t) => {
  await early_in(3600, 60);
  const limited = await start_booking_world({ instances: 1, candidates: 3, slots: 5,
    limits: { RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL: '3', RECRUITING_PUBLIC_API_BOOKINGS_PER_ADDRESS: '6' } });
  t.after(() => limited.stop());
  // Each by a client of its own. A Retry-After may differ by the seconds between the two.
  const until_refused = async (email, client) => {
    const shown = [];
    for (let i = 0; i < 8; i += 1) {
      const answer = await limited.visitor.book(email(i), limited.slots[i % 5], client);
      if (i === 1) await pause(300); // the worker has booked meanwhile
      const body = JSON.parse(answer.text);
      shown.push([answer.status, Object.keys(answer.headers).sort(), body.error?.code]);
    }
    return shown;
  };
  const by_email = [await until_refused(() => candidate_email(0), '192.0.2.10'), await until_refused(() => stranger_email(0), '192.0.2.11')];
  assert.deepEqual(by_email[0], by_email[1]);
  assert.deepEqual(by_email[0].map(([status]) => status), [200, 200, 200, 429, 429, 429, 429, 429]);
  const by_address = [await until_refused((i) => candidate_email(1 + (i % 2)), '192.0.2.12'), await until_refused((i) => stranger_email(1 + (i % 2)), '192.0.2.13')];
  assert.deepEqual(by_address[0], by_address[1]);
  assert.deepEqual(by_address[0].map(([status]) => status), [200, 200, 200, 200, 200, 200, 429, 429]);
});
