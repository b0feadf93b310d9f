// No way into the operator's network: which URLs a webhook may have where the operator has set nothing, and that the address is
// checked again when it is connected to.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { close_connections } from '../../support/client.mjs';
import { sign_in } from '../../support/console.mjs';
import { make_organization } from '../../support/organization.mjs';
import { await_condition, behind_gateway, start_program } from '../../support/programs.mjs';
import { sql, uuid } from '../../support/recruitctl.mjs';
import { create_webhook, deliveries_of, send_test, webhooks_of } from '../../support/webhooks.mjs';
import { start_receiver } from '../../../support/receiver.mjs';

// As an installation is without any setting of webhooks: its auth-api has no workers, for those of the running system send.
const strict = { RECRUITING_WEBHOOK_HTTP: 'false', RECRUITING_WEBHOOK_PORTS: '443,8443', RECRUITING_WEBHOOK_NETWORKS: '', RECRUITING_AUTH_API_WORKERS: 'false' };

let auth_api, gateway, organization, admin;
before(async () => {
  auth_api = await start_program('auth-api', strict);
  gateway = await start_program('gateway', behind_gateway(auth_api, null));
  organization = await make_organization();
  admin = await sign_in(organization);
});
after(async () => {
  await gateway?.stop();
  await auth_api?.stop();
  close_connections();
});

const create = (url, expect) => admin.change('POST', '/webhooks', { url, resources: ['jobs'] }, { expect, base: gateway.url });

const not_urls = ['', ' ', 'receiver.example', '//receiver.example/', 'https://', 'https:///hook', 'https://receiver.example:x/', 'https://receiver.example:0/',
  'https://receiver.example:65536/', 'https://receiver.example/a b', 'https://receiver.example/\n', 'https://rec\u0000eiver.example/', 'https://[::1', 'https://[fe80::1%25eth0]/',
  'https://receiver.example\\@10.0.0.1/'];
const schemes = ['http://receiver.example/', 'ftp://receiver.example/', 'file:///etc/passwd', 'javascript:alert(1)', 'gopher://receiver.example/', 'HTTP://receiver.example/'];
const with_user = ['https://user@receiver.example/', 'https://user:password@receiver.example/', 'https://:@receiver.example/', 'https://receiver.example@10.0.0.1/'];
const ports = [22, 25, 80, 444, 5432, 6379, 8080, 9081].map((port) => `https://receiver.example:${port}/`);
const addresses = [
  '127.0.0.1', '127.1.2.3', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '169.254.169.254', '192.0.0.1', '192.0.2.1',
  '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255',
  '[::]', '[::1]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '[ff02::1]', '[2001:db8::1]',
  '[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:a00:1]', '[::10.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b::169.254.169.254]', '[64:ff9b:1::a00:1]', '[2002:a00:1::]',
  '[2001:0:a00:1::]',
];
const disguises = ['2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1', '127.1', '127.0.1', '10.1', '127.0.0.1.', '10.0.0.1.', '０.０.０.０', '127。0。0。1'];
const names = ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.localhost.', 'localhost..'];

describe('a URL that is refused', () => {
  const groups = { 'is none': not_urls, 'has another scheme': schemes, 'has a user': with_user, 'has another port': ports };
  for (const [host_group, hosts] of Object.entries({ 'is an address inside': addresses, 'is an address in disguise': disguises, 'is this machine\'s name': names }))
    groups[host_group] = hosts.flatMap((host) => [`https://${host}/`, `https://${host}:8443/hook?x=1`]);
  for (const [name, urls] of Object.entries(groups)) {
    test(name, async () => {
      for (const url of urls) {
        const { error } = await create(url, 400);
        assert.equal(error.details[0].field, 'url', url);
        assert.ok(!error.message.includes('passwd'), 'it is not repeated');
      }
    });
  }

  test('and leaves nothing', async () => assert.deepEqual(await webhooks_of(admin), []));
});

test('public names and addresses are accepted, at both ports', async () => {
  for (const url of ['https://receiver.example/hook?team=1', 'https://receiver.example:8443', 'https://RECEIVER.example./', 'https://93.184.216.34/', 'https://[2606:2800:220:1:248:1893:25c8:1946]/'])
    assert.equal((await create(url, 201)).json.data.webhook.url, url);
});

describe('an address that is checked when it is connected to', () => {
  // The row is the operator's to write; a name whose address has changed since comes to the same.
  test('is refused although the webhook has it', async () => {
    const other = await make_organization();
    const session = await sign_in(other);
    const receiver = await start_receiver();
    try {
      const { webhook } = await create_webhook(session, receiver.url, ['jobs']);
      for (const host of ['10.255.255.1', '[::1]', '169.254.169.254']) {
        await sql(`update recruiting.webhooks set url = 'http://${host}:${new URL(receiver.url).port}/hook' where id = ${uuid(webhook.id)}`);
        const before_it = (await deliveries_of(session, webhook)).length;
        await send_test(session, webhook);
        await await_condition(async () => (await deliveries_of(session, webhook)).length > before_it, `${host} is tried`);
        const [{ statusCode, failure, excerpt }] = await deliveries_of(session, webhook);
        assert.deepEqual([statusCode, failure, excerpt], [null, 'address not allowed', ''], host);
        await sql(`delete from recruiting.webhook_messages where webhook_id = ${uuid(webhook.id)}`);
      }
      assert.deepEqual(receiver.messages, []);
    } finally {
      await receiver.stop();
    }
  });
});
