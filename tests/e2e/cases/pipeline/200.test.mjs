// GET /pipeline: stages with their counts and applications.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auth_prefix, close_connections, get } from '../../support/client.mjs';
import { walk } from '../../support/lists.mjs';
import { application_record, candidate_record, fill, id_of, job_record, make_organization, stage_names } from '../../support/organization.mjs';

let organization, job;
before(async () => {
  organization = await make_organization();
  await fill(organization, { jobs: 4, candidates: 30 });
  job = await id_of(organization, 'jobs', 'job-3');
});
after(close_connections);

test('counts, applications and totals agree', async () => {
  const { secret: key } = await organization.key('*:read');
  const { data } = (await get('/pipeline', { key, query: { jobId: job } })).json;
  assert.equal(data.jobId, job);
  assert.equal(data.jobTitle, 'Engineer 003');
  assert.deepEqual(data.stages.map((stage) => stage.name), stage_names);
  // Job 3 has the candidates 0, 4, 8 … 28: none of them is rejected.
  assert.deepEqual(data.totals, { active: 8, hired: 0, rejected: 0, withdrawn: 0 });
  for (const stage of data.stages) {
    assert.equal(stage.applications.length, stage.activeCount);
    assert.equal(stage.hasMore, false);
    const times = stage.applications.map((a) => a.stageEnteredAt);
    assert.deepEqual(times, [...times].sort(), 'the longest waiting first');
    for (const application of stage.applications) {
      const { data: candidate } = (await get(`/candidates/${application.candidateId}`, { key })).json;
      assert.equal(application.candidateName, candidate.name);
      assert.ok(candidate.applications.some((a) => a.id === application.applicationId && a.stageId === stage.id));
    }
  }
});

test('totals count every status, and candidateCount counts the same in jobs, stages and lists', async () => {
  const { secret: key } = await organization.key('*:read');
  const id = await id_of(organization, 'jobs', 'job-2');
  const { data } = (await get('/pipeline', { key, query: { jobId: id } })).json;
  assert.deepEqual(data.totals, { active: 5, hired: 0, rejected: 5, withdrawn: 0 });
  const sum = (name) => data.stages.reduce((all, stage) => all + stage[name], 0);
  assert.equal(sum('candidateCount'), 10);
  assert.equal(sum('activeCount'), 5);
  assert.equal((await get(`/jobs/${id}`, { key })).json.data.candidateCount, 10);
  assert.equal((await walk('/jobs', { key })).find((one) => one.id === id).candidateCount, 10);
  for (const stage of data.stages) {
    assert.equal((await walk(`/jobs/${id}/candidates`, { key, query: { stageId: stage.id } })).length, stage.candidateCount);
  }
});

test('without candidates:read names are null, all else is the same', async () => {
  const [full, narrow] = [await organization.key('pipeline:read,candidates:read'), await organization.key('pipeline:read')];
  const [a, b] = await Promise.all([full, narrow].map(({ secret }) => get('/pipeline', { key: secret, query: { jobId: job } })));
  const nameless = (pipeline) => ({
    ...pipeline,
    stages: pipeline.stages.map((stage) => ({
      ...stage, applications: stage.applications.map((application) => ({ ...application, candidateName: null })),
    })),
  });
  assert.notDeepEqual(a.json.data, b.json.data);
  assert.deepEqual(nameless(a.json.data), b.json.data);
});

test('a stage shows 100 applications, and the list that it names has all of them', async () => {
  await organization.import('jobs', [job_record(50)]);
  const many = Array.from({ length: 101 }, (_, i) => 1000 + i);
  await organization.import('candidates', many.map((i) => candidate_record(i, organization.slug)));
  await organization.import('applications', many.map((i) => application_record(i, 50, { stageName: 'Screen', status: 'active' })));
  const { secret: key } = await organization.key('pipeline:read,candidates:read');
  const { data } = (await get('/pipeline', { key, query: { jobId: await id_of(organization, 'jobs', 'job-50') } })).json;
  const [, stage] = data.stages;
  assert.equal(stage.candidateCount, 101);
  assert.equal(stage.applications.length, 100);
  assert.equal(stage.hasMore, true);
  const { pathname, searchParams } = new URL(stage.candidatesUrl, 'http://host');
  const all = await walk(pathname.replace(auth_prefix, ''), { key, query: Object.fromEntries(searchParams) });
  assert.equal(all.length, 101);
  const listed = new Set(all.map(({ application }) => application.id));
  assert.ok(stage.applications.every(({ applicationId }) => listed.has(applicationId)));
});

test('400: jobId missing, malformed, twice, or something else beside it', async () => {
  const { secret: key } = await organization.key('pipeline:read');
  for (const query of ['', 'jobId=', 'jobId=x', `jobId=${job}&jobId=${job}`, `jobId=${job}&limit=5`, `jobid=${job}`]) {
    const { error } = await get('/pipeline', { key, query, expect: 400 });
    assert.ok(error.details.length > 0);
  }
});
