// settings.md is what the programs of this run declare.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary_of } from '../e2e/support/environment.mjs';

test('settings.md has the name, values, default and description of every setting', () => {
  const check = fileURLToPath(new URL('../../scripts/checks/settings', import.meta.url));
  const { status, stdout, stderr } = spawnSync(check, [dirname(binary_of('gateway'))], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
