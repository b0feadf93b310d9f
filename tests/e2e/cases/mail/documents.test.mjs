// What mail.md says is what there is: settings and their defaults.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { binary_of } from '../../support/environment.mjs';

const page = readFileSync(new URL('../../../../proto-docs/mail.md', import.meta.url), 'utf8');

/** name → default, as --help tells them. */
const settings = () => {
  const help = execFileSync(binary_of('auth-api'), ['--help'], { encoding: 'utf8' });
  const blocks = help.split('\n\n').filter((block) => block.startsWith('RECRUITING_MAIL_'));
  return new Map(blocks.map((block) => [block.split('\n')[0], block.match(/^ {4}default: (.*)$/m)?.[1] ?? '']));
};

test('it has every setting of the mails, with its default, and no other', () => {
  const rows = new Map([...page.matchAll(/^\| `(RECRUITING_MAIL_[A-Z_]+)` \| ([^|]*)\|/gm)].map(([, name, value]) => [name, value.trim()]));
  assert.deepEqual(Object.fromEntries([...rows].sort()), Object.fromEntries([...settings()].sort()));
  for (const [name] of page.matchAll(/RECRUITING_MAIL_[A-Z_]+/g)) assert.ok(settings().has(name), name);
});
