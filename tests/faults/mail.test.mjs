// The outbox' promise under faults (proto-docs/mail.md): auth-api is killed at random moments while it sends; every
// mail arrives, none more often than kills allow, and whoever gets several about an interview gets them in their order.
//
// RECRUITING_FAULTS_SEED (random; it is printed).
import assert from 'node:assert/strict';
import test from 'node:test';
import { start_smtp_double } from '../support/smtp_double.mjs';
import { make_random } from '../support/random.mjs';
import { is_long_run } from '../support/run_length.mjs';
import { pause, until } from './support/wait.mjs';
import { start_world } from './support/world.mjs';

const seed = Number(process.env.RECRUITING_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 32));
const random = make_random(seed);
const kills = is_long_run ? 10 : 8;
const parallel = 4; // mails that a process sends at once
const settings = (server) => ({
  RECRUITING_MAIL_URL: server.url,
  RECRUITING_MAIL_FROM: 'jobs@example.com',
  RECRUITING_MAIL_TIMEOUT: '2s', // its lease is five times as long
  RECRUITING_MAIL_RETRY_FIRST: '20ms',
});

const job = 'aaaaaaaa-0000-7000-8000-000000000001';
const stage = 'aaaaaaaa-0000-7000-8000-000000000002';
const organize = `
  insert into recruiting.jobs (id, organization_id, title, status, published)
    select '${job}', id, 'Engineer', 'open', true from recruiting.organizations where slug = 'faults';
  insert into recruiting.stages (id, organization_id, job_id, name, kind, position, bookable, interview_duration_minutes)
    select '${stage}', id, '${job}', 'Interview', 'interview', 1, true, 45 from recruiting.organizations where slug = 'faults';`;

/** So many candidates with a confirmed interview each: two mails a booking. */
const book = (first, count) => `
  create temporary table placed on commit drop as
    select n, o.id organization, gen_random_uuid() candidate, gen_random_uuid() application, gen_random_uuid() slot,
           date_trunc('hour', now()) + (48 + n) * interval '1 hour' starts_at
    from generate_series(${first}, ${first + count - 1}) n, recruiting.organizations o where o.slug = 'faults';
  insert into recruiting.candidates (id, organization_id, name, email, email_key)
    select candidate, organization, 'Candidate ' || n, 'c' || n || '@mail.example', 'c' || n || '@mail.example' from placed;
  insert into recruiting.applications (id, organization_id, candidate_id, job_id, stage_id)
    select application, organization, candidate, '${job}', '${stage}' from placed;
  insert into recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at)
    select slot, organization, '${job}', '${stage}',
           (select m.id from recruiting.memberships m where m.organization_id = organization order by m.created_at limit 1),
           starts_at, starts_at + interval '45 minutes' from placed;
  insert into recruiting.bookings (id, organization_id, application_id, candidate_id, job_id, stage_id, status, slot_id, time_zone, calendar_uid)
    select gen_random_uuid(), organization, application, candidate, '${job}', '${stage}', 'confirmed', slot, 'Europe/Berlin', gen_random_uuid()
    from placed;`;
const decline_some = "update recruiting.bookings set status = 'unplaced', wanted_starts_at = starts_at, declined_by = membership_id where status = 'confirmed' and get_byte(calendar_uid::text::bytea, 1) % 3 = 0";
const cancel_some = "update recruiting.bookings set status = 'canceled' where status = 'confirmed' and get_byte(calendar_uid::text::bytea, 0) % 2 = 0";

test(`mails under ${kills} kills, seed ${seed}`, async (t) => {
  const server = await start_smtp_double({ delay: () => random.between(0, 60) });
  t.after(() => server.stop());
  const world = await start_world({ instances: 3, revocable: 0, answer: () => ({ text: 'Hello.' }), more: settings(server) });
  t.after(() => world.stop());
  await world.postgres.sql(organize);

  const waiting = async () => Number(await world.postgres.sql("select count(*) from recruiting.mail_outbox where status = 'waiting'"));
  const all_sent = () => until(async () => (await waiting()) === 0, 'no mail is waiting', 120);
  const times = () => server.mails.reduce((counts, { id }) => counts.set(id, (counts.get(id) ?? 0) + 1), new Map());
  const outbox = () => world.postgres.rows(
    "select replace(id::text, '-', '') || '@example.com' id, booking_id, audience, status, created_at from recruiting.mail_outbox order by created_at, id");

  /** How often mails arrived more than once; fails where one did not arrive, or came after a later one. */
  const check = async () => {
    const counts = times();
    const last = new Map(); // by recipient and booking: where in the server's order the mail before was last seen
    for (const mail of await outbox()) {
      assert.equal(mail.status, 'sent', mail.id);
      assert.ok(counts.has(mail.id), `${mail.id} did not arrive`);
      const places = server.mails.flatMap(({ id }, place) => (id === mail.id ? [place] : []));
      const whose = `${mail.booking_id} ${mail.audience}`;
      assert.ok(places[0] > (last.get(whose) ?? -1), `${mail.id} came before an earlier one was through`);
      last.set(whose, places.at(-1));
    }
    return server.mails.length - counts.size;
  };

  await t.test('three instances at once send each mail once', async () => {
    await world.postgres.sql(book(0, 40));
    await world.postgres.sql(cancel_some);
    await world.postgres.sql(decline_some);
    await all_sent();
    assert.equal(await check(), 0);
  });

  await t.test('so they do while they are stopped and started', async () => {
    await world.postgres.sql(book(100, 60));
    await world.postgres.sql(cancel_some);
    await world.postgres.sql(decline_some);
    for (let i = 0; i < 6; i += 1) {
      await pause(random.between(50, 400));
      const one = world.instances[i % world.instances.length];
      await one.end('SIGTERM');
      await one.start();
    }
    await all_sent();
    assert.equal(await check(), 0);
  });

  await t.test('killed, they send each mail at least once, and no more often than they were killed', async () => {
    let killed = 0;
    for (; killed < kills; killed += 1) {
      await world.postgres.sql(book(200 + killed * 12, 12));
      if (killed % 3 === 0) await world.postgres.sql(cancel_some);
      if (killed % 3 === 1) await world.postgres.sql(decline_some);
      await pause(random.between(20, 500));
      const one = random.pick(world.instances);
      await one.end('SIGKILL');
      await one.start();
    }
    await all_sent();
    const extra = await check();
    t.diagnostic(JSON.stringify({ mails: times().size, kills: killed, extra }));
    assert.ok(extra <= killed * parallel, `${extra} mails more than needed`);
    assert.ok(Math.max(...times().values()) <= 1 + killed);
  });

  await t.test('their logs hold no address and no link', () => {
    const text = world.instances.flatMap((one) => one.log_lines()).join('\n');
    assert.match(text, /"event":"mail_sent"/);
    assert.doesNotMatch(text, /@mail\.example|@faults\.example/);
    const links = server.mails.flatMap(({ content }) => content.replaceAll('=\r\n', '').match(/\/interviews\/[\w-]{43}/g) ?? []);
    assert.ok(links.length > 0);
    for (const link of links) assert.ok(!text.includes(link.slice(-43)), link);
  });
});
