// Delivery against receivers that fail, hang, go away or lie: at least once, with the same id, and no receiver delays another.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections } from '../../support/client.mjs';
import { sign_in } from '../../support/console.mjs';
import { candidate_record, make_organization } from '../../support/organization.mjs';
import { await_condition } from '../../support/programs.mjs';
import { await_messages, change_status, create_webhook, delete_webhook, deliveries_of, rotate_secret, send_test, touch_candidate, webhook_of } from '../../support/webhooks.mjs';
import { answers, start_receiver, verified } from '../../../support/receiver.mjs';

const type = 'candidates.changed';
const receivers = [];
let organization, admin, steady;
before(async () => {
  organization = await make_organization();
  await organization.import('candidates', [candidate_record(0, organization.slug)]);
  admin = await sign_in(organization);
  steady = await set_up(204);
});
after(async () => {
  for (const receiver of receivers) await receiver.stop();
  close_connections();
});

/** A receiver that answers so, and its webhook: {receiver, webhook, secret}. */
const set_up = async (answer) => {
  const receiver = await start_receiver({ answer });
  receivers.push(receiver);
  return { receiver, ...(await create_webhook(admin, receiver.url, ['candidates'])) };
};
const touch = () => touch_candidate(organization);
/** Waits until the steady receiver knows of one more change: then so would another. */
const change_and_settle = async () => {
  const already = steady.receiver.of(type).length;
  await touch();
  await await_messages(steady.receiver, type, already + 1);
};
const deliveries_until = async (webhook, condition, what) => {
  await await_condition(async () => condition(await deliveries_of(admin, webhook)), what);
  return deliveries_of(admin, webhook);
};

test('500 is tried again with the same id and body, and a signature of its own; what changes meanwhile is one message more', async () => {
  const { receiver, webhook, secret } = await set_up(answers.text(500, `<p>${'Ä'.repeat(300)}</p>`));
  await touch();
  await await_messages(receiver, type, 2);
  for (let i = 0; i < 3; i += 1) await change_and_settle();
  const failing = await webhook_of(admin, webhook);
  assert.deepEqual([failing.status, failing.waitingMessages, failing.failingSince !== null, failing.nextAttemptAt !== null], ['active', 1, true, true]);
  receiver.answer = 204;
  const ids = () => [...new Set(receiver.messages.map(({ id }) => id))];
  await await_condition(() => ids().length === 2, 'the next message');
  await deliveries_until(webhook, (all) => all.filter(({ statusCode }) => statusCode === 204).length === 2, 'both are delivered');
  assert.equal(ids().length, 2);
  for (const id of ids()) {
    const attempts = receiver.messages.filter((one) => one.id === id);
    assert.equal(new Set(attempts.map(({ body }) => body)).size, 1);
    for (const attempt of attempts) verified(secret, attempt);
  }
  const { status, waitingMessages, failingSince, nextAttemptAt } = await webhook_of(admin, webhook);
  assert.deepEqual([status, waitingMessages, failingSince, nextAttemptAt], ['active', 0, null, null]);
  const [last, ...earlier] = await deliveries_of(admin, webhook);
  assert.deepEqual([last.statusCode, last.failure, last.excerpt], [204, null, '']);
  const failed = earlier.find(({ statusCode }) => statusCode === 500);
  assert.deepEqual([failed.excerpt, failed.messageId], [`<p>${'Ä'.repeat(197)}`, ids()[0]]);
  await delete_webhook(admin, webhook);
});

test('410 ends it: nothing arrives any more, and nobody can resume it', async () => {
  const { receiver, webhook } = await set_up(410);
  await touch();
  await await_condition(async () => (await webhook_of(admin, webhook)).status === 'gone', 'it is gone');
  receiver.answer = 204;
  for (let i = 0; i < 2; i += 1) await change_and_settle();
  assert.equal(receiver.messages.length, 1);
  await admin.change('PATCH', `/webhooks/${webhook.id}`, { status: 'active' }, { expect: 400 });
  await send_test(admin, webhook, { expect: 400 });
  const rows = (await admin.get('/audit', { query: { action: 'webhook.gone' } })).json.data.filter(({ target }) => target.id === webhook.id);
  assert.deepEqual(rows.map(({ actor }) => actor.type), ['system']);
  await delete_webhook(admin, webhook);
});

test('deleted while it failed: nothing arrives any more', async () => {
  const { receiver, webhook } = await set_up(500);
  await touch();
  await await_messages(receiver, type, 1);
  await delete_webhook(admin, webhook);
  await change_and_settle(); // an attempt that was under way has ended
  receiver.messages.length = 0;
  receiver.answer = 204;
  for (let i = 0; i < 3; i += 1) await change_and_settle();
  assert.deepEqual(receiver.messages, []);
});

test('paused it gets nothing; resumed it gets what changed meanwhile', async () => {
  const { receiver, webhook, secret } = await set_up(204);
  await change_status(admin, webhook, 'paused');
  for (let i = 0; i < 2; i += 1) await change_and_settle();
  assert.deepEqual(receiver.messages, []);
  await change_status(admin, webhook, 'active');
  const [message] = await await_messages(receiver, type, 1);
  verified(secret, message);
  await change_and_settle();
  await await_messages(receiver, type, 2);
  await delete_webhook(admin, webhook);
});

test('while a secret is rotated, each of the two signs', async () => {
  const { receiver, webhook, secret } = await set_up(204);
  const { secret: newer } = await rotate_secret(admin, webhook);
  await touch();
  const [message] = await await_messages(receiver, type, 1);
  assert.match(message.headers['webhook-signature'], /^v1,\S+ v1,\S+$/);
  for (const each of [secret, newer]) verified(each, message);
  const { secret: newest } = await rotate_secret(admin, webhook);
  await send_test(admin, webhook);
  const [sent] = await await_messages(receiver, 'webhook.test', 1);
  for (const each of [newer, newest]) verified(each, sent);
  await delete_webhook(admin, webhook);
});

test('a message is sent again on request, with the same id and body', async () => {
  const { receiver, webhook } = await set_up(204);
  await touch();
  const [first] = await await_messages(receiver, type, 1);
  const [delivery] = await deliveries_until(webhook, (all) => all.length > 0, 'it is listed');
  assert.deepEqual([delivery.messageId, delivery.type], [first.id, type]);
  const { waitingMessages } = (await admin.change('POST', `/webhooks/${webhook.id}/deliveries`, { deliveryId: delivery.id }, { expect: 202 })).json.data;
  assert.equal(waitingMessages, 1);
  const [, again] = await await_messages(receiver, type, 2);
  assert.deepEqual([again.id, again.body], [first.id, first.body]);
  await admin.change('POST', `/webhooks/${webhook.id}/deliveries`, { deliveryId: '0'.repeat(32) }, { expect: 400 });
  await delete_webhook(admin, webhook);
});

test('a redirect is not followed', async () => {
  const target = await start_receiver();
  receivers.push(target);
  const { receiver, webhook } = await set_up(answers.redirect(target.url));
  await touch();
  const [{ statusCode, failure }] = await deliveries_until(webhook, (all) => all.length > 1, 'it is tried twice');
  assert.deepEqual([statusCode, failure, target.messages], [307, null, []]);
  assert.ok(receiver.messages.length > 1);
  await delete_webhook(admin, webhook);
});

test('receivers that hang, drip without end or are down delay no other, also of the same organization', async () => {
  const stuck = [await set_up(answers.hang), await set_up(answers.endless), await set_up(204)];
  await stuck[2].receiver.stop();
  await touch();
  for (const { receiver } of stuck.slice(0, 2)) await await_messages(receiver, type, 1);
  const began = Date.now();
  await change_and_settle();
  assert.ok(Date.now() - began < 14_000, `${Date.now() - began} ms`); // an attempt that hangs takes 15 s
  const [down] = await deliveries_until(stuck[2].webhook, (all) => all.length > 0, 'the one that is down was tried');
  assert.deepEqual([down.statusCode, down.failure, down.excerpt], [null, 'connect failed', '']);
  const [hung] = await deliveries_until(stuck[0].webhook, (all) => all.length > 0, 'the one that hangs was given up');
  assert.deepEqual([hung.statusCode, hung.failure], [null, 'timed out']);
  assert.ok(hung.durationMs >= 14_000 && hung.durationMs < 20_000, `${hung.durationMs} ms`);
  const [endless] = await deliveries_until(stuck[1].webhook, (all) => all.length > 0, 'the endless one was read as far as needed');
  assert.deepEqual([endless.statusCode, endless.excerpt], [200, 'x'.repeat(200)]);
  for (const { webhook } of stuck) await delete_webhook(admin, webhook);
  await stuck[2].receiver.start();
});

test('the last 30 attempts are kept', async () => {
  const { receiver, webhook } = await set_up(204);
  for (let i = 1; i <= 32; i += 1) {
    await send_test(admin, webhook); // a further one while this waits would be the same message
    await await_condition(async () => (await webhook_of(admin, webhook)).waitingMessages === 0, `test ${i} is delivered`);
  }
  assert.equal(receiver.of('webhook.test').length, 32);
  const all = await deliveries_until(webhook, (some) => some.length === 30, 'thirty');
  const newest = receiver.messages.at(-1).id;
  await await_condition(async () => (await deliveries_of(admin, webhook))[0].messageId === newest, 'the newest is listed');
  assert.equal(new Set(all.map(({ id }) => id)).size, 30);
  await delete_webhook(admin, webhook);
});
