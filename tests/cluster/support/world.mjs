// All programs on a Patroni cluster, twice: number 0 reaches the primary by a list of hosts, number 1 through HAProxy.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bookable_stage, booking_settings, connect, fill, limits_far_away, start_redis } from '../../faults/support/booking_world.mjs';
import { start_instance } from '../../faults/support/instance.mjs';
import { until } from '../../faults/support/wait.mjs';
import { agent_settings, auth_api_settings, make_members, make_operator, make_secrets, programs, public_api_settings } from '../../faults/support/world.mjs';
import { start_model_double } from '../../support/model_double.mjs';
import { start_haproxy } from './haproxy.mjs';
import { start_patroni } from './patroni.mjs';

export const ways = ['by the list of hosts', 'through HAProxy'];

/** Everything ends with stop(). */
export const start_world = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-cluster-'));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user when the test is root
  const world = { folder, seed: 1 };
  const stops = [() => rmSync(folder, { recursive: true })];
  world.stop = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  const start = async (name, number, settings) => {
    const instance = await start_instance(number, { name, program: join(programs(), `recruiting-${name}`), folder, settings });
    stops.push(() => instance.end('SIGKILL'));
    return instance;
  };
  try {
    make_secrets(folder);
    world.cluster = await start_patroni(folder);
    stops.push(() => world.cluster.stop());
    const haproxy = await start_haproxy(folder, 'primary', world.cluster.nodes, '/primary', 'on-marked-down shutdown-sessions');
    stops.push(() => haproxy.stop());
    const redis = await start_redis(folder);
    stops.push(() => redis.stop());
    world.model = await start_model_double(({ prompt }) => `Done: ${prompt}`);
    stops.push(() => world.model.stop());
    world.recruitctl = make_operator(folder, world.cluster);
    await fill(world.cluster, world.recruitctl, { candidates: 8_000, slots: 600, interviewers: 5 });
    world.members = await make_members(world.recruitctl, 0);
    const urls = [world.cluster.url, (role) => `postgresql://${role}@127.0.0.1:${haproxy.port}/recruiting?target_session_attrs=read-write`];
    world.auth_apis = await Promise.all(urls.map((url, number) => start('auth-api', number, {
      ...auth_api_settings(folder, { url }), ...agent_settings(world.model), ...booking_settings, RECRUITING_AUTH_API_STATEMENT_TIMEOUT: '5s',
    })));
    world.public_apis = await Promise.all(urls.map((url, number) => start('public-api', number, {
      ...public_api_settings(folder, url('recruiting_public')), ...limits_far_away, RECRUITING_PUBLIC_API_DATABASE_TIMEOUT: '5s', RECRUITING_PUBLIC_API_REDIS_URL: redis.url,
    })));
    const stage = await bookable_stage(world.cluster);
    world.visitors = world.public_apis.map(({ port }) => connect(port, stage));
    stops.push(() => world.visitors.forEach((visitor) => visitor.close()));
    await until(async () => (await world.visitors[0].slots()).status === 200, 'slots');
    world.slots = JSON.parse((await world.visitors[0].slots()).text).data.map((slot) => slot.slotStart);
  } catch (error) {
    await world.stop();
    throw error;
  }
  return world;
};
