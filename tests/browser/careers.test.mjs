// The careers pages in a browser: with and without JavaScript, light and dark, wide and narrow, by keyboard; nothing is
// asked of another host, nothing violates the pages' own policy, and axe finds nothing.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { demo, gateway_url } from '../e2e/support/environment.mjs';
import { job_record, make_organization } from '../e2e/support/organization.mjs';
import { await_condition } from '../e2e/support/programs.mjs';
import { recruitctl } from '../e2e/support/recruitctl.mjs';
import { expect_accessible, launch, sideways, start_site, take_pictures, watched_page } from './support/site.mjs';

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

test('with a script the list follows the form, and there is no button', async () => {
  const { page, context, expect_quiet } = await watched_page(browser, { viewport: { width: 390, height: 844 } });
  await page.goto(many);
  const count = page.getByRole('status');
  assert.equal(await page.getByRole('button', { name: 'Show' }).count(), 0);
  await page.getByLabel('Search').pressSequentially('remote');
  await count.filter({ hasText: '20 open positions' }).waitFor();
  assert.deepEqual([...new Set(await page.locator('.jobs .tag:first-child').allTextContents())], ['Remote']);
  assert.match(page.url(), /\?q=remote$/);
  await page.getByLabel('Search').fill('operator');
  await count.filter({ hasText: '30 open positions' }).waitFor();
  // No choice leads to nothing; each leaves as many jobs as it says.
  const department = page.getByLabel('Department');
  const choices = (await department.locator('option').allTextContents()).map((text) => /^(.*) \((\d+)\)$/.exec(text).slice(1));
  assert.deepEqual(choices[0], ['All', '30']);
  assert.ok(choices.length > 1 && choices.every(([, left]) => Number(left) > 0), choices.join());
  const [name, left] = choices.at(-1);
  await department.selectOption(name);
  await count.filter({ hasText: `${left} open position` }).waitFor();
  assert.equal(await department.locator('option:checked').textContent(), `${name} (${left})`);
  // "Back" undoes one change after the other, in the form too; what was typed in one go is one change.
  await page.goBack();
  await count.filter({ hasText: '30 open positions' }).waitFor();
  assert.deepEqual([await department.inputValue(), await page.getByLabel('Search').inputValue()], ['', 'operator']);
  await page.goBack();
  await count.filter({ hasText: '60 open positions' }).waitFor();
  assert.equal(await page.getByLabel('Search').inputValue(), '');
  await page.goForward();
  await page.goForward();
  await count.filter({ hasText: `${left} open position` }).waitFor();
  assert.equal(await department.inputValue(), name);
  await page.locator('.jobs a').first().click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goBack();
  await count.filter({ hasText: `${left} open position` }).waitFor();
  assert.equal(await department.inputValue(), name, 'the form says what the list shows');
  await page.getByLabel('Search').fill('nothing like this');
  await page.getByText('No open position matches.').waitFor();
  await expect_accessible(page, 'nothing matches');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await count.filter({ hasText: '60 open positions' }).waitFor();
  assert.equal(await page.getByLabel('Search').inputValue(), '');
  assert.equal(await page.getByLabel('Department').inputValue(), '');
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByText('2 / 3').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.className), 'title', 'the first job of the page has the focus');
  await page.getByLabel('Location').selectOption('Berlin');
  await page.waitForURL(/\?location=Berlin$/);
  await page.reload();
  assert.equal(await page.getByLabel('Location').inputValue(), 'Berlin');
  await expect_quiet();
  await context.close();
});

test('a search says what it searches, and knows a kind of workplace by the word of the page', async () => {
  const words = { de: ['vor ort', 'Vor Ort'], fr: ['télétravail', 'Télétravail'], es: ['presencial', 'Presencial'], it: ['da remoto', 'Da remoto'], ja: ['ハイブリッド', 'ハイブリッド'] };
  for (const [locale, [word, tag]] of Object.entries(words)) {
    const { page, context } = await watched_page(browser, { locale });
    await page.goto(`${many}?q=${encodeURIComponent(word)}`);
    assert.deepEqual([...new Set(await page.locator('.jobs .tag:first-child').allTextContents())], [tag]);
    await context.close();
  }
});

/** What a row of a list of jobs says, in the page or in the widget: its lines, with spaces of any kind alike. */
const rows_of = (list) =>
  list.evaluate((element) => [...element.querySelectorAll('.job')].map((job) => job.innerText.replace(/[\p{Zs}\n]+/gu, ' ').trim()));

test('page and widget say the same of each job, in six languages', async () => {
  const site = await start_site();
  for (const locale of ['en-GB', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'ja-JP']) {
    const { page, context } = await watched_page(browser, { locale });
    await page.goto(many);
    const on_page = await rows_of(page.locator('.jobs'));
    const counted = await page.getByRole('status').textContent();
    await site.open(page, { lang: locale, body: `<recruiting-jobs organization="${many.split('/').pop()}" page-size="25"></recruiting-jobs>` });
    await page.locator('recruiting-jobs').getByText(counted, { exact: true }).waitFor();
    assert.deepEqual(await rows_of(page.locator('recruiting-jobs .jobs')), on_page, locale);
    await context.close();
  }
  site.stop();
});

test('a careers page is light, and twice as large a text does not make a phone scroll sideways', async () => {
  const { page, context } = await watched_page(browser, { viewport: { width: 390, height: 844 } });
  const session = await context.newCDPSession(page);
  let bytes = 0;
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => { bytes += encodedDataLength; });
  await page.goto(many, { waitUntil: 'networkidle' });
  assert.ok(bytes > 3000 && bytes <= 30 * 1024, `${bytes} bytes`);
  for (const path of [many, await page.locator('.jobs a').first().evaluate(({ href }) => href), new URL('/docs/', gateway_url).href]) {
    await page.goto(path);
    await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
    assert.equal(await sideways(page), false, path);
  }
  await context.close();
});

test('logo, accent colour and the address to apply at are the organization\'s', async () => {
  const organization = await make_organization('Branded');
  const file = join(tmpdir(), `introduction-${organization.slug}.html`);
  await writeFile(file, `<h2>Robots for all</h2><p>${'We build robots, gently. '.repeat(40)}</p><script>alert(1)</script>`);
  await organization.import('jobs', [{ ...job_record(1), status: 'open', published: true }, { ...job_record(3), status: 'open', published: true, applyUrl: 'https://apply.example/3' }]);
  await recruitctl('organization', 'set', '--organization', organization.slug, '--accent-color', '#ffd400', '--apply-url', 'mailto:jobs@branded.example', '--logo-url', `${gateway_url.origin}/widget/none.svg`, '--introduction-file', file);
  await rm(file);
  const address = new URL(`/careers/${organization.slug}`, gateway_url).href;
  await await_condition(async () => (await (await fetch(address)).text()).includes('--light-accent'), 'the colour to be served');
  for (const [colorScheme, paper] of [['light', 'rgb(140, 117, 0)'], ['dark', 'rgb(255, 212, 0)']]) {
    const { page, context, said } = await watched_page(browser, { colorScheme });
    await page.goto(address);
    assert.equal(await page.locator('header img').getAttribute('src'), `${gateway_url.origin}/widget/none.svg`);
    const heading = page.getByRole('heading', { name: 'Robots for all' });
    assert.ok((await heading.boundingBox()).y < (await page.getByLabel('Search').boundingBox()).y, 'the introduction is above the jobs');
    await expect_accessible(page, `introduced, ${colorScheme}`);
    await take_pictures(page, 'careers-introduced');
    await page.getByRole('link', { name: 'Engineer 001' }).click();
    const apply = page.getByRole('link', { name: 'Apply' }).first();
    assert.ok((await apply.boundingBox()).y < (await page.locator('dl.facts').boundingBox()).y, 'people can apply at the top');
    await page.getByText('€50,001 – €70,001 a year').waitFor();
    assert.match(await page.getByRole('heading', { name: 'About Branded' }).locator('xpath=..').textContent(), /We build robots, gently[^<]*…/);
    await take_pictures(page, 'careers-job-introduced');
    assert.equal(await apply.getAttribute('href'), 'mailto:jobs@branded.example');
    assert.equal(await apply.evaluate((button) => getComputedStyle(button).backgroundColor), paper);
    const taken_by_widgets = await page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--recruiting-accent'));
    assert.equal(taken_by_widgets, colorScheme === 'light' ? '#8c7500' : '#ffd400');
    await expect_accessible(page, `branded, ${colorScheme}`);
    await page.getByRole('link', { name: '← Open positions' }).click();
    await page.getByRole('link', { name: 'Engineer 003' }).click();
    assert.equal(await apply.getAttribute('href'), 'https://apply.example/3');
    assert.deepEqual(said.filter((line) => !/404/.test(line)), [], 'the policy lets the colour in');
    await context.close();
  }
});

test('on a phone the way to apply stays in view, and covers nothing that has the focus', async () => {
  const organization = await make_organization('Long posting');
  const paragraphs = Array.from({ length: 30 }, (_, i) => `<p>Paragraph ${i} with <a href="https://example.com/${i}">a link</a> in it.</p>`);
  await organization.import('jobs', [{ ...job_record(1), status: 'open', published: true, applyUrl: 'https://apply.example/1', descriptionHtml: paragraphs.join('') }]);
  const address = new URL(`/careers/${organization.slug}`, gateway_url).href;
  await await_condition(async () => (await (await fetch(address)).text()).includes('Engineer 001'), 'the job to be served');
  const { page, context } = await watched_page(browser, { viewport: { width: 360, height: 740 } });
  await page.goto(address);
  await page.getByRole('link', { name: 'Engineer 001' }).click();
  const bar = page.locator('.apply');
  const apply = page.getByRole('link', { name: 'Apply' });
  assert.equal(await apply.count(), 1, 'one way to apply is enough');
  const box = await apply.boundingBox();
  assert.ok(box.y > 600 && box.y + box.height <= 740, 'it is at the bottom edge');
  await page.locator('.text a').first().focus();
  for (let i = 0; i < 29; ++i) {
    await page.keyboard.press('Tab');
    const [focused, top] = await page.evaluate(() => [document.activeElement.getBoundingClientRect().bottom, document.querySelector('.apply').getBoundingClientRect().top]);
    assert.ok(focused <= top, `link ${i + 1} ends at ${focused}, the bar begins at ${top}`);
  }
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Apply');
  assert.equal(await sideways(page), false);
  await expect_accessible(page, 'job on a phone');
  assert.ok(await bar.isVisible());
  await context.close();
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
  await page.goto(`${many}/jobs/00000000000000000000000000000000`);
  await expect_accessible(page, 'no such job');
  await page.getByRole('link', { name: 'Tous les postes à pourvoir chez Many jobs' }).click();
  await page.getByRole('heading', { level: 1, name: 'Postes à pourvoir' }).waitFor();
  await page.goto(new URL('/carers', gateway_url).href);
  await expect_accessible(page, 'not found at the gateway');
  await context.close();
});
