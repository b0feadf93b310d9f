// GET /candidates?syncToken=: a copy without loss.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections } from '../../support/client.mjs';
import { ids_of, sync_changes, sync_round, walk } from '../../support/lists.mjs';
import { await_condition } from '../../support/programs.mjs';
import { candidate_record, fill, id_of, make_organization } from '../../support/organization.mjs';

let organization, key;
before(async () => {
  organization = await make_organization();
  await fill(organization, { jobs: 4, candidates: 30 });
  key = (await organization.key('candidates:read')).secret;
});
after(close_connections);

test('the first round is the list; later rounds are exactly what changed or was deleted', async () => {
  const first = await sync_changes('/candidates', '', ids_of(await walk('/candidates', { key })), { key, limit: 7 });

  await organization.import('candidates', [
    { ...candidate_record(3, organization.slug), currentTitle: 'Head of Accounting' },
    candidate_record(200, organization.slug),
  ]);
  const [changed, added, deleted] = await Promise.all(
    ['candidate-3', 'candidate-200', 'candidate-8'].map((id) => id_of(organization, 'candidates', id)));
  await organization.remove('candidates', 'candidate-8');

  const second = await sync_changes('/candidates', first.token, [changed, added, deleted], { key, limit: 2 });
  assert.equal(second.records.find((c) => c.id === changed).currentTitle, 'Head of Accounting');
  assert.notEqual(second.records.find((c) => c.id === deleted).deletedAt, null);
  assert.deepEqual((await sync_round('/candidates', second.token, { key })).records, []);
});

test('an import that changes nothing returns nothing', async () => {
  const { token } = await sync_changes('/candidates', '', ids_of(await walk('/candidates', { key })), { key });
  await organization.import('candidates', [candidate_record(5, organization.slug)]);
  assert.deepEqual((await sync_round('/candidates', token, { key })).records, []);
});

test('a walk during writes ends with the newest state of every record', async () => {
  const copy = new Map();
  let token = '';
  for (let round = 0; round < 4; round += 1) {
    await organization.import('candidates', [{ ...candidate_record(round, organization.slug), currentCompany: `Round ${round}` }]);
    const got = await sync_round('/candidates', token, { key, limit: 3 });
    for (const record of got.records) copy.set(record.id, record);
    token = got.token;
  }
  const live = await walk('/candidates', { key });
  const behind = () => live.filter((record) => copy.get(record.id)?.updatedAt !== record.updatedAt);
  await await_condition(async () => {
    const got = await sync_round('/candidates', token, { key });
    for (const record of got.records) copy.set(record.id, record);
    token = got.token;
    return behind().length === 0;
  }, 'the copy has caught up');
  assert.deepEqual([...copy.values()].filter((c) => c.deletedAt === null).sort((a, b) => (a.id < b.id ? -1 : 1)),
    live.sort((a, b) => (a.id < b.id ? -1 : 1)));
});
