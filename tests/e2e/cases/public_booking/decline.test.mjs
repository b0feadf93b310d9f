// An interviewer declines with the link in the mail: nothing stays booked, the slot is closed, both are notified, and the
// candidate chooses another time. Every kind of calendar on the way is read by ical.js.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get_public, public_prefix, send } from '../../support/client.mjs';
import { record_secret } from '../../support/records.mjs';
import { sql, uuid } from '../../support/recruitctl.mjs';
import { read_event } from '../../../support/calendars.mjs';
import { make_interview } from '../../../support/interviews.mjs';
import { await_mails, decline_path, html_of, interview_path, invitation_of, join_path, subject_of, text_of } from '../../../support/mails.mjs';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const secret_of = (path) => path.split('/')[2];

let world, slots, candidate, interviewer, link;
const read_slots = async () => (await get_public(`/scheduling/${world.job}/${world.stage}/slots`)).json.data;
const mails = async (address, count) => {
  const all = await await_mails(address, count);
  for (const mail of all)
    for (const path of [join_path(mail), decline_path(mail), address === candidate ? interview_path(mail) : null]) if (path) record_secret(secret_of(path));
  return all;
};
const status = async () => (await sql(`select status, declined_by is not null from recruiting.bookings where organization_id = ${uuid(world.organization.id)}`))[0];

before(async () => {
  world = await make_interview({ candidates: 1, name: 'Declined Robotics' });
  [candidate] = world.emails;
  interviewer = world.organization.admin;
  slots = await read_slots();
});
after(close_connections);

test('the interviewer\'s mail and calendar entry have a link to decline, the candidate\'s have none', async () => {
  await send('POST', `${public_prefix}/scheduling/${world.job}/${world.stage}/bookings`,
    { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email: candidate, slotStart: slots[0].slotStart, timeZone: 'Europe/Berlin' }), expect: 200 });
  const [to_candidate] = await mails(candidate, 1);
  const [to_interviewer] = await mails(interviewer, 1);
  link = decline_path(to_interviewer);
  assert.ok(link);
  assert.equal(decline_path(to_candidate), null);
  assert.ok(html_of(to_interviewer).includes(`${link}"`));
  const [theirs, own] = [read_event(invitation_of(to_interviewer)), read_event(invitation_of(to_candidate))];
  for (const event of [theirs, own]) {
    assert.deepEqual([event.method, event.sequence, event.status, event.class, event.starts], ['REQUEST', 0, 'CONFIRMED', 'PRIVATE', slots[0].slotStart]);
    assert.equal(event.location, event.url);
    assert.match(event.url, /\/join$/);
  }
  assert.equal(theirs.uid, own.uid);
  assert.match(theirs.description, new RegExp(`^Decline: \\S+${link}$`, 'm'));
  assert.match(own.description, new RegExp(`^Move or cancel: \\S+${interview_path(to_candidate)}$`, 'm'));
  const published = read_event((await send('GET', `${interview_path(to_candidate)}/invite.ics`, { expect: 200 })).text);
  assert.deepEqual({ ...published, organizer: null, attendee: null }, { ...own, method: 'PUBLISH', organizer: null, attendee: null });
  // The interviewer's mail leads to the same entry, without the candidate.
  const [, file] = html_of(to_interviewer).match(/href="[^"]*(\/interviews\/[^"]*\/decline\/invite\.ics\?join=[^"]*)"/);
  const downloaded = await send('GET', file, { expect: 200 });
  assert.match(downloaded.headers['cache-control'], /no-store/);
  const added = read_event(downloaded.text);
  assert.match(added.summary, /a candidate/);
  assert.deepEqual({ ...added, summary: null, organizer: null, attendee: null }, { ...theirs, method: 'PUBLISH', summary: null, organizer: null, attendee: null });
  for (const other of [file.replace(/\?.*/, ''), file.replace(/join=.*/, 'join=x'), file.replace(/interviews\/[^/]*/, `interviews/${'A'.repeat(43)}`)]) await send('GET', other, { expect: 404 });
});

test('links to web calendars have the time and the link to join, and no other', async () => {
  const [mail] = await mails(candidate, 1);
  const links = text_of(mail).match(/^https:\/\/(calendar\.google|outlook)\S+$/gm).map((text) => new URL(text));
  assert.deepEqual(links.map(({ host }) => host), ['calendar.google.com', 'outlook.live.com', 'outlook.office.com']);
  for (const { searchParams } of links) {
    assert.ok(searchParams.get('location').endsWith(join_path(mail)));
    const times = searchParams.get('dates')?.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/g, '$1-$2-$3T$4:$5:$6Z') ?? `${searchParams.get('startdt')}/${searchParams.get('enddt')}`;
    assert.deepEqual(times.split('/').map((time) => new Date(time).toISOString()), [slots[0].slotStart, slots[0].slotEnd]);
    assert.ok(!String(searchParams).includes(secret_of(interview_path(mail))));
  }
});

test('opening the link changes nothing; nobody without it finds a page', async () => {
  const page = await send('GET', link, { expect: 200 });
  assert.match(page.text, /<h1>Decline this interview\?<\/h1>/);
  assert.ok(!page.text.includes(candidate));
  await send('HEAD', link, { expect: 200 });
  assert.deepEqual(await status(), ['confirmed', 'f']);
  const [unknown, shortened] = [`/interviews/${'A'.repeat(43)}/decline`, link.replace(/.\/decline/, '/decline')];
  for (const method of ['GET', 'POST']) {
    const answers = await Promise.all([unknown, shortened].map((path) => send(method, path, { headers: method === 'POST' ? form : {}, expect: 404 })));
    assert.equal(answers[0].text, answers[1].text);
  }
});

test('declining leaves nothing booked, closes the slot, and leads both calendars to forget the interview', async () => {
  const answer = await send('POST', link, { headers: form, body: '', expect: 303 });
  assert.equal(answer.headers.location, link);
  assert.match((await send('GET', link, { expect: 200 })).text, /<h1>You have declined this interview<\/h1>/);
  assert.deepEqual(await status(), ['unplaced', 't']);
  assert.ok(!(await read_slots()).some(({ slotStart }) => slotStart === slots[0].slotStart), 'the slot is not offered again');
  const [first, declined] = await mails(candidate, 2);
  const [, to_interviewer] = await mails(interviewer, 2);
  assert.equal(subject_of(declined), 'Your interview needs another time: Senior Backend Engineer');
  assert.match(subject_of(to_interviewer), /^Declined: interview with /);
  const uid = read_event(invitation_of(first)).uid;
  for (const mail of [declined, to_interviewer]) {
    const event = read_event(invitation_of(mail));
    assert.deepEqual([event.method, event.status, event.uid, event.sequence, event.starts], ['CANCEL', 'CANCELLED', uid, 1, slots[0].slotStart]);
    assert.ok(!event.description.includes('https://') && event.class === null);
  }
  assert.equal(join_path(declined) ?? join_path(to_interviewer), null);
});

test('declining again is harmless and says so', async () => {
  const answer = await send('POST', link, { headers: form, body: '', expect: 303 });
  assert.match((await send('GET', answer.headers.location, { expect: 200 })).text, /Nothing was changed\./);
  assert.deepEqual(await status(), ['unplaced', 't']);
  assert.equal((await mails(candidate, 2)).length, 2);
});

test('the candidate chooses another time: another event, and the old link declines nothing of it', async () => {
  const [first, declined] = await mails(candidate, 2);
  const page = await send('GET', interview_path(declined), { expect: 200 });
  assert.match(page.text, /The interviewer can(&#39;|')t make it at that time/);
  await send('POST', `${interview_path(declined)}/reschedule`, { headers: form, body: `slotStart=${encodeURIComponent(slots[1].slotStart)}`, expect: 303 });
  const [, , confirmed] = await mails(candidate, 3);
  const event = read_event(invitation_of(confirmed));
  assert.deepEqual([event.method, event.sequence, event.starts], ['REQUEST', 0, slots[1].slotStart]);
  assert.notEqual(event.uid, read_event(invitation_of(first)).uid);
  const [, , again] = await mails(interviewer, 3);
  assert.notEqual(decline_path(again), link);
  await send('POST', link, { headers: form, body: '', expect: 303 });
  assert.deepEqual(await status(), ['confirmed', 'f']);
});

test('a moved and a canceled interview come as calendars too', async () => {
  const path = interview_path((await mails(candidate, 3)).at(-1));
  await send('POST', `${path}/reschedule`, { headers: form, body: `slotStart=${encodeURIComponent(slots[2].slotStart)}`, expect: 303 });
  const moved = read_event(invitation_of((await mails(candidate, 4)).at(-1)));
  assert.deepEqual([moved.method, moved.sequence, moved.class, moved.starts], ['REQUEST', 1, 'PRIVATE', slots[2].slotStart]);
  const old_link = decline_path((await mails(interviewer, 3))[2]);
  assert.match((await send('GET', old_link, { expect: 200 })).text, /<h1>This interview has been moved<\/h1>/);
  await send('POST', `${path}/cancel`, { headers: form, body: '', expect: 303 });
  for (const address of [candidate, interviewer]) {
    const canceled = read_event(invitation_of((await mails(address, 5)).at(-1)));
    assert.deepEqual([canceled.method, canceled.status, canceled.sequence, canceled.uid], ['CANCEL', 'CANCELLED', 2, moved.uid]);
  }
});
