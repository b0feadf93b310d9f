// The feeds by parsers that are not ours, for jobs that hold whatever text can hold.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import Parser from 'rss-parser';
import { parseStringPromise } from 'xml2js';
import { close_connections, get_public, public_prefix, send } from '../../support/client.mjs';
import { ids_of, walk } from '../../support/lists.mjs';
import { await_condition } from '../../support/programs.mjs';
import { fill, job_record, make_organization } from '../../support/organization.mjs';

const naughty = JSON.parse(readFileSync(new URL('../../../vectors/naughty_strings.json', import.meta.url), 'utf8'))
  // Titles are trimmed, and hold no control characters.
  .filter((text) => text.trim() !== '' && text.length <= 300 && !/[\u0000-\u001f]/.test(text)).slice(0, 120);
// XML 1.0 can't hold these at all.
const in_xml = (text) => text.replace(/[\ufffe\uffff]/g, '');

let organization, path, jobs;
before(async () => {
  organization = await make_organization('Feeds & <Söhne> ]]>');
  await fill(organization);
  await organization.import('jobs', naughty.map((title, i) => ({
    ...job_record(0), externalId: `naughty-${i}`, title, descriptionHtml: `<p>]]&gt; ${title.replace(/[<&]/g, '')}</p>`, published: true,
  })));
  path = `/organizations/${organization.slug}`;
  // The second import is one transaction, so it is seen whole.
  await await_condition(async () => {
    const { status } = await send('GET', `${public_prefix}${path}`);
    if (status === 200) jobs = await walk(`${path}/jobs`, { getter: get_public });
    return jobs?.length > naughty.length;
  }, 'the imported jobs to be served');
});
after(close_connections);

const feed = (name, options) => get_public(`${path}/${name}`, options);
const by_id = (id) => jobs.find((job) => job.id === id);

test('RSS: every job once over its pages, with title, link, time and description', async () => {
  const items = [];
  for (let page = 1, more = true; more; ++page) {
    const { text } = await feed('jobs.rss', { query: { page } });
    more = text.includes('rel="next"');
    items.push(...(await new Parser().parseString(text)).items);
  }
  assert.deepEqual(items.map((item) => item.guid).sort(), ids_of(jobs));
  for (const item of items) {
    const job = by_id(item.guid);
    assert.equal(item.title.trim(), in_xml(job.title).trim());
    assert.equal(item.link, job.publicUrl);
    assert.equal(new Date(item.isoDate).getTime(), Math.floor(new Date(job.publishedAt) / 1000) * 1000);
    assert.equal(item.content.trim(), in_xml(job.descriptionHtml).trim());
  }
});

test('RSS: the channel says whose jobs these are and where it stands itself', async () => {
  const { rss } = await parseStringPromise((await feed('jobs.rss')).text);
  const [channel] = rss.channel;
  assert.equal(channel.title[0], 'Open jobs at Feeds & <Söhne> ]]>');
  assert.match(channel['atom:link'].find(({ $ }) => $.rel === 'self').$.href, new RegExp(`${path}/jobs\\.rss$`));
});

test('JSON Feed: every job once over its pages', async () => {
  const items = [];
  for (let target = `${public_prefix}${path}/jobs.json`; target;) {
    const read = JSON.parse((await send('GET', target, { expect: 200 })).text);
    items.push(...read.items);
    target = read.next_url && read.next_url.slice(new URL(read.next_url).origin.length);
  }
  assert.deepEqual(ids_of(items), ids_of(jobs));
  for (const item of items) {
    const job = by_id(item.id);
    assert.deepEqual([item.title, item.content_html, item.url, item.date_published], [job.title, job.descriptionHtml, job.publicUrl, job.publishedAt]);
  }
});

test("the job board's file holds every job", async () => {
  const { source } = await parseStringPromise((await feed('jobs.xml')).text);
  assert.deepEqual(source.job.map((job) => job.referencenumber[0]).sort(), ids_of(jobs));
  for (const job of source.job) {
    const own = by_id(job.referencenumber[0]);
    assert.deepEqual([job.title[0].trim(), job.url[0], job.description[0]], [in_xml(own.title).trim(), own.publicUrl, in_xml(own.descriptionHtml)]);
  }
});

test('the sitemap holds every address, each with its time', async () => {
  const { urlset } = await parseStringPromise((await feed('sitemap.xml')).text);
  const [home, ...addresses] = urlset.url;
  assert.match(home.loc[0], new RegExp(`/careers/${organization.slug}$`));
  assert.deepEqual(addresses.map(({ loc }) => loc[0]).sort(), jobs.map((job) => job.publicUrl).sort());
  for (const { lastmod } of addresses) assert.ok(!Number.isNaN(Date.parse(lastmod[0])));
  assert.equal((await parseStringPromise((await feed('sitemap.xml', { query: { page: 1 } })).text)).urlset.url.length, urlset.url.length);
});

test('a posting holds the job, and can stand in a script', async () => {
  for (const job of jobs.slice(0, 40)) {
    const { text, headers } = await get_public(`/jobs/${job.id}/jsonld`);
    assert.equal(headers['content-type'], 'application/ld+json');
    assert.doesNotMatch(text, /[<>&]/);
    const posting = JSON.parse(text);
    assert.deepEqual([posting.title, posting.identifier.value, posting.url], [job.title, job.id, job.publicUrl]);
    assert.equal('baseSalary' in posting, job.salary !== null);
  }
});

test('known already: 304; unknown: 404; preflight: 204', async () => {
  for (const known of [...['jobs.rss', 'jobs.json', 'jobs.xml', 'sitemap.xml'].map((name) => `${path}/${name}`), `/jobs/${jobs[0].id}/jsonld`]) {
    const { headers } = await get_public(known);
    await get_public(known, { headers: { 'If-None-Match': headers.etag }, expect: 304 });
    await send('OPTIONS', public_prefix + known, { headers: { Origin: 'https://careers.example', 'Access-Control-Request-Method': 'GET' }, expect: 204 });
    await get_public(known.replace(organization.slug, 'nobody-here').replace(jobs[0].id, '0'.repeat(32)), { expect: 404 });
  }
});
