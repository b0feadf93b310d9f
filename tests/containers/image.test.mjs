// The images' root filesystems, made by the very script of the Dockerfile's build stage, and the gateway run in its own as
// in a container: changed root, the image's user, nothing writable. Needs root.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { free_port } from '../support/free_port.mjs';
import { programs } from '../faults/support/world.mjs';
import { until } from '../faults/support/wait.mjs';
import { can_mount } from './support/cluster.mjs';
import { root } from './support/manifests.mjs';

const sudo = process.getuid() === 0 ? [] : ['sudo', '-n'];
const can_be_root = spawnSync(sudo[0] ?? 'true', [...sudo.slice(1), 'true'].filter(() => sudo.length > 0)).status === 0;
const skip = can_be_root ? false : 'changing the root needs root';
const names = ['gateway', 'auth-api', 'public-api', 'recruitctl'];
const as_root = (command, ...args) => execFileSync(...(sudo.length ? [sudo[0], [...sudo.slice(1), command, ...args]] : [command, args]), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
let images;

const walk = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...walk(path)] : [path];
  });

before(() => {
  if (skip) return;
  images = mkdtempSync(join(tmpdir(), 'recruiting-images-'));
  as_root('env', `RECRUITING_BINARIES=${programs()}`, join(root, 'deploy/docker/build_steps'), 'roots', images);
});
after(() => {
  if (images) as_root('rm', '-rf', images);
});

test('an image holds one program, no shell, no package manager, nothing with another\'s rights', { skip }, () => {
  for (const name of names) {
    const folder = join(images, name);
    const binary = name === 'recruitctl' ? name : `recruiting-${name}`;
    assert.deepEqual(readdirSync(join(folder, 'usr/bin')), [binary]);
    const files = walk(folder);
    assert.deepEqual(files.filter((path) => /\/(sh|bash|dash|busybox|apt|dpkg|perl|python3?)$/.test(path) && statSync(path).isFile()), []);
    assert.deepEqual(files.filter((path) => existsSync(path) && (statSync(path).mode & 0o6000) !== 0), []);
    for (const needed of ['etc/passwd', 'etc/nsswitch.conf', 'etc/ssl/certs/ca-certificates.crt']) assert.ok(existsSync(join(folder, needed)), needed);
    assert.equal(existsSync(join(folder, 'usr/share/zoneinfo/Europe/Berlin')), name !== 'gateway');
    assert.equal(existsSync(join(folder, 'usr/share/recruiting/migrations/CHECKSUMS')), name === 'recruitctl');
    // Scanners look here for what is to be updated.
    const packages = readdirSync(join(folder, 'var/lib/dpkg/status.d'));
    assert.ok(packages.includes('libc6') && packages.every((one) => existsSync(join(folder, 'usr/share/doc', one, 'copyright'))));
  }
});

test('every library that a program loads is in its image', { skip }, () => {
  for (const name of names) {
    const binary = name === 'recruitctl' ? name : `recruiting-${name}`;
    const said = as_root('chroot', '--userspec=65532:65532', join(images, name), `/usr/bin/${binary}`, '--version');
    assert.match(said, new RegExp(`^${binary} \\d+\\.\\d+`));
  }
});

test('the gateway runs in it as nobody on a root that is read-only; its health is told, and its end', { skip: skip || (can_mount ? false : 'a read-only root needs a mount') }, async () => {
  const folder = join(images, 'gateway');
  const [port, admin] = [await free_port(), await free_port()];
  const env = { PATH: process.env.PATH, RECRUITING_GATEWAY_LISTEN: `127.0.0.1:${port}`, RECRUITING_GATEWAY_ADMIN_LISTEN: `0.0.0.0:${admin}`, RECRUITING_GATEWAY_RATE_LIMIT_MODE: 'off' };
  const enter = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec chroot "$@"';
  const inside = (...args) => ['unshare', '--mount', 'sh', '-c', enter, 'sh', folder, '--userspec=65532:65532', folder, '/usr/bin/recruiting-gateway', ...args];
  const [command, ...args] = [...sudo, ...(sudo.length ? ['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)] : []), ...inside()];
  const health = () => spawnSync(sudo[0] ?? 'env', [...sudo.slice(1), ...(sudo.length ? ['env'] : []), ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...inside('--healthcheck')]).status;
  assert.equal(health(), 1);
  const program = spawn(command, args, { env, stdio: 'ignore' });
  const ended = once(program, 'exit');
  try {
    await until(() => health() === 0, 'the health check succeeds');
  } finally {
    program.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  }
  assert.equal(health(), 1);
});
