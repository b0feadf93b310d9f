// The public API: what is published, and nothing of what is not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get, get_public, public_prefix, send } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { check_filters, check_refused, ids_of, walk } from '../../support/lists.mjs';
import { fill, id_of, job_record, make_organization } from '../../support/organization.mjs';
import { published } from '../../support/published.mjs';
import { sql, uuid } from '../../support/recruitctl.mjs';

let organization, path, whole, internal;
const getter = get_public;
before(async () => {
  organization = await make_organization('Published');
  await fill(organization);
  await published(organization);
  path = `/organizations/${organization.slug}/jobs`;
  whole = await walk(path, { getter });
  internal = await walk('/jobs', { key: (await organization.key('jobs:read')).secret });
});
after(close_connections);

test('the organization', async () => {
  const { data } = (await get_public(`/organizations/${organization.slug}`)).json;
  assert.equal(data.name, 'Published');
  assert.equal(data.openJobCount, whole.length);
  const { data: acme } = (await get_public(`/organizations/${demo.slug}`)).json;
  assert.ok(acme.openJobCount > 0);
});

test('exactly the jobs that are published and open', () => {
  assert.deepEqual(ids_of(whole), ids_of(internal.filter((job) => job.published && job.status === 'open')));
  assert.ok(whole.length > 3);
});

test('newest publication first', () => {
  const times = whole.map((job) => job.publishedAt);
  assert.deepEqual(times, [...times].sort().reverse());
});

test('pages hold every job once', async () => {
  for (const limit of [1, 4, 100]) assert.deepEqual(ids_of(await walk(path, { getter, query: { limit } })), ids_of(whole));
});

test('a job alone is the same record', async () => {
  for (const job of whole.slice(0, 5)) assert.deepEqual((await get_public(`/jobs/${job.id}`)).json.data, job);
});

test('salary only where it is published', () => {
  for (const job of whole) {
    const { salary, salaryPublished } = internal.find((other) => other.id === job.id);
    assert.deepEqual(job.salary, salaryPublished ? salary : null);
  }
  assert.ok(whole.some((job) => job.salary) && internal.some((job) => job.published && job.salary && !job.salaryPublished));
});

test('bookable stages with their duration', () => {
  for (const job of whole) assert.deepEqual(job.bookableStages.map((s) => [s.name, s.interviewDurationMinutes]), [['Screen', 30], ['Interview', 60]]);
});

test('a description keeps text and harmless markup, nothing else', async () => {
  const html = '<p onclick="x()">Hi <b>you</b> <strong>there</strong><script>alert(1)</script></p><a href="javascript:x()">a</a><a href="https://ok.example">b</a><img src=x onerror=x()>';
  await organization.import('jobs', [{ ...job_record(300), status: 'open', published: true, descriptionHtml: html }]);
  await published(organization);
  const { data } = (await get_public(`/jobs/${await id_of(organization, 'jobs', 'job-300')}`)).json;
  assert.doesNotMatch(data.descriptionHtml, /script|onclick|onerror|javascript|<img/i);
  assert.match(data.descriptionHtml, /<strong>there<\/strong>/);
  assert.match(data.descriptionHtml, /href="https:\/\/ok\.example"/);
  await sql(`update recruiting.jobs set deleted_at = now() where organization_id = ${uuid(organization.id)} and external_id = 'job-300'`);
  await published(organization);
});

test('every filter', () =>
  check_filters(path, [
    [{ department: 'Sales' }, (j) => j.department === 'Sales'],
    [{ location: 'Berlin' }, () => true],
    [{ location: 'Nowhere' }, () => false],
    [{ workplaceType: 'hybrid' }, (j) => j.workplaceType === 'hybrid'],
    [{ employmentType: 'full_time' }, (j) => j.employmentType === 'full_time'],
    [{ q: 'engineer' }, (j) => j.title.startsWith('Engineer') || j.department === 'Engineering'],
    [{ q: 'remote sales' }, (j) => j.workplaceType === 'remote' && j.department === 'Sales'],
    [{ workplaceType: 'remote', department: 'Sales' }, (j) => j.workplaceType === 'remote' && j.department === 'Sales'],
  ], whole, { getter }));

test('unknown parameters are ignored, ill-typed ones refused all at once', async () => {
  assert.deepEqual((await get_public(path, { query: { utm_source: 'x' } })).json.data.length, whole.length);
  await check_refused(path, { limit: '101', workplaceType: 'x', employmentType: 'x', cursor: 'x' },
    ['limit', 'workplaceType', 'employmentType', 'cursor'], { getter });
  const { nextCursor } = (await get_public(path, { query: { limit: 1 } })).json.page;
  await check_refused(path, { cursor: nextCursor, department: 'Sales' }, ['cursor'], { getter });
});

test('404: unpublished, closed, deleted, past its closing time, unknown: one answer', async () => {
  const bodies = new Set();
  const not_found = async (where) => {
    const { text, headers } = await get_public(where, { expect: 404 });
    bodies.add(text.replaceAll(headers['x-request-id'], 'ID'));
  };
  for (const job of internal.filter((j) => !j.published || j.status !== 'open')) await not_found(`/jobs/${job.id}`);
  const [a, b, c] = whole;
  await sql(`update recruiting.jobs set closes_at = now() - interval '1 second' where id = ${uuid(a.id)}`);
  await sql(`update recruiting.jobs set deleted_at = now() where id = ${uuid(b.id)}`);
  await sql(`update recruiting.jobs set published = false where id = ${uuid(c.id)}`);
  await published(organization);
  for (const { id } of [a, b, c]) await not_found(`/jobs/${id}`);
  await not_found('/jobs/0199c1a1c3d87f02b5a6e4d17c930f58');
  await not_found('/jobs/x');
  for (const slug of ['nobody', 'ACME', '-', '%C3%A4', 'a'.repeat(200)]) {
    const { status } = await send('GET', `${public_prefix}/organizations/${slug}`);
    assert.ok([400, 404].includes(status), slug);
  }
  await not_found('/organizations/nobody');
  await not_found('/organizations/nobody/jobs');
  await not_found('/candidates');
  await not_found('/me');
  assert.equal(bodies.size, 1, [...bodies].join('\n'));
});

test('ETag: 304 without a body until something changes', async () => {
  for (const where of [path, `/jobs/${whole[3].id}`, `/organizations/${organization.slug}`, '/openapi.json', `/jobs?organization=${organization.slug}`]) {
    const { headers } = await get_public(where);
    const again = await get_public(where, { headers: { 'If-None-Match': `"other", ${headers.etag}` }, expect: 304 });
    assert.equal(again.text, '');
    assert.equal(again.headers.etag, headers.etag);
    await get_public(where, { headers: { 'If-None-Match': '"other"' } });
  }
  const { headers } = await get_public(path);
  await organization.import('jobs', [job_record(400)]);
  await published(organization);
  await get_public(path, { headers: { 'If-None-Match': headers.etag } });
  await organization.remove('jobs', 'job-400');
  await published(organization);
});

test('compressed where that is asked for, with a validator of its own', async () => {
  const plain = await get_public(path);
  const { headers } = await send('HEAD', public_prefix + path, { headers: { 'Accept-Encoding': 'gzip' }, expect: 200 });
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(headers['content-encoding'], 'gzip');
  assert.equal(headers.vary, 'Accept-Encoding');
  assert.notEqual(headers.etag, plain.headers.etag);
  await get_public(path, { headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': headers.etag }, expect: 304 });
});

test('/jobs?organization= is the same list', async () => {
  const query = { organization: organization.slug, limit: 2 };
  assert.deepEqual(ids_of(await walk('/jobs', { getter, query })), ids_of((await get_public(path)).json.data));
  await get_public('/jobs', { query: { organization: 'nobody' }, expect: 404 });
  await check_refused('/jobs', { limit: 0 }, ['organization', 'limit'], { getter });
  for (const filter of [{ department: 'Sales' }, { location: 'Berlin' }, { workplaceType: 'hybrid' }, { employmentType: 'contract' }, { q: 'engineer' }]) {
    const [one, other] = [await get_public('/jobs', { query: { ...query, ...filter } }), await get_public(path, { query: { limit: 2, ...filter } })];
    assert.deepEqual(one.json.data, other.json.data);
  }
});

test('nothing of the inside is in any answer', async () => {
  const text = (await get_public(path, { query: { limit: 100 } })).text;
  for (const word of ['hiringTeam', 'requisitionId', 'REQ-', 'candidateCount', 'externalId', 'openings', 'mail.example']) assert.ok(!text.includes(word), word);
  const { status } = await get(`/jobs/${whole[0].id}`, { expect: 401 });
  assert.equal(status, 401);
});

test('a careers page is found by other forms of its address', async () => {
  const { slug } = organization;
  const [{ id }] = (await get_public(path)).json.data;
  const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const moved = { [`/careers/${slug}/`]: `/careers/${slug}`, [`/careers/${slug.toUpperCase()}?page=1`]: `/careers/${slug}?page=1`,
    [`/careers/${slug}/jobs/${dashed}`]: `/careers/${slug}/jobs/${id}`, [`/careers/${slug}/jobs/${id.toUpperCase()}/`]: `/careers/${slug}/jobs/${id}` };
  for (const [asked, own] of Object.entries(moved)) {
    const { headers } = await send('GET', asked, { expect: 301 });
    assert.equal(headers.location, own);
    await send('GET', own, { expect: 200 });
  }
});
