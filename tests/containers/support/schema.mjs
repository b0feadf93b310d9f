// Kubernetes' own schemas (the npm package kubernetes-models), strictly: a field they do not know is an error, as it is
// for `kubectl apply --validate=strict`.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const groups = { 'networking.k8s.io/v1': 'networking.k8s.io/v1', 'apps/v1': 'apps/v1', 'batch/v1': 'batch/v1', 'policy/v1': 'policy/v1',
  'autoscaling/v2': 'autoscaling/v2', v1: 'v1' };
/** Kinds of others than Kubernetes, which it has no schema of. */
export const foreign = new Set(['monitoring.coreos.com/v1 PodMonitor', 'postgresql.cnpg.io/v1 Cluster', 'keda.sh/v1alpha1 ScaledObject']);

/** Reads an object through wrappers that note which fields were asked for: what the schema knows, its validator reads. */
const watched = (value, path, seen) => {
  if (value === null || typeof value !== 'object') return value;
  const wrappers = new Map();
  return new Proxy(value, {
    get(target, name) {
      if (typeof name === 'string') seen.add(`${path}/${name}`);
      if (!wrappers.has(name)) wrappers.set(name, watched(target[name], `${path}/${String(name)}`, seen));
      return wrappers.get(name);
    },
  });
};

const all_paths = (value, path = '') =>
  value === null || typeof value !== 'object' ? []
    : Object.entries(value).flatMap(([name, part]) => [`${path}/${name}`, ...all_paths(part, `${path}/${name}`)]);

/** What is wrong with an object, one text a problem. */
export const problems_of = (object) => {
  const where = `${object.kind} ${object.metadata?.name}`;
  const kind = `${object.apiVersion} ${object.kind}`;
  if (foreign.has(kind)) return [];
  const model = groups[object.apiVersion] && require(`kubernetes-models/${groups[object.apiVersion]}`)[object.kind];
  if (!model) return [`${where}: there is no ${kind}`];
  const seen = new Set();
  const plain = JSON.parse(JSON.stringify(object));
  const problems = [];
  try {
    model.prototype.validate.call(watched(plain, '', seen));
  } catch (error) {
    problems.push(`${where}: ${error.message}`);
  }
  const unknown = all_paths(plain).filter((path) => !seen.has(path));
  return [...problems, ...unknown.filter((path) => !unknown.some((other) => path.startsWith(`${other}/`))).map((path) => `${where}: ${path} is no field of it`)];
};
