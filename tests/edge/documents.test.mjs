// What proto-docs says of the edge is what the program has: settings and their defaults.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { binary } from './support/gateway.mjs';

const page = (name) => readFileSync(new URL(`../../proto-docs/${name}.md`, import.meta.url), 'utf8');
const prefix = 'RECRUITING_GATEWAY_';

/** name without prefix → default, as --help tells them. */
const settings = () => {
  const help = execFileSync(binary(), ['--help'], { encoding: 'utf8' });
  const blocks = help.split('\n\n').filter((block) => block.startsWith(prefix));
  return new Map(blocks.map((block) => [block.split('\n')[0].slice(prefix.length), block.match(/^ {4}default: (.*)$/m)?.[1] ?? '']));
};

/** The rows of limits.md that name a setting: name and default. */
const documented = () => [...page('limits').matchAll(/^\|[^|]*\| `([A-Z_]+)` \| ([^|]+) \|/gm)].map(([, name, value]) => [name, value.trim()]);

test('limits.md has the defaults of the settings', () => {
  const real = settings();
  assert.ok(documented().length > 5);
  for (const [name, value] of documented()) assert.equal(real.get(name), value, name);
});

for (const name of ['edge', 'http_rules', 'tls']) test(`${name}.md names no setting that is none, and has their defaults`, () => {
  const real = settings();
  const text = page(name);
  for (const [, name] of text.matchAll(/`(?:RECRUITING_GATEWAY_)?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)[=`]/g)) {
    if (!name.startsWith('RECRUITING_')) assert.ok(real.has(name), name);
  }
  const durations = { ms: 1, s: 1000, m: 60_000, min: 60_000 };
  const milliseconds = (value) => value.replace(/^(\d+) ?(ms|s|m)$/, (_, count, unit) => count * durations[unit]);
  for (const [, name, value] of text.matchAll(/`([A-Z][A-Z_]+)` \((\d+(?: m?s)?)\)/g)) {
    assert.equal(milliseconds(value), milliseconds(real.get(name)), name);
  }
});
