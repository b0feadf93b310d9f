// GET /candidates/{id}: the candidate with its applications.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { fill, id_of, make_organization } from '../../support/organization.mjs';

after(close_connections);

test('the same record as in the list, with every application', async () => {
  const organization = await make_organization();
  await fill(organization, { jobs: 4, candidates: 6 });
  const { secret: key } = await organization.key('candidates:read');
  const id = await id_of(organization, 'candidates', 'candidate-4');
  const { applications, ...candidate } = (await get(`/candidates/${id}`, { key })).json.data;
  const [listed] = (await get('/candidates', { key, query: { email: candidate.email } })).json.data;
  assert.deepEqual(candidate, listed);
  const jobs = [await id_of(organization, 'jobs', 'job-1'), await id_of(organization, 'jobs', 'job-3')];
  assert.deepEqual(applications.map((a) => a.jobId).sort(), jobs.sort());
  for (const application of applications) {
    assert.equal(application.candidateId, id);
    assert.equal(application.stageName, 'Screen');
    assert.equal(application.status, 'active');
    assert.equal(application.rejectedAt, null);
  }
  const rejected = (await get(`/candidates/${await id_of(organization, 'candidates', 'candidate-5')}`, { key })).json.data;
  assert.deepEqual(rejected.applications.map((a) => [a.status, a.rejectedAt !== null]), [['rejected', true]]);
});
