// Images by digest: scripts/images --push writes what a registry has, and deploy/set_digests brings it into an overlay or the
// values of the Helm chart. The engine is a script here, which answers as Podman and Buildah do.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { render } from './support/helm.mjs';
import { parse_objects, pods_of, root } from './support/manifests.mjs';
import { run_tool, tools_missing } from './support/tools.mjs';

const folder = mkdtempSync(join(tmpdir(), 'recruiting-digests-'));
after(() => rmSync(folder, { recursive: true }));
const digest_of = (i) => `sha256:${String(i).repeat(64)}`;
const repositories = ['recruiting-gateway', 'recruiting-auth-api', 'recruiting-public-api', 'recruitctl'].map((name) => `r.example:5000/team/${name}`)
  .concat('mirror.example/redis', 'mirror.example/cloudnative-pg/postgresql');
const all = repositories.map((name, i) => `${name}@${digest_of(i + 1)}`);
const set_digests = (target, lines) => spawnSync(join(root, 'deploy', 'set_digests'), [target], { encoding: 'utf8', input: lines.map((line) => `${line}\n`).join('') });

const bin = join(folder, 'bin');
mkdirSync(bin);
const engine = '#!/bin/sh\n[ "$1" = push ] || exit 0\n[ "$2" = --digestfile ] || exit 1\nprintf "sha256:%064d" "${#4}" >"$3"\n';
writeFileSync(join(bin, 'podman'), engine, { mode: 0o755 });
const into = join(folder, 'pushed');
const images = (...words) => spawnSync(join(root, 'scripts', 'images'), ['--engine', 'podman', '--push', into, ...words], { encoding: 'utf8', env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } });

test('scripts/images --push writes a line per image', () => {
  const { status, stdout, stderr } = images('--prefix', 'r.example:5000/team/', '--tag', '1', 'gateway', 'recruitctl');
  assert.equal(status, 0, stdout + stderr);
  const expected = ['recruiting-gateway', 'recruitctl'].map((name) => `r.example:5000/team/${name}`).map((name) => `${name}@sha256:${String(name.length + 2).padStart(64, '0')}`);
  assert.deepEqual(readFileSync(into, 'utf8').trim().split('\n'), expected);
  assert.match(images('gateway').stderr, /--push needs a registry/);
});

test('scripts/images --manifests writes the overlays with what was pushed', { skip: tools_missing }, () => {
  const manifests = join(folder, 'manifests');
  const { status, stdout, stderr } = images('--manifests', manifests, '--prefix', 'r.example:5000/team/');
  assert.equal(status, 0, stdout + stderr);
  assert.deepEqual(readdirSync(manifests).sort(), ['example.yaml', 'highly-available.yaml', 'production.yaml']);
  const pushed = readFileSync(into, 'utf8').trim().split('\n');
  const named = pods_of(parse_objects(readFileSync(join(manifests, 'production.yaml'), 'utf8'))).flatMap(({ spec }) => spec.containers.map(({ image }) => image));
  assert.deepEqual([...new Set(named)].sort(), pushed.sort());
});

test('set_digests writes an overlay, and nothing else of it changes', { skip: tools_missing }, () => {
  for (const part of ['kubernetes', 'postgresql']) cpSync(join(root, 'deploy', part), join(folder, part), { recursive: true });
  const overlays = join(folder, 'kubernetes', 'overlays');
  assert.equal(set_digests(join(overlays, 'production'), all.slice(0, 4)).status, 0);
  assert.equal(set_digests(join(overlays, 'highly-available'), all.slice(4)).status, 0);
  const objects = ['highly-available', 'highly-available/migrate'].flatMap((path) => parse_objects(run_tool('kubectl', 'kustomize', join(overlays, path))));
  const images = pods_of(objects).flatMap(({ spec }) => spec.containers.map(({ image }) => image.replace(/:[\w.-]+@/, '@')));
  assert.deepEqual([...new Set(images)].sort(), all.slice(0, 5).sort());
  assert.equal(objects.find(({ kind }) => kind === 'Cluster').spec.imageName.replace(/:[\w.-]+@/, '@'), all[5]);
  const kept = (text) => text.split('\n').filter((line) => !/newName: |digest: /.test(line));
  for (const file of ['production/kustomization.yaml', 'production/migrate/kustomization.yaml', 'highly-available/kustomization.yaml'])
    assert.deepEqual(kept(readFileSync(join(overlays, file), 'utf8')), kept(readFileSync(join(root, 'deploy/kubernetes/overlays', file), 'utf8')));
});

test("set_digests writes values of the Helm chart", { skip: tools_missing }, () => {
  const file = join(folder, 'images.yaml');
  assert.equal(set_digests(file, all).status, 0);
  const values = parse_objects(readFileSync(file, 'utf8'))[0];
  const objects = render(['values-production.yaml', 'values-highly-available.yaml', values]);
  const images = pods_of(objects).flatMap(({ spec }) => spec.containers.map(({ image }) => image.replace(/:[\w.-]+@/, '@')));
  assert.deepEqual([...new Set(images)].sort(), all.slice(0, 5).sort());
});

test('set_digests refuses a tag, and an image that the overlay does not have', () => {
  const target = join(root, 'deploy/kubernetes/overlays/production');
  const tag = set_digests(target, ['r.example/team/recruitctl:1']);
  assert.notEqual(tag.status, 0);
  assert.match(tag.stderr, /not an image by digest: "r\.example\/team\/recruitctl:1@"/);
  const unknown = set_digests(target, [`r.example/team/other@${digest_of(1)}`]);
  assert.notEqual(unknown.status, 0);
  assert.match(unknown.stderr, /has the image other/);
});
