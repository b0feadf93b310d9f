// The Kubernetes manifests as they are applied: what kustomize makes of each overlay, stored in deploy/kubernetes/rendered.
//   npm run kubernetes:render     writes that folder
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { run_tool } from './tools.mjs';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'deploy', 'kubernetes');
export const overlays = ['example', 'production', 'highly-available'];
const beside = ['docker/postgres', 'postgresql']; // folders of deploy that the overlays use too
const rendered_file = (overlay) => join(source, 'rendered', `${overlay}.yaml`);
const secret_names = ['auth-api.conf', 'auth-password', 'cursor-secret', 'gateway.conf', 'key-pepper', 'owner-password',
  'postgres-password', 'public-api.conf', 'public-password', 'recruitctl.conf', 'redis.acl'];

/** What kustomize makes of these folders of `overlays`, as text. Secrets, which are made where they are used, are left out. */
const kustomize = (overlay, folders, own = {}) => {
  const copy = mkdtempSync(join(tmpdir(), 'recruiting-kustomize-'));
  try {
    for (const part of ['kubernetes', ...beside]) cpSync(join(root, 'deploy', part), join(copy, part), { recursive: true });
    const secrets = join(copy, 'kubernetes', 'overlays', overlay, 'secrets');
    mkdirSync(secrets, { recursive: true });
    for (const name of secret_names) writeFileSync(join(secrets, name), 'x\n');
    for (const [name, text] of Object.entries(own)) writeFileSync(join(copy, 'kubernetes', 'overlays', overlay, name), text);
    const one = (path) => run_tool('kubectl', 'kustomize', join(copy, 'kubernetes', 'overlays', path));
    return folders.map(one).join('---\n').split(/^---\n/m).filter((text) => !/^kind: Secret$/m.test(text)).join('---\n');
  } finally {
    rmSync(copy, { recursive: true });
  }
};
const build = (overlay) => kustomize(overlay, [`${overlay}/migrate`, overlay]);

export const parse_objects = (text) => parseAllDocuments(text).map((document) => document.toJS()).filter(Boolean);

/** The objects of the file in the project. */
export const read_rendered = (overlay) => parse_objects(readFileSync(rendered_file(overlay), 'utf8'));
export const build_objects = (overlay) => parse_objects(build(overlay));
/** The base and the migration with local images, and no other changes. */
export const build_base = () => {
  const images = ['recruiting-gateway', 'recruiting-auth-api', 'recruiting-public-api', 'recruitctl'].map((name) => ({ name, newName: `localhost/${name}` }));
  return parse_objects(kustomize('bare', ['bare'], { 'kustomization.yaml': JSON.stringify({ namespace: 'recruiting', resources: ['../../base', '../../migrate'], images }) }));
};

export const write_rendered = () => {
  mkdirSync(join(source, 'rendered'), { recursive: true });
  for (const overlay of overlays) {
    const head = `# overlays/${overlay} and its migration, without Secrets, as kustomize makes them: for reading and for the tests.\n` +
      '# Made by (cd tests && npm run kubernetes:render).\n';
    writeFileSync(rendered_file(overlay), head + build(overlay));
  }
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

if (process.argv[1] === fileURLToPath(import.meta.url)) write_rendered();
