// GET /jobs/{id}: the job with its description and stages.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { id_of, job_record, make_organization, stage_kinds, stage_names } from '../../support/organization.mjs';

after(close_connections);

test('the same record as in the list, and more', async () => {
  const [listed] = (await get('/jobs', { key: demo.key, query: { limit: 1, status: 'open' } })).json.data;
  const { descriptionHtml, descriptionText, stages, ...job } = (await get(`/jobs/${listed.id}`, { key: demo.key })).json.data;
  assert.deepEqual(job, listed);
  assert.ok(descriptionHtml.length > 0 && descriptionText.length > 0 && stages.length > 0);
});

test('stages in their order, as they were imported', async () => {
  const organization = await make_organization();
  await organization.import('jobs', [job_record(1)]);
  const { secret: key } = await organization.key('jobs:read');
  const { data } = (await get(`/jobs/${await id_of(organization, 'jobs', 'job-1')}`, { key })).json;
  assert.deepEqual(data.stages.map((stage) => stage.name), stage_names);
  assert.deepEqual(data.stages.map((stage) => stage.kind), stage_kinds);
  const positions = data.stages.map((stage) => stage.position);
  assert.deepEqual(positions, [...positions].sort((a, b) => a - b));
  assert.deepEqual(data.stages.map((stage) => stage.interviewDurationMinutes), [null, 30, 60, null, null]);
  assert.deepEqual(data.stages.map((stage) => stage.bookable), [false, true, true, false, false]);
  assert.equal(data.descriptionHtml, '<p>Work number 1</p>');
  assert.match(data.descriptionText, /Work number 1/);
  assert.match(data.publicUrl ?? `https://x/${data.id}`, new RegExp(data.id));
});
