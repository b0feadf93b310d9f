// The built programs, asked about settings: --print-config lists them, --check judges them.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programs } from '../../faults/support/world.mjs';

/** The names a program knows. */
export const programs_settings = (binary) => {
  const text = execFileSync(join(programs(), binary), ['--print-config'], { encoding: 'utf8', env: {} });
  return new Set([...text.matchAll(/^#(RECRUITING_\w+)=/gm)].map((match) => match[1]));
};

/** What the program says against these settings; empty: nothing. What only an installation has stands in for itself. */
export const refused_settings = (binary, settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-settings-'));
  const secret = join(folder, 'secret');
  writeFileSync(secret, randomBytes(80));
  const files = Object.keys(settings).filter((name) => name.endsWith('_FILE')).map((name) => [name, secret]);
  const database = binary === 'recruiting-public-api' ? { RECRUITING_PUBLIC_API_DATABASE_URL: 'postgresql://recruiting_public@postgres/recruiting' } : {};
  const { status, stderr } = spawnSync(join(programs(), binary), ['--check'], { encoding: 'utf8', env: { ...settings, ...Object.fromEntries(files), ...database } });
  rmSync(folder, { recursive: true });
  return status === 0 ? '' : stderr || `exit code ${status}`;
};
