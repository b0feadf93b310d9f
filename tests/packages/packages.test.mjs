// The Debian packages on clean Debians of this machine's release, under a systemd of their own. Everything in one process:
// they begin as one root.
import { test } from 'node:test';
import { obstacle } from './support/machine.mjs';

const why = await obstacle();
if (why) {
  test('packages are installed on a clean Debian', { skip: why }, () => {});
} else {
  await import('./lifecycle.mjs');
  await import('./together.mjs');
}
