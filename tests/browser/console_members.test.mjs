// Members, audit log and billing in the console, and texts of strangers in all of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gateway_url } from '../e2e/support/environment.mjs';
import { ask_api, console_url, enter, errors_of_responses, heading, mailed_link, make_company, naughty_strings, operator_link, sign_in } from './support/console.mjs';
import { expect_accessible, launch, sideways, take_pictures, watched_page } from './support/site.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const said_status = (page, text) => page.getByRole('status').filter({ hasText: text }).waitFor();
const in_dialog = (page, name) => page.getByRole('dialog').getByRole('button', { name }).click();

const invite = async (page, email, name, role) => {
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByRole('combobox').selectOption(role);
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
};

test('invite by mail, join, remove with what it does to the keys, restore', async () => {
  const company = await make_company();
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  await page.getByRole('link', { name: 'Members' }).click();
  await heading(page, 'Members');
  const email = `grace@${company.slug}.example`;
  await invite(page, email, 'Grace Hopper', 'recruiter');
  await said_status(page, `The invitation to ${email} is on its way.`);
  await expect_accessible(page, 'invited');
  await invite(page, email, 'Grace Hopper', 'recruiter');
  await page.getByRole('dialog').getByText('This is already in use.', { exact: false }).waitFor();
  await page.keyboard.press('Escape');

  const grace = await watched_page(browser);
  await enter(grace.page, await mailed_link(email, 1), email);
  await heading(grace.page, 'API access');
  const { secret } = await company.key('jobs:read', email, { name: 'Of Grace' });
  assert.equal((await ask_api(secret, '/me')).status, 200);

  await page.reload();
  await page.getByRole('button', { name: 'Remove: Grace Hopper' }).click();
  await page.getByRole('dialog').getByText('Of Grace').waitFor();
  await page.getByRole('dialog').getByText('Stops working').waitFor();
  await expect_accessible(page, 'remove');
  await take_pictures(page, 'console-remove');
  await in_dialog(page, 'Remove');
  await said_status(page, 'Grace Hopper is removed.');
  assert.equal((await ask_api(secret, '/me')).body.error.code, 'credential_inactive');
  await grace.page.reload();
  await grace.page.getByRole('heading', { level: 1, name: /Sign in|You don’t belong to any organization/ }).waitFor();

  await page.getByText(/^Removed 1$/).click();
  await page.getByRole('button', { name: 'Restore: Grace Hopper' }).click();
  await in_dialog(page, 'Restore');
  await said_status(page, 'Grace Hopper is a member again.');
  assert.equal((await ask_api(secret, '/me')).status, 200);
  await grace.context.close();
  await context.close();
});

test('the last admin stays', async () => {
  const company = await make_company();
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  await page.goto(console_url('/members'));
  await page.getByRole('button', { name: /^Remove: admin/ }).click();
  await in_dialog(page, 'Remove');
  await page.getByRole('dialog').getByText('The last admin can’t be removed', { exact: false }).waitFor();
  await context.close();
});

test('a person of two organizations chooses, and sees only the chosen one', async () => {
  const [first, second] = [await make_company('First company'), await make_company('Second company')];
  await second.add_member('viewer', first.admin);
  const { page, context } = await watched_page(browser);
  await sign_in(page, first);
  await page.getByText('First company').waitFor();
  await page.getByRole('link', { name: 'Switch organization' }).click();
  await heading(page, 'Choose an organization');
  await expect_accessible(page, 'organizations');
  await take_pictures(page, 'console-organizations');
  await page.getByRole('button', { name: /Second company/ }).click();
  await heading(page, 'API access');
  await page.getByText('Second company').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Billing' }).count(), 0);
  await context.close();
});

test('two tabs, two organizations: a change meant for the first one is refused, and its tab says why', async () => {
  const [first, second] = [await make_company('First company'), await make_company('Second company')];
  await second.add_member('admin', first.admin);
  const { page, context } = await watched_page(browser);
  // This tab hears nothing of the other one: the server has to refuse.
  await page.addInitScript(() => {
    window.BroadcastChannel = class {
      postMessage() {}
    };
  });
  await sign_in(page, first);
  await page.getByRole('link', { name: 'Members' }).click();
  await heading(page, 'Members');
  const other = await context.newPage();
  await other.goto(console_url('/organizations'));
  await heading(other, 'Choose an organization');
  await other.getByRole('button', { name: /Second company/ }).click();
  await heading(other, 'API access');
  await other.getByText('Second company').waitFor();
  await page.locator('.organization').getByText('First company').waitFor();
  const email = `grace@${first.slug}.example`;
  await invite(page, email, 'Grace Hopper', 'recruiter');
  const note = page.locator('main > .note').filter({ hasText: 'The organization was changed in another tab.' });
  await note.waitFor();
  await page.locator('.organization').getByText('Second company').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect_accessible(page, 'organization changed');
  for (const company of [first, second]) {
    const { secret } = await company.key('members:read');
    const { status, body } = await ask_api(secret, '/members?status=active,invited&limit=200');
    assert.equal(status, 200);
    assert.equal(body.data.some((member) => member.email === email), false, company.slug);
  }
  await page.getByRole('link', { name: 'API access' }).click();
  await heading(page, 'API access');
  await note.waitFor({ state: 'detached' });
  await context.close();
});

test('audit log: filters in the address, details, live tail, CSV, the seal', async () => {
  const company = await make_company();
  const { secret } = await company.key('jobs:read', company.admin, { name: 'Watched' });
  for (const path of ['/jobs', '/jobs', '/jobs', '/billing']) await ask_api(secret, path);
  const { page, context } = await watched_page(browser, { acceptDownloads: true });
  await sign_in(page, company);
  await page.goto(console_url('/audit'));
  const row = (text) => page.getByRole('row').filter({ hasText: text });
  await row('Member signed in').filter({ hasText: `admin of ${company.slug}` }).waitFor();
  assert.equal(await row('GET /api/v1/jobs').count(), 0, 'reads are shown on demand');
  await page.getByRole('heading', { level: 1 }).locator('..').getByText(/Times are in \S+\./).waitFor();
  await page.getByLabel('Show requests and reads').check();
  await row('GET /api/v1/jobs').filter({ hasText: '× 3' }).waitFor();
  assert.equal(await page.locator('tr.group').count() >= 1, true, 'a heading per day');
  await page.getByLabel('Result').selectOption('false');
  await page.waitForURL(/success=false/);
  await row('GET /api/v1/billing').waitFor();
  await row('GET /api/v1/jobs').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Details of GET /api/v1/billing' }).click();
  await page.getByText('billing:read').first().waitFor();
  await expect_accessible(page, 'audit details');
  await take_pictures(page, 'console-audit-details');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('switch', { name: 'Live' }).check();
  await ask_api(secret, '/organization');
  await row('GET /api/v1/organization').waitFor({ timeout: 15_000 });
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const text = readFileSync(await (await coming).path(), 'utf8');
  assert.match(text, /^id,sequence,occurredAt,/);
  assert.match(text, /\/api\/v1\/billing/);
  await page.getByText(/rows? sealed/).waitFor({ timeout: 20_000 });
  await context.close();
});

test('texts of strangers are texts: names, titles and keys of every kind', async () => {
  const strings = naughty_strings(110).filter((text) => /[<>"'&{}]|javascript:/i.test(text));
  const company = await make_company('<img src=x onerror=alert(1)>');
  const { page, context, requests, said } = await watched_page(browser);
  page.on('dialog', () => assert.fail('a script of a stranger ran'));
  await sign_in(page, company);
  const chosen = strings.filter((_, i) => i % Math.ceil(strings.length / 25) === 0);
  for (const [i, text] of chosen.entries()) {
    // Some are no names, and refused; what is taken is shown.
    await company.key('jobs:read', company.admin, { name: `${text} ${i}`.slice(0, 120) }).catch(() => null);
  }
  for (const path of ['/api-access', '/members', '/audit', '/organizations', '/sessions']) {
    await page.goto(console_url(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('img, iframe, object, embed, [onerror], [onload]').count(), 0, path);
  }
  await page.goto(console_url('/api-access'));
  await page.getByRole('rowheader').first().waitFor();
  assert.ok(await page.getByRole('rowheader').count() > 10);
  assert.equal(await sideways(page), false);
  assert.deepEqual([...new Set(requests.map((request) => new URL(request.url())).filter(({ protocol }) => protocol !== 'data:').map(({ origin }) => origin))], [gateway_url.origin]);
  assert.deepEqual(said.filter((line) => !errors_of_responses.test(line)), []);
  await context.close();
});

test('billing, for admins', async () => {
  const company = await make_company();
  const { page, context } = await watched_page(browser);
  await enter(page, await operator_link(company, company.admin), company.admin);
  await page.getByRole('link', { name: 'Billing' }).click();
  await heading(page, 'Billing');
  await page.getByRole('heading', { name: 'Seats' }).waitFor();
  await expect_accessible(page, 'billing');
  await take_pictures(page, 'console-billing');
  await context.close();
});
