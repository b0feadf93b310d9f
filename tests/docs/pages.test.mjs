// The documentation as people see it: real Chromium under the gateway's real policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { expect_accessible, launch, take_pictures, watched_page } from '../browser/support/site.mjs';
import { demo, gateway_url } from '../e2e/support/environment.mjs';
import { await_condition } from '../e2e/support/programs.mjs';

const shown = ['', 'errors.html', 'settings.html', 'log_events.html', 'performance.html', 'widgets.html', 'decisions/', 'api/authenticated/', 'api/public/', 'api/console/'];
const address = (path) => new URL(`/docs/${path}`, gateway_url).href;
const viewer = ['#viewer']; // Swagger UI's own
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const opened = async (path, options) => {
  const watched = await watched_page(browser, options);
  const answer = await watched.page.goto(address(path));
  assert.equal(answer.status(), 200, `${path}: is the documentation built?`);
  if (options?.javaScriptEnabled !== false) await watched.page.getByRole('main').first().waitFor(); // a viewer of an API makes its own
  return watched;
};

for (const path of shown) {
  test(`/docs/${path}: nothing is refused or asked elsewhere, accessible in light and dark, no sideways scroll`, async () => {
    const { page, context, expect_quiet } = await opened(path);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await expect_accessible(page, `${path}, ${colorScheme}`, viewer);
    }
    await take_pictures(page, `docs-${path.replace(/\W/g, '-') || 'front'}`);
    await page.setViewportSize(phone.viewport);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0), true, 'it scrolls sideways');
    await expect_accessible(page, `${path} on a phone`, viewer);
    await expect_quiet();
    await context.close();
  });
}

test('search is found, asked and followed by keyboard alone', async () => {
  const { page, context, expect_quiet } = await opened('edge.html');
  await page.keyboard.press('/');
  await page.keyboard.type('idempotency', { delay: 20 });
  await page.locator('search li').first().waitFor();
  await expect_accessible(page, 'with results');
  assert.match(await page.locator('search [role=status]').textContent(), /\d+ places/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname !== '/docs/edge.html');
  assert.match(await page.locator('main').textContent(), /idempoten/i);
  await expect_quiet();
  await context.close();
});

test('an index that did not come is asked for again', async () => {
  const { page, context } = await opened('');
  let asked = 0;
  await page.route('**/search_index.*', (route) => ((asked += 1) === 1 ? route.abort() : route.continue()));
  const asked_again = async () => {
    for (const text of ['', 'RateLimit']) await page.locator('#query').fill(text);
    return asked > 1;
  };
  await await_condition(asked_again, 'it is asked for again');
  await page.locator('search li').first().waitFor();
  assert.equal(asked, 2);
  await context.close();
});

test('settings, operations, codes and headers are found by their names', async () => {
  const { page, context } = await opened('');
  for (const [query, expected] of [['RECRUITING_PUBLIC_API_DOCS', /edge|0065|0084/], ['listJobs', /api\/authenticated\/#\/jobs/], ['credential_revoked', /errors/], ['slot_taken', /errors/], ['RateLimit', /limits/]]) {
    await page.locator('#query').fill(query);
    await page.waitForFunction((pattern) => [...document.querySelectorAll('search li a')].some(({ href }) => new RegExp(pattern).test(href)), expected.source);
    await page.locator('#query').fill('');
    await page.locator('search ol').waitFor({ state: 'hidden' });
  }
  await context.close();
});

test('what is not there is said, and Escape closes the results', async () => {
  const { page, context } = await opened('');
  await page.locator('#query').fill('no-such-thing-anywhere');
  await page.locator('search li', { hasText: 'Nothing found' }).waitFor();
  assert.equal(await page.locator('search [role=status]').textContent(), 'Nothing found');
  await page.locator('#query').fill('RateLimit');
  await page.locator('search li').first().waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('search ol').isVisible(), false);
  await context.close();
});

test('without scripts all is there but search', async () => {
  const { page, context } = await opened('quickstart.html', { javaScriptEnabled: false });
  assert.equal(await page.locator('search').isVisible(), false);
  assert.equal(await page.locator('.copy').count(), 0);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Limits' }).click();
  await page.waitForURL(address('limits.html'));
  await context.close();
});

test('on a phone the pages are behind a button, also without scripts', async () => {
  const { page, context } = await opened('limits.html', { ...phone, javaScriptEnabled: false });
  const pages = page.getByRole('navigation', { name: 'Pages' });
  assert.equal(await pages.isVisible(), false);
  await page.getByRole('button', { name: 'Pages' }).click();
  await pages.getByRole('link', { name: 'Errors' }).click();
  await page.waitForURL(address('errors.html'));
  await context.close();
});

test('code is copied as it stands', async () => {
  const { page, context } = await opened('quickstart.html', { permissions: ['clipboard-read', 'clipboard-write'] });
  const block = page.locator('.code').first();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await block.locator('pre').textContent());
  await context.close();
});

test('operations are tried on the page: one without a key, and one with a key that the browser does not keep', async () => {
  const { page, context, requests, expect_quiet } = await opened('api/public/#/careers/listPublicJobs');
  const attempt = async (id, values) => {
    const operation = page.locator(`[id$="-${id}"]`);
    await operation.getByRole('button', { name: 'Try it out' }).click();
    for (const [name, value] of Object.entries(values)) await operation.locator(`[data-param-name="${name}"] input`).fill(value);
    await operation.getByRole('button', { name: 'Execute', exact: true }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
  };
  await attempt('listPublicJobs', { slug: demo.slug }); // a parameter of the whole path
  await expect_quiet();
  await page.goto(address('api/authenticated/#/jobs/listJobs'));
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input').fill(demo.key);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await attempt('listJobs', { limit: '2' });
  assert.ok(requests.some((one) => new URL(one.url()).pathname === '/api/v1/jobs'));
  await expect_quiet();
  await context.close();
});

test("the console's operations are shown, and can't be tried without its session", async () => {
  const { page, context } = await opened('api/console/');
  await page.locator('.opblock').first().click();
  await page.locator('.opblock .responses-inner').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Try it out' }).count(), 0);
  await context.close();
});

test('without scripts every operation is listed', async () => {
  const { page, context } = await opened('api/authenticated/', { javaScriptEnabled: false });
  const { paths } = JSON.parse(readFileSync(new URL('../../proto-docs/openapi/auth_api.json', import.meta.url), 'utf8'));
  const ids = Object.values(paths).flatMap((item) => Object.values(item)).map(({ operationId }) => operationId).filter(Boolean);
  assert.deepEqual((await page.locator('#viewer h3').evaluateAll((all) => all.map(({ id }) => id.split('/').at(-1)))).sort(), ids.sort());
  await context.close();
});

test('where nothing is, a page of the site says so at any depth', async () => {
  const { page, context, expect_quiet } = await watched_page(browser);
  const answer = await page.goto(address('decisions/none/at/all.html'));
  assert.equal(answer.status(), 404);
  await expect_accessible(page, 'the page where nothing is');
  await page.locator('main').getByRole('link', { name: 'overview' }).click();
  await page.waitForURL(address(''));
  await expect_quiet({ but: /404/ });
  await context.close();
});
