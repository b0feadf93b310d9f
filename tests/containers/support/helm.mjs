// The Helm chart as it is installed, and the form in which its objects and kustomize's are compared.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { parse_objects, root } from './manifests.mjs';
import { try_tool } from './tools.mjs';

export const chart = join(root, 'deploy', 'helm', 'recruiting');
/** The defaults. */
export const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));

/** values: files of the chart, by name, or values themselves. Runs helm's command; {status, stdout, stderr}. */
const with_values = (values, run) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-helm-'));
  try {
    const files = values.map((one, i) => {
      if (typeof one === 'string') return join(chart, one);
      const file = join(folder, `${i}.yaml`);
      writeFileSync(file, stringify(one, { version: '1.1' })); // as Helm reads it: off is a boolean there, and is quoted
      return file;
    });
    return run(files.flatMap((file) => ['--values', file]));
  } finally {
    rmSync(folder, { recursive: true });
  }
};
export const try_render = (values, from = chart) => with_values(values, (words) => try_tool('helm', 'template', 'recruiting', from, '--namespace', 'recruiting', ...words));
export const lint = (values) => with_values(values, (words) => try_tool('helm', 'lint', '--strict', chart, ...words));

export const render = (values, from = chart) => {
  const { status, stdout, stderr } = try_render(values, from);
  if (status !== 0) throw new Error(stderr);
  return parse_objects(stdout);
};

const hash_of_name = /-[bcdfghkmt2456789]{10}$/;
const added_labels = ['app.kubernetes.io/part-of', 'app.kubernetes.io/instance', 'app.kubernetes.io/version', 'app.kubernetes.io/managed-by', 'helm.sh/chart'];
const without = (map, drop) => {
  const left = Object.entries(map ?? {}).filter(([name]) => !drop(name));
  return left.length === 0 ? undefined : Object.fromEntries(left);
};

/** Lists of named entries in the order of their names, at every depth. */
const ordered = (value) => {
  if (Array.isArray(value)) {
    const list = value.map(ordered);
    return list.every((one) => typeof one?.name === 'string') ? list.sort((a, b) => a.name.localeCompare(b.name)) : list;
  }
  return value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, ordered(part)])) : value;
};

/**
 * {"Kind/name": object} without what the two make differently by design: kustomize names ConfigMaps by their content where
 * the chart adds a checksum to the pods, each has hooks of its own tool, Helm adds labels, and creates no Namespace.
 */
export const comparable = (objects) => {
  const hashed = objects.filter(({ kind, metadata }) => kind === 'ConfigMap' && hash_of_name.test(metadata.name)).map(({ metadata }) => metadata.name);
  const plain = JSON.parse(hashed.reduce((text, name) => text.replaceAll(`"${name}"`, `"${name.replace(hash_of_name, '')}"`), JSON.stringify(objects)));
  return Object.fromEntries(plain.filter(({ kind }) => kind !== 'Namespace').map((object) => {
    const { metadata, spec } = object;
    metadata.labels = without(metadata.labels, (name) => added_labels.includes(name));
    metadata.annotations = without(metadata.annotations, (name) => /^(helm\.sh|argocd\.argoproj\.io)\/hook/.test(name));
    if (spec?.template) spec.template.metadata.annotations = without(spec.template.metadata.annotations, (name) => name === 'checksum/settings');
    return [`${object.kind}/${metadata.name}`, ordered(JSON.parse(JSON.stringify(object)))];
  }));
};
