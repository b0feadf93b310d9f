// Two of each program behind one address: HAProxy, gateways, auth-api, public-api.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { start_instance } from '../../faults/support/instance.mjs';
import { until } from '../../faults/support/wait.mjs';
import { auth_api_settings, programs, public_api_settings } from '../../faults/support/world.mjs';
import { start_haproxy } from './haproxy.mjs';

// Long enough for whoever has to notice, on a busy machine too.
const drain = (name) => ({ [`RECRUITING_${name}_DRAIN_DELAY`]: '3s', [`RECRUITING_${name}_DRAIN_TIMEOUT`]: '20s' });
const addresses = (pair) => pair.map((one) => `127.0.0.1:${one.port}`).join(',');
const health_ports = (pair) => pair.map((one) => `:${one.admin_port}`).join(',');

/** Those of the settings that the binary knows: one of another version may not have all of them. */
const known_by = (binary, settings) => {
  const names = execFileSync(binary, ['--help'], { encoding: 'utf8' }).match(/RECRUITING_\w+/g);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
};

/**
 * bin: where the programs are; more: further settings of {auth_api, public_api}; workers_apart: the workers run in two auth-api
 * that no gateway knows. All end with the test.
 */
export const start_pairs = async (t, { folder, postgres, bin = programs(), more = {}, workers_apart = false }) => {
  const all = [];
  const binary = (name, where) => join(where, `recruiting-${name}`);
  const start_two = async (name, settings) => {
    const pair = await Promise.all([0, 1].map((i) => start_instance(all.length + i, { name, program: binary(name, bin), folder, settings: (which) => known_by(which, settings) })));
    pair.forEach((one) => t.after(() => one.end('SIGKILL')));
    all.push(...pair);
    return pair.map((one) => Object.assign(one, { name }));
  };
  const auth_settings = { ...auth_api_settings(folder, postgres), ...drain('AUTH_API'), ...more.auth_api };
  const workers = workers_apart ? await start_two('auth-api', auth_settings) : [];
  const auth_apis = await start_two('auth-api', { ...auth_settings, ...(workers_apart && { RECRUITING_AUTH_API_WORKERS: 'false' }) });
  const public_apis = await start_two('public-api', { ...public_api_settings(folder, postgres.url('recruiting_public')), ...drain('PUBLIC_API'), ...more.public_api });
  const gateways = await start_two('gateway', {
    RECRUITING_GATEWAY_AUTH_API: addresses(auth_apis), RECRUITING_GATEWAY_AUTH_API_HEALTH: health_ports(auth_apis),
    RECRUITING_GATEWAY_PUBLIC_API: addresses(public_apis), RECRUITING_GATEWAY_PUBLIC_API_HEALTH: health_ports(public_apis),
    RECRUITING_GATEWAY_RATE_LIMIT_MODE: 'off', RECRUITING_GATEWAY_THREADS: '1', RECRUITING_GATEWAY_ACCESS_LOG: 'false', ...drain('GATEWAY'),
  });
  const balancer = await start_haproxy(folder, 'gateways', gateways.map(({ port, admin_port }) => ({ port, health_port: admin_port })), '/readyz');
  t.after(() => balancer.stop());
  /** Both gateways use both instances of each service. */
  const all_known = async () => (await Promise.all(gateways.map((one) => one.metric('recruiting_gateway_upstream_addresses_ready')))).every((ready) => ready === 4);
  const settled = async () => {
    await until(all_known, 'the gateways know the services');
    await balancer.all_ready();
  };
  await settled();
  return {
    port: balancer.port, workers, auth_apis, public_apis, gateways, all,
    /** In its place, as the binary of another folder if one is given. */
    async restart(one, from = bin) {
      await one.end('SIGTERM');
      one.exchange(binary(one.name, from));
      await one.start();
      await settled();
    },
  };
};
