// The schemas of Kubernetes and of the operators' custom resources (the npm packages kubernetes-models and @kubernetes-models),
// strictly: a field they do not know is an error, as it is for `kubectl apply --validate=strict`.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const operators = { 'gateway.networking.k8s.io': 'gateway-api', 'keda.sh': 'keda', 'monitoring.coreos.com': 'prometheus-operator',
  'cert-manager.io': 'cert-manager', 'external-secrets.io': 'external-secrets' };
/** The version whose schema the package has; the kinds used here have the same fields in both. */
const same_as = { 'external-secrets.io/v1': 'external-secrets.io/v1beta1' };
/** Kinds that no package has a schema of. */
const foreign = new Set(['postgresql.cnpg.io/v1 Cluster', 'postgresql.cnpg.io/v1 ScheduledBackup']);

const models_of = (version) => {
  const operator = operators[version.split('/')[0]];
  try {
    return require(`${operator ? `@kubernetes-models/${operator}` : 'kubernetes-models'}/${version}`);
  } catch (error) {
    if (error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED' && error.code !== 'MODULE_NOT_FOUND') throw error;
    return {};
  }
};

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
  const apiVersion = same_as[object.apiVersion] ?? object.apiVersion;
  const model = models_of(apiVersion)[object.kind];
  if (!model) return [`${where}: there is no ${kind}`];
  const seen = new Set();
  const plain = JSON.parse(JSON.stringify({ ...object, apiVersion }));
  const problems = [];
  try {
    model.prototype.validate.call(watched(Object.assign(Object.create(model.prototype), plain), '', seen));
  } catch (error) {
    problems.push(`${where}: ${error.message}`);
  }
  const unknown = all_paths(plain).filter((path) => !seen.has(path));
  return [...problems, ...unknown.filter((path) => !unknown.some((other) => path.startsWith(`${other}/`))).map((path) => `${where}: ${path} is no field of it`)];
};
