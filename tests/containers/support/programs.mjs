// The built programs, asked about settings: --print-config lists them, --check judges them.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { make_authority } from '../../edge/support/certificates.mjs';
import { programs } from '../../faults/support/world.mjs';
import { connections_in } from '../../support/connections.mjs';
import { root } from './manifests.mjs';

/** The names a program knows. */
export const programs_settings = (binary) => {
  const text = execFileSync(join(programs(), binary), ['--print-config'], { encoding: 'utf8', env: {} });
  return new Set([...text.matchAll(/^#(RECRUITING_\w+)=/gm)].map((match) => match[1]));
};

/** The program's --check of these settings. What only an installation has stands in for itself. */
const check_settings = (binary, settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-settings-'));
  // 80 printable bytes fit every kind of secret
  const random_file = (name) => {
    writeFileSync(join(folder, name), randomBytes(40).toString('hex'));
    return join(folder, name);
  };
  const files = Object.keys(settings).filter((name) => name.endsWith('_FILE')).map((name) => [name, random_file(name)]);
  const database = binary === 'recruiting-public-api' ? { RECRUITING_PUBLIC_API_DATABASE_URL: 'postgresql://recruiting_public@postgres/recruiting' } : {};
  const authority = make_authority();
  const certificates = Object.keys(settings).filter((name) => name.endsWith('_CERTIFICATES')).map((name) => [name, authority.issue('installed', 'DNS:localhost')]);
  const env = { ...settings, ...Object.fromEntries([...files, ...certificates]), ...database };
  const answer = spawnSync(join(programs(), binary), ['--check'], { encoding: 'utf8', env });
  authority.stop();
  rmSync(folder, { recursive: true });
  return answer;
};

/** What the program says against these settings; empty: nothing. */
export const refused_settings = (binary, settings) => {
  const { status, stderr } = check_settings(binary, settings);
  return status === 0 ? '' : stderr || `exit code ${status}`;
};

/** How many connections to {postgres, redis} the program opens at most with these settings. */
export const connections_of = (binary, settings) => {
  const { stdout, stderr } = check_settings(binary, settings);
  return connections_in(stdout + stderr);
};

/** recruitctl's exit code with this command line, its settings in the file that stands in for /etc/recruiting/recruitctl.conf. */
export const run_recruitctl = (args) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-recruitctl-'));
  const file = join(folder, 'recruitctl.conf');
  writeFileSync(file, 'RECRUITING_DATABASE_URL=postgresql://recruiting_owner@127.0.0.1:1/recruiting\n');
  const here = args.map((one) => (one === '/etc/recruiting/recruitctl.conf' ? file : one)).map((one) => (one === '2m' ? '1ms' : one));
  const { status } = spawnSync(join(programs(), 'recruitctl'), here, { env: { RECRUITING_MIGRATIONS_DIR: join(root, 'deploy', 'migrations') } });
  rmSync(folder, { recursive: true });
  return status;
};
