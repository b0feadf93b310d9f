// Rolling updates as Kubernetes does them, of every program, under load: no request fails. The settings are the manifests'
// with shorter times; Kubernetes is played by support/cluster.mjs.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { start_postgres } from '../faults/support/postgres.mjs';
import { until } from '../faults/support/wait.mjs';
import { auth_api_settings, make_operator, make_secrets, programs } from '../faults/support/world.mjs';
import { requests_with, start_clients } from './support/clients.mjs';
import { can_mount, make_deployment, make_dns, make_virtual_address } from './support/cluster.mjs';

const skip = can_mount ? false : 'names are played by mounting /etc/hosts: that needs root or user namespaces';
// Long enough for whoever has to notice, on a busy machine too.
const [drain, endpoint_lag] = ['3s', 500];
const ends = []; // last made, first ended
let gateways, auth_apis, public_apis, address, key;

/** How many addresses of a service are ready for each gateway. */
const ready_addresses = async (service) => {
  const texts = await Promise.all(gateways.pods().map((pod) => pod.admin('/metrics')));
  return texts.map(({ text }) => Number(new RegExp(`^recruiting_gateway_upstream_addresses_ready\\{upstream="${service}"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0));
};

const service_template = (name, port, folder, settings) => {
  const prefix = `RECRUITING_${name.toUpperCase().replace('-', '_')}`;
  return { name, folder, port, admin_port: port + 1000, prefix, command: [join(programs(), `recruiting-${name}`), []],
    env: { ...settings, [`${prefix}_THREADS`]: '1', [`${prefix}_DRAIN_DELAY`]: drain, [`${prefix}_DRAIN_TIMEOUT`]: '20s' } };
};

/** Behind a headless Service: the gateways learn of a pod by DNS. */
const headless = (dns, name, template) => {
  const deployment = make_deployment(template, {
    publish: (addresses) => dns.set(name, addresses),
    known: async () => !gateways || (await ready_addresses(name)).every((count) => count >= deployment.pods().length),
  });
  ends.push(() => deployment.stop());
  return deployment;
};

const gateway_template = (dns, folder) => ({
  name: 'gateway', folder, port: 8080, admin_port: 9080, prefix: 'RECRUITING_GATEWAY', command: dns.around(join(programs(), 'recruiting-gateway')),
  env: {
    RECRUITING_GATEWAY_AUTH_API: 'auth-api:8081', RECRUITING_GATEWAY_AUTH_API_HEALTH: ':9081',
    RECRUITING_GATEWAY_PUBLIC_API: 'public-api:8082', RECRUITING_GATEWAY_PUBLIC_API_HEALTH: ':9082',
    RECRUITING_GATEWAY_RATE_LIMIT_MODE: 'off', RECRUITING_GATEWAY_THREADS: '1',
    RECRUITING_GATEWAY_DRAIN_DELAY: '4s', RECRUITING_GATEWAY_DRAIN_TIMEOUT: '20s', RECRUITING_GATEWAY_ACCESS_LOG: 'false',
  },
});

const prepare_database = async (folder) => {
  const postgres = await start_postgres();
  ends.push(() => postgres.stop());
  const recruitctl = make_operator(folder, postgres);
  await recruitctl('migrate');
  await recruitctl('demo', 'load', '--jobs', '3', '--candidates', '5');
  key = (await recruitctl('key', 'create', '--organization', 'acme', '--owner', 'admin@acme.example', '--name', 'rolling', '--scope', '*', '--expires-in', '30d')).secret;
  return postgres;
};

before(async () => {
  if (skip) return;
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-rolling-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  make_secrets(folder);
  const postgres = await prepare_database(folder);
  const dns = make_dns(folder);
  ends.push(() => dns.close());
  const { RECRUITING_AUTH_API_DRAIN_DELAY: _, ...auth_settings } = auth_api_settings(folder, postgres);
  auth_apis = headless(dns, 'auth-api', service_template('auth-api', 8081, folder, auth_settings));
  public_apis = headless(dns, 'public-api', service_template('public-api', 8082, folder, {
    RECRUITING_CURSOR_SECRET_FILE: join(folder, 'cursor'), RECRUITING_PUBLIC_API_DATABASE_URL: postgres.url('recruiting_public'),
  }));
  await Promise.all([auth_apis.scale(2), public_apis.scale(2)]);
  address = await make_virtual_address(8080, endpoint_lag);
  ends.push(() => address.close());
  const deployment = make_deployment(gateway_template(dns, folder), {
    publish: (addresses) => address.publish(addresses),
    known: async (pod) => address.knows(pod.address),
  });
  ends.push(() => deployment.stop());
  await deployment.scale(2);
  gateways = deployment;
  for (const service of ['auth-api', 'public-api']) {
    await until(async () => (await ready_addresses(service)).every((count) => count === 2), `every gateway knows ${service}`);
  }
});
after(async () => {
  for (const end of ends.reverse()) await end();
});

for (const [name, deployment] of Object.entries({ 'auth-api': () => auth_apis, 'public-api': () => public_apis, gateway: () => gateways })) {
  test(`a rolling update of ${name} under load: no request fails`, { skip }, async (t) => {
    const clients = start_clients(address.port, requests_with(key));
    const replaced = deployment().pods();
    await deployment().roll();
    const { failures, done } = await clients.stop();
    t.diagnostic(`requests answered: ${JSON.stringify(done)}`);
    assert.deepEqual(failures, []);
    assert.ok(deployment().pods().every((pod) => !replaced.includes(pod)), 'every pod is a new one');
    assert.deepEqual(deployment().exits, replaced.map(() => 0));
  });
}
