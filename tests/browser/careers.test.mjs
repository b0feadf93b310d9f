// The careers pages in a browser: with and without JavaScript, light and dark, wide and narrow, by keyboard; nothing is
// asked of another host, nothing violates the pages' own policy, and axe finds nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { demo, gateway_url } from '../e2e/support/environment.mjs';
import { job_record, make_organization } from '../e2e/support/organization.mjs';
import { await_condition } from '../e2e/support/programs.mjs';
import { expect_accessible, launch, take_pictures, watched_page } from './support/site.mjs';

let browser, many;
before(async () => {
  const organization = await make_organization('Many jobs');
  await organization.import('jobs', Array.from({ length: 60 }, (_, i) => ({
    ...job_record(i), status: 'open', published: true, title: i % 2 ? `Operator ${i}` : `مهندس ${i} <b>`,
  })));
  many = new URL(`/careers/${organization.slug}`, gateway_url).href;
  await await_condition(async () => (await (await fetch(`${many}?page=3`)).text()).includes('3 / 3'), 'the jobs to be served');
  browser = await launch();
});
after(() => browser.close());

const careers = new URL(`/careers/${demo.slug}`, gateway_url).href;
const titles = (page) => page.locator('.jobs h2').allTextContents();

test('the list is searched without a script', async () => {
  const { page, context, expect_quiet } = await watched_page(browser);
  await page.goto(many);
  await page.locator('.jobs li').nth(24).waitFor();
  const first = await titles(page);
  assert.equal(first.length, 25);
  await expect_accessible(page, 'list');
  await take_pictures(page, 'careers-list');
  await expect_quiet();
  await context.close();

  const plain = await browser.newContext({ javaScriptEnabled: false });
  const without = await plain.newPage();
  await without.goto(many);
  await without.getByLabel('Search').fill('operator');
  await without.getByRole('button', { name: 'Show' }).click();
  const found = await titles(without);
  assert.equal(found.length, 25);
  assert.ok(found.every((title) => title.startsWith('Operator')), found.join());
  assert.equal(await without.getByLabel('Search').inputValue(), 'operator');
  await without.getByRole('link', { name: 'Next page' }).click();
  assert.match(without.url(), /q=operator&page=2$/);
  assert.equal((await titles(without)).length, 5);
  await without.goto(`${many}?page=3`);
  assert.ok((await titles(without)).every((title) => !first.includes(title)));
  await plain.close();
});

test('a job: facts, description, and the choice of a time behind a fold', async () => {
  const { page, context, expect_quiet } = await watched_page(browser);
  await page.goto(careers);
  const with_stage = async () => {
    for (const link of await page.locator('.jobs a').evaluateAll((links) => links.map((a) => a.href))) {
      await page.goto(link);
      if (await page.locator('recruiting-booking').count()) return true;
    }
    return false;
  };
  assert.ok(await with_stage(), 'no job with a bookable stage on the first page');
  assert.equal(await page.locator('h1:visible').count(), 1);
  const posting = JSON.parse(await page.locator('script[type="application/ld+json"]').textContent());
  assert.equal(posting['@type'], 'JobPosting');
  assert.equal(posting.title, await page.locator('article h1').first().textContent());
  await page.locator('summary').first().click();
  await page.locator('recruiting-booking').locator('[part=about]').waitFor();
  await expect_accessible(page, 'job');
  await take_pictures(page, 'careers-job');
  await expect_quiet();
  await context.close();
});

test('dark, narrow, in German and by keyboard, it stays readable', async () => {
  const { page, context } = await watched_page(browser, { colorScheme: 'dark', locale: 'de-DE', viewport: { width: 320, height: 700 } });
  await page.goto(careers);
  assert.equal(await page.locator('h1').textContent(), 'Offene Stellen');
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  await expect_accessible(page, 'dark');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'scrolls sideways');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  await context.close();
});

test('what is not there is a page for people', async () => {
  const { page, context } = await watched_page(browser, { locale: 'fr-FR' });
  const answer = await page.goto(new URL('/careers/nobody-here', gateway_url).href);
  assert.equal(answer.status(), 404);
  assert.equal(await page.locator('h1').textContent(), 'Cette page n’existe pas');
  await expect_accessible(page, 'not found');
  await context.close();
});
