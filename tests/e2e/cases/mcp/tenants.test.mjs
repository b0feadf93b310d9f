// Two organizations: what belongs to the other is answered as what does not exist, byte for byte; nothing of it is shown.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completed } from '../../support/agent.mjs';
import { close_connections } from '../../support/client.mjs';
import { ask, call, legacy, modern, result_of } from '../../support/mcp.mjs';
import { fill, id_of, make_organization } from '../../support/organization.mjs';

const unknown = '0199c1a1c3d87f02b5a6e4d17c930f58';
let key, foreign;
before(async () => {
  const [own, other] = [await make_organization(), await make_organization()];
  await fill(own, { jobs: 2, candidates: 2 });
  await fill(other, { jobs: 2, candidates: 2 });
  key = (await own.key('*')).secret;
  const other_key = (await other.key('*')).secret;
  foreign = {
    key: other_key,
    slug: other.slug,
    job: await id_of(other, 'jobs', 'job-1'),
    candidate: await id_of(other, 'candidates', 'candidate-1'),
    session: (await completed({ key: other_key, prompt: 'How many open jobs are there?' })).sessionId,
    member: other.admin_member.id,
  };
});
after(close_connections);

const without_ids = ({ text, headers }, id) => text.replaceAll(headers['x-request-id'], 'REQUEST').replaceAll(id, 'ID');

for (const version of [modern, legacy]) {
  test(`an id of another organization is an unknown one (${version})`, async () => {
    for (const [tool, name, id] of [['get_job', 'jobId', foreign.job], ['get_candidate', 'candidateId', foreign.candidate], ['list_job_candidates', 'jobId', foreign.job],
      ['get_pipeline', 'jobId', foreign.job], ['get_agent_session', 'sessionId', foreign.session]]) {
      assert.equal((await call(tool, { [name]: id }, { key: foreign.key, version })).json.result.isError ?? false, false, tool);
      const bodies = [];
      for (const one of [id, unknown]) bodies.push(without_ids(await call(tool, { [name]: one }, { key, version }), one));
      assert.equal(bodies[0], bodies[1], tool);
    }
    for (const [kind, id] of [['jobs', foreign.job], ['candidates', foreign.candidate], ['agent/sessions', foreign.session]]) {
      const bodies = [];
      for (const one of [id, unknown]) bodies.push(without_ids(await ask('resources/read', { uri: `recruiting://${kind}/${one}` }, { key, version }), one));
      assert.equal(bodies[0], bodies[1], kind);
    }
    const resumed = [];
    for (const one of [foreign.session, unknown]) resumed.push(without_ids(await call('agent_invoke', { prompt: 'Go on.', sessionId: one }, { key, version }), one));
    assert.equal(resumed[0], resumed[1]);
  });
}

test('filters by another organization\'s ids find nothing, and its cursors and tokens are not taken', async () => {
  for (const [tool, given] of [['search_candidates', { jobId: foreign.job }], ['search_audit', { memberId: foreign.member }]]) {
    assert.deepEqual((await result_of('tools/call', { name: tool, arguments: given }, { key })).structuredContent.data, [], tool);
  }
  const page_of = async (tool, given) => (await result_of('tools/call', { name: tool, arguments: given }, { key: foreign.key })).structuredContent.page;
  const { nextCursor: cursor } = await page_of('list_jobs', { limit: 1 });
  const { syncToken } = await page_of('sync_jobs', { limit: 1 });
  for (const [tool, given] of [['list_jobs', { cursor, limit: 1 }], ['sync_jobs', { syncToken }]]) {
    const { isError, structuredContent, content } = await result_of('tools/call', { name: tool, arguments: given }, { key });
    if (!isError) assert.ok(structuredContent.data.every(({ id }) => id !== foreign.job));
    assert.ok(!JSON.stringify(content).includes(foreign.job), tool);
  }
});

test('nothing that is listed names the other organization', async () => {
  for (const tool of ['get_organization', 'list_members', 'list_jobs', 'search_candidates', 'get_billing', 'search_audit', 'list_agent_sessions', 'sync_jobs', 'sync_candidates']) {
    const { text } = await call(tool, {}, { key });
    for (const secret of [foreign.slug, foreign.job, foreign.candidate, foreign.session]) assert.ok(!text.includes(secret), `${tool} shows ${secret}`);
  }
});
