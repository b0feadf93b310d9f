// What follows an element stays in place while the element loads, as the browser itself measures it (Layout Instability):
// at most 0.02 of the 0.1 that search engines call good.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { demo, gateway_url } from '../e2e/support/environment.mjs';
import { make_organization } from '../e2e/support/organization.mjs';
import { make_interview } from '../support/interviews.mjs';
import { hostile, launch, start_site, watched_page } from './support/site.mjs';

let browser, site, elements;
before(async () => {
  browser = await launch();
  site = await start_site();
  const few = await make_organization('Few jobs');
  await few.import('jobs', [{ externalId: 'job-1', title: 'Gardener', status: 'open', published: true, department: 'Garden', descriptionHtml: '<p>Work</p>' }]);
  const none = await make_organization('No jobs');
  const { job, stage } = await make_interview();
  elements = [
    ['many jobs', `<recruiting-jobs organization="${demo.slug}"></recruiting-jobs>`, (page) => page.getByText(/^\d+ open positions$/)],
    ['one job', `<recruiting-jobs organization="${few.slug}"></recruiting-jobs>`, (page) => page.getByText('1 open position')],
    ['no jobs', `<recruiting-jobs organization="${none.slug}"></recruiting-jobs>`, (page) => page.getByText('There are no open positions')],
    ['booking', `<recruiting-booking job="${job}" stage="${stage}"></recruiting-booking>`, (page) => page.locator('[name=time]').first()],
    ['booking, no times', `<recruiting-booking job="${'f'.repeat(32)}"></recruiting-booking>`, (page) => page.getByText('Interviews can’t be booked here.')],
  ];
});
after(async () => {
  await browser?.close();
  site?.stop();
});

const watch_shifts = () => {
  const shifts = [];
  const note = (entries) => shifts.push(...entries.map(({ value, sources }) => [value, ...sources.map(({ node }) => node?.className || node?.localName)]));
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  window.shifts = () => {
    note(observer.takeRecords());
    return shifts;
  };
};
const next_frames = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));

/** The script and each answer wait until what was there before has been painted. */
const shifts_of = async (size, wanted, ready) => {
  const { page, context } = await watched_page(browser, { viewport: size });
  await page.addInitScript(watch_shifts);
  await page.route(`${gateway_url.origin}/api/**`, async (route) => {
    await next_frames(page);
    await route.continue();
  });
  await page.route('**/widget/v1.js', async (route) => {
    await page.locator('#below').waitFor();
    await next_frames(page);
    await route.continue();
  });
  await site.open(page, wanted);
  await ready(page).waitFor();
  await page.waitForLoadState('networkidle');
  await next_frames(page);
  const shifts = await page.evaluate(() => window.shifts());
  await context.close();
  return shifts;
};

const sum = (shifts) => shifts.reduce((all, [value]) => all + value, 0);
const sizes = [{ width: 1280, height: 900 }, { width: 390, height: 844 }];
const below = '<h2 id="below">How we hire</h2><p>Two talks, one day.</p><p>We answer within a week.</p>';

test('the observer sees what moves', async () => {
  const { page, context } = await watched_page(browser);
  await page.addInitScript(watch_shifts);
  await site.open(page, { body: '<div id="above"></div>' + below });
  await next_frames(page);
  await page.evaluate(() => { document.getElementById('above').style.height = '300px'; });
  await page.waitForFunction(() => window.shifts().length);
  assert.ok(sum(await page.evaluate(() => window.shifts())) > 0.02);
  await context.close();
});

// proto-docs/widgets.md says so.
const documented = 'recruiting-jobs:not(:defined), recruiting-booking:not(:defined) { display: block; min-height: 100vh }';

test('what follows an element stays where it is, however slow script and answers are, on a hostile page too', async () => {
  for (const size of sizes) {
    for (const [name, element, ready] of elements) {
      for (const around of ['neutral', 'hostile']) {
        const body = `<div class="${around}">${element}</div>${below}`;
        const shifts = await shifts_of(size, { css: hostile + documented, body }, ready);
        assert.ok(sum(shifts) <= 0.02, `${name}, ${around}, ${size.width}: ${JSON.stringify(shifts)}`);
      }
    }
  }
});

test('an element below what is visible takes no more room than it needs, and a page may give it another height', async () => {
  const { page, context } = await watched_page(browser);
  const [, one_job, ready] = elements[1];
  const height = async (css) => {
    await site.open(page, { css, body: one_job });
    await ready(page).waitFor();
    return (await page.locator('recruiting-jobs').boundingBox()).height;
  };
  assert.ok(await height('h1 { margin-bottom: 100vh }') < 300);
  assert.equal(await height('recruiting-jobs { --recruiting-height: 30rem }'), 480);
  await context.close();
});
