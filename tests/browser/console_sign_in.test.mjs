// Signing in to the console by mail, in a real browser through the gateway; sessions, and what strangers can't do with them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gateway_url } from '../e2e/support/environment.mjs';
import { await_mails, mails_to } from '../support/mails.mjs';
import { console_url, enter, errors_of_responses, heading, mailed_link, make_company, operator_link, sign_in } from './support/console.mjs';
import { expect_accessible, launch, start_site, take_pictures, watched_page } from './support/site.mjs';

let browser, site, company;
before(async () => {
  browser = await launch();
  site = await start_site();
  company = await make_company();
});
after(async () => {
  await browser?.close();
  site?.stop();
});

const session_cookie = async (context) => (await context.cookies()).find(({ name }) => /^(__Host-)?sp_session$/.test(name));

const ask_for_link = async (page, email) => {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await heading(page, 'Check your mail');
};

test('by mail, from a page of the console and back to it; the link works once', async () => {
  const { page, context, said } = await watched_page(browser);
  await page.goto(console_url('/members'));
  await heading(page, 'Sign in');
  await expect_accessible(page, 'sign-in');
  await take_pictures(page, 'console-sign-in');
  const already = mails_to(company.admin).length;
  await ask_for_link(page, company.admin);
  await expect_accessible(page, 'check your mail');
  const link = await mailed_link(company.admin, already + 1);
  await enter(page, link, company.admin);
  await heading(page, 'Members');
  const cookie = await session_cookie(context);
  assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Lax', '/']);
  const other = await watched_page(browser);
  await other.page.goto(link);
  await heading(other.page, 'This link no longer works');
  await expect_accessible(other.page, 'a used link');
  await other.context.close();
  assert.deepEqual(said.filter((line) => !errors_of_responses.test(line)), []);
  await context.close();
});

test('opening the link changes nothing: the button does', async () => {
  const { page, context } = await watched_page(browser);
  const link = await operator_link(company, company.admin);
  for (let times = 0; times < 2; times += 1) {
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText(company.admin, { exact: true }).waitFor();
    assert.equal(await session_cookie(context), undefined);
  }
  await expect_accessible(page, 'link');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, 'API access');
  await context.close();
});

test('an unknown address gets the same page and no mail', async () => {
  const { page, context } = await watched_page(browser);
  await page.goto(console_url('/sign-in'));
  const stranger = `nobody@${company.slug}.example`;
  await ask_for_link(page, stranger);
  await page.getByText(`If ${stranger} belongs to a member`, { exact: false }).waitFor();
  // A member's mail that was asked for later has come: the stranger's request has been processed.
  const { email } = await company.add_member('viewer');
  await page.goto(console_url('/sign-in'));
  const already = mails_to(email).length;
  await ask_for_link(page, email);
  await await_mails(email, already + 1);
  assert.deepEqual(mails_to(stranger), []);
  await context.close();
});

test('a session does not survive signing out, nor a sign-in: no fixation', async () => {
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  const first = await session_cookie(context);
  await sign_in(page, company);
  const second = await session_cookie(context);
  assert.notEqual(second.value, first.value);
  const ask = (cookie) => fetch(console_url('/api/session'), { headers: { Cookie: `${cookie.name}=${cookie.value}` } });
  assert.equal((await ask(first)).status, 401);
  assert.equal((await ask(second)).status, 200);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Sign in');
  assert.equal((await ask(second)).status, 401);
  assert.equal(await session_cookie(context), undefined);
  await context.close();
});

test('the way back leads into the console only', async () => {
  const { page, context } = await watched_page(browser);
  for (const wanted of ['//evil.example/', 'https://evil.example/console', '/\\evil.example', '/console/../careers', '/console/api/session', '/console\t//evil.example', 'javascript:alert(1)']) {
    await page.goto(console_url(`/sign-in?return=${encodeURIComponent(wanted)}`));
    await heading(page, 'Sign in');
    await enter(page, await operator_link(company, company.admin), company.admin);
    await heading(page, 'API access');
    assert.equal(new URL(page.url()).origin, gateway_url.origin, wanted);
    assert.match(new URL(page.url()).pathname, /^\/console\/api-access$/, wanted);
    await context.clearCookies();
  }
  await context.close();
});

test('the session ends elsewhere: the next request leads to sign-in, and back to the same page', async () => {
  const [here, there] = [await watched_page(browser), await watched_page(browser)];
  await sign_in(here.page, company);
  await sign_in(there.page, company);
  await there.page.goto(console_url('/sessions'));
  await heading(there.page, 'My sessions');
  await expect_accessible(there.page, 'sessions');
  await take_pictures(there.page, 'console-sessions');
  await there.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await there.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await heading(there.page, 'Sign in');
  await here.page.getByRole('link', { name: 'Audit log' }).click();
  await here.page.getByText('Your session has ended.', { exact: false }).waitFor();
  await enter(here.page, await operator_link(company, company.admin), company.admin);
  await heading(here.page, 'Audit log');
  await here.context.close();
  await there.context.close();
});

test('another site can neither frame the console nor act in it', async () => {
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  const { status, headers } = await page.goto(console_url('/members')).then((response) => ({ status: response.status(), headers: response.headers() }));
  assert.equal(status, 200);
  assert.match(headers['content-security-policy'], /frame-ancestors 'none'/);
  assert.match(headers['content-security-policy'], /require-trusted-types-for 'script'; trusted-types 'none'/);
  assert.equal(headers['x-frame-options'], 'DENY');
  const cookie = await session_cookie(context);
  const change = (more) => fetch(console_url('/api/sessions'), { method: 'DELETE', headers: { Cookie: `${cookie.name}=${cookie.value}`, ...more } });
  assert.equal((await change({ Origin: site.origin, 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  assert.equal((await change({ 'Sec-Fetch-Site': 'same-origin' })).status, 403, 'without the CSRF token');
  await page.reload();
  await heading(page, 'Members');
  await context.close();
});

test('six languages, chosen by the browser and by hand; light and dark; no script of another place', async () => {
  for (const [locale, title] of [['de-DE', 'Anmelden'], ['fr-FR', 'Connexion'], ['es-ES', 'Iniciar sesión'], ['it-IT', 'Accedi'], ['ja-JP', 'サインイン'], ['pt-PT', 'Sign in']]) {
    const { page, context } = await watched_page(browser, { locale, colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    await page.goto(console_url('/sign-in'));
    await heading(page, title);
    await expect_accessible(page, `sign-in ${locale}`);
    await context.close();
  }
  const { page, context, requests } = await watched_page(browser);
  await page.goto(console_url('/sign-in'));
  await page.locator('.preferences select').first().selectOption('de');
  await heading(page, 'Anmelden');
  await page.reload();
  await heading(page, 'Anmelden');
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  assert.deepEqual([...new Set(requests.map((request) => new URL(request.url())).filter(({ protocol }) => protocol !== 'data:').map(({ origin }) => origin))], [gateway_url.origin]);
  await context.close();
});

test('the script has at most 150 KB compressed', async () => {
  const { page, context } = await watched_page(browser);
  await page.goto(console_url('/sign-in'));
  await heading(page, 'Sign in');
  const [script] = await page.evaluate(() => performance.getEntriesByType('resource').filter(({ initiatorType }) => initiatorType === 'script').map(({ encodedBodySize }) => encodedBodySize));
  assert.ok(script > 0 && script <= 150 * 1024, `${script} bytes`);
  await context.close();
});

test('the same sources give the same bytes', { skip: !process.env.RECRUITING_TEST_ALL }, () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const names = (folder) => execFileSync('sh', ['-c', `node services/auth_api/console/web/build.mjs "${folder}" >&2 && cd "${folder}" && sha256sum *`], { cwd: root, encoding: 'utf8' });
  const folder = `${process.env.RECRUITING_RUN_DIR}/console-again`;
  assert.equal(names(folder), names(folder));
});
