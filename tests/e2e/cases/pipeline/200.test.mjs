// GET /pipeline: stages with their counts and applications.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
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
  assert.equal(data.stages.reduce((sum, stage) => sum + stage.candidateCount, 0), 8);
  for (const stage of data.stages) {
    assert.equal(stage.applications.length, stage.candidateCount);
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

test('totals count every status', async () => {
  const { secret: key } = await organization.key('pipeline:read');
  const { data } = (await get('/pipeline', { key, query: { jobId: await id_of(organization, 'jobs', 'job-2') } })).json;
  assert.deepEqual(data.totals, { active: 5, hired: 0, rejected: 5, withdrawn: 0 });
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

test('a stage shows 100 applications and says that there are more', async () => {
  await organization.import('jobs', [job_record(50)]);
  const many = Array.from({ length: 101 }, (_, i) => 1000 + i);
  await organization.import('candidates', many.map((i) => candidate_record(i, organization.slug)));
  await organization.import('applications', many.map((i) => application_record(i, 50, { stageName: 'Screen', status: 'active' })));
  const { secret: key } = await organization.key('pipeline:read');
  const { data } = (await get('/pipeline', { key, query: { jobId: await id_of(organization, 'jobs', 'job-50') } })).json;
  assert.equal(data.stages[1].candidateCount, 101);
  assert.equal(data.stages[1].applications.length, 100);
  assert.equal(data.stages[1].hasMore, true);
});

test('400: jobId missing, malformed, twice, or something else beside it', async () => {
  const { secret: key } = await organization.key('pipeline:read');
  for (const query of ['', 'jobId=', 'jobId=x', `jobId=${job}&jobId=${job}`, `jobId=${job}&limit=5`, `jobid=${job}`]) {
    const { error } = await get('/pipeline', { key, query, expect: 400 });
    assert.ok(error.details.length > 0);
  }
});
