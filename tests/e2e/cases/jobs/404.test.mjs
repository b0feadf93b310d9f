// GET /jobs/{id} and below: unknown, malformed, deleted and another organization's id have one answer.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { candidate_record, id_of, job_record, make_organization } from '../../support/organization.mjs';

let ids, foreign_candidate;
before(async () => {
  const organization = await make_organization();
  await organization.import('jobs', [job_record(1), job_record(2)]);
  await organization.import('candidates', [candidate_record(1, organization.slug)]);
  const [foreign, deleted] = [await id_of(organization, 'jobs', 'job-1'), await id_of(organization, 'jobs', 'job-2')];
  foreign_candidate = await id_of(organization, 'candidates', 'candidate-1');
  await organization.remove('jobs', 'job-2');
  const { secret } = await organization.key('*');
  await get(`/jobs/${foreign}`, { key: secret });
  await get(`/jobs/${deleted}`, { key: secret, expect: 404 });
  ids = { foreign, unknown: '0199c1a1c3d87f02b5a6e4d17c930f58', malformed: 'x', upper: foreign.toUpperCase(), dashed: foreign.slice(1) };
});
after(close_connections);

const without_id = ({ text, headers }) => text.replaceAll(headers['x-request-id'], 'ID');

test('one identical body, whatever the reason', async () => {
  const key = demo.key;
  const bodies = [];
  for (const id of Object.values(ids)) {
    for (const path of [`/jobs/${id}`, `/jobs/${id}/candidates`, `/candidates/${id}`]) bodies.push(without_id(await get(path, { key, expect: 404 })));
  }
  bodies.push(without_id(await get(`/candidates/${foreign_candidate}`, { key, expect: 404 })));
  bodies.push(without_id(await get(`/pipeline`, { key, query: { jobId: ids.foreign }, expect: 404 })));
  bodies.push(without_id(await get(`/pipeline`, { key, query: { jobId: ids.unknown }, expect: 404 })));
  bodies.push(without_id(await get('/no/such/path', { key, expect: 404 })));
  assert.equal(new Set(bodies).size, 1, [...new Set(bodies)].join('\n'));
});

test('a filter by another organization\'s id finds nothing, like an unknown one', async () => {
  for (const id of [ids.foreign, ids.unknown]) {
    const { json } = await get('/candidates', { key: demo.key, query: { jobId: id } });
    assert.deepEqual(json.data, []);
  }
});
