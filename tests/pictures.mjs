// The pictures of README and proto-docs, taken of the running system: node tests/pictures.mjs FOLDER. See scripts/pictures.
import { join } from 'node:path';
import { console_url, sign_in } from './browser/support/console.mjs';
import { launch, start_site, watched_page } from './browser/support/site.mjs';
import { demo, gateway_url } from './e2e/support/environment.mjs';
import { sql } from './e2e/support/recruitctl.mjs';
import { book, free_times } from './support/interviews.mjs';
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
    await page.waitForURL('**/jobs/**');
  };
  await take('job-dark-phone', [phone, 700], first_job, dark);
  await take('widget-jobs', [900, 760], async (page) => {
    await site.open(page, { body: `<recruiting-jobs organization="${demo.slug}"></recruiting-jobs>` });
    await page.locator('recruiting-jobs').getByRole('listitem').first().waitFor();
  });
};

/** A stage of the demo that can be booked, and a candidate there without an interview. */
const find_candidate = async () => {
  const [[job, stage, email]] = await sql(`select j.id, s.id, c.email from recruiting.organizations o
    join recruiting.jobs j on j.organization_id = o.id and j.published join recruiting.stages s on s.job_id = j.id
    join recruiting.applications a on a.stage_id = s.id and a.status = 'active' join recruiting.candidates c on c.id = a.candidate_id
    where o.slug = '${demo.slug}' and exists (select from recruiting.interview_slots t where t.stage_id = s.id and t.starts_at > now() + interval '1 day')
      and not exists (select from recruiting.bookings b where b.application_id = a.id) order by c.email limit 1`);
  return { job: job.replaceAll('-', ''), stage: stage.replaceAll('-', ''), email };
};

const take_booking = async ({ job, stage, email }) => {
  const body = `<recruiting-booking job="${job}" stage="${stage}"></recruiting-booking>`;
  await take('widget-booking', [780, 970], async (page) => {
    await site.open(page, { body });
    await page.getByRole('radiogroup').nth(1).getByRole('radio').nth(2).check();
    await page.getByLabel('E-mail address').fill(email);
  });
  await book({ job, stage }, email, (await free_times({ job, stage }))[2]);
  const [mail] = await await_mails(email, 1);
  await take('mail', [1280, 900], (page) => page.setContent(html_of(mail)));
  await take('interview-phone', [phone, 900], (page) => page.goto(public_page(interview_path(mail))));
};

const take_console = async ({ stage }) => {
  const shown = (path, await_it, act = () => {}) => async (page) => {
    await sign_in(page, demo);
    await page.goto(console_url(path));
    await await_it(page).waitFor();
    await act(page);
  };
  const desk = [1240, 690];
  await take('console-api-access', desk, shown('/api-access', (page) => page.locator('table.records')));
  await take('console-create-key-dark', desk, shown('/api-access/new', (page) => page.getByLabel('Name', { exact: true })), dark);
  await take('console-audit-log', desk, shown('/audit', (page) => page.locator('tbody tr').first()));
  await take('console-week', [1240, 900], shown(`/interviews/stages/${stage}`, (page) => page.locator('.slot').first()));
  const ask = async (page) => {
    await page.getByRole('textbox').fill('Which jobs are open?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'Copy' }).first().waitFor();
  };
  await take('console-agent-phone', [phone, 760], shown('/agent', (page) => page.getByRole('textbox'), ask), { deviceScaleFactor: 1.5 });
};

try {
  await take_careers();
  const found = await find_candidate();
  await take_booking(found);
  await take_console(found);
} finally {
  site.stop();
  await browser.close();
}
