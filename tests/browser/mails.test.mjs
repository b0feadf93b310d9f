// Every mail as a mail program shows it: the HTML part by day and by night, on a phone and on a desktop, with and without
// the logo's host, and the text part. The pictures are in .run/screenshots.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gateway_url } from '../e2e/support/environment.mjs';
import { call, fresh_address, sign_in } from '../e2e/support/console.mjs';
import { record_secret } from '../e2e/support/records.mjs';
import { recruitctl, sql, uuid } from '../e2e/support/recruitctl.mjs';
import { make_interview } from '../support/interviews.mjs';
import { await_mails, decline_path, html_of, interview_path, subject_of, text_of } from '../support/mails.mjs';
import { token_of } from '../support/sign_in.mjs';
import { expect_accessible, launch, sideways, take_pictures, watched_page } from './support/site.mjs';

const logo = 'https://cdn.acme.example/logo.svg';
const drawn_logo = `<svg xmlns="http://www.w3.org/2000/svg" width="112" height="32"><rect width="32" height="32" rx="8" fill="#c2410c"/>
  <path d="M8 24 16 8l8 16" fill="none" stroke="#fff" stroke-width="4"/><text x="40" y="23" font-family="sans-serif" font-size="20" font-weight="700" fill="#1a1d21">acme</text></svg>`;

let browser, world;
const letters = new Map(); // name of the kind: the mail

const at = (path) => new URL(path, gateway_url);
const post = (path, body) => fetch(at(path), { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body, redirect: 'manual' });
const ask = async (email, slotStart, language = 'en') => {
  const { status } = await fetch(at(`/api/public/v1/scheduling/${world.job}/${world.stage}/bookings`),
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email, slotStart, timeZone: 'Europe/Berlin', language }) });
  assert.equal(status, 200);
};
const newest = async (address, count) => {
  const mail = (await await_mails(address, count)).at(-1);
  for (const [path] of text_of(mail).matchAll(/\/interviews\/[A-Za-z0-9_-]{43}/g)) record_secret(path.split('/')[2]);
  return mail;
};
const move = (mail, slotStart) => post(`${interview_path(mail)}/reschedule`, `slotStart=${encodeURIComponent(slotStart)}`);

before(async () => {
  browser = await launch();
  world = await make_interview({ candidates: 6 });
  const { organization, emails } = world;
  await recruitctl('organization', 'set', '--organization', organization.slug, '--logo-url', logo, '--accent-color', '#c2410c');
  const slots = (await (await fetch(at(`/api/public/v1/scheduling/${world.job}/${world.stage}/slots`))).json()).data.map(({ slotStart }) => slotStart);
  const keep = (name, mail) => letters.set(name, mail);
  const [moving, late, declined] = emails;
  await ask(moving, slots[0]);
  keep('confirmed', await newest(moving, 1));
  keep('interviewer_confirmed', await newest(organization.admin, 1));
  await ask(late, slots[0]);
  keep('slot_taken', await newest(late, 1));
  await ask(moving, slots[1]);
  keep('already_booked', await newest(moving, 2));
  await move(letters.get('confirmed'), slots[2]);
  keep('rescheduled', await newest(moving, 3));
  keep('interviewer_rescheduled', await newest(organization.admin, 2));
  await post(`${interview_path(letters.get('confirmed'))}/cancel`, '');
  keep('canceled', await newest(moving, 4));
  keep('interviewer_canceled', await newest(organization.admin, 3));
  await ask(declined, slots[3]);
  await newest(declined, 1);
  await post(decline_path(await newest(organization.admin, 4)), '');
  keep('declined', await newest(declined, 2));
  keep('interviewer_declined', await newest(organization.admin, 5));
  for (const [i, language] of ['de', 'fr', 'ja'].entries()) {
    await ask(emails[3 + i], slots[4 + i], language);
    keep(`confirmed_${language}`, await newest(emails[3 + i], 1));
  }
  const guest = `guest@${organization.slug}.example`;
  await (await sign_in(organization)).change('POST', '/members', { email: guest, name: 'Gale Guest', role: 'interviewer' }, { expect: 201 });
  keep('invitation', (await await_mails(guest, 1))[0]);
  const member = await organization.add_member('recruiter');
  await call('POST', '/sign-in-links', { body: { email: member.email }, address: fresh_address(), expect: 202 });
  keep('sign_in', (await await_mails(member.email, 1))[0]);
  const chief = await organization.add_member('admin', `chief@${organization.slug}.example`);
  await sql(`insert into recruiting.mail_outbox (id, organization_id, audience, kind, membership_id, user_id, time_zone)
    select gen_random_uuid(), organization_id, 'member', 'webhook_failed', id, user_id, 'UTC' from recruiting.memberships where id = ${uuid(chief.id)}`);
  keep('webhook_failed', (await await_mails(chief.email, 1))[0]);
  for (const name of ['invitation', 'sign_in']) token_of(text_of(letters.get(name)).match(/\S+#token=\S+/)[0]);
});
after(() => browser?.close());

/** As a mail program shows it, in its own main landmark; no host is there but the logo's. */
const open_mail = async (html, { dark = false, has_logo = true } = {}) => {
  const window = await watched_page(browser, { colorScheme: dark ? 'dark' : 'light' });
  await window.page.route('**/*', (route) => (has_logo && route.request().url() === logo ? route.fulfill({ contentType: 'image/svg+xml', body: drawn_logo }) : route.abort()));
  await window.page.setContent(html.replace(/<body[^>]*>/, '$&<main>').replace('</body>', '</main></body>'), { waitUntil: 'load' });
  return window;
};

test('each mail is legible by day and by night, on each screen, and loads nothing but the logo', async () => {
  const in_the_dark = ['confirmed', 'interviewer_confirmed', 'sign_in']; // the others have the same sheet
  for (const [name, mail] of letters)
    for (const dark of in_the_dark.includes(name) ? [false, true] : [false]) {
      const { page, context, requests } = await open_mail(html_of(mail), { dark });
      await expect_accessible(page, `${name} ${dark}`);
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        assert.equal(await sideways(page), false, `${name} at ${width}`);
      }
      assert.deepEqual([...new Set(requests.map((request) => request.url()))], name === 'sign_in' ? [] : [logo], name);
      await take_pictures(page, `mail-${name}-${dark ? 'dark' : 'light'}`);
      await context.close();
    }
});

test('without the logo the company\'s name stands in its place', async () => {
  const { page, context } = await open_mail(html_of(letters.get('confirmed')), { has_logo: false });
  await expect_accessible(page, 'no logo');
  await page.getByAltText('Acme Robotics').waitFor();
  await take_pictures(page, 'mail-without-images');
  await context.close();
});

test('the text part says the same, with the same links', async () => {
  for (const [name, mail] of letters) {
    const { page, context } = await open_mail(html_of(mail));
    const { links, said } = await page.evaluate(() => ({
      links: [...document.querySelectorAll('a[href]')].map(({ href }) => href),
      said: [...document.querySelectorAll('p, td:not(:has(table, p)) > bdi')].filter((one) => !one.querySelector('a, span')).map((one) => one.textContent.replace(/\s+/g, ' ').trim()),
    }));
    const text = text_of(mail);
    const words = `${subject_of(mail)} ${text}`.replace(/\s+/g, ' ');
    assert.deepEqual([...new Set(links)].sort(), [...new Set(text.match(/https?:\/\/\S+/g))].sort(), name);
    for (const sentence of said) assert.ok(words.includes(sentence), `${name}: ${sentence}`);
    await page.setContent(`<!doctype html><html lang="en"><meta charset="utf-8"><title>text</title><body style="margin:16px"><pre style="white-space:pre-wrap;word-break:break-word;font:14px/1.5 monospace"></pre>`);
    await page.locator('pre').evaluate((pre, content) => (pre.textContent = content), text);
    await take_pictures(page, `mail-${name}-text`);
    await context.close();
  }
});

test('the page to decline: by keyboard, and again', async () => {
  const [, slot] = (await (await fetch(at(`/api/public/v1/scheduling/${world.job}/${world.stage}/slots`))).json()).data.slice(-2);
  const others = (await await_mails(world.organization.admin, 1)).length;
  await ask(world.emails[2], slot.slotStart);
  const path = decline_path(await newest(world.organization.admin, others + 1));
  const { page, context } = await watched_page(browser);
  await page.goto(String(at(path)));
  await page.getByRole('heading', { level: 1, name: 'Decline this interview?' }).waitFor();
  await expect_accessible(page, 'decline');
  await take_pictures(page, 'decline');
  await page.getByRole('button', { name: 'Yes, decline the interview' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'You have declined this interview' }).waitFor();
  await expect_accessible(page, 'declined');
  await take_pictures(page, 'declined');
  await post(path, '');
  await page.goto(String(at(`${path}?notice=repeated`)));
  await page.getByRole('status').filter({ hasText: 'Nothing was changed.' }).waitFor();
  await context.close();
});
