// GET /jobs?syncToken=: a copy without loss.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections } from '../../support/client.mjs';
import { ids_of, sync_changes, sync_round, walk } from '../../support/lists.mjs';
import { fill, id_of, job_record, make_organization } from '../../support/organization.mjs';
import { hold_open, sql, uuid } from '../../support/recruitctl.mjs';

let organization, key;
before(async () => {
  organization = await make_organization();
  await fill(organization);
  key = (await organization.key('jobs:read')).secret;
});
after(close_connections);

test('the first round is the list; later rounds are exactly what changed or was deleted', async () => {
  const first = await sync_changes('/jobs', '', ids_of(await walk('/jobs', { key })), { key, limit: 5 });
  assert.deepEqual((await sync_round('/jobs', first.token, { key })).records, []);

  await organization.import('jobs', [{ ...job_record(1), title: 'Renamed' }, job_record(100)]);
  const [changed, added, deleted] = await Promise.all(['job-1', 'job-100', 'job-2'].map((id) => id_of(organization, 'jobs', id)));
  await organization.remove('jobs', 'job-2');

  const second = await sync_changes('/jobs', first.token, [changed, added, deleted], { key, limit: 1 });
  const record = (id) => second.records.find((job) => job.id === id);
  assert.equal(record(changed).title, 'Renamed');
  assert.equal(record(changed).deletedAt, null);
  assert.deepEqual(Object.keys(record(deleted)), ['id', 'deletedAt']);
  assert.notEqual(record(deleted).deletedAt, null);
  assert.ok(!(await walk('/jobs', { key })).some((job) => job.id === deleted), 'a list shows no deleted record');

  // The old token still tells the same story: a warehouse may repeat a round that it lost.
  await sync_changes('/jobs', first.token, ids_of(second.records), { key });
  assert.deepEqual((await sync_round('/jobs', second.token, { key })).records, []);
});

test('a transaction that commits late is not missed', async () => {
  const { token } = await sync_changes('/jobs', '', ids_of(await walk('/jobs', { key })), { key });
  const [slow, quick] = [await id_of(organization, 'jobs', 'job-4'), await id_of(organization, 'jobs', 'job-5')];
  // The slow one writes first, and commits after the quick one was already synced.
  const commit = await hold_open(`update recruiting.jobs set title = 'Slow' where id = ${uuid(slow)}`);
  await sql(`update recruiting.jobs set title = 'Quick' where id = ${uuid(quick)}`);
  const between = await sync_round('/jobs', token, { key });
  await commit();
  const missing = [slow, quick].filter((id) => !between.records.some((job) => job.id === id));
  assert.ok(missing.includes(slow), 'an open transaction can not have been returned');
  const end = await sync_changes('/jobs', between.token, missing, { key });
  const titles = [...between.records, ...end.records].map((job) => job.title).sort();
  assert.deepEqual(titles, ['Quick', 'Slow']);
});
