// GET /candidates: pages, filters, order.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { check_filters, check_sorts, check_time_filters, ids_of, walk } from '../../support/lists.mjs';
import { fill, id_of, make_organization } from '../../support/organization.mjs';
import { sql, uuid } from '../../support/recruitctl.mjs';
import { record_secret } from '../../support/records.mjs';

let organization, key, whole;
before(async () => {
  organization = await make_organization();
  await fill(organization);
  key = (await organization.key('*:read')).secret;
  whole = await walk('/candidates', { key });
});
after(close_connections);

test('a page of the demo candidates', async () => {
  const { data } = (await get('/candidates', { key: demo.key, query: { limit: 200 } })).json;
  assert.equal(data.length, 200);
  for (const candidate of data) record_secret(candidate.email);
  assert.ok(data.some((candidate) => candidate.tags.length > 0) && data.some((candidate) => candidate.links.length > 0));
});

test('include=applications adds what GET /candidates/{id} shows', async () => {
  const included = await walk('/candidates', { key, query: { include: 'applications', limit: 7 } });
  assert.deepEqual(included.map(({ applications, ...rest }) => rest), whole);
  const { applications } = (await get(`/candidates/${included[3].id}`, { key })).json.data;
  assert.deepEqual(included[3].applications, applications);
});

test('pages hold exactly the rows of the database', async () => {
  const rows = await sql(`select replace(id::text, '-', '') from recruiting.candidates
    where organization_id = ${uuid(organization.id)} and deleted_at is null`);
  assert.equal(rows.length, 61);
  for (const limit of [3, 60, 61, 200]) {
    assert.deepEqual(ids_of(await walk('/candidates', { key, query: { limit } })), rows.flat().sort());
  }
});

test('records come as they were imported', () => {
  const candidate = whole.find((record) => record.email === `person.${organization.slug}.1@mail.example`);
  assert.equal(candidate.name, 'Bruno Díaz 001');
  assert.deepEqual(candidate.tags, ['backend', 'remote']);
  assert.deepEqual(candidate.links, [{ type: 'website', url: `https://people.example/${organization.slug}/1` }]);
  assert.equal(candidate.location.city, 'Lyon');
  assert.equal(candidate.source, 'careers page');
});

test('pages stay whole while rows come and go', async () => {
  const seen = [];
  let cursor;
  do {
    const { data, page } = (await get('/candidates', { key, query: { limit: 10, cursor } })).json;
    seen.push(...data);
    cursor = page.nextCursor ?? undefined;
    await organization.import('candidates', [{ externalId: `late-${seen.length}`, name: `Late ${seen.length}`, email: null }]);
  } while (cursor);
  for (const { id } of whole) assert.equal(seen.filter((record) => record.id === id).length, 1, `${id} once`);
  await sql(`update recruiting.candidates set deleted_at = clock_timestamp()
    where organization_id = ${uuid(organization.id)} and external_id like 'late-%'`);
});

test('every sort, both ways', () => check_sorts('/candidates', ['createdAt', 'updatedAt', 'name'], whole, { key }));

test('filters of the candidate', () =>
  check_filters('/candidates', [
    [{ email: `person.${organization.slug}.7@mail.example` }, (c) => c.email.includes('.7@')],
    [{ email: `PERSON.${organization.slug}.7@Mail.Example` }, (c) => c.email.includes('.7@')],
    [{ email: 'nobody@mail.example' }, () => false],
    [{ externalId: 'candidate-7' }, (c) => c.externalId === 'candidate-7'],
    [{ externalId: 'nobody' }, () => false],
    [{ source: 'careers page' }, (c) => c.source === 'careers page'],
    [{ tag: 'backend' }, (c) => c.tags.includes('backend')],
    [{ tag: 'back' }, () => false],
    [{ q: 'öberg' }, (c) => c.name.startsWith('Åsa')],
    [{ q: 'Oberg' }, (c) => c.name.startsWith('Åsa')],
    [{ q: 'bruno 001' }, (c) => c.name === 'Bruno Díaz 001'],
    [{ q: 'zzz' }, () => false],
    [{ tag: 'sales', source: 'agency' }, (c) => c.tags.includes('sales') && c.source === 'agency'],
  ], whole, { key }));

test('filters of the application', async () => {
  const [job, other] = [await id_of(organization, 'jobs', 'job-1'), await id_of(organization, 'jobs', 'job-0')];
  const number = (c) => Number(c.name.slice(-3));
  const of_job = (c) => number(c) % 3 === 1;
  const { data } = (await get(`/jobs/${job}`, { key })).json;
  const stage = data.stages[1].id;
  await check_filters('/candidates', [
    [{ jobId: job }, of_job],
    [{ stageId: stage }, (c) => of_job(c) && number(c) % 3 === 1],
    [{ stageId: data.stages[0].id }, () => false],
    [{ status: 'rejected' }, (c) => number(c) % 6 === 5],
    [{ status: 'hired' }, () => false],
    [{ status: 'hired,rejected' }, (c) => number(c) % 6 === 5],
    [{ status: 'active,rejected' }, () => true],
    [{ stageId: `${data.stages[0].id},${stage}` }, of_job],
    [{ jobId: `${other},${job}` }, (c) => number(c) % 3 !== 2],
    [{ jobId: `${other},${job}`, status: 'active' }, (c) => number(c) % 3 !== 2 && number(c) % 6 !== 5],
    [{ applicationExternalId: 'application-7-1' }, (c) => number(c) === 7],
    [{ applicationExternalId: 'application-7-1', status: 'rejected' }, () => false],
    [{ jobId: job, status: 'active' }, (c) => of_job(c) && number(c) % 6 !== 5],
    [{ jobId: job, stageId: stage, status: 'rejected' }, () => false],
  ], whole, { key });
});

test('time filters', () => check_time_filters('/candidates', ['created', 'updated'], whole, { key }));
