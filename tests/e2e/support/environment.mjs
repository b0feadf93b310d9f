// What scripts/up wrote about the running system: the `env` file of the run directory, and the programs' own settings.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

export const run_dir = process.env.RECRUITING_RUN_DIR;
if (!run_dir) {
  throw new Error('RECRUITING_RUN_DIR is not set: run scripts/test --only e2e, or point it at the .run of a scripts/up');
}

/** The variables `. env` sets, read by a shell because it is shell. */
const sourced = () => {
  const text = execFileSync('bash', ['-c', '. "$1" && env -0', 'bash', join(run_dir, 'env')], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME ?? '/' },
    encoding: 'utf8',
  });
  return Object.fromEntries(
    text.split('\0').filter(Boolean).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
};
export const environment = sourced();

export const gateway_url = new URL(environment.RECRUITING_GATEWAY_URL);
export const demo = { slug: 'acme', admin: 'admin@acme.example', key: environment.RECRUITING_DEMO_KEY };

export const log_dir = join(run_dir, 'log');

/** Where the processes of this run put what the closing tests look at. run.mjs makes a fresh one. */
export const record_dir = process.env.RECRUITING_E2E_RECORD_DIR ?? join(run_dir, 'e2e');
mkdirSync(record_dir, { recursive: true, mode: 0o700 });

const proc = (name, entry) => join('/proc', readFileSync(join(run_dir, `${name}.pid`), 'utf8').trim(), entry);

/** The settings a running program was started with. name: gateway, auth-api or public-api. */
export const settings_of = (name) =>
  Object.fromEntries(
    readFileSync(proc(name, 'environ'), 'utf8')
      .split('\0')
      .filter((pair) => pair.startsWith('RECRUITING_'))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );

/** Where the programs' admin ports are, when no setting says so. */
export const usual_admin = { gateway: '127.0.0.1:9080', 'auth-api': '127.0.0.1:9081', 'public-api': '127.0.0.1:9082' };
/** "127.0.0.1:19080", of a running program. */
export const admin_of = (name) => settings_of(name)[`RECRUITING_${name.toUpperCase().replace('-', '_')}_ADMIN_LISTEN`] ?? usual_admin[name];

/** The binary a running program was started from, even when it has been rebuilt since. */
export const binary_of = (name) => readlinkSync(proc(name, 'exe')).replace(/ \(deleted\)$/, '');
