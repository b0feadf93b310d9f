// Sign-in links are limited by client network, aloud, and by address, silently; neither says who is a member.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close_connections } from '../../support/client.mjs';
import { call, fresh_address } from '../../support/console.mjs';
import { make_organization } from '../../support/organization.mjs';
import { await_mails, mails_to } from '../../../support/mails.mjs';
import { early_in } from '../../../support/clock.mjs';

const per_client = 30;
const per_address = 10;
after(close_connections);

const request_link = (email, address, expect) => call('POST', '/sign-in-links', { body: { email }, address, expect });

test('a client network has so many an hour, whomever they are for', async () => {
  await early_in(3600, 30);
  const address = fresh_address();
  for (let i = 0; i < per_client; i += 1) await request_link(`nobody${i}@mail.example`, address, 202);
  const organization = await make_organization();
  for (const email of ['nobody@mail.example', organization.admin]) {
    const { error, headers } = await request_link(email, address, 429);
    assert.deepEqual([error.code, error.details[0].reason], ['rate_limited', 'sign_in_client']);
    assert.match(headers.ratelimit, /"sign_in_client";r=0;t=\d+/);
    assert.match(headers['ratelimit-policy'], new RegExp(`"sign_in_client";q=${per_client};w=3600`));
    assert.ok(Number(headers['retry-after']) <= 3600);
  }
  await request_link(organization.admin, fresh_address(), 202);
});

test('an address gets so many mails an hour; further requests look like any other', async () => {
  await early_in(3600, 60);
  const { admin } = await make_organization();
  for (let i = 1; i <= per_address; i += 1) {
    await request_link(admin, fresh_address(), 202);
    await await_mails(admin, i); // requests that wait together would be one mail
  }
  for (let i = 0; i < 2; i += 1) await request_link(admin, fresh_address(), 202);
  await new Promise((done) => setTimeout(done, 3000)); // the pace of the worker is a second
  assert.equal(mails_to(admin).length, per_address);
});
