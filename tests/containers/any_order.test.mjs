// compose.yaml starts in any order: its steps played without an engine, in the orders that are hardest for the programs.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { start_instance } from '../faults/support/instance.mjs';
import { start_postgres } from '../faults/support/postgres.mjs';
import { until } from '../faults/support/wait.mjs';
import { auth_api_settings, make_operator, make_secrets, programs } from '../faults/support/world.mjs';

const ends = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});

/** An empty database's server and what starts beside it. */
const prepare = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-any-order-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  make_secrets(folder);
  const postgres = await start_postgres();
  ends.push(() => postgres.stop());
  const public_settings = { RECRUITING_CURSOR_SECRET_FILE: join(folder, 'cursor'), RECRUITING_PUBLIC_API_DATABASE_URL: postgres.url('recruiting_public') };
  const settings = { 'auth-api': auth_api_settings(folder, postgres), 'public-api': public_settings };
  /** Both services; the promises are kept when they are ready. */
  const start_services = () => Object.entries(settings).map(async ([name, one]) => {
    const instance = await start_instance(1, { program: join(programs(), `recruiting-${name}`), settings: one, folder, name });
    ends.push(() => instance.end('SIGKILL'));
  });
  const log_says = (name, words) => until(() => {
    const log = join(folder, `${name}-1.log`);
    return existsSync(log) && readFileSync(log, 'utf8').includes(words);
  }, `${name} says ${words}`);
  return { postgres, start_services, log_says, recruitctl: make_operator(folder, postgres) };
};

test('the programs first, then the migration, PostgreSQL last', async () => {
  const { postgres, start_services, log_says, recruitctl } = await prepare();
  await postgres.crash();
  const services = start_services();
  await log_says('auth-api', 'postgres_unavailable');
  await log_says('public-api', 'postgres_unavailable');
  const migrated = recruitctl('migrate', '--wait', '60s');
  await postgres.start();
  await Promise.all([migrated, ...services]);
});

test('PostgreSQL and the programs first, the migration last: they wait unready and say what for', async () => {
  const { start_services, log_says, recruitctl } = await prepare();
  const services = start_services();
  const ready = Promise.race(services.map((one) => one.then(() => 'ready')));
  const words = 'run recruitctl migrate';
  const waiting = Promise.all([log_says('auth-api', words), log_says('public-api', words)]).then(() => 'waiting');
  assert.equal(await Promise.race([ready, waiting]), 'waiting');
  await recruitctl('migrate');
  await Promise.all(services);
});
