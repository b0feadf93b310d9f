// A hiring manager reaches candidates and pipelines of the jobs whose hiring team they are on, and no others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { ids_of, sync_changes, walk } from '../../support/lists.mjs';
import { fill, id_of, make_organization, set_hiring_team } from '../../support/organization.mjs';

let organization, member, key, own, foreign, admin;
before(async () => {
  organization = await make_organization();
  await fill(organization, { jobs: 4, candidates: 30 });
  member = await organization.add_member('hiring_manager');
  key = (await organization.key('*', member.email)).secret;
  admin = (await organization.key('*')).secret;
  [own, foreign] = [await id_of(organization, 'jobs', 'job-3'), await id_of(organization, 'jobs', 'job-1')];
});
after(close_connections);

test('on no hiring team: every job, no candidate', async () => {
  assert.equal((await walk('/jobs', { key })).length, 4);
  assert.deepEqual(await walk('/candidates', { key }), []);
  await get(`/jobs/${own}/candidates`, { key, expect: 404 });
  await get('/pipeline', { key, query: { jobId: own }, expect: 404 });
});

test('on one: its candidates, their applications for that job only', async () => {
  await set_hiring_team(organization, 3, [member.email]);
  const wanted = await walk(`/jobs/${own}/candidates`, { key: admin });
  assert.equal(wanted.length, 8);
  assert.deepEqual(ids_of(await walk('/candidates', { key })), ids_of(wanted));
  assert.deepEqual(ids_of(await walk(`/jobs/${own}/candidates`, { key })), ids_of(wanted));
  await sync_changes('/candidates', '', ids_of(wanted), { key });
  const { data } = (await get(`/candidates/${wanted[0].id}`, { key })).json;
  assert.deepEqual(data.applications.map((a) => a.jobId), [own]);
  const { data: pipeline } = (await get('/pipeline', { key, query: { jobId: own } })).json;
  assert.equal(pipeline.totals.active, 8);
  assert.ok(pipeline.stages.flatMap((s) => s.applications).every((a) => a.candidateName !== null));
});

test('another job and its candidates are not there', async () => {
  await get(`/jobs/${foreign}`, { key });
  await get(`/jobs/${foreign}/candidates`, { key, expect: 404 });
  await get('/pipeline', { key, query: { jobId: foreign }, expect: 404 });
  const stranger = await id_of(organization, 'candidates', 'candidate-1');
  await get(`/candidates/${stranger}`, { key, expect: 404 });
  assert.deepEqual((await get('/candidates', { key, query: { jobId: foreign } })).json.data, []);
  assert.deepEqual((await get('/candidates', { key, query: { email: `person.${organization.slug}.1@mail.example` } })).json.data, []);
});

test('taken off the team: nothing on the next request', async () => {
  await set_hiring_team(organization, 3, []);
  assert.deepEqual(await walk('/candidates', { key }), []);
  await get(`/jobs/${own}/candidates`, { key, expect: 404 });
});
