// The Kubernetes manifests as they are applied: what kustomize makes of each overlay. Where kubectl brings a kustomize
// of version 5, that; elsewhere (Debian 12) what it made last, deploy/kubernetes/rendered, which names its sources' digest.
//   npm run kubernetes:render     writes deploy/kubernetes/rendered anew
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'deploy', 'kubernetes');
export const overlays = ['example', 'production', 'highly-available'];
const beside = ['docker/postgres', 'postgresql']; // folders of deploy that the overlays use too
const rendered_file = (overlay) => join(source, 'rendered', `${overlay}.yaml`);
const secret_names = ['auth-api.conf', 'auth-password', 'cursor-secret', 'gateway.conf', 'key-pepper', 'owner-password',
  'postgres-password', 'public-api.conf', 'public-password', 'recruitctl.conf', 'redis.acl'];

const files_below = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['rendered', 'secrets'].includes(entry.name) ? [] : files_below(path);
    return [path];
  }).sort();

/** Of all that a rendered file is made of. */
export const sources_digest = () => {
  const hash = createHash('sha256');
  for (const file of ['kubernetes', ...beside].flatMap((part) => files_below(join(root, 'deploy', part)))) {
    hash.update(`${relative(root, file)}\0`).update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
};

/** Is there a kubectl whose kustomize understands components? */
export const kustomize_works = () => {
  const asked = spawnSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' });
  if (asked.status !== 0) return false;
  return Number(/^v(\d+)/.exec(JSON.parse(asked.stdout).kustomizeVersion ?? '')?.[1] ?? 0) >= 5;
};

/** The manifests as text. Secrets, which are made where they are used, are left out. */
const build = (overlay) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-kustomize-'));
  try {
    for (const part of ['kubernetes', ...beside]) cpSync(join(root, 'deploy', part), join(folder, part), { recursive: true });
    const secrets = join(folder, 'kubernetes', 'overlays', overlay, 'secrets');
    mkdirSync(secrets, { recursive: true });
    for (const name of secret_names) writeFileSync(join(secrets, name), 'x\n');
    const one = (path) => execFileSync('kubectl', ['kustomize', join(folder, 'kubernetes', 'overlays', path)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    return [one(`${overlay}/migrate`), one(overlay)].join('---\n').split(/^---\n/m).filter((text) => !/^kind: Secret$/m.test(text)).join('---\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const parse = (text) => parseAllDocuments(text).map((document) => document.toJS()).filter(Boolean);

/** {digest, objects} of the file in the project. */
export const read_rendered = (overlay) => {
  const text = readFileSync(rendered_file(overlay), 'utf8');
  return { digest: /^# Sources: ([0-9a-f]{64})$/m.exec(text)?.[1], objects: parse(text) };
};
export const build_objects = (overlay) => parse(build(overlay));

export const write_rendered = () => {
  mkdirSync(join(source, 'rendered'), { recursive: true });
  for (const overlay of overlays) {
    const head = `# overlays/${overlay} and its migration, without Secrets, as kustomize makes them: for reading and for the tests.\n` +
      `# Made by (cd tests && npm run kubernetes:render).\n# Sources: ${sources_digest()}\n`;
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!kustomize_works() || !statSync(source).isDirectory()) throw new Error('kubectl with a kustomize of version 5 is needed');
  write_rendered();
}
