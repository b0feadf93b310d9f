// Signing in to the console at an OpenID Connect provider, in a real browser through the gateway.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, fresh_address } from '../e2e/support/console.mjs';
import { make_organization } from '../e2e/support/organization.mjs';
import { await_mails } from '../support/mails.mjs';
import { link_in, operator_link, token_of } from '../support/sign_in.mjs';
import { enter } from './support/console.mjs';
import { start_console } from './support/oidc_provider.mjs';
import { launch } from './support/site.mjs';

const secret = 'the secret of: a client / with odd characters %';
const people = {};
let browser, company, confidential, open, required;
before(async () => {
  browser = await launch();
  company = await make_organization('Signs in elsewhere');
  people[company.admin] = { email_verified: true };
  people[`stranger@${company.slug}.example`] = { email_verified: true };
  // The claims in UserInfo, the secret in the header, RS256.
  confidential = await start_console({ people, secret, client: { client_secret: secret, token_endpoint_auth_method: 'client_secret_basic' } });
  // The claims in the ID Token, no secret, ES256.
  open = await start_console({
    people,
    client: { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
    more: { conformIdTokenClaims: false },
  });
});
// Links in mails sign nobody in: the provider alone does.
before(async () => {
  const settings = { RECRUITING_AUTH_API_CONSOLE_OIDC_REQUIRED: 'true', RECRUITING_MAIL_URL: 'file:/nowhere', RECRUITING_MAIL_FROM: 'jobs@acme.example' };
  required = await start_console({ people, client: { token_endpoint_auth_method: 'none' }, more: { conformIdTokenClaims: false }, settings });
});
after(async () => {
  await required?.stop();
  await browser?.close();
  await confidential?.stop();
  await open?.stop();
});

const session_cookie = async (context) => (await context.cookies()).find(({ name }) => name === 'sp_session');
const own_session = (page) => page.evaluate(async () => {
  const response = await fetch('/console/api/session');
  return { status: response.status, ...(await response.json()) };
});

/** At the provider's own forms. */
const log_in = async (page, email) => {
  await page.locator('[name=login]').fill(email);
  await page.locator('[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
};
const consent = (page) => page.getByRole('button', { name: 'Continue' }).click();

/** Consents without following the provider's last redirect: where that leads. */
const callback_of = async (page) => {
  const { request } = page.context();
  const form = { prompt: 'consent' };
  const resumed = await request.post(await page.locator('form').first().evaluate((one) => one.action), { form, maxRedirects: 0 });
  const ended = await request.get(resumed.headers().location, { maxRedirects: 0 });
  return ended.headers().location;
};

const start = async (at, return_to = '/console/members?role=admin') => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(at.url(`/console/api/oidc/start?returnTo=${encodeURIComponent(return_to)}`));
  return { context, page };
};

for (const [name, at] of [['a confidential client, RS256, UserInfo', () => confidential], ['a public client, ES256, ID Token', () => open]]) {
  test(`a member signs in and comes back to the page: ${name}`, async () => {
    const { context, page } = await start(at());
    assert.equal(await session_cookie(context), undefined);
    await log_in(page, company.admin);
    await consent(page);
    await page.waitForURL(at().url('/console/members?role=admin'));
    const { status, data } = await own_session(page);
    assert.deepEqual([status, data.email, data.organization.slug], [200, company.admin, company.slug]);
    const cookie = await session_cookie(context);
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Lax', '/']);
    assert.deepEqual((await context.cookies()).map((one) => one.name).filter((one) => one.includes('sp_')), ['sp_session']);
    await context.close();
  });
}

test('a stranger, and a person whose address the provider has not verified, have no access', async () => {
  for (const email of [`stranger@${company.slug}.example`, company.admin]) {
    people[company.admin].email_verified = email !== company.admin;
    const { context, page } = await start(open);
    await log_in(page, email);
    await consent(page);
    await page.waitForURL((url) => url.pathname === '/console/sign-in');
    assert.equal(new URL(page.url()).searchParams.get('problem'), 'no_access');
    assert.equal((await own_session(page)).status, 401);
    await context.close();
  }
  people[company.admin].email_verified = true;
});

test('a person who declines at the provider comes back without a session', async () => {
  const { context, page } = await start(open);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.waitForURL((url) => url.pathname === '/console/sign-in');
  assert.equal(new URL(page.url()).searchParams.get('problem'), 'canceled');
  await context.close();
});

test('where the provider is required, a mailed link leads to its button, and an operator\'s link signs in', async () => {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await call('POST', '/sign-in-links', { body: { email: company.admin }, address: fresh_address(), expect: 202 });
  const token = token_of(link_in((await await_mails(company.admin, 1)).at(-1)));
  for (const fragment of ['', `#token=${token}`]) {
    await page.goto('about:blank');
    await page.goto(required.url(`/console/sign-in${fragment}`));
    await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor();
    assert.equal(await page.getByLabel('E-mail address').count(), 0);
    assert.equal(await page.getByText('no longer signs you in here').count(), fragment ? 1 : 0);
  }
  assert.equal(await session_cookie(context), undefined);
  await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
  await log_in(page, company.admin);
  await consent(page);
  await page.waitForURL((url) => url.href.startsWith(required.url('/console')) && !url.pathname.includes('oidc'));
  assert.equal((await own_session(page)).data.email, company.admin);
  await context.clearCookies();
  const emergency = token_of(await operator_link(company, company.admin));
  await enter(page, required.url(`/console/sign-in#token=${emergency}`), company.admin);
  await page.getByRole('heading', { level: 1, name: 'API access' }).waitFor();
  await context.close();
});

test('the callback of one browser signs nobody in in another', async () => {
  const { context, page } = await start(open);
  await log_in(page, company.admin);
  const callback = await callback_of(page);
  assert.ok(callback.startsWith(open.url('/console/api/oidc/callback?code=')), callback);
  const victim = await browser.newContext();
  const other = await victim.newPage();
  await other.goto(callback);
  assert.equal(new URL(other.url()).searchParams.get('problem'), 'expired');
  assert.equal(await session_cookie(victim), undefined);
  await page.goto(callback);
  await page.waitForURL(open.url('/console/members?role=admin'));
  await page.goto(callback);
  assert.equal(new URL(page.url()).searchParams.get('problem'), 'expired');
  await victim.close();
  await context.close();
});
