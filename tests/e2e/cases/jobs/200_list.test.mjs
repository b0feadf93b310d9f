// GET /jobs: pages, filters, order.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { check_filters, check_sorts, check_time_filters, ids_of, walk } from '../../support/lists.mjs';
import { fill, make_organization } from '../../support/organization.mjs';
import { sql, uuid } from '../../support/recruitctl.mjs';

let organization, key, whole;
before(async () => {
  organization = await make_organization();
  await fill(organization);
  key = (await organization.key('jobs:read')).secret;
  whole = await walk('/jobs', { key });
});
after(close_connections);

test('a page of the demo jobs has its records in full', async () => {
  const { data, page } = (await get('/jobs', { key: demo.key, query: { limit: 200 } })).json;
  assert.ok(data.length > 0);
  assert.equal(page.limit, 200);
  assert.ok(data.some((job) => job.salary !== null) && data.some((job) => job.hiringTeam.length > 0));
});

test('without parameters: 50 a page, newest first', async () => {
  const { data, page } = (await get('/jobs', { key: demo.key })).json;
  assert.equal(page.limit, 50);
  const times = data.map((job) => job.createdAt);
  assert.deepEqual(times, [...times].sort().reverse());
});

test('pages hold exactly the rows of the database', async () => {
  const rows = await sql(`select replace(id::text, '-', '') from recruiting.jobs
    where organization_id = ${uuid(organization.id)} and deleted_at is null`);
  for (const limit of [1, 2, 20, 21, 22]) {
    assert.deepEqual(ids_of(await walk('/jobs', { key, query: { limit } })), rows.flat().sort());
  }
});

test('records come as they were imported', () => {
  const job = whole.find((record) => record.requisitionId === 'REQ-1');
  assert.equal(job.externalId, 'job-1');
  assert.equal(job.title, 'Engineer 001');
  assert.equal(job.department, 'Sales');
  assert.equal(job.workplaceType, 'hybrid');
  assert.equal(job.employmentType, 'part_time');
  assert.equal(job.openings, 2);
  assert.deepEqual(job.salary, { min: 50001, max: 70001, currency: 'EUR', period: 'year' });
  assert.deepEqual(job.location, { name: 'Berlin', city: 'Berlin', region: null, countryCode: 'DE' });
  assert.equal(job.published, true);
  assert.notEqual(job.publishedAt, null);
  assert.ok(whole.some((record) => record.title === 'Köchin „Süd“ <& mehr>' && record.salary === null));
});

test('candidateCount counts the candidates of the job', async () => {
  const { secret } = await organization.key('candidates:read');
  for (const job of whole.slice(-4)) {
    assert.equal((await walk(`/jobs/${job.id}/candidates`, { key: secret })).length, job.candidateCount, job.title);
  }
});

test('stages and descriptions of jobs by include', async () => {
  const plain = new Map(whole.map((job) => [job.id, job]));
  for (const include of ['stages', 'description', 'stages,description', 'description,stages']) {
    const jobs = await walk('/jobs', { key, query: { include, limit: 20 } });
    assert.equal(jobs.length, whole.length);
    for (const { descriptionHtml, descriptionText, stages, ...rest } of jobs) {
      assert.deepEqual(rest, plain.get(rest.id));
      assert.equal(stages !== undefined, include.includes('stages'), include);
      assert.equal(descriptionHtml !== undefined && descriptionText !== undefined, include.includes('description'), include);
    }
  }
  const [first] = (await get('/jobs', { key, query: { include: 'stages,description', limit: 1 } })).json.data;
  assert.deepEqual(first, (await get(`/jobs/${first.id}`, { key })).json.data);
  const { data } = (await get('/jobs', { key, query: { syncToken: '', include: 'stages', limit: 3 } })).json;
  assert.ok(data.every((job) => job.stages.length === 5 && job.descriptionHtml === undefined));
});

test('every sort, both ways', () => check_sorts('/jobs', ['createdAt', 'updatedAt', 'title'], whole, { key }));

test('every filter', () =>
  check_filters('/jobs', [
    ...['draft', 'open', 'on_hold', 'closed', 'archived'].map((status) => [{ status }, (j) => j.status === status]),
    [{ status: 'open,on_hold' }, (j) => ['open', 'on_hold'].includes(j.status)],
    [{ status: 'closed,closed,draft,archived' }, (j) => ['closed', 'draft', 'archived'].includes(j.status)],
    [{ externalId: 'job-7' }, (j) => j.externalId === 'job-7'],
    [{ externalId: 'job-7,job-8' }, () => false],
    [{ department: 'People & Culture' }, (j) => j.department === 'People & Culture'],
    [{ department: 'Nobody' }, () => false],
    [{ published: 'true' }, (j) => j.published],
    [{ published: 'false' }, (j) => !j.published],
    [{ q: 'köchin' }, (j) => j.title.startsWith('Köchin')],
    [{ q: 'ENGINEER' }, (j) => j.title.startsWith('Engineer') || j.department === 'Engineering'],
    [{ q: 'req-1 engineer' }, (j) => /^REQ-1/.test(j.requisitionId) && j.title.startsWith('Engineer')],
    [{ q: '100% _' }, () => false],
    [{ status: 'open', department: 'Sales', published: 'true' }, (j) => j.status === 'open' && j.department === 'Sales' && j.published],
  ], whole, { key }));

test('time filters', () => check_time_filters('/jobs', ['created', 'updated'], whole, { key }));

test('sort and filter hold across pages', async () => {
  const found = await walk('/jobs', { key, query: { sort: '-title', status: 'open', limit: 2 } });
  const wanted = whole.filter((job) => job.status === 'open');
  assert.deepEqual(ids_of(found), ids_of(wanted));
});
