// The values of six installations (deploy/helm/recruiting/examples): all that they make is valid, and each has what its first
// lines say.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test as always } from 'node:test';
import { parse } from 'yaml';
import { chart, lint, render } from './support/helm.mjs';
import { binary_of } from './support/images.mjs';
import { pods_of, root, settings_of } from './support/manifests.mjs';
import { may_connect } from './support/policies.mjs';
import { refused_settings } from './support/programs.mjs';
import { problems_of } from './support/schema.mjs';
import { tools_missing } from './support/tools.mjs';

const test = (name, run) => always(name, { skip: tools_missing }, run);
const text_of = (...path) => readFileSync(join(root, ...path), 'utf8');
const files = readdirSync(join(chart, 'examples'));
const rendered = new Map();
const objects_of = (name) => {
  if (!rendered.has(name)) rendered.set(name, render([`examples/${name}.yaml`]));
  return structuredClone(rendered.get(name));
};
const kinds_in = (objects) => new Set(objects.map(({ kind }) => kind));
const find = (objects, kind, name) => objects.find((object) => object.kind === kind && object.metadata.name === name);
const of = (program) => ({ namespace: 'recruiting', labels: { 'app.kubernetes.io/name': program, 'app.kubernetes.io/part-of': 'recruiting' } });
const reaches = (objects, from, to, number) => may_connect(objects, 'recruiting', of(from), to, { number });

for (const file of files) {
  const name = file.replace('.yaml', '');

  test(`${name}: helm lint finds nothing, and every object is as its schema says`, () => {
    const { status, stdout, stderr } = lint([`examples/${file}`]);
    assert.equal(status, 0, stdout + stderr);
    const objects = objects_of(name);
    assert.ok(objects.length > 20);
    assert.deepEqual(objects.flatMap(problems_of), []);
    const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.namespace}/${metadata.name}`);
    assert.deepEqual(names.filter((one, i) => names.indexOf(one) !== i), []);
  });

  test(`${name}: the programs take their settings`, () => {
    const objects = objects_of(name);
    const pods = pods_of(objects).filter(({ program }) => binary_of[program]);
    assert.equal(pods.length, 4);
    for (const { program, spec } of pods) assert.equal(refused_settings(binary_of[program], settings_of(spec.containers[0], objects)), '', program);
  });

  test(`${name}: kubernetes.md says what it is for`, () => {
    assert.ok(text_of('proto-docs', 'kubernetes.md').includes(`| \`examples/${file}\` |`));
  });
}

test('small: one pod per program, behind an Ingress, and nodes can be emptied', () => {
  const objects = objects_of('small');
  for (const kind of ['NetworkPolicy', 'HorizontalPodAutoscaler', 'ScaledObject', 'HTTPRoute']) assert.equal(kinds_in(objects).has(kind), false, kind);
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  assert.deepEqual(deployments.map(({ spec }) => spec.replicas), [1, 1, 1, 1]);
  for (const { spec } of objects.filter(({ kind }) => kind === 'PodDisruptionBudget')) assert.deepEqual([spec.maxUnavailable, spec.minAvailable], [1, undefined]);
  const { spec } = find(objects, 'Service', 'gateway');
  assert.deepEqual([spec.type, spec.externalTrafficPolicy], ['ClusterIP', undefined]);
  const [{ host, http }] = find(objects, 'Ingress', 'gateway').spec.rules;
  assert.equal(host, 'jobs.example.com');
  assert.deepEqual(http.paths, [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'gateway', port: { name: spec.ports[0].name } } } }]);
});

test("managed-cloud: the load balancer keeps clients' addresses, and each pod has the provider's CA", () => {
  const objects = objects_of('managed-cloud');
  const { metadata, spec } = find(objects, 'Service', 'gateway');
  assert.deepEqual([spec.type, spec.externalTrafficPolicy, spec.loadBalancerClass], ['LoadBalancer', 'Local', 'service.k8s.aws/nlb']);
  assert.equal(metadata.annotations['service.beta.kubernetes.io/aws-load-balancer-type'], 'external');
  for (const { name, spec: pod } of pods_of(objects)) {
    assert.ok(pod.volumes.some((volume) => volume.configMap?.name === 'provider-ca'), name);
    assert.ok(pod.containers[0].volumeMounts.some((mount) => mount.mountPath === '/etc/provider'), name);
    assert.ok(find(objects, 'ServiceAccount', pod.serviceAccountName).metadata.annotations['eks.amazonaws.com/role-arn'], name);
  }
  assert.ok(reaches(objects, 'workers', { cidr: '0.0.0.0/0' }, 587));
  assert.deepEqual(find(objects, 'Deployment', 'auth-api').spec.template.spec.containers[0].resources, { requests: { cpu: '1', memory: '256Mi' }, limits: { cpu: '2', memory: '1Gi' } });
});

test('gateway-api-mesh: the route leads to the gateway, and Jobs have no sidecar', () => {
  const objects = objects_of('gateway-api-mesh');
  const { rules: [rule], hostnames } = find(objects, 'HTTPRoute', 'gateway').spec;
  const { spec } = find(objects, 'Service', 'gateway');
  assert.deepEqual([spec.type, rule.backendRefs], ['ClusterIP', [{ name: 'gateway', port: spec.ports[0].port }]]);
  assert.deepEqual(hostnames, ['recruiting.example.com']);
  const injected = Object.fromEntries(pods_of(objects).map(({ name, labels }) => [name, labels['sidecar.istio.io/inject']]));
  assert.deepEqual(injected, { gateway: 'true', 'auth-api': 'true', workers: 'true', 'public-api': 'true', migrate: 'false' });
  const mesh = { namespace: 'istio-system', labels: {} };
  assert.deepEqual(['gateway', 'recruitctl'].map((from) => reaches(objects, from, mesh, 15012)), [true, false]);
});

test('operators: the rules and the dashboard are those of deploy, and the Cluster has a backup', () => {
  const objects = objects_of('operators');
  const rules = text_of('deploy', 'prometheus', 'rules.yaml');
  assert.ok(rules.includes('https://recruiting.example.com/'));
  assert.deepEqual(find(objects, 'PrometheusRule', 'recruiting').spec, parse(rules));
  const dashboard = find(objects, 'ConfigMap', 'recruiting-dashboard');
  assert.equal(dashboard.metadata.labels.grafana_dashboard, '1');
  assert.deepEqual(JSON.parse(dashboard.data['recruiting.json']), JSON.parse(text_of('deploy', 'grafana', 'recruiting.json')));
  const { spec } = find(objects, 'Cluster', 'postgres');
  assert.deepEqual([spec.instances, spec.storage, spec.plugins[0].isWALArchiver], [3, { size: '500Gi', storageClass: 'fast' }, true]);
  assert.equal(find(objects, 'PodMonitor', 'recruiting').metadata.labels.release, 'prometheus');
  const prometheus = { namespace: 'observability', labels: {} };
  assert.ok(may_connect(objects, 'recruiting', prometheus, of('workers'), { number: 9081, name: 'admin' }));
  assert.ok(reaches(objects, 'public-api', of('redis'), 26379));
  assert.ok(reaches(objects, 'recruitctl', of('postgresql'), 5432));
});

test("alerts lead to the runbooks of the installation's own gateway", () => {
  const [rule] = render([{ publicUrl: 'https://jobs.example', prometheusRule: { enabled: true } }]).filter(({ kind }) => kind === 'PrometheusRule');
  const urls = rule.spec.groups.flatMap(({ rules }) => rules).map(({ annotations }) => annotations?.runbook_url).filter(Boolean);
  assert.ok(urls.length > 10);
  for (const url of urls) assert.ok(url.startsWith('https://jobs.example/'), url);
});

test("regulated: every image of the project is named by digest, beside the company's sidecar; only auth-api reaches the provider", () => {
  const objects = objects_of('regulated');
  const pods = pods_of(objects);
  const jobs = objects.filter(({ kind }) => kind === 'CronJob').map(({ spec }) => spec.jobTemplate.spec.template.spec);
  for (const spec of [...pods.map((pod) => pod.spec), ...jobs]) {
    assert.deepEqual(spec.imagePullSecrets, [{ name: 'mirror' }]);
    assert.match(spec.containers[0].image, /^mirror\.example\.com\/recruiting\/[a-z-]+@sha256:[0-9a-f]{64}$/);
  }
  const sidecars = pods.flatMap(({ spec }) => spec.containers.slice(1)).map(({ image }) => image);
  assert.deepEqual(sidecars, Array(4).fill('mirror.example.com/log-shipper:3.1'));
  const [{ args, image }] = jobs[0].containers;
  assert.deepEqual(args, ['--config', '/etc/recruiting/recruitctl.conf', 'audit', 'head', '--json']);
  assert.match(image, /\/recruitctl@/);
  const auth_api = find(objects, 'Deployment', 'auth-api').spec.template.spec;
  assert.ok(auth_api.volumes[0].projected.sources.some(({ secret }) => secret.name === 'openid'));
  assert.deepEqual(['auth-api', 'workers', 'public-api', 'gateway'].filter((from) => reaches(objects, from, { cidr: '10.30.0.0/28' }, 443)), ['auth-api']);
  assert.ok(objects.every(({ metadata }) => metadata.labels['example.com/cost-center'] === '4711' && metadata.annotations['example.com/data-class'] === 'confidential'));
});

test('gitops-vault: the migration is no hook, a new image is a new Job, and Vault alone writes the files of auth-api', () => {
  const migration = (...own) => {
    const objects = render(['examples/gitops-vault.yaml', ...own]);
    return objects.find(({ kind }) => kind === 'Job').metadata;
  };
  const [first, same, other] = [migration(), migration({ publicUrl: 'https://other.example' }), migration({ images: { tag: '2' } })];
  assert.equal(Object.keys(first.annotations).some((name) => name.startsWith('helm.sh/')), false);
  assert.equal(first.name, same.name);
  assert.notEqual(first.name, other.name);
  const objects = objects_of('gitops-vault');
  for (const program of ['auth-api', 'workers']) {
    const { metadata, spec } = find(objects, 'Deployment', program).spec.template;
    assert.equal(metadata.annotations['vault.hashicorp.com/secret-volume-path'], '/etc/recruiting');
    assert.match(metadata.annotations['vault.hashicorp.com/agent-inject-template-auth-api.conf'], /{{ \.Data\.password }}/);
    assert.equal(spec.containers[0].volumeMounts, undefined, 'neither a Secret nor the token is mounted');
    assert.equal(spec.automountServiceAccountToken, false);
    const { name } = spec.volumes.find((volume) => volume.projected.sources.some((source) => source.serviceAccountToken));
    assert.equal(metadata.annotations['vault.hashicorp.com/agent-service-account-token-volume-name'], name);
  }
  const secrets = pods_of(objects).flatMap(({ spec }) => (spec.volumes ?? []).flatMap((volume) => volume.projected.sources)).map((source) => source.secret?.name).filter(Boolean);
  for (const name of secrets) assert.ok(find(objects, 'ExternalSecret', name), name);
});
