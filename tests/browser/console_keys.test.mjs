// API access in the console: a key from its creation to its end, and what changes of its owner do to it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, test } from 'node:test';
import { sql, uuid } from '../e2e/support/recruitctl.mjs';
import { ask_api, console_url, create_key, errors_of_responses, heading, make_company, sign_in } from './support/console.mjs';
import { expect_accessible, launch, sideways, take_pictures, watched_page } from './support/site.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const row_of = (page, name) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });

const revoke = async (page, name) => {
  const dialog = page.getByRole('dialog');
  const submit = dialog.getByRole('button', { name: 'Revoke key' });
  assert.equal(await submit.isDisabled(), true);
  await dialog.getByRole('textbox').fill(name);
  await submit.click();
  await page.getByRole('status').filter({ hasText: `${name} is revoked.` }).waitFor();
};

test('create, call /me, see the call in the audit log, be demoted and see the key narrow, revoke, 401', async () => {
  const company = await make_company('Acme Robotics', ['recruiter']);
  const owner = company.members.recruiter.email;
  const [admin, recruiter] = [await watched_page(browser), await watched_page(browser)];
  await sign_in(admin.page, company);
  await sign_in(recruiter.page, company, owner);
  await recruiter.page.getByText('No keys yet').waitFor();
  await expect_accessible(recruiter.page, 'no keys');
  assert.equal(await recruiter.page.getByRole('link', { name: 'Audit log' }).count(), 0, 'navigation shows what the role may see');

  const secret = await create_key(recruiter.page, 'Warehouse', 'Warehouse sync');
  await expect_accessible(recruiter.page, 'secret');
  const command = (name) => recruiter.page.getByRole('textbox', { name, exact: true }).inputValue();
  const [write_file, curl] = [await command('Write the key to a file'), await command('Try it')];
  assert.equal(`${write_file}${curl}`.includes('sp_'), false, 'no command line has the secret');
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-key-'));
  const shell = promisify(execFile)('bash', ['-c', `${write_file} && ${curl} --silent --fail`], { cwd: folder });
  shell.child.stdin.end(`${secret}\n`);
  const { stdout } = await shell;
  assert.equal(JSON.parse(stdout).principal.name, 'Warehouse');
  assert.equal(statSync(join(folder, 'authorization')).mode & 0o777, 0o600);
  rmSync(folder, { recursive: true });
  assert.equal((await ask_api(secret, '/candidates?limit=1')).status, 200);
  await recruiter.page.getByRole('button', { name: 'I have stored the secret' }).click();
  await heading(recruiter.page, 'Warehouse');
  await expect_accessible(recruiter.page, 'key');
  assert.equal((await recruiter.page.content()).includes(secret), false, 'the secret is shown once');

  await admin.page.goto(console_url('/audit?period=hour&reads=true'));
  await admin.page.getByRole('row').filter({ hasText: 'GET /api/v1/me' }).filter({ hasText: 'Warehouse' }).first().waitFor();
  await admin.page.getByRole('row').filter({ hasText: 'Key created' }).first().waitFor();

  await admin.page.goto(console_url('/members'));
  await admin.page.getByRole('button', { name: /^Change role: recruiter/ }).click();
  const dialog = admin.page.getByRole('dialog');
  await dialog.getByRole('combobox').selectOption('viewer');
  await dialog.getByText('candidates:read').waitFor(); // what the change does is told before
  await expect_accessible(admin.page, 'role');
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await admin.page.getByRole('status').filter({ hasText: 'Viewer' }).waitFor();
  assert.equal((await ask_api(secret, '/candidates?limit=1')).body.error.code, 'insufficient_role');
  await recruiter.page.reload();
  await recruiter.page.getByText('No effect for the role Viewer').first().waitFor();

  await admin.page.goto(console_url('/api-access'));
  await row_of(admin.page, 'Warehouse').getByRole('button', { name: 'Revoke' }).click();
  await expect_accessible(admin.page, 'revoke');
  await revoke(admin.page, 'Warehouse');
  assert.equal((await ask_api(secret, '/me')).body.error.code, 'credential_revoked');
  await admin.context.close();
  await recruiter.context.close();
});

test('replace: the new key begins with the settings of the old one, both stand side by side', async () => {
  const company = await make_company();
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  const old_secret = await create_key(page, 'Careers', 'Careers backend');
  await page.getByRole('button', { name: 'I have stored the secret' }).click();
  await page.getByRole('link', { name: 'Replace' }).click();
  await heading(page, 'Replace Careers');
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Careers 2');
  assert.equal(await page.getByRole('checkbox', { name: /jobs:read/ }).isChecked(), true);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'I have stored the secret' }).click();
  await heading(page, 'Replace a key');
  await page.getByText('The new key has not been used yet.').waitFor();
  await expect_accessible(page, 'replace');
  await take_pictures(page, 'console-replace');
  assert.equal((await ask_api(old_secret, '/me')).status, 200);
  await page.getByRole('button', { name: 'Revoke: Careers' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Careers');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('The replacement is complete.', { exact: false }).waitFor();
  assert.equal((await ask_api(old_secret, '/me')).status, 401);
  await context.close();
});

test('the preset for an assistant reads jobs, candidates and pipelines, and nothing else', async () => {
  const company = await make_company();
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  const secret = await create_key(page, 'My assistant', 'Assistant');
  assert.deepEqual((await ask_api(secret, '/me')).body.effectiveScopes, ['jobs:read', 'candidates:read', 'pipeline:read']);
  await context.close();
});

test('what is wrong stands beside its field, the name that is taken too', async () => {
  const company = await make_company('Acme Robotics', ['recruiter', 'viewer']);
  await company.key('jobs:read', company.admin, { name: 'Taken' });
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  await page.goto(console_url('/api-access/new'));
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Enter a name.').waitFor();
  await page.getByText('Choose at least one permission.').waitFor();
  assert.equal(await page.getByLabel('Name', { exact: true }).evaluate((field) => field === document.activeElement), true);
  await expect_accessible(page, 'wrong');
  await page.getByLabel('Name', { exact: true }).fill('Taken');
  await page.getByRole('checkbox', { name: /^jobs:read/ }).check();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('This is already in use. Choose another.').waitFor();
  await page.getByLabel('Allowed addresses').fill('nonsense');
  await page.getByLabel('Name', { exact: true }).fill('Free');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.locator('[name=allowedIps][aria-invalid]').waitFor();
  await context.close();

  const recruiter = await watched_page(browser);
  await sign_in(recruiter.page, company, company.members.recruiter.email);
  await recruiter.page.goto(console_url('/api-access/new'));
  await recruiter.page.getByText('No effect for your role').first().waitFor();
  await recruiter.context.close();
  const viewer = await watched_page(browser);
  await sign_in(viewer.page, company, company.members.viewer.email);
  await viewer.page.getByText('Your role can’t create keys.', { exact: false }).waitFor();
  await viewer.page.goto(console_url('/audit'));
  await heading(viewer.page, 'Page not found');
  await viewer.context.close();
});

test('the audit log reads on where a range of it has no row that matches', async () => {
  const company = await make_company('Acme Robotics');
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  let ranges = 0;
  await page.route(/\/console\/api\/audit\?/, async (route) => {
    const url = new URL(route.request().url());
    if (url.searchParams.get('cursor') === 'later') url.searchParams.delete('cursor');
    const response = await route.fetch({ url: url.href });
    ranges += 1;
    if (ranges > 1) return route.fulfill({ response });
    const { page: position } = await response.json();
    return route.fulfill({ response, json: { data: [], page: { ...position, hasMore: true, nextCursor: 'later' } } });
  });
  await page.goto(console_url('/audit?period=hour'));
  await page.getByRole('row').filter({ hasText: 'Member signed in' }).first().waitFor();
  assert.equal(ranges, 2);
  await context.close();
});

test('a key behind more than a page of newer ones is found: by its owner, and page by page', async () => {
  const company = await make_company('Acme Robotics', ['recruiter']);
  const hidden = await company.key('*', company.members.recruiter.email, { name: 'Hidden' });
  await company.key('jobs:read', company.admin, { name: 'First' });
  await sql(`insert into recruiting.api_keys (id, organization_id, membership_id, name, secret_hash, displayed_prefix, environment, scopes, expires_at)
    select gen_random_uuid(), organization_id, membership_id, 'more ' || n, sha256(gen_random_uuid()::text::bytea), displayed_prefix, environment, scopes, expires_at
      from recruiting.api_keys, generate_series(1, 250) n where organization_id = ${uuid(company.id)} and name = 'First'`);
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  await row_of(page, 'more 1').first().waitFor();
  assert.equal(await row_of(page, 'Hidden').count(), 0);
  for (let pages = 0; pages < 2; pages += 1) {
    const rows = await page.getByRole('row').count();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.waitForFunction((before) => document.querySelectorAll('tr').length > before, rows);
  }
  await row_of(page, 'Hidden').waitFor();
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByLabel('Owner', { exact: true }).selectOption(company.members.recruiter.id);
  await row_of(page, 'Hidden').waitFor();
  assert.equal(await row_of(page, 'more').count(), 0);
  await expect_accessible(page, 'keys of an owner');
  await page.goto(console_url(`/api-access/${hidden.id}`));
  await heading(page, 'Hidden');
  await context.close();
});

test('by keyboard alone: find a key, revoke it, and stand where one was', async () => {
  const company = await make_company();
  await company.key('jobs:read', company.admin, { name: 'By keyboard' });
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  const button = row_of(page, 'By keyboard').getByRole('button', { name: 'Revoke' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await button.evaluate((one) => one === document.activeElement), true);
  await page.keyboard.press('Enter');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'By keyboard is revoked.' }).waitFor();
  await context.close();
});

test('each page, phone and desktop, light and dark, at 200 % zoom: no finding, nothing cut off', async () => {
  const company = await make_company('Acme Robotics', ['recruiter']);
  await company.key('*', company.members.recruiter.email, { name: 'Everything' });
  await company.key('organization:read,jobs:read', company.admin, { name: 'Careers site' });
  for (const [name, options] of [['light', {}], ['dark', { colorScheme: 'dark' }], ['zoomed', { viewport: { width: 640, height: 450 } }], ['forced', { forcedColors: 'active' }]]) {
    const { page, context, said } = await watched_page(browser, options);
    await sign_in(page, company);
    for (const [path, title] of [['/api-access', 'API access'], ['/api-access/new', 'Create a key'], ['/members', 'Members'], ['/webhooks', 'Webhooks'], ['/audit', 'Audit log'], ['/billing', 'Billing'], ['/limits', 'Limits'], ['/sessions', 'My sessions'], ['/nowhere', 'Page not found']]) {
      await page.goto(console_url(path));
      await heading(page, title);
      await page.waitForLoadState('networkidle');
      await expect_accessible(page, `${path} ${name}`);
      assert.equal(await sideways(page), false, `${path} ${name} scrolls sideways`);
      if (['light', 'dark'].includes(name)) await take_pictures(page, `console${path.replaceAll('/', '-')}-${name}`);
    }
    assert.deepEqual(said.filter((line) => !errors_of_responses.test(line)), [], name);
    await context.close();
  }
});
