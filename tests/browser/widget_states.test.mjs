// What a visitor sees between a request and its answer, and when the answer is not the wanted one. What the running
// system won't do on demand is put in its answer's place on the way to the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { demo, gateway_url } from '../e2e/support/environment.mjs';
import { start_program } from '../e2e/support/programs.mjs';
import { expect_accessible, launch, start_site, take_pictures, watched_page } from './support/site.mjs';

let browser, site, limited;
before(async () => {
  browser = await launch();
  site = await start_site();
  limited = await start_program('gateway', { RECRUITING_GATEWAY_PUBLIC_RATE_LIMIT: '3' });
});
after(async () => {
  await browser?.close();
  site?.stop();
  await limited?.stop();
});

const body = `<recruiting-jobs organization="${demo.slug}"></recruiting-jobs>`;
const list_requests = '**/organizations/*/jobs?*';
const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Retry-After', 'Content-Type': 'application/json' };
const refusal = (status, code, headers = {}) => ({ status, headers: { ...cors, ...headers }, body: JSON.stringify({ error: { code, message: '', requestId: 'x'.repeat(8), details: [] } }) });
const listed = (page) => page.getByText(/^\d+ open positions$/).waitFor();

/** Answers the first requests of the list with these, and lets the others through; returns the moments they were made at. */
const answer_first = async (page, ...answers) => {
  const moments = [];
  await page.route(list_requests, (route) => {
    const answer = answers[moments.length];
    moments.push(Date.now());
    return answer ? route.fulfill(answer) : route.continue();
  });
  return moments;
};

test('the rate limit\'s 429 is read across origins and counted down', async () => {
  const { page, context, expect_quiet } = await watched_page(browser);
  const api = limited.url.origin;
  const countdown = page.getByRole('timer');
  const seconds = async () => Number((await countdown.allTextContents()).join().match(/\d+/)?.[0] ?? 0);
  // The minute may turn between the last of these requests and the page's own, or while the page is looked at: with fewer
  // than 5 seconds left of it, the test begins again in the next one. A page that has a route gets no list out of the
  // browser's cache, where the list of a request before the turn would stay for a minute.
  await page.route(list_requests, (route) => route.continue());
  let first = 0;
  for (const deadline = Date.now() + 180_000; first < 5 && Date.now() < deadline;) {
    await setTimeout(first * 1000);
    let status;
    do ({ status } = await fetch(new URL(`/api/public/v1/organizations/${demo.slug}`, api))); while (status !== 429);
    await site.open(page, { api, body: body.replace('organization', `api="${api}" organization`) });
    await Promise.race([countdown.waitFor(), listed(page)]);
    first = await seconds();
  }
  assert.ok(first >= 5 && first <= 62, `${first}`);
  await expect_accessible(page, 'counting down');
  await page.waitForFunction((before) => {
    const timer = document.querySelector('recruiting-jobs').shadowRoot.querySelector('[role=timer]');
    return !timer || Number(timer.textContent.match(/\d+/)[0]) < before;
  }, first);
  await take_pictures(page, 'jobs-limited');
  await expect_quiet({ hosts: [gateway_url.host, limited.url.host], but: /429/ });
  await context.close();
});

test('when the time is over, the list comes by itself', async () => {
  const { page, context } = await watched_page(browser);
  const moments = await answer_first(page, refusal(429, 'rate_limited', { 'Retry-After': '3' }), refusal(503, 'service_unavailable', { 'Retry-After': '1' }));
  await site.open(page, { body });
  await page.getByRole('timer').waitFor();
  await listed(page);
  assert.ok(moments[1] - moments[0] >= 3000);
  assert.ok(moments[2] - moments[1] >= 1000);
  await context.close();
});

test('an hour is not counted down: it tells when, and asks no more until then', async () => {
  const { page, context } = await watched_page(browser);
  const moments = await answer_first(page, ...Array(9).fill(refusal(429, 'rate_limited', { 'Retry-After': '3000' })));
  await site.open(page, { body });
  await page.getByRole('alert').filter({ hasText: /Too many requests .* try again at \d/ }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
  assert.equal(moments.length, 1);
  await expect_accessible(page, 'limited for long');
  await context.close();
});

test('503 without end is asked for five times, then the visitor decides', async () => {
  const { page, context } = await watched_page(browser);
  await page.clock.install();
  const moments = await answer_first(page, ...Array(5).fill(refusal(503, 'service_unavailable')));
  await site.open(page, { body });
  const again = page.getByRole('button', { name: 'Try again' });
  while (!(await again.count())) await page.clock.runFor(1000);
  assert.equal(moments.length, 5);
  await expect_accessible(page, 'unavailable');
  await take_pictures(page, 'jobs-failed');
  await again.press('Enter');
  await listed(page);
  assert.equal(await page.evaluate(() => document.activeElement.localName), 'recruiting-jobs');
  await context.close();
});

test('other refusals and failures are not repeated', async () => {
  for (const [status, code] of [[400, 'invalid_request'], [403, 'forbidden'], [500, 'internal_error']]) {
    const { page, context } = await watched_page(browser);
    const moments = await answer_first(page, refusal(status, code));
    const told = page.waitForEvent('console', (message) => message.text().startsWith('told'));
    await page.addInitScript(() => addEventListener('recruiting:error', ({ detail }) => console.log('told', JSON.stringify(detail))));
    await site.open(page, { body });
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    assert.equal(moments.length, 1);
    const kind = status === 500 ? 'failed' : 'refused';
    assert.equal((await told).text(), `told ${JSON.stringify({ kind, status, code })}`);
    await context.close();
  }
});

test('an answer that is not the API\'s is a failure, with a way out', async () => {
  const { page, context } = await watched_page(browser);
  await answer_first(page, { status: 200, headers: cors, body: '<!doctype html>captive portal' });
  await site.open(page, { body });
  await page.getByRole('button', { name: 'Try again' }).click();
  await listed(page);
  await context.close();
});

test('offline: says so, and goes on when the connection is back', async () => {
  const { page, context } = await watched_page(browser);
  await site.open(page, { body });
  await listed(page);
  await context.setOffline(true);
  await page.evaluate(() => document.querySelector('recruiting-jobs').refresh());
  await page.getByRole('alert').filter({ hasText: 'You are offline.' }).waitFor();
  await expect_accessible(page, 'offline');
  await context.setOffline(false);
  await listed(page);
  await context.close();
});

test('loading: a busy skeleton, still where motion is not wanted; gone with the element, its request too', async () => {
  const { page, context } = await watched_page(browser, { reducedMotion: 'reduce' });
  await page.route(list_requests, () => {});
  await site.open(page, { body });
  const skeleton = page.locator('[aria-busy=true]');
  await skeleton.waitFor();
  assert.equal(await skeleton.locator('.bone').first().evaluate((bone) => getComputedStyle(bone).animationName), 'none');
  await expect_accessible(page, 'loading');
  const ended = page.waitForEvent('requestfailed');
  await page.evaluate(() => document.querySelector('recruiting-jobs').remove());
  assert.match((await ended).failure().errorText, /ABORTED/);
  await context.close();
});

test('folded away it asks for nothing, until it is unfolded', async () => {
  const { page, context } = await watched_page(browser);
  const moments = await answer_first(page);
  await site.open(page, { body: `<details><summary>Jobs</summary>${body}</details>` });
  await page.waitForFunction(() => customElements.get('recruiting-jobs'));
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  assert.equal(moments.length, 0);
  await page.getByText('Jobs', { exact: true }).click();
  await listed(page);
  await context.close();
});

test('a page that allows no Trusted Types policy gets descriptions as text', async () => {
  const { page, context } = await watched_page(browser);
  await site.open(page, { trusted_types: "'none'", body: body.replace('organization', 'details="inline" organization') });
  await listed(page);
  await page.locator('recruiting-jobs').getByRole('listitem').getByRole('button').first().click();
  assert.ok((await page.locator('[part=description]').textContent()).length > 20);
  await context.close();
});

const languages = {
  en: /\d open positions/, de: /\d offene Stellen/, fr: /\d postes à pourvoir/, es: /\d puestos vacantes/,
  it: /\d posizioni aperte/, ja: /募集中の職種：\d/,
};

test('six languages, from the page\'s lang, in light and dark and forced colours', async () => {
  for (const [lang, words] of Object.entries(languages)) {
    const forced = lang === 'es' ? { forcedColors: 'active' } : {};
    const { page, context, expect_quiet } = await watched_page(browser, forced);
    await site.open(page, { body, lang, dark: lang === 'fr' });
    await page.getByText(words).waitFor();
    assert.equal((await page.locator('[part=container]').getAttribute('lang')).split('-')[0], lang);
    await expect_accessible(page, lang);
    await take_pictures(page, `jobs-${lang}`);
    await expect_quiet();
    await context.close();
  }
});

test('the element\'s own lang comes first; a language without words falls back to the visitor\'s, then to English', async () => {
  const { page, context } = await watched_page(browser, { locale: 'fr-FR' });
  await site.open(page, { lang: 'en', body: body.replace('organization', 'lang="de-CH" organization') });
  await page.getByText(languages.de).waitFor();
  await site.open(page, { lang: 'ar', body });
  await page.getByText(languages.fr).waitFor();
  await context.close();
});

test('right to left: the layout turns round, the words fall back', async () => {
  const { page, context, expect_quiet } = await watched_page(browser);
  await site.open(page, { lang: 'ar', dir: 'rtl', body });
  await page.getByText(languages.en).waitFor();
  const [title, arrow] = await Promise.all(['.title', '.arrow'].map((part) => page.locator(part).first().boundingBox()));
  assert.ok(arrow.x < title.x, 'the arrow is at the end, which is left');
  await expect_accessible(page, 'right to left');
  await take_pictures(page, 'jobs-rtl');
  await expect_quiet();
  await context.close();
});
