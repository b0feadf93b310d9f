// GET /jobs/{id}/candidates: the candidates of one job, each with its application.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { check_filters, check_refusals, check_sorts, check_time_filters, ids_of, sync_changes, walk } from '../../support/lists.mjs';
import { fill, id_of, make_organization } from '../../support/organization.mjs';
import { sql, uuid } from '../../support/recruitctl.mjs';

let organization, key, job, path, whole;
const number = (candidate) => Number(candidate.name.slice(-3));
before(async () => {
  organization = await make_organization();
  await fill(organization);
  key = (await organization.key('*:read')).secret;
  job = await id_of(organization, 'jobs', 'job-2');
  path = `/jobs/${job}/candidates`;
  whole = await walk(path, { key });
});
after(close_connections);

test('exactly the candidates of the job, each with the application for it', async () => {
  assert.equal(whole.length, 20);
  for (const candidate of whole) {
    assert.equal(number(candidate) % 3, 2);
    assert.equal(candidate.application.jobId, job);
    assert.equal(candidate.application.candidateId, candidate.id);
    assert.equal(candidate.application.stageName, 'Interview');
  }
  assert.deepEqual(ids_of(await walk('/candidates', { key, query: { jobId: job } })), ids_of(whole));
});

test('include=applications adds what GET /candidates/{id} shows', async () => {
  const included = await walk(path, { key, query: { include: 'applications', limit: 7 } });
  assert.deepEqual(included.map(({ applications, ...rest }) => rest), whole);
  const { applications } = (await get(`/candidates/${included[3].id}`, { key })).json.data;
  assert.deepEqual(included[3].applications, applications);
});

test('syncToken: the list at first, then who changed; gone with the application', async () => {
  const options = { key, include: 'applications' };
  const first = await sync_changes(path, '', ids_of(whole), { ...options, limit: 6 });
  const [one] = whole;
  await sql(`update recruiting.applications set deleted_at = now() where id = ${uuid(one.application.id)}`);
  const second = await sync_changes(path, first.token, [one.id], options);
  assert.deepEqual(Object.keys(second.records[0]).sort(), ['deletedAt', 'id']);
  await sql(`update recruiting.applications set deleted_at = null where id = ${uuid(one.application.id)}`);
  const third = await sync_changes(path, second.token, [one.id], options);
  assert.equal(third.records[0].application.id, one.application.id);
  whole = await walk(path, { key });
});

test('every sort, both ways', () => check_sorts(path, ['createdAt', 'updatedAt', 'name'], whole, { key }));

test('every filter', async () => {
  const { stages } = (await get(`/jobs/${job}`, { key })).json.data;
  await check_filters(path, [
    [{ status: 'rejected' }, (c) => c.application.status === 'rejected'],
    [{ status: 'active' }, (c) => c.application.status === 'active'],
    [{ status: 'active,hired' }, (c) => c.application.status === 'active'],
    [{ status: 'rejected,active' }, () => true],
    [{ externalId: 'candidate-5' }, (c) => c.externalId === 'candidate-5'],
    [{ applicationExternalId: 'application-5-2' }, (c) => c.application.externalId === 'application-5-2'],
    [{ applicationExternalId: 'application-5-3' }, () => false],
    [{ stageId: stages[2].id }, () => true],
    [{ stageId: stages[0].id }, () => false],
    [{ stageId: `${stages[0].id},${stages[2].id}` }, () => true],
    [{ email: `person.${organization.slug}.5@mail.example` }, (c) => number(c) === 5],
    [{ source: 'agency' }, (c) => c.source === 'agency'],
    [{ tag: 'sales' }, (c) => c.tags.includes('sales')],
    [{ q: 'ivanov' }, (c) => c.name.startsWith('Dmitri')],
  ], whole, { key });
  assert.ok(whole.some((c) => c.application.status === 'rejected'));
});

test('time filters', () => check_time_filters(path, ['created', 'updated'], whole, { key }));

test('400: bad parameters, all at once; limits; cursors', () =>
  check_refusals(path, {
    bad: { limit: '0', stageId: 'x', status: 'x', sort: 'title', createdBefore: 'x', jobId: job, include: 'stages' },
    filter: { tag: 'sales' },
  }, { key }));
