// The Helm chart: helm accepts it, it makes the same objects as kustomize, and its values do what kubernetes.md says.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as always } from 'node:test';
import { parse } from 'yaml';
import { chart, comparable, lint, render, try_render } from './support/helm.mjs';
import { build_base, build_objects, pods_of, root } from './support/manifests.mjs';
import { problems_of } from './support/schema.mjs';
import { run_tool, tools_missing } from './support/tools.mjs';

const test = (name, run) => always(name, { skip: tools_missing }, run);
const text_of = (...path) => readFileSync(join(...path), 'utf8');
const values = parse(text_of(chart, 'values.yaml'));
const no_digest = `sha256:${'0'.repeat(64)}`;
const digests = { images: { digests: Object.fromEntries(Object.keys(values.images.digests).map((name) => [name, no_digest])) } };
const forms = {
  base: { values: [], build: build_base },
  production: { values: ['values-production.yaml', digests], build: () => build_objects('production') },
  'highly-available': { values: ['values-production.yaml', 'values-highly-available.yaml', digests], build: () => build_objects('highly-available') },
};

for (const [form, { values: given, build }] of Object.entries(forms)) {
  let rendered;
  const objects_of_chart = () => structuredClone(rendered ??= render(given));

  test(`${form}: helm lint finds nothing`, () => {
    const { status, stdout, stderr } = lint(given);
    assert.equal(status, 0, stdout + stderr);
  });

  test(`${form}: the chart makes the objects that kustomize makes`, () => {
    const [ours, theirs] = [comparable(objects_of_chart()), comparable(build())];
    assert.deepEqual(Object.keys(ours).sort(), Object.keys(theirs).sort());
    for (const [name, object] of Object.entries(ours)) assert.deepEqual(object, theirs[name], name);
  });

  test(`${form}: every object is as Kubernetes' schema says, in the namespace, and says that Helm manages it`, () => {
    const objects = objects_of_chart();
    assert.deepEqual(objects.flatMap(problems_of), []);
    for (const { metadata } of objects) {
      assert.equal(metadata.namespace, 'recruiting', metadata.name);
      assert.equal(metadata.labels['app.kubernetes.io/managed-by'], 'Helm');
      assert.equal(metadata.labels['app.kubernetes.io/instance'], 'recruiting');
    }
  });

  test(`${form}: the migration runs before an upgrade, and at first when there is a database`, () => {
    const objects = objects_of_chart();
    const hooks = (name) => objects.find(({ metadata }) => metadata.name === name).metadata.annotations;
    assert.equal(hooks('migrate')['helm.sh/hook'], form === 'highly-available' ? 'post-install,pre-upgrade' : 'pre-install,pre-upgrade');
    assert.equal(hooks('recruitctl')['helm.sh/hook'], hooks('migrate')['helm.sh/hook']);
    assert.ok(Number(hooks('recruitctl')['helm.sh/hook-weight']) < 0, 'its account is there first');
  });
}

test('a changed setting starts a rollout of its program alone', () => {
  const sums = (own) => Object.fromEntries(pods_of(render([...forms['highly-available'].values, own])).filter(({ kind }) => kind !== 'Job')
    .map(({ name, owner }) => [name, owner.spec.template.metadata.annotations['checksum/settings']]));
  const [before, after] = [sums({}), sums({ settings: { workers: { RECRUITING_LOG_LEVEL: 'debug' } } })];
  assert.equal(Object.values(before).every((sum) => /^[0-9a-f]{64}$/.test(sum)), true);
  assert.deepEqual(Object.keys(after).filter((name) => after[name] !== before[name]), ['workers']);
});

test('the packaged chart has all it needs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-chart-'));
  try {
    run_tool('helm', 'package', chart, '--destination', folder);
    const given = forms['highly-available'].values;
    assert.deepEqual(render(given, join(folder, readdirSync(folder)[0])), render(given));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the chart's versions are the project's", () => {
  const { version, appVersion } = parse(text_of(chart, 'Chart.yaml'));
  const [, project] = /^project\(recruiting VERSION ([0-9.]+)/m.exec(text_of(root, 'CMakeLists.txt'));
  assert.deepEqual([version, appVersion], [project, project]);
});

test('wrong values are refused, and the error names them', () => {
  const wrong = [
    [{ programs: { gateway: { minReplicas: 1 } } }, /programs\/gateway\/minReplicas/],
    [{ images: { digests: { redis: 'latest' } } }, /images\/digests\/redis/],
    [{ settings: { gatway: {} } }, /gatway/],
    [{ settings: { gateway: { GATEWAY_THREADS: 2 } } }, /GATEWAY_THREADS/],
    [{ settings: { workers: { RECRUITING_MAIL_TLS: false } } }, /RECRUITING_MAIL_TLS/], // an unquoted off
    [{ publicUrl: 'recruiting.example.com' }, /publicUrl/],
    [{ overrides: { 'Deployment/gatway': {} } }, /overrides: the chart has no Deployment\/gatway; it has .*Deployment\/gateway/],
    [{ components: { autoscalling: true } }, /autoscalling/],
  ];
  for (const [given, error] of wrong) {
    const { status, stderr } = try_render([given]);
    assert.notEqual(status, 0);
    assert.match(stderr, error);
  }
});

test('where digests are required, each missing one is named', () => {
  for (const name of Object.keys(values.images.digests)) {
    const { status, stderr } = try_render([...forms['highly-available'].values, { images: { digests: { [name]: '' } } }]);
    assert.notEqual(status, 0);
    assert.match(stderr, new RegExp(`images\\.digests\\.${name} is required`));
  }
});

/** Of each value: another than the default, and what is then in the manifests. */
const changed = {
  'images.prefix': ['r.example/', /image: r\.example\/recruiting-public-api:7/],
  'images.tag': ['7', /image: r\.example\/recruiting-public-api:7/],
  'images.digests': [{ 'recruiting-gateway': no_digest }, /recruiting-gateway@sha256:0{64}/],
  'images.digestsRequired': [false, null], // its own test is above
  'images.repositories': [{ redis: 'r.example/redis' }, /image: r\.example\/redis:7\.2-bookworm/],
  'images.pullSecrets': [[{ name: 'pull' }], /imagePullSecrets:\n\s+- name: pull/],
  'components.tls': [true, /RECRUITING_GATEWAY_HSTS/],
  'components.proxy-protocol': [true, /RECRUITING_GATEWAY_PROXY_PROTOCOL: any/],
  'components.monitoring': [true, /kind: PodMonitor/],
  'components.tracing': [true, /RECRUITING_TRACE_ENDPOINT/],
  'components.model-server': [true, /RECRUITING_AGENT_MODEL_BASE_URL/],
  'components.cloudnative-pg': [true, /kind: Cluster/],
  'components.redis-sentinel': [true, /kind: StatefulSet/],
  'components.autoscaling': [true, /kind: ScaledObject/],
  publicUrl: ['https://jobs.example', /RECRUITING_PUBLIC_URL: https:\/\/jobs\.example/],
  'settings.gateway': [{ RECRUITING_GATEWAY_WINDOW: 30 }, /RECRUITING_GATEWAY_WINDOW: "30"/],
  'settings.auth-api': [{ RECRUITING_LOG_LEVEL: 'debug' }, /RECRUITING_LOG_LEVEL: debug/],
  'settings.workers': [{ RECRUITING_MAIL_TLS: 'off' }, /RECRUITING_MAIL_TLS: "?off/],
  'settings.public-api': [{ RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL: 1000000 }, /RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL: "1000000"/],
  secretNames: [{ 'recruiting-key-pepper': 'pepper', 'postgres-auth': 'role-auth', redis: 'of-redis' },
    /^(?=[^]*name: pepper\n)(?=[^]*name: role-auth\n)(?=[^]*secretName: of-redis\n)/],
  'destinations.postgresql.blocks': [['10.1.0.0/16'], /cidr: 10\.1\.0\.0\/16/],
  'destinations.postgresql.ports': [[5433], /port: 5433/],
  'destinations.redis.blocks': [['10.2.0.0/16'], /cidr: 10\.2\.0\.0\/16/],
  'destinations.redis.ports': [[6380], /port: 6380/],
  'destinations.mail.blocks': [['10.3.0.0/16'], /cidr: 10\.3\.0\.0\/16/],
  'destinations.mail.ports': [[465], /port: 465/],
  'service.type': ['NodePort', /type: NodePort/],
  'service.annotations': [{ 'balancer.example/idle': '50' }, /balancer\.example\/idle: "50"/],
  overrides: [{ 'Deployment/gateway': { spec: { template: { spec: { priorityClassName: 'first' } } } } }, /priorityClassName: first/],
  ...Object.fromEntries(Object.keys(values.programs).flatMap((name, i) => [
    [`programs.${name}.minReplicas`, [3 + i, name === 'workers' ? new RegExp(`minReplicas: ${3 + i}`) : new RegExp(`minReplicaCount: ${3 + i}`)]],
    [`programs.${name}.maxReplicas`, [13 + i, name === 'workers' ? new RegExp(`maxReplicas: ${13 + i}`) : new RegExp(`maxReplicaCount: ${13 + i}`)]],
    [`programs.${name}.resources`, [{ limits: { memory: `${900 + i}Mi` } }, new RegExp(`memory: ${900 + i}Mi`)]],
  ])),
};
/** Maps that are values as a whole. */
const whole = /^(images\.(digests|repositories)|settings\..*|secretNames|service\.annotations|overrides|programs\.[\w-]+\.resources)$/;
const leaves = (value, path = '') =>
  whole.test(path) || value === null || typeof value !== 'object' || Array.isArray(value) ? [path]
    : Object.entries(value).flatMap(([name, part]) => leaves(part, path ? `${path}.${name}` : name));

test('every value changes the manifests', () => {
  assert.deepEqual(Object.keys(changed).sort(), leaves(values).sort());
  const given = Object.entries(changed).map(([path, [value]]) => path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value));
  const { status, stdout, stderr } = try_render(given);
  assert.equal(status, 0, stderr);
  for (const [path, [, text]] of Object.entries(changed)) assert.ok(text === null || text.test(stdout), path);
});

test('kubernetes.md describes every value with its default', () => {
  const section = text_of(root, 'proto-docs', 'kubernetes.md').split('\n## Helm\n')[1].split('\n## ')[0];
  const rows = [...section.matchAll(/^\| `([\w.*-]+)` \| ([^|]*) \| [^|]+ \|$/gm)];
  const documented = new Map(rows.map(([, name, cell]) => [name, cell]));
  const value_of = (path) => path.split('.').reduce((value, name) => value[name], values);
  const expected = leaves(values).map((path) => [path.replace(/^(programs|settings|destinations)\.[\w-]+/, '$1.*'), path]);
  assert.deepEqual([...documented.keys()].sort(), [...new Set(expected.map(([name]) => name))].sort());
  for (const [name, path] of expected) {
    const [, shown] = /^`(.*)`$/.exec(documented.get(name)) ?? [];
    if (shown !== undefined) assert.equal(shown, JSON.stringify(value_of(path)).replaceAll('"', '') || '""', name);
  }
});

test('the templates use no value that is not declared', () => {
  const text = readdirSync(join(chart, 'templates')).map((name) => text_of(chart, 'templates', name)).join('');
  const used = [...text.matchAll(/[vV]alues\.([a-zA-Z]+(?:\.[a-zA-Z]+)*)/g)].map(([, path]) => path);
  assert.ok(used.length > 5);
  for (const path of used) assert.notEqual(path.split('.').reduce((value, name) => value?.[name], values), undefined, path);
});
