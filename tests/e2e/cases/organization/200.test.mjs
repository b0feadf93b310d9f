// GET /organization: the key's own, with live counts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { job_record, make_organization } from '../../support/organization.mjs';
import { walk } from '../../support/lists.mjs';

after(close_connections);

test('the demo organization', async () => {
  const { data } = (await get('/organization', { key: demo.key })).json;
  assert.equal(data.slug, demo.slug);
  assert.ok(data.memberCount > 0 && data.openJobCount > 0);
  const open = await walk('/jobs', { key: demo.key, query: { status: 'open', limit: 200 } });
  assert.equal(open.length, data.openJobCount);
});

test('the counts follow members and jobs at once', async () => {
  const organization = await make_organization();
  const { secret } = await organization.key('organization:read');
  const counts = async () => {
    const { data } = (await get('/organization', { key: secret })).json;
    assert.equal(data.id, organization.id);
    return [data.memberCount, data.openJobCount];
  };
  assert.deepEqual(await counts(), [1, 0]);
  const { email } = await organization.add_member('viewer');
  await organization.import('jobs', [0, 1, 2, 3].map(job_record));
  assert.deepEqual(await counts(), [2, 3]);
  await organization.member('remove', email);
  assert.deepEqual(await counts(), [1, 3]);
});
