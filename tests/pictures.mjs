// The pictures of README and proto-docs, taken of the running system: node tests/pictures.mjs FOLDER. See scripts/pictures.
import { join } from 'node:path';
import { console_url, operator_link } from './browser/support/console.mjs';
import { launch, start_site, watched_page } from './browser/support/site.mjs';
import { demo, gateway_url } from './e2e/support/environment.mjs';
import { bookings_of, make_interview } from './support/interviews.mjs';
import { await_mails, html_of, interview_path } from './support/mails.mjs';

const folder = process.argv[2];
const browser = await launch();
const site = await start_site();
const public_page = (path) => String(new URL(path, gateway_url));

/** A picture of what show(page) leaves on a screen of this size. */
const take = async (name, [width, height], show, more = {}) => {
  const { page, context } = await watched_page(browser, { viewport: { width, height }, ...more });
  await show(page);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
};

const phone = 390;
const dark = { colorScheme: 'dark' };

const take_careers = async () => {
  const careers = public_page(`/careers/${demo.slug}`);
  await take('careers', [1000, 760], (page) => page.goto(careers));
  const first_job = async (page) => {
    await page.goto(careers);
    await page.locator('main li a').first().click();
    await page.locator('h1').waitFor();
  };
  await take('job-dark-phone', [phone, 700], first_job, dark);
  const body = `<recruiting-jobs organization="${demo.slug}"></recruiting-jobs>`;
  const list = (is_dark) => async (page) => {
    await site.open(page, { body, dark: is_dark });
    await page.locator('recruiting-jobs').getByRole('listitem').first().waitFor();
  };
  await take('widget-jobs', [900, 760], list(false));
  await take('widget-dark-phone', [phone, 760], list(true), dark);
};

const take_booking = async () => {
  const { organization, job, stage, emails } = await make_interview();
  const body = `<recruiting-booking job="${job}" stage="${stage}"></recruiting-booking>`;
  const choose = async (page) => {
    await site.open(page, { body });
    await page.getByRole('radiogroup').nth(1).getByRole('radio').nth(2).check();
    await page.getByLabel('E-mail address').fill(emails[0]);
  };
  await take('widget-booking', [780, 970], choose);
  const book = async (page) => {
    await choose(page);
    await page.getByRole('button', { name: 'Book this time' }).click();
    await page.getByRole('status').first().waitFor();
    await bookings_of(organization, 1);
  };
  await take('widget-confirmed-phone', [phone, 760], book);
  const mail = (await await_mails(emails[0], 1))[0];
  await take('mail', [1280, 900], (page) => page.setContent(html_of(mail)));
  await take('interview-phone', [phone, 900], (page) => page.goto(public_page(interview_path(mail))));
};

const take_console = async () => {
  const sign_in = async (page) => {
    await page.goto(await operator_link(demo, demo.admin));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'API access' }).waitFor();
  };
  const shown = (path, await_it, act = () => {}) => async (page) => {
    await sign_in(page);
    await page.goto(console_url(path));
    await await_it(page).waitFor();
    await act(page);
  };
  const desk = [1240, 690];
  await take('console-api-access', desk, shown('/api-access', (page) => page.locator('table.records')));
  await take('console-create-key-dark', desk, shown('/api-access/new', (page) => page.getByLabel('Name', { exact: true })), dark);
  await take('console-audit-log', desk, shown('/audit', (page) => page.locator('tbody tr').first()));
  const week = async (page) => {
    await page.locator('tbody a').first().click();
    await page.locator('.calendar').waitFor();
  };
  await take('console-week', desk, shown('/interviews', (page) => page.locator('tbody a').first(), week));
  const ask = async (page) => {
    await page.getByRole('textbox').fill('Which jobs are open?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('form.ask button[type=submit]:enabled').waitFor();
  };
  await take('console-agent-phone', [phone, 760], shown('/agent', (page) => page.getByRole('textbox'), ask), { deviceScaleFactor: 1.5 });
};

try {
  await take_careers();
  await take_booking();
  await take_console();
} finally {
  site.stop();
  await browser.close();
}
