// Webhooks in the console: made, paused, resumed, rotated, tested and deleted by admins, each with its audit row.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { close_connections } from '../../support/client.mjs';
import { sign_in } from '../../support/console.mjs';
import { make_organization } from '../../support/organization.mjs';
import { await_condition } from '../../support/programs.mjs';
import { sql, uuid } from '../../support/recruitctl.mjs';
import {
  await_messages, change_status, create_webhook, delete_webhook, deliveries_of, resources, rotate_secret, send_test, webhook_of, webhooks_of,
} from '../../support/webhooks.mjs';
import { start_receiver, verified } from '../../../support/receiver.mjs';

let receiver, organization, admin;
before(async () => {
  receiver = await start_receiver();
  organization = await make_organization();
  admin = await sign_in(organization);
});
after(async () => {
  await receiver?.stop();
  close_connections();
});

const audit_of = async (action, id) => (await admin.get('/audit', { query: { action } })).json.data.filter(({ target }) => target.id === id);

describe('a webhook', () => {
  test('is made, listed, and its secret is shown once', async () => {
    const { webhook, secret } = await create_webhook(admin, receiver.url, ['candidates', 'jobs'], { description: 'Warehouse „Süd“' });
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual([webhook.url, webhook.description, [...webhook.resources].sort(), webhook.status, webhook.waitingMessages],
      [receiver.url, 'Warehouse „Süd“', ['candidates', 'jobs'], 'active', 0]);
    assert.deepEqual([webhook.failingSince, webhook.nextAttemptAt, webhook.previousSecretExpiresAt], [null, null, null]);
    const { webhook: newer } = await create_webhook(admin, receiver.url, ['members']);
    assert.equal(newer.description, null);
    const listed = await webhooks_of(admin);
    assert.deepEqual(listed.map(({ id }) => id).slice(0, 2), [newer.id, webhook.id]);
    assert.ok(!JSON.stringify(listed).includes('whsec_'));
    for (const each of [webhook, newer]) await delete_webhook(admin, each);
    assert.deepEqual(await webhooks_of(admin), []);
  });

  test('is paused, resumed, tested, rotated and deleted, and each is in the audit log with its admin', async () => {
    const { webhook, secret } = await create_webhook(admin, receiver.url, resources);
    assert.equal((await change_status(admin, webhook, 'paused')).status, 'paused');
    await send_test(admin, webhook, { expect: 400 });
    assert.equal((await change_status(admin, webhook, 'active')).status, 'active');
    await send_test(admin, webhook);
    const [message] = await await_messages(receiver, 'webhook.test');
    verified(secret, message);
    const rotated = await rotate_secret(admin, webhook);
    assert.notEqual(rotated.secret, secret);
    const left = Date.parse(rotated.webhook.previousSecretExpiresAt) - Date.now();
    assert.ok(left > 23 * 3_600_000 && left <= 24 * 3_600_000, rotated.webhook.previousSecretExpiresAt);
    const was = await delete_webhook(admin, webhook);
    assert.equal(was.id, webhook.id);
    for (const action of ['created', 'paused', 'resumed', 'tested', 'secret_rotated', 'deleted']) {
      const [row, ...more] = await audit_of(`webhook.${action}`, webhook.id);
      assert.deepEqual([more, row?.actor.type, row?.actor.email, row?.target.type, row?.success], [[], 'member', organization.admin, 'webhook', true], action);
    }
  });

  test('that is deleted is not found any more', async () => {
    const { webhook } = await create_webhook(admin, receiver.url, ['jobs']);
    await delete_webhook(admin, webhook);
    const path = `/webhooks/${webhook.id}`;
    await admin.change('DELETE', path, undefined, { expect: 404 });
    await admin.change('PATCH', path, { status: 'paused' }, { expect: 404 });
    await admin.get(`${path}/deliveries`, { expect: 404 });
    for (const verb of ['secret', 'test']) await admin.change('POST', `${path}/${verb}`, undefined, { expect: 404 });
  });

  test('that failed is resumed; an active one is not, and no one can make it fail or go', async () => {
    const { webhook } = await create_webhook(admin, receiver.url, ['jobs']);
    for (const status of ['active', 'gone', 'failed', 'x', null, 1]) {
      const { error } = await admin.change('PATCH', `/webhooks/${webhook.id}`, { status }, { expect: 400 });
      assert.deepEqual(error.details.map(({ field }) => field), ['status']);
    }
    await sql(`update recruiting.webhooks set status = 'failed' where id = ${uuid(webhook.id)}`);
    assert.equal((await webhook_of(admin, webhook)).status, 'failed');
    assert.equal((await change_status(admin, webhook, 'active')).status, 'active');
    await delete_webhook(admin, webhook);
  });

  test('an organization has 20 at most, paused ones too', async () => {
    const busy = await make_organization();
    const session = await sign_in(busy);
    const made = [];
    for (let i = 0; i < 20; i += 1) made.push((await create_webhook(session, receiver.url, ['jobs'])).webhook);
    await change_status(session, made[0], 'paused');
    const create = (expect) => session.change('POST', '/webhooks', { url: receiver.url, resources: ['jobs'] }, { expect });
    assert.equal((await create(400)).error.details[0].reason, 'too_many');
    await delete_webhook(session, made[0]);
    const answers = await Promise.all([create(undefined), create(undefined), create(undefined)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400]);
    assert.equal((await webhooks_of(session)).length, 20);
  });
});

describe('who may not', () => {
  for (const role of ['recruiter', 'hiring_manager', 'interviewer', 'viewer']) {
    test(`${role}: 403 insufficient_role, for a webhook that exists and one that does not`, async () => {
      const { webhook } = await create_webhook(admin, receiver.url, ['jobs']);
      const { email } = await organization.add_member(role);
      const session = await sign_in(organization, email);
      for (const id of [webhook.id, '0'.repeat(32)]) {
        const path = `/webhooks/${id}`;
        const answers = [
          await session.get('/webhooks', { expect: 403 }), await session.get(`${path}/deliveries`, { expect: 403 }),
          await session.change('POST', '/webhooks', { url: receiver.url, resources: ['jobs'] }, { expect: 403 }),
          await session.change('PATCH', path, { status: 'paused' }, { expect: 403 }), await session.change('DELETE', path, undefined, { expect: 403 }),
          await session.change('POST', `${path}/secret`, undefined, { expect: 403 }), await session.change('POST', `${path}/test`, undefined, { expect: 403 }),
          await session.change('POST', `${path}/deliveries`, { deliveryId: '0'.repeat(32) }, { expect: 403 }),
        ];
        assert.deepEqual(new Set(answers.map(({ error }) => error.code)), new Set(['insufficient_role']));
      }
      assert.equal((await webhook_of(admin, webhook)).status, 'active');
      await delete_webhook(admin, webhook);
    });
  }

  test('another organization\'s admin: its webhook and its deliveries are not there', async () => {
    const stranger = await sign_in(await make_organization());
    const [{ webhook }, { webhook: own }] = [await create_webhook(admin, receiver.url, ['jobs']), await create_webhook(stranger, receiver.url, ['jobs'])];
    await send_test(admin, webhook);
    await await_condition(async () => (await deliveries_of(admin, webhook)).length > 0, 'a delivery');
    const [{ id: deliveryId }] = await deliveries_of(admin, webhook);
    const path = `/webhooks/${webhook.id}`;
    await stranger.get(`${path}/deliveries`, { expect: 404 });
    await stranger.change('PATCH', path, { status: 'paused' }, { expect: 404 });
    await stranger.change('DELETE', path, undefined, { expect: 404 });
    for (const verb of ['secret', 'test']) await stranger.change('POST', `${path}/${verb}`, undefined, { expect: 404 });
    await stranger.change('POST', `${path}/deliveries`, { deliveryId }, { expect: 404 });
    const { error } = await stranger.change('POST', `/webhooks/${own.id}/deliveries`, { deliveryId }, { expect: 400 });
    assert.deepEqual([error.details[0].field, error.details[0].reason], ['deliveryId', 'unknown_value']);
    assert.deepEqual((await webhooks_of(stranger)).map(({ id }) => id), [own.id]);
    assert.equal((await webhook_of(admin, webhook)).status, 'active');
  });
});
