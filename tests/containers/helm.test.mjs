// The Helm chart: helm accepts it, it makes the same objects as kustomize, and its values have an effect. helm_examples.test.mjs
// has the values of whole installations.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as always } from 'node:test';
import { parse } from 'yaml';
import { chart, comparable, lint, render, try_render, values } from './support/helm.mjs';
import { build_base, build_objects, pods_of, root } from './support/manifests.mjs';
import { problems_of } from './support/schema.mjs';
import { run_tool, tools_missing } from './support/tools.mjs';

const test = (name, run) => always(name, { skip: tools_missing }, run);
const text_of = (...path) => readFileSync(join(...path), 'utf8');
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
    [{ programs: { gateway: { replicaCount: 0 } } }, /programs\/gateway\/replicaCount/],
    [{ programs: { gateway: { podAnotations: {} } } }, /podAnotations/],
    [{ programs: { recruitctl: { extraContainers: [{ name: 'sidecar' }] } } }, /programs\/recruitctl/], // its Jobs would not end
    [{ images: { digests: { redis: 'latest' } } }, /images\/digests\/redis/],
    [{ settings: { gatway: {} } }, /gatway/],
    [{ settings: { gateway: { RECRUITING_GATEWAY_LISTN: '0.0.0.0:80' } } }, /settings\/gateway[^]*RECRUITING_GATEWAY_LISTN/],
    [{ settings: { workers: { RECRUITING_GATEWAY_LISTEN: '0.0.0.0:80' } } }, /settings\/workers[^]*RECRUITING_GATEWAY_LISTEN/],
    [{ settings: { all: { RECRUITING_MAIL_URL: 'smtp://a' } } }, /settings\/all[^]*RECRUITING_MAIL_URL/],
    [{ settings: { workers: { RECRUITING_MAIL_TLS: false } } }, /RECRUITING_MAIL_TLS/], // an unquoted off
    [{ publicUrl: 'recruiting.example.com' }, /publicUrl/],
    [{ ingress: { enabled: true } }, /ingress\/hosts/],
    [{ httpRoute: { enabled: true } }, /httpRoute\/parentRefs/],
    [{ networkPolicies: { egress: { openid: { from: ['console'] } } } }, /networkPolicies\/egress\/openid\/from/],
    [{ networkPolicies: { egress: { gateway: { to: [{}] } } } }, /propertyName 'gateway'/], // the chart's own policy
    [{ cloudnativePg: { enabledd: true } }, /enabledd/],
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

const lacks = (text) => new RegExp(`^(?![^]*${text})`);
/** Of each value: another than the default, and what is then in the manifests. */
const together = {
  'images.prefix': ['r.example/', /image: r\.example\/recruiting-public-api:7/],
  'images.tag': ['7', /image: r\.example\/recruiting-public-api:7/],
  'images.digests': [{ 'recruiting-gateway': no_digest }, /recruiting-gateway@sha256:0{64}/],
  'images.digestsRequired': [false, /^/], // its own test is above
  'images.repositories': [{ redis: 'r.example/redis' }, /image: r\.example\/redis:7\.2-bookworm/],
  imagePullSecrets: [[{ name: 'pull' }], /imagePullSecrets: \[{"name":"pull"}\]/],
  commonLabels: [{ 'example.com/team': 'hiring' }, /"example\.com\/team":"hiring"/],
  commonAnnotations: [{ 'example.com/class': 'secret' }, /annotations: {"example\.com\/class":"secret"/],
  publicUrl: ['https://jobs.example', /RECRUITING_PUBLIC_URL: https:\/\/jobs\.example/],
  'settings.all': [{ RECRUITING_TRACE_SAMPLE: '0.5' }, /RECRUITING_TRACE_SAMPLE: "0\.5"/],
  'settings.gateway': [{ RECRUITING_GATEWAY_WINDOW: 30 }, /RECRUITING_GATEWAY_WINDOW: "30"/],
  'settings.auth-api': [{ RECRUITING_LOG_LEVEL: 'debug' }, /RECRUITING_LOG_LEVEL: debug/],
  'settings.workers': [{ RECRUITING_MAIL_TLS: 'off' }, /RECRUITING_MAIL_TLS: "off/],
  'settings.public-api': [{ RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL: 1000000 }, /RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL: "1000000"/],
  podAnnotations: [{ 'a.example/all': 'yes' }, /annotations: {"a\.example\/all":"yes"}/],
  podLabels: [{ tier: 'front' }, /"tier":"front"/],
  podSecurityContext: [{ runAsUser: 1000, runAsGroup: null }, /securityContext: {"fsGroup":65532,"runAsNonRoot":true,"runAsUser":1000,/],
  'serviceAccount.annotations': [{ 'cloud.example/role': 'r' }, /kind: ServiceAccount\nmetadata:\n.*\n.*\n.*\n  annotations: {"cloud\.example\/role":"r"/],
  nodeSelector: [{ disk: 'fast' }, /nodeSelector: {"disk":"fast"}/],
  tolerations: [[{ key: 'only', operator: 'Exists' }], /tolerations: \[{"key":"only","operator":"Exists"}\]/],
  affinity: [{ nodeAffinity: {} }, /affinity: {"nodeAffinity":{}}/],
  topologySpreadConstraints: [[{ maxSkew: 3 }], /topologySpreadConstraints: \[{"maxSkew":3}\]/],
  priorityClassName: ['first', /priorityClassName: "first"/],
  initContainers: [[{ name: 'before' }], /initContainers: \[{"name":"before"}\]/],
  extraEnv: [[{ name: 'TZ', value: 'UTC' }], /env: \[{.*{"name":"TZ","value":"UTC"}\]/],
  extraEnvFrom: [[{ configMapRef: { name: 'own' } }], /envFrom: \[.*{"configMapRef":{"name":"own"}}\]/],
  extraVolumes: [[{ name: 'ca', configMap: { name: 'ca' } }], /volumes: \[.*{"configMap":{"name":"ca"},"name":"ca"}\]/],
  extraVolumeMounts: [[{ name: 'ca', mountPath: '/ca' }], /volumeMounts: \[.*{"mountPath":"\/ca","name":"ca"}\]/],
  'autoscaling.keda': [true, /kind: ScaledObject/],
  'autoscaling.prometheus': ['http://p.example', /serverAddress: http:\/\/p\.example/],
  'service.type': ['NodePort', /type: NodePort/],
  'service.annotations': [{ 'balancer.example/idle': '50' }, /"balancer\.example\/idle":"50"/],
  'service.spec': [{ externalTrafficPolicy: 'Cluster' }, /externalTrafficPolicy: Cluster/],
  'tls.enabled': [true, /RECRUITING_GATEWAY_HSTS/],
  'tls.secrets': [['own-tls'], /{"secret":{"name":"own-tls"}}/],
  'ingress.enabled': [true, /kind: Ingress\n[^]*port: {name: https}/],
  'ingress.className': ['nginx', /ingressClassName: nginx/],
  'ingress.annotations': [{ 'nginx.example/a': 'b' }, /"nginx\.example\/a":"b"/],
  'ingress.hosts': [[{ host: 'h.example', paths: [{ path: '/careers', pathType: 'Exact' }] }], /host: "h\.example"\n[^]*path: \/careers\n\s+pathType: Exact/],
  'ingress.tls': [[{ secretName: 'of-ingress' }], /tls: \[{"secretName":"of-ingress"}\]/],
  'httpRoute.enabled': [true, /kind: HTTPRoute\n[^]*- backendRefs: \[{name: gateway, port: 443}\]/],
  'httpRoute.annotations': [{ 'route.example/a': 'b' }, /"route\.example\/a":"b"/],
  'httpRoute.parentRefs': [[{ name: 'public' }], /parentRefs: \[{"name":"public"}\]/],
  'httpRoute.hostnames': [['h.example'], /hostnames: \["h\.example"\]/],
  'httpRoute.rule': [{ timeouts: { request: '9s' } }, /timeouts:\n\s+request: 9s/],
  'networkPolicies.monitoring': [[{ ipBlock: { cidr: '10.9.0.0/16' } }], /from: \[{"ipBlock":{"cidr":"10\.9\.0\.0\/16"}}\]/],
  'networkPolicies.egress': [{ openid: { from: ['auth-api'], to: [{ ipBlock: { cidr: '10.8.0.0/16' } }], ports: [{ port: 443 }] } },
    /name: openid\n[^]*podSelector: {"matchLabels":{"app.kubernetes.io\/name":"auth-api"}}\n[^]*- to: \[{"ipBlock":{"cidr":"10\.8\.0\.0\/16"}}\]/],
  'auditHead.enabled': [true, /kind: CronJob/],
  'auditHead.schedule': ['7 * * * *', /schedule: "7 \* \* \* \*"/],
  'podMonitor.enabled': [true, /kind: PodMonitor/],
  'podMonitor.labels': [{ release: 'pods' }, /"release":"pods"/],
  'podMonitor.interval': ['9s', /interval: 9s/],
  'prometheusRule.enabled': [true, /kind: PrometheusRule/],
  'prometheusRule.labels': [{ release: 'rules' }, /"release":"rules"/],
  'dashboard.enabled': [true, /name: recruiting-dashboard/],
  'dashboard.labels': [{ boards: 'yes' }, /"boards":"yes"/],
  'dashboard.annotations': [{ folder: 'Hiring' }, /"folder":"Hiring"/],
  'cloudnativePg.enabled': [true, /kind: Cluster/],
  'cloudnativePg.spec': [{ storage: { size: '7Gi' } }, /size: 7Gi/],
  'redisSentinel.enabled': [true, /kind: StatefulSet/],
  'redisSentinel.spec': [{ minReadySeconds: 11 }, /minReadySeconds: 11/],
  extraObjects: [[{ kind: 'Own', name: '{{ .Release.Name }}-a' }, 'kind: Text'], /^(?=[^]*\nname: 'recruiting-a'\n)(?=[^]*\nkind: Text\n)/],
  ...Object.fromEntries(Object.keys(values.programs).flatMap((name, i) => [
    [`programs.${name}.secrets`, [[`own-${i}`], new RegExp(`{"secret":{"name":"own-${i}"}}`)]],
    [`programs.${name}.resources`, [{ limits: { memory: `${900 + i}Mi` } }, new RegExp(`"memory":"${900 + i}Mi"`)]],
    ...(name === 'recruitctl' ? [] : [
      [`programs.${name}.autoscaling.minReplicas`, [3 + i, new RegExp(`minReplica(s|Count): ${3 + i}\n`)]],
      [`programs.${name}.autoscaling.maxReplicas`, [13 + i, new RegExp(`maxReplica(s|Count): ${13 + i}\n`)]],
      [`programs.${name}.autoscaling.cpu`, [`${700 + i}m`, new RegExp(`[vV]alue: ${700 + i}m`)]],
      [`programs.${name}.terminationGracePeriodSeconds`, [300 + i, new RegExp(`terminationGracePeriodSeconds: ${300 + i}\n`)]],
      [`programs.${name}.extraContainers`, [[{ name: `sidecar-${i}`, image: `r.example/sidecar:${i}` }], new RegExp(`- {"image":"r.example/sidecar:${i}","name":"sidecar-${i}"}`)]],
    ]),
  ])),
};
/** Those that take something away from the others. */
const apart = {
  replicaCount: [4, /replicas: 4/],
  'autoscaling.enabled': [false, lacks('kind: (HorizontalPodAutoscaler|ScaledObject)')],
  'networkPolicies.enabled': [false, lacks('kind: NetworkPolicy')],
  'migrate.hook': [false, lacks('helm\\.sh/hook')],
};
const without_migration = { 'migrate.enabled': [false, lacks('kind: Job\\n')] };
/** Maps that are values as a whole. */
const whole = /^(images\.(digests|repositories)|settings\..*|.*(abels|nnotations)|podSecurityContext|nodeSelector|affinity|programs\.[\w-]+\.resources|.*\.spec|httpRoute\.rule|networkPolicies\.egress)$/;
const leaves = (value, path = '') =>
  whole.test(path) || value === null || typeof value !== 'object' || Array.isArray(value) ? [path]
    : Object.entries(value).flatMap(([name, part]) => leaves(part, path ? `${path}.${name}` : name));

test('every value changes the manifests', () => {
  const groups = [together, apart, without_migration];
  assert.deepEqual(groups.flatMap(Object.keys).sort(), leaves(values).sort());
  for (const changed of groups) {
    const given = Object.entries(changed).map(([path, [value]]) => path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value));
    const { status, stdout, stderr } = try_render(given);
    assert.equal(status, 0, stderr);
    for (const [path, [, text]] of Object.entries(changed)) assert.ok(text.test(stdout), path);
  }
});

test("a program's own value is merged over that of all pods", () => {
  const own = { podAnnotations: { b: 'own' }, priorityClassName: 'own', extraEnv: [] };
  const given = { podAnnotations: { a: 'all', b: 'all' }, priorityClassName: 'all', extraEnv: [{ name: 'A', value: '1' }], programs: { workers: own } };
  const pods = Object.fromEntries(pods_of(render([given])).map(({ name, owner, spec }) => {
    const { 'checksum/settings': _, ...annotations } = owner.spec.template.metadata.annotations;
    return [name, [annotations, spec.priorityClassName, (spec.containers[0].env ?? []).some((one) => one.name === 'A')]];
  }));
  assert.deepEqual(pods.workers, [{ a: 'all', b: 'own' }, 'own', false]);
  for (const name of ['gateway', 'auth-api', 'public-api', 'migrate']) assert.deepEqual(pods[name], [{ a: 'all', b: 'all' }, 'all', true], name);
});

test('kubernetes.md describes every value', () => {
  const section = text_of(root, 'proto-docs', 'kubernetes.md').split('\n## Helm\n')[1].split('\n## ')[0];
  const cells = [...section.matchAll(/^\| (`[\w.*-]+`(?:, `[\w.*-]+`)*) \| [^|]+ \|$/gm)].map(([, cell]) => cell).filter((cell) => !cell.includes('.yaml'));
  const documented = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  const expected = leaves(values).map((path) => path.replace(/^(programs)\.[\w-]+/, '$1.*').replace(/^settings\.(?!all).*/, 'settings.*'));
  assert.deepEqual(documented.sort(), [...new Set(expected)].sort());
});

test('the templates use no value that is not declared', () => {
  const text = readdirSync(join(chart, 'templates')).map((name) => text_of(chart, 'templates', name)).join('');
  const used = [...text.matchAll(/\.Values\.([a-zA-Z]+(?:\.[a-zA-Z]+)*)/g)].map(([, path]) => path);
  assert.ok(used.length > 5);
  for (const path of used) assert.notEqual(path.split('.').reduce((value, name) => value?.[name], values), undefined, path);
});
