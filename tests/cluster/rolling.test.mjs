// Two of everything behind one address: gateways, auth-api, public-api, and auth-api that only work in the background. All
// are restarted in their place, one after the other, under load: no request fails.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { start_instance } from '../faults/support/instance.mjs';
import { until } from '../faults/support/wait.mjs';
import { auth_api_settings, programs, public_api_settings, start_database } from '../faults/support/world.mjs';
import { requests_with, start_clients } from '../containers/support/clients.mjs';
import { start_haproxy } from './support/haproxy.mjs';

// Long enough for whoever has to notice, on a busy machine too.
const drain = (name) => ({ [`RECRUITING_${name}_DRAIN_DELAY`]: '3s', [`RECRUITING_${name}_DRAIN_TIMEOUT`]: '20s' });
const addresses = (pair, of) => pair.map((one) => `127.0.0.1:${one[of]}`).join(',');

test('two of everything are restarted one after the other: no request fails, and the workers go on', async (t) => {
  const { folder, postgres, recruitctl } = await start_database(t, 'rolling');
  await recruitctl('demo', 'load', '--jobs', '3', '--candidates', '5');
  const { secret } = await recruitctl('key', 'create', '--organization', 'acme', '--owner', 'admin@acme.example', '--name', 'rolling', '--scope', '*', '--expires-in', '30d');
  const started = [];
  const start_two = async (name, settings) => {
    const pair = await Promise.all([0, 1].map((i) => start_instance(started.length + i, { name, program: join(programs(), `recruiting-${name}`), folder, settings })));
    pair.forEach((one) => t.after(() => one.end('SIGKILL')));
    started.push(...pair);
    return pair;
  };
  const auth_settings = { ...auth_api_settings(folder, postgres), ...drain('AUTH_API') };
  const workers = await start_two('auth-api', auth_settings);
  const auth_apis = await start_two('auth-api', { ...auth_settings, RECRUITING_AUTH_API_WORKERS: 'false' });
  const public_apis = await start_two('public-api', { ...public_api_settings(folder, postgres.url('recruiting_public')), ...drain('PUBLIC_API') });
  const gateways = await start_two('gateway', {
    RECRUITING_GATEWAY_AUTH_API: addresses(auth_apis, 'port'), RECRUITING_GATEWAY_AUTH_API_HEALTH: addresses(auth_apis, 'admin_port'),
    RECRUITING_GATEWAY_PUBLIC_API: addresses(public_apis, 'port'), RECRUITING_GATEWAY_PUBLIC_API_HEALTH: addresses(public_apis, 'admin_port'),
    RECRUITING_GATEWAY_RATE_LIMIT_MODE: 'off', RECRUITING_GATEWAY_THREADS: '1', RECRUITING_GATEWAY_ACCESS_LOG: 'false', ...drain('GATEWAY'),
  });
  const balancer = await start_haproxy(folder, 'gateways', gateways.map(({ port, admin_port }) => ({ port, health_port: admin_port })), '/readyz');
  t.after(() => balancer.stop());
  /** Both gateways use both instances of each service. */
  const all_known = async () => (await Promise.all(gateways.map((one) => one.metric('recruiting_gateway_upstream_addresses_ready')))).every((ready) => ready === 4);
  await until(all_known, 'the gateways know the services');

  const clients = start_clients(balancer.port, requests_with(secret));
  for (const one of [...auth_apis, ...public_apis, ...gateways, ...workers]) {
    await one.end('SIGTERM');
    await one.start();
    await until(all_known, 'the gateways know the services');
    await balancer.all_ready();
  }
  const { failures, done } = await clients.stop();
  t.diagnostic(`requests answered: ${JSON.stringify(done)}`);
  assert.deepEqual(failures, []);
  assert.deepEqual(started.flatMap(({ exits }) => exits.map(({ got }) => got)), started.map(() => 0));
  await until(async () => (await postgres.sql('select count(*) from recruiting.audit_intake')) === '0', 'the workers have sealed every audit row', 20);
});
