// Everything a trace passes: caller → gateway → services → PostgreSQL, Redis and a model, and a collector beside them.
import { join } from 'node:path';
import { start_gateway } from '../../edge/support/gateway.mjs';
import { start_instance } from '../../faults/support/instance.mjs';
import { programs, start_world } from '../../faults/support/world.mjs';
import { start_collector } from './collector.mjs';

export const trace_settings = (collector, more = {}) => ({
  RECRUITING_TRACE_ENDPOINT: collector.url,
  RECRUITING_TRACE_SAMPLE: '1',
  RECRUITING_TRACE_ATTRIBUTES: 'deployment.environment.name=tests',
  ...more,
});

/** answer: the model's. The gateway trusts its caller. Everything ends with stop(). */
export const start_traced_world = async ({ answer, trace = {}, auth = {} }) => {
  const stops = [];
  const world = {
    async stop() {
      for (const stop of stops.splice(0).reverse()) await stop();
    },
  };
  try {
    world.collector = await start_collector();
    stops.push(() => world.collector.stop());
    const traced = trace_settings(world.collector, trace);
    world.services = await start_world({ instances: 1, revocable: 1, answer, more: { ...traced, ...auth } });
    stops.push(() => world.services.stop());
    const [auth_api] = world.services.instances;
    const { folder, postgres, members } = world.services;
    world.secret = members[0].systems[0].secret;
    world.public_api = await start_instance(0, {
      name: 'public-api', program: join(programs(), 'recruiting-public-api'), folder, settings: {
        RECRUITING_PUBLIC_API_DATABASE_URL: postgres.url('recruiting_public'),
        RECRUITING_CURSOR_SECRET_FILE: join(folder, 'cursor'),
        RECRUITING_PUBLIC_API_THREADS: '1',
        ...traced,
      },
    });
    stops.push(() => world.public_api.end('SIGTERM'));
    world.auth_api = auth_api;
    world.gateway = await start_gateway(`127.0.0.1:${auth_api.port}`, `127.0.0.1:${world.public_api.port}`, { TRUSTED_PROXIES: '127.0.0.1' }, traced);
    stops.push(() => world.gateway.stop());
  } catch (error) {
    await world.stop();
    throw error;
  }
  return world;
};
