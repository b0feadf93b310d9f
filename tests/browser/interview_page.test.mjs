// The way of a candidate in a real browser: the time is asked for on the company's site, the mail comes, its link leads
// to the interview's page, and there the time is changed and given up; with and without JavaScript.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gateway_url } from '../e2e/support/environment.mjs';
import { bookings_of, make_interview } from '../support/interviews.mjs';
import { await_mails, interview_path, join_path, text_of } from '../support/mails.mjs';
import { expect_accessible, launch, start_site, take_pictures, watched_page } from './support/site.mjs';

let browser, site;
before(async () => {
  browser = await launch();
  site = await start_site();
});
after(async () => {
  await browser?.close();
  site?.stop();
});

/** Books the first time on the company's site; the address of the interview's page, out of the mail. */
const booked = async (page, { job, stage, emails: [email] }) => {
  await site.open(page, { body: `<recruiting-booking job="${job}" stage="${stage}"></recruiting-booking>` });
  await page.locator('[name=time]').first().check();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Book this time' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  const [mail] = await await_mails(email, 1);
  return String(new URL(interview_path(mail), gateway_url));
};

const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor();
const status_of = async ({ organization }) => (await bookings_of(organization, 1))[0];

const move_by_keyboard = async (page) => {
  const other = page.locator('[name=slotStart]').nth(2);
  const wanted = await other.getAttribute('value');
  await other.focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Move the interview' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Your interview is booked for the time below.' }).waitFor();
  return wanted;
};

const cancel_by_keyboard = async (page) => {
  await page.locator('summary').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Yes, cancel the interview' }).focus();
  await page.keyboard.press('Enter');
  await heading(page, 'Your interview is canceled');
};

test('from the company\'s site to the mail, to the page, to another time, to none, and back', async () => {
  const { page, context, expect_quiet } = await watched_page(browser, { timezoneId: 'America/New_York' });
  const interview = await make_interview();
  const link = await booked(page, interview);
  const [, first_start] = await status_of(interview);
  await page.goto(link);
  await heading(page, 'Your interview is booked');
  assert.deepEqual(await page.locator('p.row a').allTextContents(), ['Add to calendar', 'Join the interview']);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Add to calendar' }).click();
  assert.equal((await download).suggestedFilename(), 'interview.ics');
  await expect_accessible(page, 'booked');
  await take_pictures(page, 'interview');
  const wanted = await move_by_keyboard(page);
  assert.notEqual(wanted, first_start);
  assert.deepEqual((await status_of(interview)).slice(0, 2), ['confirmed', wanted]);
  await expect_accessible(page, 'moved');
  await cancel_by_keyboard(page);
  assert.equal((await status_of(interview))[0], 'canceled');
  await expect_accessible(page, 'canceled');
  await take_pictures(page, 'interview-canceled');
  await page.locator('[name=slotStart]').first().check();
  await page.getByRole('button', { name: 'Book this time' }).click();
  await heading(page, 'Your interview is booked');
  assert.equal((await status_of(interview))[0], 'confirmed');
  assert.equal((await await_mails(interview.emails[0], 4)).length, 4);
  await expect_quiet({ hosts: [new URL(site.origin).host] });
  await context.close();
});

test('a time that is no slot is not called taken, in every language of the page', async () => {
  const interview = await make_interview();
  const { page, context } = await watched_page(browser);
  const link = await booked(page, interview);
  await context.close();
  const texts = {
    en: 'That time is not offered. Please choose another.', de: 'Dieser Termin wird nicht angeboten. Bitte wählen Sie einen anderen.',
    fr: 'Cet horaire n’est pas proposé. Veuillez en choisir un autre.', es: 'Esa hora no se ofrece. Elija otra.',
    it: 'Quell’orario non è disponibile. Ne scelga un altro.', ja: 'その日時は予約できません。別の日時をお選びください。',
  };
  for (const [locale, text] of Object.entries(texts)) {
    const { page: own, context: of_reader } = await watched_page(browser, { locale });
    await own.goto(link);
    const choice = own.locator('[name=slotStart]').first();
    await choice.evaluate((radio) => { radio.value = new Date(Date.parse(radio.value) + 60 * 1000).toISOString(); });
    await choice.check();
    await own.locator('form[action$="/reschedule"] [type=submit]').click();
    await own.getByRole('status').filter({ hasText: text }).waitFor();
    if (locale === 'en') await expect_accessible(own, 'not offered');
    await of_reader.close();
  }
});

test('the language of the element is the language of the mail; the pages behind its links follow the reader', async () => {
  const { page, context } = await watched_page(browser, { locale: 'es-ES' });
  const { job, stage, emails: [email] } = await make_interview();
  await site.open(page, { lang: 'en', body: `<recruiting-booking lang="fr-CA" job="${job}" stage="${stage}"></recruiting-booking>` });
  await page.locator('[name=time]').first().check();
  await page.locator('input[type=email]').fill(email);
  await page.locator('button[type=submit]').click();
  await page.locator('[part=confirmation]').waitFor();
  const [mail] = await await_mails(email, 1);
  assert.match(text_of(mail), /^Bonjour .+,$/m);
  for (const [path, text] of [[interview_path(mail), 'Su entrevista está reservada'], [join_path(mail), 'Este enlace llevará a la entrevista a partir del']]) {
    await page.goto(String(new URL(path, gateway_url)));
    await page.getByText(text).first().waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'es');
    await expect_accessible(page, path.endsWith('/join') ? 'join' : 'interview');
  }
  await context.close();
});

test("the visitor's zone leads, and a time is chosen as in the widget", async () => {
  const { page: own, context: of_candidate } = await watched_page(browser, { timezoneId: 'America/New_York' });
  const link = await booked(own, await make_interview());
  await of_candidate.close();
  const { page, context, expect_quiet } = await watched_page(browser, { timezoneId: 'Asia/Tokyo', viewport: { width: 390, height: 844 } });
  await page.goto(link);
  const when = page.locator('dd').filter({ has: page.locator('time') });
  assert.match(await when.locator('time').textContent(), /17:00$/);
  assert.match(await when.innerText(), /Japan Standard Time, GMT\+9\s+.*03:00, America\/New_York, UTC-05:00$/);
  const move = page.getByRole('button', { name: 'Move the interview' });
  await move.click();
  await page.getByText('Please choose a time.').waitFor();
  await page.locator('[name=day]').nth(1).check();
  await page.locator('[name=slotStart]').last().check();
  const chosen = page.locator('.chosen');
  assert.match(await chosen.textContent(), /Japan Standard Time/);
  await page.evaluate(() => document.querySelector('form[data-words]').scrollIntoView());
  const { y, height } = await move.boundingBox();
  assert.ok(y > 0 && y + height <= 844, 'the button is in view at the beginning of the form');
  await take_pictures(page, 'interview-choosing');
  await page.getByLabel('Time zone').fill('berlin');
  await page.getByLabel('Time zone').press('Enter');
  assert.match(await chosen.textContent(), /Central European Standard Time/);
  await expect_accessible(page, 'choosing');
  const wanted = await page.locator('[name=slotStart]:checked').getAttribute('value');
  await move.click();
  await heading(page, 'Your interview is booked');
  assert.equal(await page.locator('time').first().getAttribute('datetime'), wanted);
  await expect_quiet();
  await context.close();
});

test('a browser that does not know its zone shows the interview\'s, by its name of today', async () => {
  const { page: own, context: of_candidate } = await watched_page(browser, { timezoneId: 'Asia/Calcutta' });
  const link = await booked(own, await make_interview());
  await of_candidate.close();
  const { page, context, expect_quiet } = await watched_page(browser);
  await page.addInitScript(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.resolvedOptions = function unknown_zone() { return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' }; };
  });
  await page.goto(link);
  const when = page.locator('dd').filter({ has: page.locator('time') });
  assert.match(await when.innerText(), /13:30\s+Asia\/Kolkata, UTC\+05:30$/);
  assert.equal(await page.getByLabel('Time zone').inputValue(), 'Asia/Kolkata (UTC+05:30)');
  await expect_quiet();
  await context.close();
});

test('without JavaScript', async () => {
  const [{ page: site_page, context: site_context }, { page, context, requests }] =
    [await watched_page(browser), await watched_page(browser, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })];
  const interview = await make_interview();
  await page.goto(await booked(site_page, interview));
  await heading(page, 'Your interview is booked');
  await take_pictures(page, 'interview-without-script');
  const wanted = await move_by_keyboard(page);
  assert.deepEqual((await status_of(interview)).slice(0, 2), ['confirmed', wanted]);
  await cancel_by_keyboard(page);
  assert.equal((await status_of(interview))[0], 'canceled');
  assert.deepEqual(requests.filter((sent) => sent.resourceType() === 'script'), []);
  await site_context.close();
  await context.close();
});

test('the calendar file, the dark, forced colours, and a link that leads nowhere', async () => {
  const { page, context, expect_quiet } = await watched_page(browser, { colorScheme: 'dark', acceptDownloads: true });
  const link = await booked(page, await make_interview());
  await page.goto(link);
  await heading(page, 'Your interview is booked');
  await expect_accessible(page, 'dark');
  await take_pictures(page, 'interview-dark');
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Add to calendar' }).click();
  assert.match((await coming).suggestedFilename(), /\.ics$/);
  const forced = await watched_page(browser, { forcedColors: 'active' });
  await forced.page.goto(link);
  await heading(forced.page, 'Your interview is booked');
  await expect_accessible(forced.page, 'forced colours');
  await forced.context.close();
  await page.goto(link.replace(/.{43}$/, 'x'.repeat(43)));
  await heading(page, 'This link does not work');
  await expect_accessible(page, 'dead link');
  await expect_quiet({ hosts: [new URL(site.origin).host], but: /404/ });
  await context.close();
});
