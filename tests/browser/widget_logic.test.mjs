// The widget's decisions, without a browser: when to try again, which language, times in a zone, which jobs are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosen_jobs, values_of } from '../../services/public_api/widget/choice.js';
import { days_of, place_text, salary_text, searched_zone, time_texts, zone_choices, zone_label, zone_named, zone_text } from '../../services/public_api/widget/format.js';
import { make_say, pick_language } from '../../services/public_api/widget/language.js';
import { kind_of, most_attempts, pause_before_retry, retry_after } from '../../services/public_api/widget/retry.js';

const at = (status, more = {}) => pause_before_retry({ status, attempt: 1, after: 0, read: true, random: 0.5, ...more });

test('only 429 and 503 are tried again, and a read whose connection was lost', () => {
  for (const status of [400, 401, 403, 404, 405, 408, 409, 413, 415, 500, 502, 504]) {
    for (const read of [true, false]) assert.equal(at(status, { read }), null, `${status}`);
  }
  for (const status of [429, 503]) for (const read of [true, false]) assert.ok(at(status, { read }) > 0);
  assert.ok(at(0) > 0);
  assert.equal(at(0, { read: false }), null);
  assert.equal(at(0, { attempt: 3 }), null);
  assert.equal(at(503, { attempt: most_attempts }), null);
});

test('pauses double, are spread, and are never shorter than Retry-After', () => {
  const pauses = [1, 2, 3, 4].map((attempt) => at(503, { attempt, random: 1 }));
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000]);
  assert.deepEqual([0, 1].map((random) => at(503, { attempt: 3, random })), [2000, 4000]);
  assert.ok(at(429, { after: 7000, random: 0 }) >= 7000);
  assert.ok(at(429, { after: 7000, random: 1 }) > 7000);
  assert.equal(at(429, { after: 3_600_000 }), null, 'nobody watches an hour pass');
});

test('Retry-After in seconds, as a date, or not at all', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(retry_after('12', now), 12_000);
  assert.equal(retry_after('Thu, 01 Jan 2026 00:00:30 GMT', now), 30_000);
  for (const value of [null, '', 'soon', '-5', 'Wed, 31 Dec 2025 00:00:00 GMT']) assert.equal(retry_after(value, now), 0);
});

test('a booking whose fate is not known is never called failed', () => {
  for (const status of [0, 500, 502]) {
    assert.equal(kind_of({ status, read: false }), 'unknown');
    assert.equal(kind_of({ status, read: true }), 'failed');
  }
  assert.deepEqual([429, 503, 404, 409, 400].map((status) => kind_of({ status, read: false })),
    ['limited', 'unavailable', 'missing', 'missing', 'refused']);
});

const texts = {
  en: { jobs_one: '{n} job', jobs_other: '{n} jobs', closes: 'Until {date}', from: 'from {amount}', up_to: 'up to {amount}', per_year: '{amount} a year', per_hour: '{amount} an hour' },
  de: { jobs_one: '{n} Stelle', jobs_other: '{n} Stellen', on_site: 'Vor Ort' },
  fr: { jobs_one: '{n} poste', jobs_other: '{n} postes' }, ja: { jobs_one: '{n}件', jobs_other: '{n}件' },
};

test('the first language there are words for; its region is kept', () => {
  const tag_of = (...tags) => pick_language(tags, texts).tag;
  assert.equal(tag_of('', 'de-AT', 'en'), 'de-AT');
  assert.equal(tag_of('ar', 'fr-CA'), 'fr-CA');
  assert.equal(tag_of('en', 'de-DE', 'en-GB'), 'en-GB');
  assert.equal(tag_of('en-US', 'en-GB'), 'en-US');
  assert.equal(tag_of('ar'), 'en');
  assert.equal(tag_of('not a tag', 'JA-jp'), 'ja-JP');
});

test('a count has the plural form and the digits of its language', () => {
  const say = (...tags) => make_say(pick_language(tags, texts));
  assert.equal(say('fr')('jobs', { n: 0 }), '0 poste');
  assert.equal(say('de')('jobs', { n: 1234 }), '1.234 Stellen');
  assert.equal(say('ja')('jobs', { n: 1 }), '1件');
  assert.equal(say('en')('closes', { date: '3 May' }), 'Until 3 May');
});


const slots = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-24T23:00:00Z'].map((slotStart) => ({ slotStart }));

test('slots by the days of a zone, in order', () => {
  assert.deepEqual(days_of(slots, 'UTC').map(({ day, slots: of_day }) => [day, of_day.length]), [['2026-10-24', 1], ['2026-10-25', 2]]);
  assert.deepEqual(days_of(slots, 'Asia/Tokyo').map(({ day }) => day), ['2026-10-25']);
  assert.deepEqual(days_of(slots, 'America/Los_Angeles').map(({ day }) => day), ['2026-10-24']);
});

test('the hour that autumn repeats is told apart by its offset', () => {
  const [first, second] = time_texts(slots.slice(0, 2), 'en-GB', 'Europe/Berlin');
  assert.match(first, /GMT\+2/);
  assert.match(second, /GMT\+1/);
  assert.doesNotMatch(time_texts(slots.slice(0, 2), 'en-GB', 'UTC').join(), /GMT|UTC/);
});

test('zones have names', () => {
  assert.match(zone_text('en', 'Europe/Berlin', new Date('2026-07-01T00:00:00Z')), /^Central European Summer Time, GMT\+2$/);
  assert.equal(zone_named('Asia/Kathmandu'), 'Asia/Kathmandu');
  for (const [name, current] of [['Asia/Calcutta', 'Asia/Kolkata'], ['Europe/Kiev', 'Europe/Kyiv'], ['Asia/Saigon', 'Asia/Ho_Chi_Minh']]) assert.equal(zone_named(name), current);
  for (const name of [null, undefined, '', 'Mars/Olympus', 'Etc/Unknown']) assert.equal(zone_named(name), '');
});

test('zones to choose from have their offset, and are found by a part of their name', () => {
  const winter = new Date('2026-01-15T12:00:00Z');
  assert.deepEqual(['UTC', 'Europe/London', 'Asia/Kolkata', 'America/St_Johns'].map((zone) => zone_label(zone, winter)),
    ['UTC (UTC+00:00)', 'Europe/London (UTC+00:00)', 'Asia/Kolkata (UTC+05:30)', 'America/St Johns (UTC-03:30)']);
  const choices = zone_choices(winter);
  assert.equal(new Set(choices.map(({ zone }) => zone)).size, choices.length);
  const found = (text) => searched_zone(choices, text);
  assert.deepEqual(['kolk', 'calcutta', ' new  york', 'Europe/Berlin (UTC+01:00)', 'utc (utc+00:00)'].map(found),
    ['Asia/Kolkata', 'Asia/Kolkata', 'America/New_York', 'Europe/Berlin', 'UTC']);
  for (const text of ['america', 'atlantis']) assert.equal(found(text), undefined);
});

test('salaries as the language writes money', () => {
  const say = make_say(pick_language(['en'], texts));
  const salary = { min: 65000, max: 82000, currency: 'EUR', period: 'year' };
  assert.match(salary_text(salary, 'en', say), /^€65,000\s?–\s?€?82,000 a year$/);
  assert.equal(salary_text({ ...salary, max: null }, 'en', say), 'from €65,000 a year');
  assert.equal(salary_text({ ...salary, min: null }, 'en', say), 'up to €82,000 a year');
  assert.equal(salary_text({ ...salary, max: 65000 }, 'en', say), '€65,000 a year');
  const hourly = { min: 20.75, max: null, currency: 'USD', period: 'hour' };
  assert.equal(salary_text(hourly, 'en-US', say), 'from $20.75 an hour');
  assert.equal(salary_text({ ...hourly, max: 20.75 }, 'en-US', say), '$20.75 an hour');
  assert.equal(salary_text({ ...hourly, min: null, max: 20.5 }, 'en-US', say), 'up to $20.50 an hour');
  assert.match(salary_text({ ...hourly, min: 20, max: 22.5 }, 'en-US', say), /^\$20\.00\s?–\s?\$?22\.50 an hour$/);
  assert.equal(salary_text({ ...hourly, min: 1.25, currency: 'KWD' }, 'en', say), 'from KWD\u00a01.250 an hour');
  assert.equal(salary_text({ ...hourly, min: 1200, currency: 'JPY' }, 'en', say), 'from ¥1,200 an hour');
  assert.equal(salary_text(null, 'en', say), '');
});

test('places by their name, else by city, region and country', () => {
  assert.equal(place_text({ name: 'HQ', city: 'Berlin', region: null, countryCode: 'DE' }, 'en'), 'HQ');
  assert.equal(place_text({ name: null, city: 'Lyon', region: null, countryCode: 'FR' }, 'de'), 'Lyon, Frankreich');
  assert.equal(place_text(null, 'en'), '');
});

test('a search finds words anywhere, whatever their accents', () => {
  const jobs = [
    { title: 'Köchin', department: 'Küche', location: { name: 'Süd' } },
    { title: 'Backend Engineer', department: null, location: null, workplaceType: 'on_site', employmentType: 'full_time' },
  ];
  const titles = (wanted) => chosen_jobs(jobs, wanted, 'de', (key) => texts.de[key]).map(({ title }) => title);
  assert.deepEqual(titles({ search: 'sud kochin' }), ['Köchin']);
  assert.deepEqual(titles({ search: 'ENGINEER back' }), ['Backend Engineer']);
  assert.deepEqual(titles({ search: 'vor ort' }), ['Backend Engineer']);
  assert.deepEqual(titles({ department: 'Küche', search: 'engineer' }), []);
  assert.deepEqual(titles({ workplace: 'on_site', employment: 'full_time' }), ['Backend Engineer']);
  assert.deepEqual(titles({ workplace: 'on_site', employment: 'part_time' }), []);
  assert.deepEqual(titles({}), ['Köchin', 'Backend Engineer']);
  assert.deepEqual(values_of(jobs, (job) => job.department, 'de'), ['Küche']);
});
