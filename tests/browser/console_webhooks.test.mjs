// Webhooks in the console: from the creation to the end of one, with a receiver that says what it got.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { record_secret } from '../e2e/support/records.mjs';
import { console_url, errors_of_responses, heading, make_company, sign_in } from './support/console.mjs';
import { expect_accessible, launch, sideways, take_pictures, watched_page } from './support/site.mjs';

/** Answers with what `answer` holds, and keeps what it got. */
const start_receiver = async () => {
  const receiver = { answer: { status: 200, text: 'taken' }, messages: [], url: '', stop: () => {} };
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    receiver.messages.push({ headers: request.headers, body });
    response.writeHead(receiver.answer.status, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(receiver.answer.text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${server.address().port}/hook`;
  receiver.stop = () => {
    server.closeAllConnections?.();
    server.close();
  };
  return receiver;
};

/** The signatures of a message that these secrets give, as its header has them. */
const signatures = ({ headers, body }, secrets) =>
  secrets.map((secret) => `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')}`).join(' ');

let browser, receiver;
before(async () => {
  [browser, receiver] = await Promise.all([launch(), start_receiver()]);
});
after(() => {
  receiver?.stop();
  return browser?.close();
});

const said_status = (page, text) => page.getByRole('status').filter({ hasText: text }).waitFor();
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const in_dialog = (page, name) => page.getByRole('dialog').getByRole('button', { name }).click();
const deliveries = (page, text) => page.getByRole('row').filter({ hasText: text });

const shown_secret = async (page) => {
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
  record_secret(secret);
  assert.match(secret, /^whsec_[0-9A-Za-z+/]{43}=$/);
  return secret;
};
const stored = (page) => press(page, 'I have stored the secret');

const create = async (page, { url, description, resources }) => {
  await press(page, 'Create webhook');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL', { exact: true }).fill(url);
  await dialog.getByLabel('Description').fill(description);
  for (const name of resources) await dialog.getByRole('checkbox', { name }).check();
  await in_dialog(page, 'Create webhook');
};

/** The deliveries with this text, once there are so many: the page itself does not look for those that failed. */
const await_deliveries = async (page, text, count) => {
  while (await deliveries(page, text).count() < count) {
    await press(page, 'Refresh');
    await deliveries(page, text).nth(count - 1).waitFor({ timeout: 1000 }).catch(() => {});
  }
};

test('create, test, send again, replace the secret, fail, pause, resume, delete', async () => {
  const company = await make_company();
  const { page, context, said } = await watched_page(browser);
  await sign_in(page, company);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await heading(page, 'Webhooks');
  await page.getByText('No webhooks yet').waitFor();
  await expect_accessible(page, 'no webhooks');
  await press(page, 'Create webhook');
  await in_dialog(page, 'Create webhook');
  await page.getByText('This is required.').waitFor();
  await page.getByText('Choose at least one.').waitFor();
  await expect_accessible(page, 'wrong');
  await take_pictures(page, 'console-webhooks-create');
  await page.keyboard.press('Escape');
  await create(page, { url: 'ftp://hooks.example.com/', description: 'Wrong', resources: ['Jobs'] });
  await page.locator('[name=url][aria-invalid]').waitFor();
  await page.keyboard.press('Escape');

  await create(page, { url: receiver.url, description: 'Warehouse sync', resources: ['Jobs', 'Agent runs'] });
  await heading(page, 'Your webhook is ready');
  const secret = await shown_secret(page);
  await expect_accessible(page, 'secret');
  await stored(page);
  await page.getByRole('row').filter({ hasText: 'Warehouse sync' }).filter({ hasText: 'Active' }).waitFor();
  assert.equal((await page.content()).includes(secret), false, 'the secret is shown once');
  await page.getByRole('link', { name: receiver.url }).click();
  await heading(page, 'Warehouse sync');
  await page.getByText('Nothing has been sent yet.').waitFor();

  await press(page, 'Send test message');
  await said_status(page, 'A test message is on its way.');
  await deliveries(page, 'webhook.test').filter({ hasText: '200' }).filter({ hasText: 'taken' }).waitFor();
  const [tested] = receiver.messages;
  assert.equal(tested.headers['webhook-signature'], signatures(tested, [secret]));
  await page.getByRole('button', { name: /^Send again: webhook\.test/ }).click();
  await said_status(page, 'The message is on its way again.');
  await await_deliveries(page, 'webhook.test', 2);
  assert.deepEqual(receiver.messages.map(({ headers, body }) => [headers['webhook-id'], body]), Array(2).fill([tested.headers['webhook-id'], tested.body]));
  await expect_accessible(page, 'deliveries');

  await press(page, 'Replace secret');
  await page.getByRole('dialog').getByText('The previous one stays valid for 24 hours', { exact: false }).waitFor();
  await expect_accessible(page, 'replace');
  await in_dialog(page, 'Replace secret');
  await heading(page, 'The new secret is ready');
  await page.getByText('Messages are also signed with the previous secret until', { exact: false }).waitFor();
  const fresh = await shown_secret(page);
  assert.notEqual(fresh, secret);
  await stored(page);
  await page.getByText('Previous secret valid until').waitFor();

  receiver.answer = { status: 500, text: `broken <b>${'x'.repeat(300)}` };
  await press(page, 'Send test message');
  await said_status(page, 'A test message is on its way.');
  await await_deliveries(page, '500', 1);
  await page.getByText('Deliveries have failed since', { exact: false }).waitFor();
  await page.getByText('broken <b>xxx', { exact: false }).first().waitFor();
  assert.equal(receiver.messages.at(-1).headers['webhook-signature'], signatures(receiver.messages.at(-1), [fresh, secret]));
  await expect_accessible(page, 'failing');
  await take_pictures(page, 'console-webhook-failing');
  receiver.answer = { status: 204, text: '' };

  await press(page, 'Pause');
  await said_status(page, 'The webhook is paused.');
  await page.getByText('The receiver gets no messages.', { exact: false }).waitFor();
  assert.equal(await page.getByRole('button', { name: /Send/ }).count(), 0, 'a paused webhook sends nothing');
  await expect_accessible(page, 'paused');
  await press(page, 'Resume');
  await said_status(page, 'The webhook is active again.');
  await await_deliveries(page, '204', 1);

  await page.goto(console_url('/audit?period=hour'));
  for (const action of ['Webhook created', 'Webhook tested', 'Webhook message sent again', 'Webhook secret replaced', 'Webhook paused', 'Webhook resumed'])
    await page.getByRole('row').filter({ hasText: action }).first().waitFor();
  await page.goBack();
  await press(page, 'Delete');
  await page.getByRole('dialog').getByText(receiver.url).waitFor();
  await expect_accessible(page, 'delete');
  await in_dialog(page, 'Delete');
  await heading(page, 'Webhooks');
  await page.getByText('No webhooks yet').waitFor();
  assert.deepEqual(said.filter((line) => !errors_of_responses.test(line)), []);
  await context.close();
});

test('admins alone see the page; an address that is another organization\'s or none is not found', async () => {
  const company = await make_company('Acme Robotics', ['recruiter']);
  const recruiter = await watched_page(browser);
  await sign_in(recruiter.page, company, company.members.recruiter.email);
  assert.equal(await recruiter.page.getByRole('link', { name: 'Webhooks' }).count(), 0);
  await recruiter.page.goto(console_url('/webhooks'));
  await heading(recruiter.page, 'Page not found');
  await recruiter.context.close();
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  await page.goto(console_url(`/webhooks/${'0'.repeat(32)}`));
  await heading(page, 'Webhook not found');
  await context.close();
});

test('in each language, in the dark and on a phone: no finding, nothing scrolls sideways', async () => {
  const company = await make_company();
  const { page, context } = await watched_page(browser, { viewport: { width: 360, height: 800 }, colorScheme: 'dark' });
  await sign_in(page, company);
  await page.goto(console_url('/webhooks'));
  await create(page, { url: receiver.url, description: 'Warehouse sync', resources: ['Candidates', 'Audit log'] });
  await shown_secret(page);
  await stored(page);
  await page.getByRole('link', { name: receiver.url }).click();
  await press(page, 'Send test message');
  await deliveries(page, 'webhook.test').first().waitFor();
  for (const language of ['de', 'fr', 'es', 'it', 'ja', 'en']) {
    await page.evaluate((name) => localStorage.setItem('console.language', name), language);
    await page.reload();
    await deliveries(page, 'webhook.test').first().waitFor();
    await expect_accessible(page, language);
    assert.equal(await sideways(page), false, `${language} scrolls sideways`);
    await take_pictures(page, `console-webhook-${language}`);
  }
  await context.close();
});
