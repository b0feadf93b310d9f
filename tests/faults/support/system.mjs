// A whole system of its own: PostgreSQL, Redis, a mail and a model server, the three programs, and networks between them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { free_port } from '../../support/free_port.mjs';
import { fill } from './booking_world.mjs';
import { start_instance } from './instance.mjs';
import { start_postgres } from './postgres.mjs';
import { start_server } from './process.mjs';
import { start_relay } from './relay.mjs';
import { agent_settings, auth_api_settings, make_operator, make_secrets, programs, public_api_settings } from './world.mjs';

const slug = 'interviews';
const stand_in = fileURLToPath(new URL('stand_in.mjs', import.meta.url));
const many = '1000000';

const settings_of_auth_api = (folder, links) => ({
  ...auth_api_settings(folder, { url: (role) => `postgresql://${role}@127.0.0.1:${links['auth-api-postgres'].port}/recruiting` }),
  ...agent_settings({ url: `http://127.0.0.1:${links['auth-api-model'].port}/v1`, model: 'double' }),
  RECRUITING_AGENT_MODEL_CALL_TIMEOUT: '5s',
  RECRUITING_AGENT_LEASE: '3s', // the networks between stand still while a busy machine lets this process wait
  RECRUITING_BOOKING_LEASE: '1500ms',
  RECRUITING_MAIL_URL: `smtp://127.0.0.1:${links['auth-api-smtp'].port}`,
  RECRUITING_MAIL_FROM: 'jobs@example.com',
  RECRUITING_MAIL_TIMEOUT: '2s', // its lease is five times as long
  RECRUITING_MAIL_RETRY_FIRST: '20ms',
});

const settings_of_public_api = (folder, links, redis) => ({
  ...public_api_settings(folder, `postgresql://recruiting_public@127.0.0.1:${links['public-api-postgres'].port}/recruiting`),
  RECRUITING_REDIS_URL: `redis://127.0.0.1:${redis.port}`,
  RECRUITING_PUBLIC_API_BOOKINGS_PER_ADDRESS: many,
  RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL: many, // a client that repeats a refused request spends it
});

const settings_of_gateway = (links, services) => ({
  RECRUITING_GATEWAY_THREADS: '2',
  RECRUITING_GATEWAY_DRAIN_DELAY: '0ms',
  RECRUITING_GATEWAY_RATE_LIMIT: many,
  RECRUITING_GATEWAY_PUBLIC_RATE_LIMIT: many,
  RECRUITING_GATEWAY_TOTAL_RATE_LIMIT: '10000000',
  RECRUITING_REDIS_URL: `redis://127.0.0.1:${links['gateway-redis'].port}`,
  RECRUITING_GATEWAY_AUTH_API: `127.0.0.1:${links['gateway-auth-api'].port}`,
  RECRUITING_GATEWAY_AUTH_API_HEALTH: `:${services['auth-api'].admin_port}`,
  RECRUITING_GATEWAY_PUBLIC_API: `127.0.0.1:${links['gateway-public-api'].port}`,
  RECRUITING_GATEWAY_PUBLIC_API_HEALTH: `:${services['public-api'].admin_port}`,
});

/** Why PostgreSQL can't have a disk of its own that is filled; undefined: it can. */
export const disk_obstacle = () => {
  if (process.getuid() !== 0) return 'only root can mount a file system';
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-faults-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'recruiting-faults', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return undefined;
  } catch {
    return 'this machine does not allow mount';
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** candidates, slots, interviewers: what can be booked. Everything ends with stop(). */
export const start_system = async ({ candidates, slots, interviewers, disk }) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-system-'));
  const servers = {};
  const links = {};
  const stops = [() => rmSync(folder, { recursive: true })];
  const system = { folder, servers, links };
  system.stop = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  const journals = { smtp: join(folder, 'mails'), model: join(folder, 'calls') };
  system.journal = (kind) => readFileSync(journals[kind], 'utf8').split('\n').filter(Boolean);
  const keep = (name, server) => {
    servers[name] = server;
    stops.push(async () => {
      server.signal('SIGCONT');
      await server.end('SIGKILL');
    });
  };
  const connect = async (name, port) => {
    links[name] = await start_relay(port);
    stops.push(() => links[name].stop());
  };
  const foreign = async (name, command) => {
    const port = await free_port();
    keep(name, await start_server(name, port, command(port), join(folder, `${name}.log`)));
  };
  const own = async (name, settings) => {
    keep(name, await start_instance(1, { name, program: join(programs(), `recruiting-${name}`), settings, folder }));
    if (name !== 'gateway') await connect(`gateway-${name}`, servers[name].port);
  };
  try {
    make_secrets(folder);
    system.postgres = await start_postgres({ disk, more: 'min_wal_size = 32MB\nmax_wal_size = 64MB' });
    stops.push(() => system.postgres.stop());
    const recruitctl = make_operator(folder, system.postgres);
    await fill(system.postgres, recruitctl, { candidates, slots, interviewers });
    await recruitctl('member', 'add', '--organization', slug, '--email', 'admin@mail.example', '--name', 'Admin', '--role', 'admin');
    const key = await recruitctl('key', 'create', '--organization', slug, '--owner', 'admin@mail.example', '--name', 'load', '--scope', '*', '--expires-in', '30d');
    await foreign('redis', (port) => ['redis-server', ['--port', String(port), '--save', '', '--dir', folder]]);
    for (const kind of ['smtp', 'model']) {
      writeFileSync(journals[kind], '');
      await foreign(kind, (port) => [process.execPath, [stand_in, kind, String(port), journals[kind]]]);
    }
    await connect('auth-api-postgres', system.postgres.port);
    await connect('public-api-postgres', system.postgres.port);
    await connect('gateway-redis', servers.redis.port);
    await connect('auth-api-smtp', servers.smtp.port);
    await connect('auth-api-model', servers.model.port);
    await own('auth-api', settings_of_auth_api(folder, links));
    await own('public-api', settings_of_public_api(folder, links, servers.redis));
    await own('gateway', settings_of_gateway(links, servers));
    const [{ job, stage }] = await system.postgres.rows("select replace(job_id::text, '-', '') job, replace(id::text, '-', '') stage from recruiting.stages");
    Object.assign(system, { slug, secret: key.secret, candidates, scheduling: `/api/public/v1/scheduling/${job}/${stage}` });
  } catch (error) {
    await system.stop();
    throw error;
  }
  return system;
};
