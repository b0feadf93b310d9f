// Interviews in the console: the schedule, opening and closing slots, bookings, requests that matched nobody.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gateway_url } from '../e2e/support/environment.mjs';
import { application_record, candidate_record, id_of, job_record } from '../e2e/support/organization.mjs';
import { await_condition } from '../e2e/support/programs.mjs';
import { recruitctl, sql, uuid } from '../e2e/support/recruitctl.mjs';
import { record_secret } from '../e2e/support/records.mjs';
import { book, bookings_of, free_times, make_interview } from '../support/interviews.mjs';
import { await_mails, decline_path, text_of } from '../support/mails.mjs';
import { console_url, errors_of_responses, heading, make_company, naughty_strings, sign_in } from './support/console.mjs';
import { expect_accessible, launch, sideways, take_pictures, watched_page } from './support/site.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const row = (page, text) => page.getByRole('row').filter({ hasText: text });
const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Reloads until it is there: workers write it a moment after the request. */
const appears = async (page, text) => {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    if (await row(page, text).first().waitFor({ timeout: 1500 }).then(() => true, () => false)) return;
    await page.reload();
  }
  assert.fail(`${text} does not appear`);
};

test('open slots, see them by day, close one; a candidate books; an unknown address is shown to recruiters', async () => {
  const interview = await make_interview({ days: 0 });
  const { organization, emails: [email] } = interview;
  const { page, context, said } = await watched_page(browser);
  await sign_in(page, organization);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Interviews' }).click();
  await heading(page, 'Interviews');
  await row(page, 'Screen').getByText('No free time').waitFor();
  await expect_accessible(page, 'schedule');
  await take_pictures(page, 'console-interviews');
  await page.getByRole('link', { name: /^Open slots: Screen/ }).click();
  await heading(page, 'Open slots');
  await page.getByLabel('From', { exact: true }).fill('18:00');
  await page.getByLabel('To', { exact: true }).fill('09:00');
  await page.getByRole('button', { name: 'Preview times' }).click();
  await page.getByText('Choose two times, the earlier one first.').waitFor();
  await expect_accessible(page, 'open slots, wrong');
  await page.getByLabel('From', { exact: true }).fill('09:00');
  await page.getByLabel('To', { exact: true }).fill('11:00');
  await page.getByLabel('First day').fill(day(2));
  await page.getByLabel('Last day').fill(day(4));
  for (const name of ['Saturday', 'Sunday']) if (!(await page.getByLabel(name).isChecked())) await page.getByLabel(name).check({ force: true });
  await page.getByText('Up to 12 slots: 4 on each of 3 days.').waitFor();
  await page.getByRole('button', { name: 'Preview times' }).click();
  await page.getByText('12 slots will be opened').waitFor();
  assert.equal(await page.locator('.previewed .chip').count(), 12);
  await expect_accessible(page, 'previewed');
  await page.getByRole('button', { name: 'Open 12 slots' }).click();
  await page.getByRole('heading', { name: '12 slots opened' }).waitFor();
  await expect_accessible(page, 'opened');
  await page.getByRole('button', { name: 'Open more' }).click();
  await page.getByLabel('To', { exact: true }).waitFor();
  await page.goto(console_url(`/interviews/stages/${interview.stage}`));
  await heading(page, 'Screen');
  // The three days may lie in two weeks.
  const shown = async () => {
    await page.locator('.week .slot').first().waitFor();
    const first = await page.locator('.week .slot').count();
    if (!(await page.getByRole('button', { name: 'Week after' }).isEnabled())) return first;
    await page.getByRole('button', { name: 'Week after' }).click();
    await page.getByRole('button', { name: 'Week before', disabled: false }).waitFor();
    const second = await page.locator('.week .slot').count();
    await page.getByRole('button', { name: 'Week before' }).click();
    return first + second;
  };
  assert.equal(await shown(), 12);
  await expect_accessible(page, 'slots');
  await take_pictures(page, 'console-slots');
  await page.locator('.slot.open button').first().click();
  await page.getByRole('dialog').getByText('It can no longer be booked', { exact: false }).waitFor();
  await expect_accessible(page, 'close a slot');
  await page.getByRole('dialog').getByRole('button', { name: 'Close slot' }).click();
  await page.getByRole('status').filter({ hasText: 'is closed.' }).waitFor();
  await await_condition(async () => (await shown()) === 11, 'the closed slot is gone');
  await page.getByLabel('Show closed slots').check();
  await page.locator('.slot.closed').waitFor();

  const [time] = await free_times(interview);
  await book(interview, email, time);
  await book(interview, `stranger@${organization.slug}.example`, time);
  await bookings_of(organization, 1);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Interviews' }).click();
  await page.getByRole('link', { name: 'Bookings' }).click();
  await heading(page, 'Bookings');
  await appears(page, 'Confirmed');
  await row(page, 'Senior Backend Engineer').waitFor();
  await expect_accessible(page, 'bookings');
  await page.getByRole('link', { name: 'Unmatched requests' }).click();
  await heading(page, 'Unmatched requests');
  await appears(page, `stranger@${organization.slug}.example`);
  assert.equal(await page.locator('a[href^="mailto:"]').count(), 0);
  await expect_accessible(page, 'matched nobody');
  await take_pictures(page, 'console-matched-nobody');
  assert.deepEqual(said.filter((line) => !errors_of_responses.test(line)), []);
  await context.close();
});

test('an interviewer\'s mail leads to the interview and, where the role shows it, to the candidate; a declined one says by whom', async () => {
  const interview = await make_interview({ days: 2 });
  const { organization, emails: [email] } = interview;
  await book(interview, email, (await free_times(interview))[0]);
  const [mail] = await await_mails(organization.admin, 1);
  const path = text_of(mail).match(/\/console(\/interviews\/bookings\/[0-9a-f]{32})/)[1];
  const { page, context } = await watched_page(browser);
  await sign_in(page, organization);
  await page.goto(console_url(path));
  await page.getByRole('link', { name: email }).waitFor();
  await page.getByText('Confirmed').waitFor();
  await expect_accessible(page, 'a booking');
  await take_pictures(page, 'console-booking');
  await page.getByRole('link', { name: 'Bookings' }).click();
  await heading(page, 'Bookings');
  record_secret(decline_path(mail).split('/')[2]);
  await fetch(new URL(decline_path(mail), gateway_url), { method: 'POST' });
  await appears(page, 'Declined');
  await row(page, 'Declined').getByRole('link').click();
  await page.getByText('can’t make it at that time.', { exact: false }).waitFor();
  await expect_accessible(page, 'a declined booking');
  await take_pictures(page, 'console-booking-declined');
  await page.goto(console_url('/interviews/bookings/0190a1b2c3d4e5f60718293a4b5c6d7e'));
  await page.getByRole('heading', { name: 'Interview not found' }).waitFor();
  await context.close();
});

test('an interview is moved, handed over, sent again, linked and canceled, and its page tells so', async () => {
  const interview = await make_interview({ days: 2 });
  const { organization, emails: [email] } = interview;
  await organization.add_member('interviewer');
  await book(interview, email, (await free_times(interview))[0]);
  await bookings_of(organization, 1);
  const { page, context, said } = await watched_page(browser);
  await sign_in(page, organization);
  await page.goto(console_url('/interviews/bookings'));
  await appears(page, 'Confirmed');
  await row(page, 'Confirmed').getByRole('link').first().click();
  const dialog = page.getByRole('dialog');
  const act = (name) => page.getByRole('button', { name, exact: true }).first().click();
  const told = (event) => page.getByRole('listitem').filter({ hasText: event }).first().waitFor();
  await told('Booked');
  await act('Move');
  await dialog.getByLabel('New time').waitFor();
  await dialog.getByRole('button', { name: 'Move' }).click();
  await dialog.getByText('Choose a time.').waitFor();
  await expect_accessible(page, 'move an interview');
  await take_pictures(page, 'console-booking-move');
  await dialog.getByLabel('New time').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Move' }).click();
  await page.getByRole('status').filter({ hasText: 'The interview is moved.' }).waitFor();
  await told('Moved');
  await act('Hand over');
  await dialog.getByLabel('Interviewer').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await page.getByRole('status').filter({ hasText: 'holds the interview now.' }).waitFor();
  await told('Handed over to');
  await act('Send again');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await told('Confirmation sent again');
  await act('Candidate’s link');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  record_secret(link.split('/').at(-1));
  await expect_accessible(page, 'a link for the candidate');
  await take_pictures(page, 'console-booking-link');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await told('Link created');
  // A change that comes too late: the candidate has canceled meanwhile.
  await act('Hand over');
  await dialog.getByLabel('Interviewer').selectOption({ index: 1 });
  await fetch(new URL(`/api/public/v1/scheduling/manage/${link.split('/').at(-1)}/cancel`, gateway_url), { method: 'POST' });
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await dialog.getByText('is no longer confirmed', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await told('Canceled');
  await act('Move');
  await dialog.getByLabel('New time').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Move' }).click();
  await page.getByText('Confirmed', { exact: true }).waitFor();
  await act('Cancel interview');
  await expect_accessible(page, 'cancel an interview');
  await dialog.getByRole('button', { name: 'Cancel interview' }).click();
  await page.getByRole('status').filter({ hasText: 'The interview is canceled.' }).waitFor();
  await expect_accessible(page, 'a canceled interview');
  await take_pictures(page, 'console-booking-actions');
  assert.deepEqual(said.filter((line) => !errors_of_responses.test(line)), []);
  await context.close();
});

test('a slot that is booked: closing it says that the interview stays', async () => {
  const interview = await make_interview({ days: 2 });
  const { page, context } = await watched_page(browser);
  await sign_in(page, interview.organization);
  await book(interview, interview.emails[0], (await free_times(interview))[0]);
  await bookings_of(interview.organization, 1);
  await page.goto(console_url(`/interviews/stages/${interview.stage}`));
  await page.locator('.slot.taken').getByRole('button').first().click();
  await page.getByRole('dialog').getByText('An interview is booked in this slot.', { exact: false }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await context.close();
});

test('a stage\'s settings: its length, and whether candidates can book it', async () => {
  const { organization } = await make_interview({ days: 0 });
  const { page, context } = await watched_page(browser);
  await sign_in(page, organization);
  await page.goto(console_url('/interviews'));
  await page.getByRole('button', { name: /^Settings: Screen/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Length in minutes').fill('3');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter 5 to 480 minutes.').waitFor();
  await dialog.getByLabel('Length in minutes').fill('50');
  await dialog.getByRole('checkbox').uncheck();
  await dialog.getByText('Candidates will no longer see times', { exact: false }).waitFor();
  await expect_accessible(page, 'stage settings');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').filter({ hasText: 'are saved.' }).waitFor();
  await page.getByText(/^All \d+$/).click();
  await row(page, 'Screen').getByText('50 minutes').waitFor();
  await row(page, 'Screen').getByText('Not bookable').waitFor();
  await context.close();
});

test('interviewers see their own slots and no strangers; viewers see nothing', async () => {
  const { organization } = await make_interview({ days: 1 });
  const [interviewer, viewer] = [await organization.add_member('interviewer'), await organization.add_member('viewer')];
  const first = await watched_page(browser);
  await sign_in(first.page, organization, interviewer.email);
  await first.page.goto(console_url('/interviews'));
  await first.page.getByRole('heading', { name: 'No stages to plan' }).waitFor();
  assert.equal(await first.page.getByRole('link', { name: 'Unmatched requests' }).count(), 0);
  await first.page.goto(console_url('/interviews/bookings'));
  await first.page.getByRole('heading', { name: 'No bookings here' }).waitFor();
  await expect_accessible(first.page, 'no bookings');
  const second = await watched_page(browser);
  await sign_in(second.page, organization, viewer.email);
  assert.equal(await second.page.getByRole('link', { name: 'Interviews' }).count(), 0);
  await second.page.goto(console_url('/interviews'));
  await heading(second.page, 'Page not found');
  await first.context.close();
  await second.context.close();
});

test('texts of strangers are texts: jobs, stages, candidates who book, addresses that matched nobody', async () => {
  const chosen = naughty_strings(110).filter((text) => text.length > 3 && /[<>"'&{}]|javascript:|\p{Mn}/iu.test(text)).filter((_, i) => i % 12 === 0).slice(0, 12);
  const company = await make_company('<img src=x onerror=alert(1)>');
  const stages = (text) => [{ name: 'Applied', kind: 'applied' }, { name: text.slice(0, 100), kind: 'screen', bookable: true, interviewDurationMinutes: 30 }];
  await company.import('jobs', chosen.map((text, i) => ({ ...job_record(i), title: text, status: 'open', published: true, stages: stages(text) })));
  const people = chosen.slice(0, 6).map((name, i) => ({ ...candidate_record(i, company.slug), name }));
  await company.import('candidates', people);
  await company.import('applications', people.map((_, i) => application_record(i, i, { stageName: chosen[i].slice(0, 100), status: 'active' })));
  const { page, context, said } = await watched_page(browser, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  page.on('dialog', () => assert.fail('a script of a stranger ran'));
  await sign_in(page, company);
  const stage_of = async (external_id) => {
    const job = await id_of(company, 'jobs', external_id);
    const [[stage]] = await sql(`select replace(id::text, '-', '') from recruiting.stages where job_id = ${uuid(job)} and bookable`);
    return { job, stage };
  };
  const shown = async (path) => {
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('main img, main iframe, main object, main embed, main script').count(), 0, path);
    assert.equal(await sideways(page), false, path);
    await expect_accessible(page, `strangers ${path}`);
  };
  const { stage } = await stage_of('job-0');
  await page.goto(console_url(`/interviews/stages/${stage}/open`));
  await heading(page, 'Open slots');
  await page.getByLabel('First day').fill(day(2));
  await page.getByLabel('Last day').fill(day(9));
  await page.getByRole('button', { name: 'Preview times' }).click();
  await page.getByRole('button', { name: /^Open \d+ slots$/ }).click();
  await page.getByRole('heading', { name: /slots opened$/ }).waitFor();
  await shown('opened');
  for (const i of [1, 2, 3, 4, 5]) {
    const where = await stage_of(`job-${i}`);
    await recruitctl('slots', 'open', '--organization', company.slug, '--job', where.job, '--stage', where.stage, '--interviewer', company.admin,
      '--from', `${day(9 + i)}T08:00`, '--to', `${day(9 + i)}T10:00`, '--duration', '30m', '--time-zone', 'UTC', '--weekdays', 'mon-sun');
  }
  for (const [i, { email }] of people.entries()) {
    const where = await stage_of(`job-${i}`);
    const [time] = await free_times(where);
    await book(where, email, time);
    await book(where, `o'{{7*7}}|&copy#${i}@${company.slug}.example`, time);
  }
  await bookings_of(company, people.length);
  await page.goto(console_url('/interviews'));
  await page.locator('.records tbody th a').nth(chosen.length - 1).waitFor();
  await shown('schedule');
  await page.goto(console_url(`/interviews/stages/${stage}`));
  await page.locator('.slot').first().waitFor();
  await shown('slots');
  await page.goto(console_url('/interviews/bookings'));
  await page.locator('.records tbody tr').nth(people.length - 1).waitFor();
  for (const { name } of people) assert.ok((await page.locator('.records tbody').innerText()).includes(name), name);
  await shown('bookings');
  await page.goto(console_url('/interviews/unmatched'));
  await appears(page, '{{7*7}}|&copy#5');
  await shown('unmatched');
  assert.deepEqual(said.filter((line) => !errors_of_responses.test(line)), []);
  await context.close();
});

test('the longest words on a narrow phone: no page scrolls sideways', async () => {
  const { organization, stage } = await make_interview({ days: 3 });
  const paths = ['/api-access', '/api-access/new', '/members', '/audit', '/billing', '/limits', '/sessions', '/agent', '/interviews', '/interviews/bookings', '/interviews/unmatched',
    `/interviews/stages/${stage}`, `/interviews/stages/${stage}/open`];
  const { page, context } = await watched_page(browser, { viewport: { width: 320, height: 640 } });
  await sign_in(page, organization);
  for (const language of ['de', 'fr', 'ja']) {
    await page.evaluate((chosen) => localStorage.setItem('console.language', chosen), language);
    for (const path of paths) {
      await page.goto(console_url(path));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      assert.equal(await sideways(page), false, `${path} ${language}`);
    }
  }
  await context.close();
});

test('German, dark, at 200 % zoom', async () => {
  const { organization, stage } = await make_interview({ days: 3 });
  const { page, context } = await watched_page(browser, { viewport: { width: 640, height: 400 }, colorScheme: 'dark' });
  await sign_in(page, organization);
  await page.evaluate(() => localStorage.setItem('console.language', 'de'));
  for (const [path, title] of [['', 'Gespräche'], [`/stages/${stage}`, 'Screen'], [`/stages/${stage}/open`, 'Termine öffnen'], ['/bookings', 'Buchungen'], ['/unmatched', 'Anfragen ohne Treffer']]) {
    await page.goto(console_url(`/interviews${path}`));
    await heading(page, title);
    await page.waitForLoadState('networkidle');
    await expect_accessible(page, title);
    assert.equal(await sideways(page), false, title);
  }
  await context.close();
});
