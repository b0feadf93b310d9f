// Booking through the gateway, whole: the published schedule, the request that answers everybody alike, the mails, the
// link that moves and cancels, and what recruiters and the audit log then show.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get, get_public, public_prefix, send } from '../../support/client.mjs';
import { await_condition } from '../../support/programs.mjs';
import { record_secret } from '../../support/records.mjs';
import { recruitctl } from '../../support/recruitctl.mjs';
import { bookings_of, make_interview } from '../../../support/interviews.mjs';
import { await_mails, interview_path, invitation_of } from '../../../support/mails.mjs';

const json = { 'Content-Type': 'application/json' };
let world, key, slots, token, winner, stranger;
before(async () => {
  world = await make_interview({ candidates: 2 });
  key = (await world.organization.key('*')).secret;
  stranger = `nobody.at.all@${world.organization.slug}.example`;
  record_secret(stranger);
});
after(close_connections);

const path = () => `/scheduling/${world.job}/${world.stage}`;
const schedule = async (query) => (await get_public(`${path()}/slots`, { query })).json.data;
const ask = (email, slotStart, more = {}) =>
  send('POST', `${public_prefix}${path()}/bookings`, { headers: json, body: JSON.stringify({ email, slotStart, ...more }), expect: 200 });
const manage = (rest = '', options = {}) => get_public(`/scheduling/manage/${token}${rest}`, options);
const change = (verb, body, expect = 200) =>
  send('POST', `${public_prefix}/scheduling/manage/${token}/${verb}`, { headers: json, body: body && JSON.stringify(body), expect });
const actions = async () =>
  (await get('/audit', { key, query: { order: 'asc', limit: 200 } })).json.data.map((row) => row.action).filter((action) => action.startsWith('booking.'));

test('the schedule: soonest first, by times and in a zone', async () => {
  slots = await schedule();
  assert.ok(slots.length >= 20);
  assert.deepEqual(slots.map((slot) => slot.slotStart), slots.map((slot) => slot.slotStart).sort());
  const some = await schedule({ from: slots[2].slotStart, to: slots[5].slotStart, timeZone: 'Asia/Tokyo' });
  assert.deepEqual(some.map((slot) => slot.slotStart), slots.slice(2, 5).map((slot) => slot.slotStart));
  assert.match(some[0].localStart, /\+09:00$/);
});

test('a candidate and a stranger get the same answer; the schedule stays as it was', async () => {
  const answers = [
    await ask(world.emails[0], slots[0].slotStart, { timeZone: 'America/Lima' }),
    await ask(stranger, slots[0].slotStart, { timeZone: 'America/Lima' }),
    await ask(world.emails[1], slots[0].slotStart),
  ];
  const shown = ({ status, text, headers }) => {
    const { date, 'x-request-id': id, ratelimit, ...rest } = headers;
    return { status, text, rest };
  };
  assert.equal(answers[0].text, '{"data":{"confirmed":true}}');
  for (const answer of answers) assert.deepEqual(shown(answer), shown(answers[0]));
  await bookings_of(world.organization, 2);
  assert.deepEqual(await schedule(), slots);
});

test('the winner is invited, the loser may choose again, the stranger hears nothing', async () => {
  const both = [(await await_mails(world.emails[0], 1))[0], (await await_mails(world.emails[1], 1))[0]];
  const place = both.findIndex((one) => invitation_of(one) !== '');
  const [mail, other] = [both[place], both[1 - place]];
  winner = world.emails[place];
  assert.match(invitation_of(mail), /^METHOD:REQUEST\r$/m);
  assert.equal(invitation_of(other), '');
  const lost = interview_path(other).split('/').pop();
  token = interview_path(mail).split('/').pop();
  for (const one of [lost, token]) record_secret(one);
  assert.equal((await get_public(`/scheduling/manage/${lost}`)).json.data.status, 'unplaced');
  assert.equal((await bookings_of(world.organization, 2)).length, 2);
});

test('the link shows the interview, true availability and a calendar entry', async () => {
  const { data } = (await manage()).json;
  assert.equal(data.status, 'confirmed');
  assert.equal(data.startsAt, slots[0].slotStart);
  assert.equal(data.timeZone, winner === world.emails[0] ? 'America/Lima' : 'UTC');
  assert.equal(data.job.id, world.job);
  assert.ok(!JSON.stringify(data).includes(winner));
  const free = (await manage('/slots', { query: { from: slots[0].slotStart, to: slots[4].slotStart, timeZone: 'UTC' } })).json.data;
  assert.equal(free[0].slotStart, slots[0].slotStart, 'its own time counts as free');
  const calendar = await manage('/invite.ics');
  assert.match(calendar.text, /^BEGIN:VCALENDAR\r\n/);
  const page = await send('GET', `/interviews/${token}`, { expect: 200 });
  assert.match(page.headers['content-type'], /^text\/html/);
  assert.ok(page.text.includes('Acme Robotics') && !page.text.includes(winner));
});

test('recruiters see the interview where they see the application', async () => {
  const { data: pipeline } = (await get('/pipeline', { key, query: { jobId: world.job } })).json;
  const all = pipeline.stages.flatMap((stage) => stage.applications);
  const [booked] = all.filter((application) => application.nextInterview);
  assert.equal(booked.nextInterview.startsAt, slots[0].slotStart);
  const { data: candidate } = (await get(`/candidates/${booked.candidateId}`, { key })).json;
  assert.equal(candidate.applications[0].nextInterview.bookingId, booked.nextInterview.bookingId);
});

test('moved by the link: told again, the same event', async () => {
  const moved = await change('reschedule', { slotStart: slots[3].slotStart, timeZone: 'Europe/Berlin' });
  assert.equal(moved.json.data.startsAt, slots[3].slotStart);
  const again = await change('reschedule', { slotStart: slots[3].slotStart });
  assert.equal(again.json.data.startsAt, slots[3].slotStart);
  const events = (await await_mails(winner, 2)).map(invitation_of);
  assert.equal(new Set(events.map((event) => event.match(/^UID:(\S+)/m)[1])).size, 1);
  assert.deepEqual(events.map((event) => event.match(/^SEQUENCE:(\d+)/m)[1]).sort(), ['0', '1']);
});

test('canceled by the link: told, twice is once, and it may be taken up again', async () => {
  assert.equal((await change('cancel')).json.data.status, 'canceled');
  assert.equal((await change('cancel')).json.data.status, 'canceled');
  const events = (await await_mails(winner, 3)).map(invitation_of);
  assert.equal(events.filter((event) => /^METHOD:CANCEL\r$/m.test(event)).length, 1);
  await manage('/invite.ics', { expect: 404 });
  assert.equal((await change('reschedule', { slotStart: slots[5].slotStart })).json.data.status, 'confirmed');
});

test('every change is in the audit log, and none names a candidate', async () => {
  await await_condition(async () => (await actions()).length >= 5, 'the audit rows');
  assert.deepEqual((await actions()).sort(), ['booking.canceled', 'booking.confirmed', 'booking.confirmed', 'booking.rescheduled', 'booking.slot_taken'].sort());
  const { text } = await get('/audit', { key, query: { limit: 200 } });
  for (const email of [...world.emails, stranger]) assert.ok(!text.includes(email));
  assert.ok(!text.includes(token));
});

test('an operator sees the mails without their links', async () => {
  const listed = await recruitctl('mail', 'list', '--organization', world.organization.slug);
  assert.ok(JSON.stringify(listed).includes('confirmed'));
  assert.ok(!JSON.stringify(listed).includes(token));
});
