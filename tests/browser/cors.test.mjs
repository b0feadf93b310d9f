// A careers page of another origin in a real browser: it reads published jobs and their headers through the gateway,
// can't send an API key, and can read a 429.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { demo, gateway_url } from '../e2e/support/environment.mjs';
import { start_program } from '../e2e/support/programs.mjs';

const flags = [
  '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  // Nothing but this machine: a browser likes to call home.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

let careers_page, browser, profile, page, limited;
before(async () => {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
  assert.ok(executablePath, 'chromium is not installed: apt-get install chromium');
  careers_page = http.createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Careers</title><ul id="jobs"></ul>');
  }).listen(0, '127.0.0.1');
  await once(careers_page, 'listening');
  profile = mkdtempSync(join(tmpdir(), 'recruiting-browser-'));
  browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, chromiumSandbox: false, args: flags });
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${careers_page.address().port}/`);
  limited = await start_program('gateway', { RECRUITING_GATEWAY_PUBLIC_RATE_LIMIT: '3' });
});
after(async () => {
  await browser?.close();
  await limited?.stop();
  careers_page?.closeAllConnections?.();
  careers_page?.close();
  if (profile) rmSync(profile, { recursive: true, force: true });
});

/** fetch() in the page; what a script there can see of the answer. */
const fetch_in_page = (url, init = {}) =>
  page.evaluate(async ([target, options]) => {
    try {
      const response = await fetch(target, options);
      const text = await response.text();
      return { status: response.status, headers: Object.fromEntries(response.headers), body: text ? JSON.parse(text) : null };
    } catch (error) {
      return { refused: String(error) };
    }
  }, [String(url), init]);

const at = (path, base = gateway_url) => new URL(path, base);
const jobs_path = `/api/public/v1/organizations/${demo.slug}/jobs`;

test('published jobs, with the headers a widget needs', async () => {
  const { status, headers, body } = await fetch_in_page(at(`${jobs_path}?limit=2`));
  assert.equal(status, 200);
  assert.equal(body.data.length, 2);
  assert.match(headers['x-request-id'], /^[A-Za-z0-9_-]{8,64}$/);
  assert.match(headers.ratelimit, /^"ip";r=\d+;t=\d+$/);
  assert.match(headers.link, /rel="next"/);
  const one = await fetch_in_page(at(`/api/public/v1/jobs/${body.data[0].id}`));
  assert.deepEqual(one.body.data, body.data[0]);
});

test('a page can be filled from it', async () => {
  const titles = await page.evaluate(async (url) => {
    const { data } = await (await fetch(url)).json();
    const list = document.querySelector('#jobs');
    for (const job of data) list.append(Object.assign(document.createElement('li'), { textContent: job.title }));
    return [...list.children].map((item) => item.textContent);
  }, String(at(`${jobs_path}?limit=5`)));
  assert.equal(titles.length, 5);
});

test('errors are readable: 404 and 400 with their code', async () => {
  assert.deepEqual(await fetch_in_page(at('/api/public/v1/jobs/x')).then(({ status, body }) => [status, body.error.code]), [404, 'not_found']);
  assert.deepEqual(await fetch_in_page(at(`${jobs_path}?limit=0`)).then(({ status, body }) => [status, body.error.code]), [400, 'invalid_request']);
});

test('an Authorization header is refused by the preflight: the key never leaves the browser', async () => {
  const sent = [];
  const listener = (request) => sent.push([request.method(), request.url()]);
  page.on('requestfinished', listener);
  const answer = await fetch_in_page(at(jobs_path), { headers: { Authorization: 'Bearer sp_test_not_a_key' } });
  page.off('requestfinished', listener);
  assert.match(answer.refused ?? '', /Failed to fetch/);
  assert.deepEqual(sent.filter(([method]) => method === 'GET'), []);
});

test('the headers that are allowed pass the preflight', async () => {
  const { status } = await fetch_in_page(at(jobs_path), { headers: { 'If-None-Match': '"x"', Accept: 'application/problem+json', 'Content-Type': 'application/json' } });
  assert.equal(status, 200);
});

test('the authenticated API can\'t be read from a page', async () => {
  for (const init of [{}, { headers: { Authorization: 'Bearer sp_test_not_a_key' } }]) {
    assert.match((await fetch_in_page(at('/api/v1/me'), init)).refused ?? '', /Failed to fetch/);
  }
});

test('429 is readable, with Retry-After', async () => {
  let answer;
  // The minute may turn in between: the rate limit of three is reached within eight at most.
  for (let i = 0; i < 8 && answer?.status !== 429; i += 1) answer = await fetch_in_page(at(jobs_path, limited.url));
  assert.equal(answer.status, 429);
  assert.equal(answer.body.error.code, 'rate_limited');
  assert.ok(Number(answer.headers['retry-after']) >= 1);
  assert.match(answer.headers['ratelimit-policy'], /^"ip";q=3;w=60$/);
});
