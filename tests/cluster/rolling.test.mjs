// Two of everything behind one address: gateways, auth-api, public-api, and auth-api that only work in the background. All
// are restarted in their place, one after the other, under load: no request fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../faults/support/wait.mjs';
import { start_database } from '../faults/support/world.mjs';
import { requests_with, start_clients } from '../containers/support/clients.mjs';
import { start_pairs } from './support/pairs.mjs';

test('two of everything are restarted one after the other: no request fails, and the workers go on', async (t) => {
  const { folder, postgres, recruitctl } = await start_database(t, 'rolling');
  await recruitctl('demo', 'load', '--jobs', '3', '--candidates', '5');
  const { secret } = await recruitctl('key', 'create', '--organization', 'acme', '--owner', 'admin@acme.example', '--name', 'rolling', '--scope', '*', '--expires-in', '30d');
  const pairs = await start_pairs(t, { folder, postgres, workers_apart: true });

  const clients = start_clients(pairs.port, requests_with(secret));
  for (const one of [...pairs.auth_apis, ...pairs.public_apis, ...pairs.gateways, ...pairs.workers]) await pairs.restart(one);
  const { failures, done } = await clients.stop();
  t.diagnostic(`requests answered: ${JSON.stringify(done)}`);
  assert.deepEqual(failures, []);
  assert.deepEqual(pairs.all.flatMap(({ exits }) => exits.map(({ got }) => got)), pairs.all.map(() => 0));
  await until(async () => (await postgres.sql('select count(*) from recruiting.audit_intake')) === '0', 'the workers have sealed every audit row', 20);
});
