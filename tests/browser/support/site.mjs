// A company's own site on another origin, as strict as a site can be, and a browser that watches what a page does.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { gateway_url, run_dir } from '../../e2e/support/environment.mjs';
import { is_long_run } from '../../support/run_length.mjs';

const flags = [
  '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  // Nothing but this machine: a browser likes to call home.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

export const launch = () => {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
  assert.ok(executablePath, 'chromium is not installed: apt-get install chromium');
  return chromium.launch({ executablePath, headless: true, chromiumSandbox: false, args: flags });
};

/** The only things such a page allows: the widget's script, requests to its API, and the page's own style. */
const policy = ({ api, trusted_types }) =>
  `default-src 'none'; script-src ${gateway_url.origin}; connect-src ${api}; style-src 'nonce-own'; base-uri 'none'; `
  + `form-action 'none'; require-trusted-types-for 'script'; trusted-types ${trusted_types}`;

const page_of = ({ body, lang, dir, dark, script, css }) => `<!doctype html>
<html lang="${lang}" dir="${dir}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Careers at Acme</title>
<style nonce="own">
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; ${dark ? 'background: #14161b; color: #e8eaf0' : 'background: #fff; color: #1c1f26'} }
  main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  ${css}
</style>${script.replace(/SRC/g, `${gateway_url.origin}/widget/v1.js`)}<main><h1>Work with us</h1>${body}</main></html>`;

/** open(page, {body, …}) shows a page with that body. api: the only gateway the page may talk to. */
export const start_site = async () => {
  let shown;
  const server = http.createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Security-Policy', policy(shown));
    response.end(page_of(shown));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    async open(page, wanted) {
      shown = { lang: 'en', dir: 'ltr', dark: false, api: gateway_url.origin, trusted_types: 'recruiting', css: '', script: '<script src="SRC" defer></script>', ...wanted };
      await page.goto(`${origin}/`);
    },
    stop() {
      server.closeAllConnections?.();
      server.close();
    },
  };
};

/** A page that writes down what it logs, violates, requests and keeps. expect_quiet(): it did nothing it should not. */
export const watched_page = async (browser, options = {}) => {
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB', viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const said = [];
  const requests = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(`error: ${error.message}`));
  page.on('request', (request) => requests.push(request));
  /** but: what may be said, such as the browser's own line on an answer that is an error. */
  const expect_quiet = async ({ hosts = [gateway_url.host], but = /^$/ } = {}) => {
    assert.deepEqual(said.filter((line) => !but.test(line)), []);
    const own = new URL(page.url()).host;
    const elsewhere = requests.map((request) => new URL(request.url())).filter(({ host, protocol }) => protocol !== 'data:' && host !== own && !hosts.includes(host));
    assert.deepEqual(elsewhere.map(String), []);
    for (const request of requests.filter((sent) => new URL(sent.url()).host !== own)) {
      const headers = await request.allHeaders().catch(() => ({}));
      assert.equal(headers.cookie ?? headers.authorization, undefined);
    }
    assert.deepEqual(await context.cookies(), []);
    const kept = await page.evaluate(async () => [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length, document.cookie]);
    assert.deepEqual(kept, [0, 0, 0, '']);
  };
  return { page, context, said, requests, expect_quiet };
};

const axe_source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails with what axe finds: best practices too, shadow trees too. exclude: selectors of what others have written. */
export const expect_accessible = async (page, what, exclude = []) => {
  await page.evaluate(`${axe_source}; 0`);
  const found = await page.evaluate(async (excluded) => {
    const { violations } = await window.axe.run({ exclude: excluded }, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`);
  }, exclude);
  assert.deepEqual(found, [], what);
};

/** Whether the page is wider than its window. */
export const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

const screenshots = join(run_dir, 'screenshots');

/** name-phone.png and name-desktop.png of what the page shows now. CI, where they are not looked at, takes none. */
export const take_pictures = async (page, name) => {
  if (is_long_run) return;
  mkdirSync(screenshots, { recursive: true });
  const before = page.viewportSize();
  for (const [size, width] of [['phone', 390], ['desktop', 1280]]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(screenshots, `${name}-${size}.png`) });
  }
  await page.setViewportSize(before);
};

// Inherited properties that a page sets, on what surrounds an element and on the element. Family, size and colour of the font are
// the page's to choose, as are direction, visibility and pointer-events: with these it hides and locks what it shows.
export const hostile = `.hostile, .hostile > * {
  white-space: pre; text-wrap: nowrap; tab-size: 1; word-break: break-all; line-break: anywhere; overflow-wrap: normal; hyphens: auto;
  letter-spacing: .3em; word-spacing: 1em; text-transform: uppercase; text-align: right; text-align-last: right; text-justify: none; text-indent: 3em; line-height: 3;
  font-style: italic; font-variant: small-caps; font-weight: 900; font-stretch: condensed; font-kerning: none; font-size-adjust: 1; font-synthesis: none;
  font-feature-settings: "zero"; font-optical-sizing: none; text-rendering: geometricPrecision; text-shadow: 0 0 4px red; text-emphasis: dot;
  text-underline-position: under; text-underline-offset: 1em; text-decoration-skip-ink: none; text-orientation: upright; quotes: none;
  list-style: square inside; border-collapse: collapse; border-spacing: 2em; caption-side: bottom; empty-cells: hide; ruby-position: under;
  cursor: wait; caret-color: red; accent-color: red; color-scheme: dark; scrollbar-color: red blue; image-rendering: pixelated;
  -webkit-text-fill-color: red; -webkit-text-stroke: 1px red; -webkit-text-security: disc; -webkit-tap-highlight-color: red; }`
  .replace(/;/g, ' !important;');
