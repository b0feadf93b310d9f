// Interviews in the console: what members open, close and change there is what candidates see, and what candidates ask for is listed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get_public, public_prefix, send } from '../../support/client.mjs';
import { fresh_address, sign_in } from '../../support/console.mjs';
import { job_record, set_hiring_team } from '../../support/organization.mjs';
import { await_condition } from '../../support/programs.mjs';
import { record_secret } from '../../support/records.mjs';
import { make_interview } from '../../../support/interviews.mjs';

let world, admin, colleague, interviewer, viewer;
before(async () => {
  world = await make_interview({ days: 0 });
  await world.organization.import('jobs', [job_record(0)]);
  for (const role of ['hiring_manager', 'interviewer', 'viewer']) await world.organization.add_member(role);
  admin = await sign_in(world.organization);
  colleague = await sign_in(world.organization, `hiring-manager@${world.organization.slug}.example`);
  interviewer = await sign_in(world.organization, `interviewer@${world.organization.slug}.example`);
  viewer = await sign_in(world.organization, `viewer@${world.organization.slug}.example`);
});
after(close_connections);

const day_in = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const wish = (more = {}) => ({
  jobId: world.job, stageId: world.stage, memberId: world.organization.admin_member.id, firstDay: day_in(2), lastDay: day_in(4), from: '08:00', to: '10:00',
  weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], interviewDurationMinutes: 30, timeZone: 'UTC', ...more,
});
const open_slots = async (more) => (await admin.change('POST', '/interviews/slots', wish(more), { expect: 201 })).json.data;
const list = async (what, query = {}, session = admin) => (await session.get(`/interviews/${what}`, { query })).json.data;
const shown_times = async () =>
  (await get_public(`/scheduling/${world.job}/${world.stage}/slots`)).json.data.map(({ slotStart }) => slotStart);
const book = (email, slotStart) => {
  record_secret(email);
  return send('POST', `${public_prefix}/scheduling/${world.job}/${world.stage}/bookings`,
    { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email, slotStart }), address: fresh_address(), expect: 200 });
};
const once_there = async (what, query = {}) => {
  let found;
  await await_condition(async () => (found = await list(what, query)).length > 0, `there are ${what}`);
  return found;
};
const act = (booking, what, body, options) => admin.change('POST', `/interviews/bookings/${booking.id}/${what}`, body, options);
const ids = (records) => records.map(({ id }) => id);

test('slots: opened once, shown to candidates, closed for good', async () => {
  const { opened, existing, skipped } = await open_slots();
  assert.deepEqual([opened.length, existing.length, skipped.length], [12, 0, 0]);
  const again = await open_slots();
  assert.deepEqual([again.opened.length, again.existing.length], [0, 12]);
  assert.deepEqual(await shown_times(), opened.map(({ slotStart }) => slotStart));
  const listed = await list('slots', { jobId: world.job, stageId: world.stage, memberId: world.organization.admin_member.id });
  assert.deepEqual(ids(listed), ids(opened));
  assert.deepEqual(ids(await list('slots', { from: opened[4].slotStart, to: opened[6].slotStart })), ids(opened.slice(4, 6)));
  const last = opened.at(-1);
  for (let times = 0; times < 2; times += 1)
    assert.equal((await admin.change('POST', `/interviews/slots/${last.id}/close`)).json.data.state, 'closed');
  assert.deepEqual(await shown_times(), opened.slice(0, -1).map(({ slotStart }) => slotStart));
  assert.equal((await list('slots')).length, 11);
  assert.equal((await list('slots', { includeClosed: true })).length, 12);
  const rows = (await admin.get('/audit', { query: { action: 'slot.opened,slot.closed', limit: 200 } })).json.data;
  assert.deepEqual(['slot.opened', 'slot.closed'].map((name) => rows.filter(({ action }) => action === name).length), [1, 1]);
  assert.equal(rows.find(({ action }) => action === 'slot.opened').count, 12);
  assert.ok(rows.every(({ actor }) => actor.type === 'member' && actor.memberId === world.organization.admin_member.id));
});

test('a candidate books: a booking; a mistyped address: a request that matched nobody', async () => {
  const [time] = await shown_times();
  await book(world.emails[0], time);
  const [booking] = await once_there('bookings', { jobId: world.job, stageId: world.stage, status: 'confirmed,unplaced' });
  assert.deepEqual([booking.status, booking.startsAt, booking.interviewer.memberId ?? booking.interviewer.id], ['confirmed', time, world.organization.admin_member.id]);
  assert.ok(booking.candidate.name);
  assert.equal(booking.declinedBy, null);
  assert.deepEqual((await admin.get(`/interviews/bookings/${booking.id}`)).json.data, booking);
  const candidate = (await admin.get(`/candidates/${booking.candidate.id}`)).json.data;
  assert.deepEqual([candidate.name, candidate.email, candidate.applications[0].nextInterview.bookingId], [booking.candidate.name, world.emails[0], booking.id]);
  for (const session of [colleague, interviewer]) await session.get(`/interviews/bookings/${booking.id}`, { expect: 404 });
  await viewer.get(`/interviews/bookings/${booking.id}`, { expect: 403 });
  await colleague.get(`/candidates/${candidate.id}`, { expect: 404 });
  for (const session of [interviewer, viewer]) await session.get(`/candidates/${candidate.id}`, { expect: 403 });
  assert.deepEqual(ids(await list('bookings', { memberId: world.organization.admin_member.id, from: time, to: '2099-01-01T00:00:00Z' })), [booking.id]);
  assert.deepEqual(await list('bookings', { status: 'canceled' }), []);
  assert.equal((await list('slots')).find(({ slotStart }) => slotStart === time).booked, true);
  const mistyped = world.emails[0].replace('person', 'persom');
  for (let times = 0; times < 2; times += 1) await book(mistyped, (await shown_times())[0]);
  await await_condition(async () => (await list('unmatched'))[0]?.requests === 2, 'both requests are noted');
  const [request] = await list('unmatched', { jobId: world.job, stageId: world.stage, receivedAfter: '2026-01-01T00:00:00Z' });
  assert.deepEqual([request.email, request.requests, request.candidate], [mistyped, 2, null]);
  assert.deepEqual(await list('unmatched', { receivedAfter: '2099-01-01T00:00:00Z' }), []);
});

test('a booking is moved, handed over, sent again, linked and canceled, and its timeline tells so', async () => {
  const [booking] = await list('bookings', { jobId: world.job, status: 'confirmed' });
  const [slot] = (await list('slots', { stageId: world.stage })).filter(({ state, id }) => state === 'open' && id !== booking.slotId);
  const moved = (await act(booking, 'move', { slotId: slot.id })).json.data;
  assert.deepEqual([moved.slotId, moved.startsAt], [slot.id, slot.slotStart]);
  const taker = (await admin.get('/members', { query: { role: 'viewer' } })).json.data[0];
  const handed_over = (await act(booking, 'hand-over', { memberId: taker.id })).json.data;
  assert.deepEqual([handed_over.interviewer.memberId, handed_over.startsAt], [taker.id, slot.slotStart]);
  await act(booking, 'resend', undefined, { expect: 202 });
  const { url } = (await act(booking, 'link', undefined, { expect: 201 })).json.data;
  const token = url.split('/').at(-1);
  record_secret(token);
  assert.equal((await get_public(`/scheduling/manage/${token}`)).json.data.startsAt, slot.slotStart);
  for (const what of ['cancel', 'resend', 'link']) {
    await interviewer.change('POST', `/interviews/bookings/${booking.id}/${what}`, undefined, { expect: 403 });
    await colleague.change('POST', `/interviews/bookings/${booking.id}/${what}`, undefined, { expect: 404 });
  }
  assert.equal((await act(booking, 'cancel')).json.data.status, 'canceled');
  assert.equal((await get_public(`/scheduling/manage/${token}`)).json.data.status, 'canceled');
  assert.equal((await act(booking, 'hand-over', { memberId: taker.id }, { expect: 409 })).error.code, 'booking_closed');
  const entries = (await admin.get(`/interviews/bookings/${booking.id}/timeline`)).json.data;
  assert.deepEqual(entries.map(({ event }) => event), ['confirmed', 'rescheduled', 'handed_over', 'resent', 'link_created', 'canceled']);
  assert.deepEqual([entries[0].by.kind, entries[1].by.kind, entries[1].from, entries[1].to], ['candidate', 'member', booking.startsAt, slot.slotStart]);
  assert.equal(entries[2].interviewer, taker.name);
  await viewer.get(`/interviews/bookings/${booking.id}/timeline`, { expect: 403 });
});

test('a preview opens nothing', async () => {
  const { opened, existing, skipped, past } = (await admin.change('POST', '/interviews/slots', wish({ preview: true, firstDay: day_in(10), lastDay: day_in(11) }))).json.data;
  assert.deepEqual([opened.length, existing.length, skipped.length, past.length], [8, 0, 0, 0]);
  assert.deepEqual(await list('slots', { from: opened[0].slotStart }), []);
});

test('hiring managers see their jobs, interviewers their own slots and no unmatched requests', async () => {
  for (const what of ['stages', 'slots', 'bookings', 'unmatched']) assert.deepEqual(await list(what, {}, colleague), [], what);
  await set_hiring_team(world.organization, 0, [`hiring-manager@${world.organization.slug}.example`]);
  const stages = await list('stages', {}, colleague);
  assert.ok(stages.length > 0 && stages.every(({ jobId, mayChange }) => jobId !== world.job && mayChange));
  assert.equal((await colleague.change('POST', '/interviews/slots', wish(), { expect: 400 })).error.details[0].reason, 'unknown');
  await colleague.change('PATCH', `/interviews/stages/${world.stage}`, { bookable: false }, { expect: 404 });
  const [one] = await list('slots');
  await colleague.change('POST', `/interviews/slots/${one.id}/close`, undefined, { expect: 404 });
  assert.deepEqual(await list('slots', {}, interviewer), []);
  await interviewer.get('/interviews/unmatched', { expect: 403 });
  await interviewer.change('POST', '/interviews/slots', wish(), { expect: 403 });
});

test('a stage: no longer bookable, candidates see no times of it; back with another duration', async () => {
  const change = async (body) => (await admin.change('PATCH', `/interviews/stages/${world.stage}`, body)).json.data;
  const offered = async () => (await get_public(`/jobs/${world.job}`)).json.data.bookableStages.map(({ id }) => id);
  assert.ok((await list('stages', { bookable: true, jobId: world.job })).some(({ id }) => id === world.stage));
  assert.equal((await change({ bookable: false })).bookable, false);
  assert.ok((await list('stages', { bookable: false })).some(({ id }) => id === world.stage));
  await await_condition(async () => !(await offered()).includes(world.stage), 'candidates are not offered the stage');
  const back = await change({ bookable: true, interviewDurationMinutes: 45 });
  assert.deepEqual([back.bookable, back.interviewDurationMinutes], [true, 45]);
  await await_condition(async () => (await offered()).includes(world.stage), 'candidates are offered the stage again');
  const rows = (await admin.get('/audit', { query: { action: 'stage.changed' } })).json.data;
  assert.equal(rows.length, 2);
});

test('what is refused', async () => {
  const refused = async (more, field, reason) => {
    const { error } = await admin.change('POST', '/interviews/slots', wish(more), { expect: 400 });
    assert.deepEqual(error.details.map((one) => one.field), [field], JSON.stringify(error.details));
    if (reason) assert.equal(error.details[0].reason, reason);
  };
  await refused({ jobId: 'x' }, 'jobId');
  await refused({ firstDay: '2026-02-30' }, 'firstDay');
  await refused({ weekdays: ['someday'] }, 'weekdays');
  await refused({ interviewDurationMinutes: 4 }, 'interviewDurationMinutes');
  await refused({ timeZone: 'Mars/Olympus' }, 'timeZone');
  await refused({ joinUrl: 'javascript:alert(1)' }, 'joinUrl');
  await refused({ to: '08:10' }, 'lastDay', 'no_slots');
  await refused({ colour: 'red' }, 'colour');
  await admin.change('PATCH', `/interviews/stages/${world.stage}`, {}, { expect: 400 });
});
