// The candidate's join link is delivered by e-mail and never in the response; it leads to the meeting at the time of the
// interview. Mails are in the language of the request.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settings_of } from '../../support/environment.mjs';
import { close_connections, get_public, public_prefix, send } from '../../support/client.mjs';
import { record_secret } from '../../support/records.mjs';
import { recruitctl, sql, uuid } from '../../support/recruitctl.mjs';
import { make_interview } from '../../../support/interviews.mjs';
import { await_mails, interview_path, invitation_of, join_path, text_of } from '../../../support/mails.mjs';

let world, slots, link;
before(async () => {
  world = await make_interview({ candidates: 6, name: 'Joined Robotics' });
  slots = (await get_public(`/scheduling/${world.job}/${world.stage}/slots`)).json.data;
});
after(close_connections);

const ask = async (email, slotStart, more = {}, headers = {}) => {
  const answer = await send('POST', `${public_prefix}/scheduling/${world.job}/${world.stage}/bookings`,
    { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify({ email, slotStart, timeZone: 'Europe/Berlin', ...more }), expect: 200 });
  assert.equal(answer.text, '{"data":{"confirmed":true}}');
};
const mail_to = async (email) => {
  const [mail] = await await_mails(email, 1);
  for (const path of [interview_path(mail), join_path(mail)]) if (path) record_secret(path.split('/')[2]);
  return mail;
};
const follow = (headers = {}, expect = 200) => send('GET', link, { headers, expect });
const admin = () => ['--organization', world.organization.slug];

test('mails are in the language of the request: its field, else Accept-Language, else English', async () => {
  const greetings = [
    [{ language: 'de-AT' }, { 'Accept-Language': 'fr' }, /^Guten Tag .+,$/m, 'Dienstag|Montag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag'],
    [{}, { 'Accept-Language': 'pt, fr;q=0.8' }, /^Bonjour .+,$/m, 'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche'],
    [{ language: 'es' }, {}, /^Hola, .+:$/m, ' de 20\\d\\d, \\d\\d:\\d\\d \\(Europe/Berlin'],
    [{ language: 'ja-JP' }, {}, /^.+ 様$/m, '20\\d\\d年'],
    [{ language: 'tlh' }, {}, /^Hello .+,$/m, 'Europe/Berlin, UTC\\+0[12]:00'],
  ];
  for (const [i, [more, headers]] of greetings.entries()) await ask(world.emails[i], slots[2 * i].slotStart, more, headers);
  for (const [i, [, , greeting, date]] of greetings.entries()) {
    const text = text_of(await mail_to(world.emails[i]));
    assert.match(text, greeting);
    assert.match(text, new RegExp(date));
  }
});

test('a booking\'s mail always carries a join link, and so does its invitation', async () => {
  const mail = await mail_to(world.emails[0]);
  link = join_path(mail);
  assert.ok(link);
  assert.notEqual(link, `${interview_path(mail)}/join`, 'the link to join manages nothing');
  const event = invitation_of(mail);
  assert.ok(event.includes(`URL:`) && event.match(/^URL:(\S+)/m)[1].endsWith(link));
  assert.ok(event.match(/^LOCATION:(\S+)/m)[1].endsWith(link));
  assert.match(event, /^CLASS:PRIVATE$/m, 'the entry has the link that manages the interview too');
});

test('too early it says so, with the time, in the language of the page\'s reader', async () => {
  const french = await follow({ 'Accept-Language': 'fr-CA' });
  assert.match(french.text, /<html lang="fr">/);
  assert.match(french.text, /Ce lien mènera à l’entretien à partir du/);
  assert.match(french.text, /Europe\/Berlin/);
  assert.match((await follow()).text, /<html lang="de">/, 'else in the booking\'s');
  assert.match((await send('GET', link.replace('/join', ''), { expect: 404 })).headers['content-type'], /html/);
});

// The next minutes instead of the day after tomorrow; the interviewer has no other interview then.
const begin_soon = () => sql(`update recruiting.bookings set starts_at = now() + interval '5 minutes', ends_at = now() + interval '35 minutes'
  where organization_id = ${uuid(world.organization.id)} and starts_at = '${slots[0].slotStart}'`);

test('at the time of the interview it leads to the deployment\'s rooms where it has them, else says that no address is set, then leads to the organization\'s, the interviewer\'s, the slot\'s', async () => {
  await begin_soon();
  if (settings_of('auth-api').RECRUITING_BOOKING_ROOM_URL) assert.match((await follow({}, 302)).headers.location, /\/[0-9a-f]{32}$/);
  await sql(`update recruiting.bookings set room_url = null where organization_id = ${uuid(world.organization.id)}`);
  const waiting = await follow({ 'Accept-Language': 'en' });
  assert.match(waiting.text, /The address of the meeting is not set yet/);
  await recruitctl('organization', 'set-room-url', ...admin(), '--url', 'https://rooms.example/{room}');
  const room = await follow({}, 302);
  assert.match(room.headers.location, /^https:\/\/rooms\.example\/[0-9a-f]{32}$/);
  assert.equal(room.headers['referrer-policy'], 'no-referrer');
  assert.equal(room.headers['cache-control'], 'no-store');
  assert.equal((await follow({}, 302)).headers.location, room.headers.location);
  await recruitctl('member', 'set-join-url', ...admin(), '--email', world.organization.admin, '--url', 'https://meet.example/admin');
  assert.equal((await follow({}, 302)).headers.location, 'https://meet.example/admin');
  await sql(`update recruiting.interview_slots set join_url = 'https://slots.example/first'
    where organization_id = ${uuid(world.organization.id)} and starts_at = '${slots[0].slotStart}'`);
  assert.equal((await follow({}, 302)).headers.location, 'https://slots.example/first');
  const answer = await send('GET', `${link}?url=https://evil.example&next=//evil.example`, { expect: 302 });
  assert.equal(answer.headers.location, 'https://slots.example/first');
});

test('a canceled booking\'s link says so; a link that nobody was sent is not found', async () => {
  await sql(`update recruiting.bookings set status = 'canceled' where organization_id = ${uuid(world.organization.id)} and starts_at < now() + interval '1 hour'`);
  assert.match((await follow({ 'Accept-Language': 'es' })).text, /Su entrevista está cancelada/);
  const [unknown, forged] = [`/interviews/${'A'.repeat(43)}/join`, `${link.slice(0, -9)}AAAA/join`];
  const bodies = await Promise.all([unknown, forged].map(async (path) => (await send('GET', path, { expect: 404 })).text));
  assert.equal(bodies[0], bodies[1]);
});
