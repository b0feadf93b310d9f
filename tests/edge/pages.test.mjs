// Pages for people: careers, an interview's page, the widget's script. The public service's, as its API is, but for what
// a browser's user sees of the edge itself.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { key_of } from '../support/api_key.mjs';
import { declined, forwarded, forwarded_get, get, passed, post, refused, request, run_cases } from './support/cases.mjs';
import { connect } from './support/wire.mjs';

const browser = 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
const own_page = 'Cookie: sp_session=x\r\nSec-Fetch-Site: same-origin\r\nOrigin: https://a.example\r\nX-CSRF-Token: y\r\n';
const preflight = 'Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n';
const pages = ['/careers', '/careers/acme', '/careers/acme/jobs/018e0ee9ff007d36af8d8c43e77f2988', '/interviews/token/invite.ics', '/widget/v1.js', '/docs', '/docs/decisions/'];
const to_public = (row) => ({ ...row, to_public: true });
const no_cors = (answer) => assert.equal(answer.value('access-control-allow-origin'), undefined);

const world = run_cases([
  ...pages.map((page) => to_public(passed(`${page} is the public service's`, get(page, browser), forwarded_get(page, browser), { check: no_cors }))),
  to_public(passed('a form is sent on whole', post(`${form}Content-Length: 7\r\n`, 'a=1&b=2', '/interviews/token/reschedule'),
    forwarded('POST /interviews/token/reschedule', { kept: form, framing: 'Content-Length: 7\r\n', body: 'a=1&b=2' }))),
  to_public(passed('Cookie does not reach a page', get('/careers/acme', 'Cookie: sp_session=x\r\nX: y\r\n'), forwarded_get('/careers/acme', 'X: y\r\n'))),
  passed("the console's cookie reaches auth-api, and what it sets reaches the browser", get('/console/api/session', 'Cookie: sp_session=x\r\n'), forwarded_get('/console/api/session', 'Cookie: sp_session=x\r\n'), {
    answer: 'HTTP/1.1 200 OK\r\nSet-Cookie: sp_session=y; HttpOnly\r\nContent-Length: 2\r\n\r\nok', check: (answer) => assert.equal(answer.value('set-cookie'), 'sp_session=y; HttpOnly'),
  }),
  passed("a change in the console keeps what says where it is from", request('DELETE /console/api/session', `${own_page}Content-Length: 0\r\n`),
    forwarded('DELETE /console/api/session', { kept: own_page, framing: 'Content-Length: 0\r\n' })),
  to_public(passed('Basic credentials do not reach a page', get('/careers/acme', 'Authorization: Basic YTpi\r\n'), forwarded_get('/careers/acme'))),
  to_public({ ...declined('a key is refused by a page', get('/careers/acme', `Authorization: Bearer ${key_of('pages')}\r\n`), 400), code: 'credential_not_allowed', check: no_cors }),
  to_public(passed("the service's CORS fields pass", get('/widget/v1.js'), undefined, {
    answer: 'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 2\r\n\r\nok', check: (answer) => assert.equal(answer.value('access-control-allow-origin'), '*'),
  })),
  to_public(passed('another spelling of a page', get('/api/../%63areers/acme/./x'), forwarded_get('/careers/acme/x'))),
  declined('a climb out of the pages is another path', get('/careers/../elsewhere'), 404),
  declined('a page is a whole segment', get('/careersx'), 404),
  declined('small letters only', get('/Careers/acme'), 404),
  refused('an escaped slash in a page', get('/careers/a%2Fb')),
  declined('a large form is refused', post(`${form}Content-Length: 65537\r\n`, '', '/interviews/token/cancel'), 413, { closes: true }),
], { WINDOW: 86_400, TRUSTED_PROXIES: '127.0.0.0/8' });

const asked = async (text) => {
  const wire = await connect(world.gateway.port);
  await wire.send(text);
  const answer = await wire.answer();
  wire.close();
  return answer;
};

for (const [name, text, status] of [
  ['where nothing is', get('/elsewhere', browser), 404],
  ['who sends a key', get('/careers/acme', `${browser}Authorization: Bearer ${key_of('browser')}\r\n`), 400],
  ['who asks by a method that is not known', request('BREW /careers/acme', browser), 501],
]) {
  test(`a browser's user reads a sentence: ${name}`, async () => {
    const answer = await asked(text);
    assert.equal(answer.status, status);
    assert.equal(answer.value('content-type'), 'text/html; charset=utf-8');
    const style = /<style>([^]*)<\/style>/.exec(answer.body)[1];
    const hash = createHash('sha256').update(style).digest('base64url');
    assert.equal(answer.value('content-security-policy'), `default-src 'none'; style-src 'sha256-${hash}='; base-uri 'none'; frame-ancestors 'none'`);
    assert.match(answer.body, new RegExp(`^<!doctype html>[^]*<h1>[A-Z][^<]+</h1>\\n<p>[A-Z][^<]+\\.</p>[^]*${answer.value('x-request-id')}`));
    assert.equal(answer.body.includes('href="/"'), status === 404, 'the start page is offered to who is lost');
  });
}

test('/ leads to the documentation, and nothing else of that name does', async () => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await asked(request(`${method} /`, browser));
    assert.equal(answer.status, 302);
    assert.equal(answer.value('location'), '/docs/');
    assert.equal(answer.value('cache-control'), 'no-store');
  }
  assert.equal((await asked(request('DELETE /', browser))).status, 404);
  assert.equal((await asked(get('//example.com', browser))).status, 404);
});

test("an API's errors stay the API's, whatever is accepted", async () => {
  const answer = await asked(request('BREW /api/public/v1/x', browser));
  assert.equal(answer.value('content-type'), 'application/json');
});

test('the API and its pages share a count, and a preflight of a page counts', async () => {
  const as = 'X-Forwarded-For: 10.0.0.9\r\n';
  const left = async (text) => Number((await asked(text)).value('ratelimit').match(/r=(\d+)/)[1]);
  const first = await left(get('/api/public/v1/x', as));
  assert.equal(await left(get('/careers/acme', as)), first - 1);
  assert.equal(await left(request('OPTIONS /careers/acme', as + preflight)), first - 2);
});
