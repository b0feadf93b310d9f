// The console in a browser: people who sign in by mail or by an operator's link, and an organization of the test's own.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gateway_url } from '../../e2e/support/environment.mjs';
import { make_organization } from '../../e2e/support/organization.mjs';
import { record_secret } from '../../e2e/support/records.mjs';
import { await_mails } from '../../support/mails.mjs';
import { link_in, operator_link } from '../../support/sign_in.mjs';

export const console_url = (path = '') => String(new URL(`/console${path}`, gateway_url));

export { operator_link };

/** Opens the link and presses its button. */
export const enter = async (page, link, email) => {
  // The same page with another token is no navigation.
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByText(email, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

export const sign_in = async (page, organization, email = organization.admin) => {
  await enter(page, await operator_link(organization, email), email);
  await heading(page, 'API access');
};

export const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor();

/** The newest mail's link, once there are so many mails. */
export const mailed_link = async (email, count) => link_in((await await_mails(email, count)).at(-1));

/** An organization with an admin and members of the other roles. */
export const make_company = async (name = 'Acme Robotics', roles = []) => {
  const organization = await make_organization(name);
  const members = {};
  for (const role of roles) members[role] = await organization.add_member(role);
  return { ...organization, members };
};

/** Creates a key in the pages; its secret as they show it, once. */
export const create_key = async (page, name, preset) => {
  await page.goto(console_url('/api-access/new'));
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: preset }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await heading(page, 'Your key is ready');
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
  record_secret(secret);
  assert.match(secret, /^sp_(test|live)_[0-9A-Za-z]{40}$/);
  return secret;
};

/** What the API answers to the key now. */
export const ask_api = async (secret, path) => {
  const response = await fetch(new URL(`/api/v1${path}`, gateway_url), { headers: { Authorization: `Bearer ${secret}` } });
  return { status: response.status, body: await response.json() };
};

const naughty = new URL('../../vectors/naughty_strings.json', import.meta.url);
/** Texts that break programs, of those that a field of this length takes: printable, and with nothing to trim. */
export const naughty_strings = (longest) =>
  JSON.parse(readFileSync(naughty, 'utf8')).filter((text) => text.trim() === text && text !== '' && text.length <= longest && !/[\u0000-\u001f\u007f]/.test(text));

/** What a page of the console may have logged: the browser's line on a response that is an error. */
export const errors_of_responses = /Failed to load resource.*(400|401|403|404|409)/;
