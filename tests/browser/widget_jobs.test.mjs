// <recruiting-jobs> on a strict page of another origin, against the running system: list, filters, paging, details.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { demo, gateway_url } from '../e2e/support/environment.mjs';
import { make_organization } from '../e2e/support/organization.mjs';
import { make_interview } from '../support/interviews.mjs';
import { expect_accessible, hostile, launch, sideways, start_site, take_pictures, watched_page } from './support/site.mjs';

let browser, site, small, empty;
before(async () => {
  browser = await launch();
  site = await start_site();
  [small, empty] = [await make_organization('Small & Söhne'), await make_organization('Empty')];
  await small.import('jobs', [
    small_job(0, { title: 'Köchin „Süd“ <& mehr>', descriptionHtml: '<h2>Was Sie tun</h2><p>Kochen für <strong>alle</strong>: <a href="https://kitchen.example/a?b=1&amp;c=2">mehr</a></p><ul><li>früh</li></ul>' }),
    small_job(1, { title: 'Gärtner', salary: { min: 40000, max: 50000, currency: 'EUR', period: 'year' }, salaryPublished: true }),
  ]);
});
after(async () => {
  await browser?.close();
  site?.stop();
});

const small_job = (i, more) => ({
  externalId: `job-${i}`, status: 'open', published: true, department: 'Küche', workplaceType: 'on_site', employmentType: 'part_time',
  location: { name: 'Ulm', city: 'Ulm', region: null, countryCode: 'DE' }, descriptionHtml: '<p>Arbeit</p>', ...more,
});

const element = (attributes) => `<recruiting-jobs ${attributes}></recruiting-jobs>`;
const demo_jobs = element(`organization="${demo.slug}"`);
const published = async () => {
  const jobs = [];
  let cursor = '';
  do {
    const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) });
    const { data, page } = await (await fetch(new URL(`/api/public/v1/organizations/${demo.slug}/jobs?${query}`, gateway_url))).json();
    jobs.push(...data);
    cursor = page.nextCursor;
  } while (cursor);
  return jobs;
};
const has_count = (page, n) => page.getByRole('status').filter({ hasText: new RegExp(`^${n} open positions?$`) }).waitFor();

test('the list: every published job, as links to its page; nothing that a strict policy forbids', async () => {
  const { page, context, expect_quiet } = await watched_page(browser);
  const jobs = await published();
  await site.open(page, { body: demo_jobs });
  await has_count(page, jobs.length);
  const links = page.locator('recruiting-jobs').getByRole('listitem').getByRole('link');
  assert.equal(await links.count(), Math.min(20, jobs.length));
  assert.equal(await links.first().textContent(), jobs[0].title);
  assert.equal(await links.first().getAttribute('href'), jobs[0].publicUrl);
  await expect_accessible(page, 'the list');
  await take_pictures(page, 'jobs');
  await expect_quiet();
  await context.close();
});

test('"show more" shows the rest and takes the focus along', async () => {
  const { page, context } = await watched_page(browser);
  const jobs = await published();
  await site.open(page, { body: element(`organization="${demo.slug}" page-size="5"`) });
  await has_count(page, jobs.length);
  const items = page.locator('recruiting-jobs').getByRole('listitem');
  for (let shown = 5; shown < jobs.length; shown += 5) {
    assert.equal(await items.count(), shown);
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    assert.equal(await items.nth(shown).getByRole('link').evaluate((link) => link.getRootNode().activeElement === link), true);
  }
  assert.equal(await items.count(), jobs.length);
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
  await context.close();
});

test('search and filters narrow the list, by keyboard alone', async () => {
  const { page, context } = await watched_page(browser);
  const jobs = await published();
  const { department } = jobs.find((job) => job.department);
  const of_department = jobs.filter((job) => job.department === department);
  await site.open(page, { body: demo_jobs });
  await has_count(page, jobs.length);
  await page.keyboard.press('Tab');
  assert.equal(await page.getByRole('searchbox', { name: 'Search' }).evaluate((box) => box.getRootNode().activeElement === box), true);
  await page.keyboard.type(jobs[0].title);
  await page.getByRole('link', { name: jobs[0].title, exact: true }).first().waitFor();
  await page.keyboard.type(' zzz');
  await page.getByText('No open position matches.').waitFor();
  await expect_accessible(page, 'nothing matches');
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await has_count(page, jobs.length);
  await page.getByRole('combobox', { name: 'Department' }).selectOption(department);
  await has_count(page, of_department.length);
  await expect_accessible(page, 'filtered');
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  const { workplaceType, employmentType } = jobs[0];
  await page.getByRole('combobox', { name: 'Workplace' }).selectOption(workplaceType);
  await page.getByRole('combobox', { name: 'Employment type' }).selectOption(employmentType);
  await has_count(page, jobs.filter((job) => job.workplaceType === workplaceType && job.employmentType === employmentType).length);
  await context.close();
});

test('few jobs need no filters; a description unfolds in place, only from elements that are allowed', async () => {
  const { page, context, expect_quiet } = await watched_page(browser);
  await site.open(page, { body: element(`organization="${small.slug}" details="inline"`) });
  await has_count(page, 2);
  assert.equal(await page.getByRole('searchbox').count(), 0);
  const title = page.getByRole('button', { name: 'Köchin „Süd“ <& mehr>' });
  assert.equal(await title.getAttribute('aria-expanded'), 'false');
  await title.press('Enter');
  assert.equal(await title.getAttribute('aria-expanded'), 'true');
  await page.getByRole('heading', { name: 'Was Sie tun', level: 3 }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'mehr', exact: true }).getAttribute('href'), 'https://kitchen.example/a?b=1&c=2');
  assert.equal(await page.getByRole('link', { name: 'View this position' }).count(), 1);
  await page.getByText('€40,000').waitFor();
  await expect_accessible(page, 'unfolded');
  await take_pictures(page, 'jobs-unfolded');
  await title.press('Space');
  assert.equal(await page.getByRole('heading', { name: 'Was Sie tun' }).count(), 0);
  await expect_quiet();
  await context.close();
});

test('whatever a description holds, no more than the allowed elements gets into the page', async () => {
  const { page, context } = await watched_page(browser);
  await page.route('**/organizations/*/jobs?*', async (route) => {
    const answer = await route.fetch();
    const json = await answer.json();
    json.data[0].descriptionHtml = '<p onclick="x()" style="color:red">a<script>window.hit=1</script><a href="javascript:hit=1">b</a><iframe srcdoc="c"></iframe></p>'
      + '<svg><script>window.hit=1</script></svg><form><input name="d"></form><h2 id="e">f</h2>';
    await route.fulfill({ response: answer, json });
  });
  await site.open(page, { body: element(`organization="${small.slug}" details="inline"`) });
  await page.getByRole('button').first().click();
  const html = await page.locator('[part=description]').evaluate((node) => node.innerHTML);
  assert.match(html, /^<p>ab<\/p><h3>f<\/h3>/);
  assert.equal(await page.evaluate(() => window.hit), undefined);
  await context.close();
});

test('a page may take a job\'s opening into its own hands', async () => {
  const { page, context } = await watched_page(browser);
  await site.open(page, { body: element(`organization="${small.slug}"`) });
  await has_count(page, 2);
  const detail = await page.evaluate(() => new Promise((done) => {
    const list = document.querySelector('recruiting-jobs');
    document.addEventListener('recruiting:job', (event) => { event.preventDefault(); done(event.detail); });
    list.shadowRoot.querySelector('a').click();
  }));
  assert.deepEqual(Object.keys(detail), ['id', 'title', 'publicUrl']);
  assert.equal(new URL(page.url()).origin, site.origin);
  await context.close();
});

test('nothing published, and no such organization, look alike', async () => {
  const { page, context, expect_quiet } = await watched_page(browser);
  for (const slug of [empty.slug, 'nobody-has-this-slug']) {
    await site.open(page, { body: element(`organization="${slug}"`) });
    await page.getByText('There are no open positions at the moment.').waitFor();
    await expect_accessible(page, 'empty');
  }
  await take_pictures(page, 'jobs-empty');
  await expect_quiet({ but: /404|^warning: <recruiting-jobs>: organization="/ });
  await context.close();
});

test('what is wrong with the page is said in the console, and its visitors see the element\'s content or a sentence', async () => {
  const { page, context, said } = await watched_page(browser);
  const told = () => said.filter((line) => line.startsWith('warning: '));
  await site.open(page, { body: element('') });
  await page.getByText('There are no open positions at the moment.').waitFor();
  assert.deepEqual(told(), ['warning: <recruiting-jobs>: the attribute organization is missing: it takes the slug of an organization.']);
  await site.open(page, { body: '<recruiting-jobs organization="nobody-has-this-slug"><p>Write to jobs@acme.example.</p></recruiting-jobs>' });
  await page.getByText('Write to jobs@acme.example.').waitFor();
  assert.equal(await page.getByText('There are no open positions').count(), 0);
  assert.equal(told().length, 2);
  assert.match(told()[1], /organization="nobody-has-this-slug" has published no job, or there is no such organization: publish a job, or correct the slug/);
  const asked_again = page.waitForResponse('**/organizations/nobody-has-this-slug/jobs?*');
  await page.evaluate(() => document.querySelector('recruiting-jobs').refresh());
  await asked_again;
  await page.getByText('Write to jobs@acme.example.').waitFor();
  assert.equal(told().length, 2, 'once');
  await site.open(page, { body: `<recruiting-jobs organization="${small.slug}"><p>Write to jobs@acme.example.</p></recruiting-jobs>` });
  await has_count(page, 2);
  assert.equal(await page.getByText('Write to jobs@acme.example.').isVisible(), false);
  assert.equal(told().length, 2);
  await context.close();
});

test('what an element would inherit from a hostile page changes nothing of it', async () => {
  const { page, context } = await watched_page(browser);
  const interview = await make_interview();
  const shown = [
    ['jobs', demo_jobs, page.getByText(/^\d+ open positions$/)],
    ['unfolding', element(`organization="${small.slug}" details="inline"`), page.getByText('2 open positions')],
    ['booking', `<recruiting-booking job="${interview.job}" stage="${interview.stage}"></recruiting-booking>`, page.locator('[name=time]').first()],
  ];
  for (const [what, inner, ready] of shown) {
    const pictures = [];
    for (const name of ['neutral', 'hostile']) {
      await site.open(page, { css: hostile, body: `<div class="${name}">${inner}</div>` });
      await ready.waitFor();
      await page.waitForLoadState('networkidle');
      pictures.push(await page.locator(`.${name} > *`).screenshot());
    }
    await take_pictures(page, `hostile-${what}`);
    assert.ok(pictures[0].equals(pictures[1]), `${what} looks as on a neutral page`);
    await page.locator('.hostile').evaluate((around) => { around.style.visibility = 'hidden'; });
    assert.equal(await ready.isVisible(), false, `${what} is hidden with what surrounds it`);
  }
  await context.close();
});

test('on a phone the choices stand in pairs, and the first job above the middle of the screen', async () => {
  const { page, context } = await watched_page(browser, { viewport: { width: 390, height: 844 } });
  await site.open(page, { body: demo_jobs });
  const first = page.locator('recruiting-jobs').getByRole('listitem').first();
  await first.waitFor();
  const boxes = await Promise.all(['Department', 'Location'].map((name) => page.getByRole('combobox', { name }).boundingBox()));
  assert.equal(boxes[0].y, boxes[1].y);
  const { y } = await first.boundingBox();
  assert.ok(y < 844 / 2, `${y}`);
  await context.close();
});

test('twice as large a text does not make a phone scroll sideways', async () => {
  const { page, context } = await watched_page(browser, { viewport: { width: 390, height: 844 } });
  await site.open(page, { body: demo_jobs, css: 'html { font-size: 200% } body { font-size: 1rem }' });
  await page.locator('recruiting-jobs').getByRole('listitem').first().waitFor();
  assert.equal(await sideways(page), false);
  await take_pictures(page, 'jobs-large-text');
  await context.close();
});

test('elements keep a distance from each other, and a width that the page sets', async () => {
  const { page, context } = await watched_page(browser);
  const one = element(`organization="${small.slug}"`);
  await site.open(page, { body: one + one, css: 'recruiting-jobs { --recruiting-width: 20rem }' });
  await page.getByText('2 open positions').nth(1).waitFor();
  const [above, below] = await Promise.all([0, 1].map((n) => page.locator('recruiting-jobs').nth(n).boundingBox()));
  assert.equal(above.width, 320);
  assert.equal(below.y - above.y - above.height, 16);
  await context.close();
});

test('attributes may change, the element may move, the script may come twice and as a module', async () => {
  const { page, context, expect_quiet } = await watched_page(browser);
  for (const script of ['<script src="SRC" defer></script><script src="SRC" defer></script>', '<script src="SRC" type="module"></script><script src="SRC" async></script>']) {
    await site.open(page, { body: element(`organization="${empty.slug}"`), script });
    await page.getByText('There are no open positions').waitFor();
    await page.evaluate((slug) => { document.querySelector('recruiting-jobs').organization = slug; }, small.slug);
    await has_count(page, 2);
    await page.evaluate(() => document.body.append(document.querySelector('recruiting-jobs')));
    await has_count(page, 2);
    assert.equal(await page.evaluate(() => document.querySelector('recruiting-jobs').jobs.length), 2);
    await page.evaluate(() => document.querySelector('recruiting-jobs').setAttribute('lang', 'de'));
    await page.getByText('2 offene Stellen').waitFor();
  }
  await expect_quiet({ but: /404|^warning: <recruiting-jobs>: organization="/ });
  await context.close();
});

test('the script may be kept for an hour and is compressed', async () => {
  const answer = await fetch(new URL('/widget/v1.js', gateway_url));
  assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.match(answer.headers.get('cache-control'), /^public, max-age=3600\b/);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(answer.headers.get('content-encoding'), 'gzip');
  const { length } = gzipSync(await answer.text());
  assert.ok(length < 21 * 1024, `${length} bytes: proto-docs/widgets.md says how many it is`);
  const again = await fetch(new URL('/widget/v1.js', gateway_url), { headers: { 'If-None-Match': answer.headers.get('etag') } });
  assert.equal(again.status, 304);
});
