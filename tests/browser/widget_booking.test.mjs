// <recruiting-booking> on a strict page of another origin, against the running system: days and times in the visitor's
// zone, the form by keyboard alone, and that nobody learns from it whether an address belongs to a candidate.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { get_public } from '../e2e/support/client.mjs';
import { early_in } from '../support/clock.mjs';
import { await_condition } from '../e2e/support/programs.mjs';
import { sql, uuid } from '../e2e/support/recruitctl.mjs';
import { bookings_of, make_interview, open_slots } from '../support/interviews.mjs';
import { expect_accessible, launch, sideways, start_site, take_pictures, watched_page } from './support/site.mjs';

let browser, site, interview, slots;
before(async () => {
  browser = await launch();
  site = await start_site();
  interview = await make_interview({ candidates: 2 });
  slots = (await get_public(`/scheduling/${interview.job}/${interview.stage}/slots`)).json.data;
});
after(async () => {
  await browser?.close();
  site?.stop();
});

const element = ({ job, stage } = interview, more = '') => `<recruiting-booking job="${job}" stage="${stage}" ${more}></recruiting-booking>`;
const bookings_path = '**/scheduling/*/*/bookings';
const days = (page) => page.getByRole('radiogroup').first().getByRole('radio');
const times = (page) => page.getByRole('radiogroup').nth(1).getByRole('radio');
const submit = (page) => page.getByRole('button', { name: 'Book this time' });

/** As by keyboard: a part of the zone's name, and Enter. */
const choose_zone = async (page, text) => {
  await page.getByLabel('Time zone').fill(text);
  await page.getByLabel('Time zone').press('Enter');
};

const fill = async (page, email, time = 0) => {
  await times(page).nth(time).check();
  await page.getByLabel('E-mail address').fill(email);
};

test('days and times of the published schedule, in the visitor\'s zone', async () => {
  for (const timezoneId of ['Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati']) {
    const { page, context, expect_quiet } = await watched_page(browser, { timezoneId });
    await site.open(page, { body: element() });
    await times(page).first().waitFor();
    const show = (options) => new Intl.DateTimeFormat('en-GB', { timeZone: timezoneId, ...options });
    const day = show({ dateStyle: 'short' });
    const clock = show({ hour: 'numeric', minute: '2-digit' });
    const starts = slots.map(({ slotStart }) => new Date(slotStart));
    const first_day = starts.filter((start) => day.format(start) === day.format(starts[0]));
    const texts = await page.getByRole('radiogroup').nth(1).locator('label').allTextContents();
    assert.deepEqual(texts.map((text) => text.padStart(5, '0')), first_day.map((start) => clock.format(start).padStart(5, '0')));
    assert.match(await page.getByLabel('Time zone').inputValue(), new RegExp(`^${timezoneId.replace('_', ' ')} \\(UTC[+−-]\\d\\d:\\d\\d\\)$`));
    await page.locator('[part=zone]').filter({ hasText: /GMT[+−-]\d/ }).waitFor();
    await expect_quiet();
    await context.close();
  }
});

test('without a stage, a visitor of several interviews chooses by length, and their names stay the organization\'s', async () => {
  const several = await make_interview();
  const stages = await sql(`select replace(id::text, '-', ''), name from recruiting.stages where job_id = ${uuid(several.job)} order by position`);
  const [longer] = stages.find(([id]) => id !== several.stage);
  await open_slots(several.organization, several.job, longer, 3, { duration: '1h', from: 13 });
  const is_shown = async () => (await get_public(`/jobs/${several.job}`)).json.data.bookableStages.some(({ id }) => id === longer);
  await await_condition(is_shown, 'the longer stage to be shown');
  const { page, context, expect_quiet } = await watched_page(browser);
  await site.open(page, { body: `<recruiting-booking job="${several.job}"></recruiting-booking>` });
  const lengths = page.getByRole('radiogroup', { name: 'Length of your interview' }).getByRole('radio');
  await lengths.first().waitFor();
  assert.deepEqual(await page.locator('[part=length]').allTextContents(), ['30 minutes', '60 minutes']);
  await lengths.nth(1).check();
  assert.equal(await page.evaluate(() => document.activeElement.shadowRoot.activeElement.name), 'length', 'the focus stays on what was pressed');
  await expect_accessible(page, 'several lengths');
  await take_pictures(page, 'booking-lengths');
  const shown = await page.locator('recruiting-booking').innerText();
  for (const [, name] of stages) assert.ok(!shown.includes(name), name);
  await page.locator('[name=time]').first().check();
  await page.getByLabel('E-mail address').fill(several.emails[0]);
  const sent = page.waitForRequest(bookings_path);
  await submit(page).click();
  assert.ok((await sent).url().includes(longer));
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await expect_quiet();
  await context.close();
});

test('another zone shows the same times anew and keeps the choice', async () => {
  const { page, context } = await watched_page(browser);
  await site.open(page, { body: element() });
  await times(page).nth(2).check();
  const chosen = await times(page).nth(2).getAttribute('value');
  await choose_zone(page, 'tokyo');
  assert.equal(await page.locator('[name=time]:checked').getAttribute('value'), chosen);
  await page.getByText('Japan Standard Time').waitFor();
  await context.close();
  const fixed = await watched_page(browser);
  await site.open(fixed.page, { body: element(interview, 'time-zone="America/New_York"') });
  assert.match(await fixed.page.getByLabel('Time zone').inputValue(), /^America\/New York \(UTC-0[45]:00\)$/);
  await fixed.context.close();
});

test('a zone is searched by a few letters and shown by its name of today, with its offset', async () => {
  const { page, context, requests } = await watched_page(browser, { timezoneId: 'Asia/Calcutta' });
  await site.open(page, { body: element() });
  await times(page).first().waitFor();
  const zone = page.getByLabel('Time zone');
  assert.equal(await zone.inputValue(), 'Asia/Kolkata (UTC+05:30)');
  await zone.focus();
  assert.equal(await zone.inputValue(), '', 'the list shows all');
  const labels = await page.locator('#zones option').evaluateAll((options) => options.map(({ value }) => value));
  assert.ok(labels.length > 400);
  assert.ok(labels.every((label) => /^[\w/ +-]+ \(UTC[+-]\d\d:\d\d\)$/.test(label)), labels.join());
  for (const name of ['Asia/Kolkata', 'Europe/Kyiv', 'Asia/Ho Chi Minh', 'UTC']) assert.equal(labels.filter((label) => label.startsWith(`${name} (`)).length, 1, name);
  for (const name of ['Calcutta', 'Kiev', 'Saigon']) assert.ok(labels.every((label) => !label.includes(name)), name);
  await expect_accessible(page, 'choosing a zone');
  await page.keyboard.press('Tab');
  assert.equal(await zone.inputValue(), 'Asia/Kolkata (UTC+05:30)', 'left alone it stays');
  for (const [typed, shown] of [['kyiv', /^Europe\/Kyiv/], ['saigon', /^Asia\/Ho Chi Minh \(UTC\+07:00\)/], ['New_York', /^America\/New York/], ['Europe/London', /^Europe\/London/]]) {
    await choose_zone(page, typed);
    assert.match(await zone.inputValue(), shown);
  }
  await choose_zone(page, 'atlantis');
  assert.equal(await zone.getAttribute('aria-invalid'), 'true');
  await page.keyboard.press('Tab');
  assert.match(await zone.inputValue(), /^Europe\/London/, 'what is no zone changes nothing');
  assert.equal(requests.filter((sent) => sent.method() === 'POST').length, 0, 'Enter sends no form');
  await context.close();
});

/** The page's Intl reports that as the visitor's zone. */
const report_zone = (page, zone) => page.addInitScript((reported) => {
  const own = Intl.DateTimeFormat.prototype.resolvedOptions;
  Intl.DateTimeFormat.prototype.resolvedOptions = function resolvedOptions() {
    return { ...own.call(this), timeZone: reported };
  };
}, zone);

test('a browser that does not know its zone gets the organization\'s, and without that UTC', async () => {
  await sql(`update recruiting.organizations set time_zone = 'Asia/Kathmandu' where slug = '${interview.organization.slug}'`);
  await await_condition(async () => (await get_public(`/organizations/${interview.organization.slug}`)).json.data.timeZone === 'Asia/Kathmandu', 'the zone to be published');
  for (const zone of ['Etc/Unknown', undefined, 'Mars/Olympus']) {
    const { page, context, expect_quiet } = await watched_page(browser);
    await report_zone(page, zone);
    await site.open(page, { body: element() });
    await times(page).first().waitFor();
    assert.equal(await page.getByLabel('Time zone').inputValue(), 'Asia/Kathmandu (UTC+05:45)');
    await expect_quiet();
    await context.close();
  }
  const { page, context } = await watched_page(browser);
  await report_zone(page, 'Etc/Unknown');
  await page.route('**/v1/organizations/*', (route) => answers(route, 404, 'not_found'));
  await site.open(page, { body: element() });
  await times(page).first().waitFor();
  assert.equal(await page.getByLabel('Time zone').inputValue(), 'UTC (UTC+00:00)');
  await context.close();
});

test('a zone that only the browser knows is left out of the request', async () => {
  const { page, context, requests } = await watched_page(browser);
  await page.route(bookings_path, (route) => {
    const sent = route.request();
    if (sent.method() !== 'POST' || !sent.postDataJSON().timeZone) return route.continue();
    return route.continue({ postData: JSON.stringify({ ...sent.postDataJSON(), timeZone: 'Mars/Olympus' }) });
  });
  await site.open(page, { body: element() });
  await fill(page, `martian@${interview.organization.slug}.example`);
  await submit(page).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  const sent = requests.filter((request) => request.method() === 'POST').map((request) => request.postDataJSON().timeZone);
  assert.deepEqual(sent, ['Mars/Olympus', undefined]);
  await context.close();
});

test('the whole form by keyboard; a candidate\'s time is booked, and the page is as for anybody else', async () => {
  const panels = [];
  for (const email of [interview.emails[0], `stranger@${interview.organization.slug}.example`]) {
    const { page, context, expect_quiet, requests } = await watched_page(browser);
    await site.open(page, { body: element() });
    await times(page).first().waitFor();
    await expect_accessible(page, 'the form');
    if (!panels.length) await take_pictures(page, 'booking');
    const told = page.evaluate(() => new Promise((done) => { document.addEventListener('recruiting:booked', ({ detail }) => done(detail)); }));
    // Time zone, day, "show more days", time, address, button.
    for (const keys of [['Tab'], ['Tab', 'ArrowRight'], ['Tab'], ['Tab', 'Space', 'ArrowDown'], ['Tab']]) for (const key of keys) await page.keyboard.press(key);
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    assert.equal(await submit(page).evaluate((button) => button.getRootNode().activeElement === button), true);
    const second_of_second_day = slots[9].slotStart;
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    assert.deepEqual(await told, { job: interview.job, stage: interview.stage, slotStart: second_of_second_day, timeZone: 'Europe/Berlin' });
    const panel = page.locator('[part=confirmation]');
    assert.equal(await panel.evaluate((node) => node.getRootNode().activeElement === node), true, 'the focus is on the confirmation');
    assert.match(await panel.textContent(), /If this address belongs to an invited candidate/);
    await expect_accessible(page, 'the confirmation');
    await take_pictures(page, 'booking-done');
    panels.push(await panel.innerHTML());
    assert.deepEqual(requests.filter((sent) => sent.method() === 'POST').map((sent) => Object.keys(sent.postDataJSON())), [['email', 'slotStart', 'timeZone', 'language']]);
    assert.ok(requests.every((sent) => !sent.url().includes(encodeURIComponent(email))));
    await expect_quiet();
    await context.close();
  }
  assert.equal(panels[0], panels[1]);
  assert.deepEqual(await bookings_of(interview.organization, 1), [['confirmed', slots[9].slotStart, 'Europe/Berlin']]);
});

test('what is missing is said beside it, and the first of it has the focus', async () => {
  const { page, context } = await watched_page(browser);
  await site.open(page, { body: element() });
  await times(page).first().waitFor();
  await submit(page).press('Enter');
  await page.getByText('Please choose a time.').waitFor();
  const email = page.getByLabel('E-mail address');
  const described = await email.evaluate((input) => input.getAttribute('aria-describedby').split(' ').map((id) => input.getRootNode().getElementById(id).textContent).join(' '));
  assert.match(described, /Please enter an e-mail address/);
  assert.equal(await email.getAttribute('aria-invalid'), 'true');
  assert.equal(await times(page).first().evaluate((radio) => radio.getRootNode().activeElement === radio), true);
  await expect_accessible(page, 'missing');
  await take_pictures(page, 'booking-missing');
  await fill(page, 'not-an-address');
  await submit(page).click();
  assert.equal(await email.evaluate((input) => input.getRootNode().activeElement === input), true);
  assert.equal(await page.getByText('Please choose a time.').count(), 0);
  await context.close();
});

test('more days, and every target large enough for a thumb', async () => {
  const { page, context } = await watched_page(browser, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await site.open(page, { body: element() });
  assert.equal(await days(page).count().then((n) => n || days(page).first().waitFor().then(() => days(page).count())), 12);
  await page.getByRole('button', { name: 'Show more days' }).press('Enter');
  assert.equal(await days(page).count(), 15);
  assert.equal(await days(page).nth(12).evaluate((radio) => radio.getRootNode().activeElement === radio), true);
  const tops = await days(page).evaluateAll((radios) => radios.map((radio) => radio.getBoundingClientRect().top));
  assert.equal(new Set(tops).size, 1, 'the days are one row');
  assert.ok(await page.locator('.days').evaluate((row) => row.scrollWidth > row.clientWidth), 'which scrolls');
  await take_pictures(page, 'booking-days');
  const small = await page.locator('recruiting-booking').evaluate((host) =>
    [...host.shadowRoot.querySelectorAll('button:not([hidden]), .chip, input:not([type=radio])')].map((node) => node.getBoundingClientRect()).filter(({ width, height }) => Math.min(width, height) < 44).length);
  assert.equal(small, 0);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390));
  await context.close();
});

test('on a phone a part of the next day shows that there are more, and the last is reached by keyboard', async () => {
  for (const width of [320, 360, 390, 480]) {
    const { page, context } = await watched_page(browser, { viewport: { width, height: 740 }, hasTouch: true });
    await site.open(page, { body: element() });
    await times(page).first().waitFor();
    const cut = await page.locator('.days').evaluate((strip) => {
      const edge = strip.getBoundingClientRect().right;
      const shown = [...strip.children].map((day) => day.getBoundingClientRect()).map(({ left, right }) => [Math.min(right, edge) - left, right - edge]);
      return shown.find(([inside, outside]) => inside >= 24 && outside >= 24);
    });
    assert.ok(cut, `${width}: the strip ends within a day`);
    await take_pictures(page, 'booking-strip');
    await days(page).first().focus();
    const count = await days(page).count();
    for (let i = 1; i < count; i += 1) await page.keyboard.press('ArrowRight');
    const last = await days(page).last().evaluate((radio) => {
      const [day, strip] = [radio.parentNode.getBoundingClientRect(), radio.closest('.days').getBoundingClientRect()];
      return radio.checked && day.left >= strip.left - 1 && day.right <= strip.right + 1;
    });
    assert.ok(last, `${width}: the last day is in view`);
    assert.equal(await sideways(page), false);
    await context.close();
  }
});

test('twice as large a text does not make a phone scroll sideways', async () => {
  const { page, context } = await watched_page(browser, { viewport: { width: 390, height: 844 } });
  await site.open(page, { body: element(), css: 'html { font-size: 200% } body { font-size: 1rem }' });
  await times(page).first().waitFor();
  assert.equal(await sideways(page), false);
  await context.close();
});

const answers = (route, status, code, headers = {}) => route.fulfill({
  status, headers: { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Retry-After', 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify({ error: { code, message: '', requestId: 'x'.repeat(8), details: [] } }),
});

test('a request whose fate is unknown is not repeated: the visitor looks into the mailbox first', async () => {
  for (const way of ['outcome_unknown', 'lost']) {
    const { page, context } = await watched_page(browser);
    let sent = 0;
    await page.route(bookings_path, (route) => {
      if (route.request().method() === 'POST') sent += 1;
      return way === 'lost' ? route.abort('connectionreset') : answers(route, 500, way);
    });
    await site.open(page, { body: element() });
    await fill(page, 'somebody@mail.example');
    await submit(page).click();
    const told = page.getByRole('alert').filter({ hasText: /can.t tell whether your request arrived.* check your mailbox/ });
    await told.waitFor();
    assert.equal(await told.evaluate((node) => node.getRootNode().activeElement === node), true);
    assert.equal(sent, 1);
    await expect_accessible(page, way);
    await context.close();
  }
});

test('429 and 503 are waited out and the booking goes through', async () => {
  const { page, context } = await watched_page(browser);
  const moments = [];
  await page.route(bookings_path, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    moments.push(Date.now());
    if (moments.length === 1) return answers(route, 429, 'rate_limited', { 'Retry-After': '3' });
    return moments.length === 2 ? answers(route, 503, 'service_unavailable') : route.continue();
  });
  await site.open(page, { body: element() });
  await fill(page, 'patient@mail.example');
  await submit(page).click();
  await page.getByRole('timer').filter({ hasText: /Trying again in \d seconds?/ }).waitFor();
  await submit(page).click({ force: true }); // pressed again: no second request
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  assert.equal(moments.length, 3);
  assert.ok(moments[1] - moments[0] >= 3000);
  await context.close();
});

test('a time that is gone: the schedule anew, the address kept', async () => {
  const { page, context } = await watched_page(browser);
  await page.route(bookings_path, (route) => (route.request().method() === 'POST' ? answers(route, 404, 'not_found') : route.continue()));
  await site.open(page, { body: element() });
  await fill(page, 'late@mail.example', 1);
  const refused = await page.locator('[name=time]:checked').getAttribute('value');
  await submit(page).click();
  await page.getByRole('alert').filter({ hasText: 'This time is no longer offered.' }).waitFor();
  const offered = await times(page).evaluateAll((radios) => radios.map(({ value }) => value));
  assert.ok(offered.length > 1 && !offered.includes(refused), 'what was refused is not offered again');
  assert.equal(await page.getByLabel('E-mail address').inputValue(), 'late@mail.example');
  await expect_accessible(page, 'gone');
  await context.close();
});

test('the limit of bookings by one client for one job: told with its time, lifted for nobody by asking again', async () => {
  await early_in(3600, 60);
  const { page, context, requests } = await watched_page(browser);
  const busy = await make_interview();
  await site.open(page, { body: element(busy) });
  const limited = page.getByRole('alert').filter({ hasText: /Too many requests .* try again at \d/ });
  const again = page.getByRole('button', { name: 'Choose another time' });
  for (let i = 0; i < 25 && !(await limited.count()); i += 1) {
    if (await again.count()) await again.click();
    await fill(page, `visitor.${i}@mail.example`, i % 8);
    await submit(page).click();
    await limited.or(again).waitFor();
  }
  await limited.waitFor();
  const posts = () => requests.filter((sent) => sent.method() === 'POST').length;
  const before = posts();
  await submit(page).click({ force: true });
  await expect_accessible(page, 'limited');
  await take_pictures(page, 'booking-limited');
  assert.equal(posts(), before);
  await page.getByLabel('E-mail address').fill('another@mail.example');
  assert.equal(await limited.count(), 0);
  await context.close();
});

test('no times, and no such job or stage: whose page it is learns why from the console', async () => {
  const { page, context, said } = await watched_page(browser);
  const none = await make_interview({ days: 0 });
  await site.open(page, { body: element(none) });
  await page.getByText('No times are offered at the moment.').waitFor();
  await expect_accessible(page, 'no times');
  for (const where of [{ ...none, stage: 'f'.repeat(32) }, { ...none, job: 'f'.repeat(32) }, { job: '', stage: '' }]) {
    await site.open(page, { body: element(where) });
    await page.getByText('Interviews can’t be booked here.').waitFor();
  }
  assert.deepEqual(said.filter((line) => line.startsWith('warning: ')), [
    `warning: <recruiting-booking>: job="${none.job}" has no bookable stage "${'f'.repeat(32)}": open slots for it, or correct the ids.`,
    `warning: <recruiting-booking>: job="${'f'.repeat(32)}" is not published, or there is no such job: publish it, or correct the id.`,
    'warning: <recruiting-booking>: the attribute job is missing: it takes the id of a published job.',
  ]);
  await context.close();
});

const languages = {
  de: ['Vorstellungsgespräch buchen', 'Termin buchen', 'Vielen Dank'], fr: ['Réserver un entretien', 'Réserver cet horaire', 'Merci'],
  es: ['Reservar una entrevista', 'Reservar esta hora', 'Gracias'], it: ['Prenota un colloquio', 'Prenota questo orario', 'Grazie'],
  ja: ['面接を予約する', 'この日時で予約する', 'ありがとうございます'],
};

test('five more languages, dark and forced colours', async () => {
  for (const [lang, [title, button, thanks]] of Object.entries(languages)) {
    const { page, context, expect_quiet } = await watched_page(browser, lang === 'es' ? { forcedColors: 'active' } : {});
    await page.route(bookings_path, (route) => route.fulfill({ json: { data: { confirmed: true } }, headers: { 'Access-Control-Allow-Origin': '*' } }));
    await site.open(page, { body: element(), lang, dark: lang === 'de' });
    await page.getByRole('heading', { name: title }).waitFor();
    await times(page).first().check();
    await expect_accessible(page, lang);
    await take_pictures(page, `booking-${lang}`);
    await page.locator('#email').fill('a@mail.example');
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('heading', { name: thanks }).waitFor();
    await expect_accessible(page, `${lang}, done`);
    await expect_quiet();
    await context.close();
  }
});

test('right to left', async () => {
  const { page, context } = await watched_page(browser);
  await site.open(page, { body: element(), lang: 'ar', dir: 'rtl' });
  await times(page).first().waitFor();
  const [first, second] = [await times(page).nth(0).boundingBox(), await times(page).nth(1).boundingBox()];
  assert.ok(second.x < first.x);
  await expect_accessible(page, 'right to left');
  await take_pictures(page, 'booking-rtl');
  await context.close();
});
