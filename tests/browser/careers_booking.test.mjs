// From the careers page to a booked interview, by keyboard, in light, dark and forced colours.
// What the pages show is in careers.test.mjs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { demo, gateway_url } from '../e2e/support/environment.mjs';
import { make_interview } from '../support/interviews.mjs';
import { expect_accessible, launch, take_pictures, watched_page } from './support/site.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const open = async (path, options) => {
  const watched = await watched_page(browser, options);
  const answer = await watched.page.goto(String(new URL(path, gateway_url)));
  return { ...watched, status: answer.status() };
};

test('the list and a job, in light, dark and forced colours', async () => {
  for (const options of [{}, { colorScheme: 'dark' }, { forcedColors: 'active' }]) {
    const { page, context, status, expect_quiet } = await open(`/careers/${demo.slug}`, options);
    assert.equal(status, 200);
    await expect_accessible(page, `the list ${JSON.stringify(options)}`);
    if (!options.forcedColors) await take_pictures(page, `careers${options.colorScheme ? '-dark' : ''}`);
    const job = page.locator('main li a').first();
    const title = await job.textContent();
    await job.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await expect_accessible(page, `a job ${JSON.stringify(options)}`);
    if (!options.forcedColors) await take_pictures(page, `careers-one-job${options.colorScheme ? '-dark' : ''}`);
    await expect_quiet();
    await context.close();
  }
});

test('on a job\'s page the interview is booked in place', async () => {
  const { organization, job, emails: [email] } = await make_interview();
  const { page, context, requests, expect_quiet } = await open(`/careers/${organization.slug}/jobs/${job}`);
  assert.ok(requests.every((sent) => !sent.url().includes('/scheduling/')), 'nothing is asked for while it is folded away');
  await page.locator('summary').filter({ hasText: 'Invited to an interview?' }).click();
  await page.locator('[name=time]').first().check();
  await expect_accessible(page, 'unfolded');
  await take_pictures(page, 'careers-booking');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Book this time' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await expect_accessible(page, 'booked');
  await expect_quiet();
  await context.close();
});
