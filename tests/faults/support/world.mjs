// What a fault test runs against: PostgreSQL, an organization with keys, a model, several auth-api on one database.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { start_model_double } from '../../support/model_double.mjs';
import { start_instance } from './instance.mjs';
import { start_postgres } from './postgres.mjs';

const execute = promisify(execFile);
const slug = 'faults';
export const lease = 1_500; // ms

/** Where the built programs are. */
export const programs = () => {
  const build = process.env.RECRUITING_BUILD_DIR;
  if (!build) throw new Error('RECRUITING_BUILD_DIR is not set: run scripts/test --only faults, or set it, such as to build/release');
  return join(build, 'bin');
};

export const agent_settings = (model) => ({
  RECRUITING_AGENT_MODEL_BASE_URL: model.url,
  RECRUITING_AGENT_MODEL: model.model,
  RECRUITING_AGENT_RUNS_PER_ORGANIZATION: '10000',
  RECRUITING_AGENT_RUN_TIMEOUT: '30s',
  RECRUITING_AGENT_LEASE: `${lease}ms`,
});

/** The files that auth_api_settings and make_operator name; text, for a line feed at their end is not part of a secret. */
export const make_secrets = (folder) => {
  for (const name of ['pepper', 'cursor']) writeFileSync(join(folder, name), randomBytes(32).toString('hex'), { mode: 0o600 });
};

/** A connection string for whichever of the servers takes writes. */
export const url_of_primary = (role, servers) =>
  `postgresql://${role}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/recruiting?target_session_attrs=read-write`;

export const auth_api_settings = (folder, postgres) => ({
  RECRUITING_ENVIRONMENT: 'test',
  RECRUITING_KEY_PEPPER_FILE: join(folder, 'pepper'),
  RECRUITING_CURSOR_SECRET_FILE: join(folder, 'cursor'),
  RECRUITING_AUTH_API_DATABASE_URL: postgres.url('recruiting_auth'),
  RECRUITING_AUTH_API_THREADS: '2',
  RECRUITING_AUTH_API_DRAIN_DELAY: '0ms',
  RECRUITING_AUTH_API_DRAIN_TIMEOUT: '3s',
  RECRUITING_AUTH_API_STATEMENT_TIMEOUT: '2s',
});

export const public_api_settings = (folder, database_url) => ({
  RECRUITING_CURSOR_SECRET_FILE: join(folder, 'cursor'),
  RECRUITING_PUBLIC_API_DATABASE_URL: database_url,
  RECRUITING_PUBLIC_API_DATABASE_TIMEOUT: '1s',
  RECRUITING_PUBLIC_API_THREADS: '2',
  RECRUITING_PUBLIC_API_DRAIN_DELAY: '0ms',
});

/** recruitctl's answer, as an operator with the owner's rights. bin: where it is; another tree's finds that tree's migrations. */
export const make_operator = (folder, postgres, bin = programs()) => async (...args) => {
  const env = {
    PATH: process.env.PATH,
    RECRUITING_ENVIRONMENT: 'test',
    RECRUITING_KEY_PEPPER_FILE: join(folder, 'pepper'),
    RECRUITING_DATABASE_URL: postgres.url('postgres'),
    ...(bin === programs() && { RECRUITING_MIGRATIONS_DIR: fileURLToPath(new URL('../../../deploy/migrations', import.meta.url)) }),
  };
  const { stdout } = await execute(join(bin, 'recruitctl'), [...args, '--json'], { env });
  return JSON.parse(stdout);
};

/** A folder with the secrets, and a migrated PostgreSQL, that go with the test; name: the folder's; bin: of recruitctl. */
export const start_database = async (t, name, bin = programs()) => {
  const folder = mkdtempSync(join(tmpdir(), `recruiting-${name}-`));
  t.after(() => rmSync(folder, { recursive: true }));
  make_secrets(folder);
  const postgres = await start_postgres();
  t.after(() => postgres.stop());
  const recruitctl = make_operator(folder, postgres, bin);
  await recruitctl('migrate');
  return { folder, postgres, recruitctl };
};

const roles = ['admin', 'recruiter', 'hiring_manager'];

/** A member of each role that may invoke, with two systems that have a key each, and some keys to be revoked. */
export const make_members = async (recruitctl, revocable) => {
  await recruitctl('migrate');
  await recruitctl('organization', 'create', '--slug', slug, '--name', 'Faults');
  const members = [];
  for (const role of roles) {
    const email = `${role}@faults.example`;
    await recruitctl('member', 'add', '--organization', slug, '--email', email, '--name', role, '--role', role);
    const key = (name) => recruitctl('key', 'create', '--organization', slug, '--owner', email, '--name', name, '--scope', '*', '--expires-in', '30d');
    const member = { role, systems: [], revocable: [] };
    for (const which of ['first', 'second']) {
      const made = await key(`${which} of ${role}`);
      member.systems.push({ secret: made.secret, credential: made.id, sent: 0 });
    }
    for (let i = 0; i < revocable; i += 1) {
      const name = `old ${role} key ${i}`;
      await key(name);
      member.revocable.push(name);
    }
    members.push(member);
  }
  return members;
};

/** revocable: keys a member that may be revoked; more: further settings of auth-api. Everything ends with stop(). */
export const start_world = async ({ instances, revocable, answer, more = {} }) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-faults-'));
  const world = { folder, instances: [] };
  const stops = [() => rmSync(folder, { recursive: true })];
  world.stop = async () => {
    for (const one of world.instances) {
      one.signal('SIGCONT');
      await one.end('SIGKILL');
    }
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    make_secrets(folder);
    world.postgres = await start_postgres();
    stops.push(() => world.postgres.stop());
    world.model = await start_model_double(answer);
    stops.push(() => world.model.stop());
    world.members = await make_members(make_operator(folder, world.postgres), revocable);
    const settings = { ...auth_api_settings(folder, world.postgres), ...agent_settings(world.model), ...more };
    const program = join(programs(), 'recruiting-auth-api');
    for (let i = 0; i < instances; i += 1) world.instances.push(await start_instance(i, { program, settings, folder }));
  } catch (error) {
    await world.stop();
    throw error;
  }
  return world;
};
