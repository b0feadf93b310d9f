// What the holder of a link, and whoever knows an address, can't do to a candidate and to the organization: more changes, mails
// and charges than one interview is worth.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get, get_public, public_prefix, send } from '../../support/client.mjs';
import { record_secret } from '../../support/records.mjs';
import { sql, uuid } from '../../support/recruitctl.mjs';
import { early_in } from '../../../support/clock.mjs';
import { bookings_of, make_interview } from '../../../support/interviews.mjs';
import { await_mails, interview_path, mails_to } from '../../../support/mails.mjs';

const json = { 'Content-Type': 'application/json' };
const changes_an_hour = 20;
const mails_a_day = 12;

let world, slots, email;
before(async () => {
  world = await make_interview();
  email = world.emails[0];
  slots = (await get_public(`/scheduling/${world.job}/${world.stage}/slots`)).json.data.map(({ slotStart }) => slotStart);
});
after(close_connections);

const book = (slotStart, address) => send('POST', `${public_prefix}/scheduling/${world.job}/${world.stage}/bookings`,
  { headers: json, body: JSON.stringify({ email, slotStart }), address, expect: 200 });
const token_of = (mail) => {
  const token = interview_path(mail).split('/').pop();
  record_secret(token);
  return token;
};
const change = (token, slotStart, expect = 200) => slotStart === undefined
  ? send('POST', `${public_prefix}/scheduling/manage/${token}/cancel`, { expect })
  : send('POST', `${public_prefix}/scheduling/manage/${token}/reschedule`, { headers: json, body: JSON.stringify({ slotStart }), expect });
const due_mails = async () => {
  const [[count]] = await sql(`select count(*) from recruiting.mail_outbox where status = 'waiting' and held_until is null
    and organization_id = ${uuid(world.organization.id)}`);
  return Number(count);
};
const mails_are_sent = async () => {
  for (const deadline = Date.now() + 60_000; (await due_mails()) > 0;) {
    assert.ok(Date.now() < deadline, 'the mails that may go today have gone');
    await new Promise((done) => setTimeout(done, 50));
  }
};

test('changes through links are limited per booking, not per link', async () => {
  await early_in(3600, 60);
  await book(slots[0]);
  await bookings_of(world.organization, 1);
  const [first] = await await_mails(email, 1);
  const token = token_of(first);
  for (let i = 0; i < changes_an_hour; i += 1) await change(token, i % 2 === 0 ? undefined : slots[0]);
  await await_mails(email, 2);
  for (const mail of mails_to(email)) { // each mail has brought another link, and all are one credential
    const refused = await change(token_of(mail), slots[1], 429);
    assert.equal(refused.error.details[0].reason, 'booking_changes');
    assert.match(refused.headers.ratelimit, /^"booking_changes";r=0;t=\d+, "ip";r=\d+;t=\d+$/);
    assert.equal((await get_public(`/scheduling/manage/${token_of(mail)}`)).json.data.startsAt, slots[0]);
  }
});

test('an interview is billed once for its calendar day, however often it was canceled and booked', async () => {
  const { secret } = await world.organization.key('billing:read');
  const { data } = (await get('/billing', { key: secret })).json;
  assert.equal(data.usage.bookings, 1);
});

test('at most 12 mails a day go to one address, whatever is sent', async () => {
  for (let i = 0; i < 30; i += 1) await book(slots[2 + i], `127.8.${i}.1`); // a stranger with many networks
  for (const deadline = Date.now() + 60_000; ;) {
    const [[waiting]] = await sql(`select count(*) from recruiting.booking_requests where organization_id = ${uuid(world.organization.id)}`);
    if (waiting === '0') break;
    assert.ok(Date.now() < deadline, 'every request is processed');
    await new Promise((done) => setTimeout(done, 50));
  }
  await mails_are_sent();
  assert.equal(mails_to(email).length, mails_a_day);
});
