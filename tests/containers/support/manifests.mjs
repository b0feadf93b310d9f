// The Kubernetes manifests as they are applied: what kustomize makes of each overlay.
//   node manifests.mjs FOLDER [DIGESTS]     writes them, with the images of DIGESTS (scripts/images --push)
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { run_tool, tools_missing } from './tools.mjs';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'deploy', 'kubernetes');
/** None where kustomize can't run: manifests.test.mjs then says what is missing. */
export const overlays = tools_missing ? [] : ['example', 'production', 'highly-available'];
const beside = ['docker/postgres', 'postgresql']; // folders of deploy that the overlays use too
const secret_names = ['auth-api.conf', 'auth-password', 'cursor-secret', 'gateway.conf', 'key-pepper', 'owner-password',
  'postgres-password', 'public-api.conf', 'public-password', 'recruitctl.conf', 'redis.acl'];

/** What kustomize makes of these folders of `overlays`, as text. Secrets, which are made where they are used, are left out. */
const kustomize = (overlay, folders, own = {}, prepare = () => {}) => {
  const copy = mkdtempSync(join(tmpdir(), 'recruiting-kustomize-'));
  try {
    for (const part of ['kubernetes', ...beside]) cpSync(join(root, 'deploy', part), join(copy, part), { recursive: true });
    const secrets = join(copy, 'kubernetes', 'overlays', overlay, 'secrets');
    mkdirSync(secrets, { recursive: true });
    for (const name of secret_names) writeFileSync(join(secrets, name), 'x\n');
    for (const [name, text] of Object.entries(own)) writeFileSync(join(copy, 'kubernetes', 'overlays', overlay, name), text);
    prepare(join(copy, 'kubernetes', 'overlays'));
    const one = (path) => run_tool('kubectl', 'kustomize', join(copy, 'kubernetes', 'overlays', path));
    return folders.map(one).join('---\n').split(/^---\n/m).filter((text) => !/^kind: Secret$/m.test(text)).join('---\n');
  } finally {
    rmSync(copy, { recursive: true });
  }
};
const build = (overlay, prepare) => kustomize(overlay, [`${overlay}/migrate`, overlay], {}, prepare);

export const parse_objects = (text) => parseAllDocuments(text).map((document) => document.toJS()).filter(Boolean);

export const build_objects = (overlay) => parse_objects(build(overlay));
/** The base and the migration with local images, and no other changes. */
export const build_base = () => {
  const images = ['recruiting-gateway', 'recruiting-auth-api', 'recruiting-public-api', 'recruitctl'].map((name) => ({ name, newName: `localhost/${name}` }));
  return parse_objects(kustomize('bare', ['bare'], { 'kustomization.yaml': JSON.stringify({ namespace: 'recruiting', resources: ['../../base', '../../migrate'], images }) }));
};

const write_manifests = (folder, digests) => {
  mkdirSync(folder, { recursive: true });
  const set_digests = (overlays) => execFileSync(join(root, 'deploy', 'set_digests'), [join(overlays, 'production')], { input: readFileSync(digests) });
  for (const overlay of overlays) writeFileSync(join(folder, `${overlay}.yaml`), build(overlay, digests && set_digests));
};

/** Every pod that is made: {owner, kind, labels, spec, settings: (container) => its environment}. */
export const pods_of = (objects) =>
  objects.filter((object) => object.spec?.template).map((object) => ({
    name: object.metadata.name,
    kind: object.kind,
    program: object.spec.template.metadata.labels['app.kubernetes.io/name'],
    labels: object.spec.template.metadata.labels,
    owner: object,
    spec: object.spec.template.spec,
  }));

/** RECRUITING_… of a container, as Kubernetes gives them to it. */
export const settings_of = (container, objects) => {
  const maps = (container.envFrom ?? []).map((one) => objects.find((object) => object.kind === 'ConfigMap' && object.metadata.name === one.configMapRef.name));
  const own = (container.env ?? []).map(({ name, value, valueFrom }) => [name, value ?? String(container.resources.limits[valueFrom.resourceFieldRef.resource.split('.')[1]])]);
  return { ...Object.assign({}, ...maps.map((map) => map.data)), ...Object.fromEntries(own) };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (tools_missing) throw new Error(tools_missing);
  write_manifests(...process.argv.slice(2));
}
