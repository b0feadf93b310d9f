// The Kubernetes manifests, as kustomize makes them: every object is one that Kubernetes knows, and what they name of each
// other is there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build_objects, overlays, pods_of, root } from './support/manifests.mjs';
import { problems_of } from './support/schema.mjs';
import { tools_missing } from './support/tools.mjs';

const document = readFileSync(join(root, 'proto-docs', 'kubernetes.md'), 'utf8');
const metrics_document = readFileSync(join(root, 'proto-docs', 'metrics.md'), 'utf8');
/** The Secrets that an installation must bring, from the document's table. */
const documented_secrets = new Set([...document.matchAll(/^\| `([a-z-]+)` \| `/gm)].map((match) => match[1]));
const example_only = new Set(['redis-acl', 'postgresql-passwords']);

test('the schemas refuse what Kubernetes would refuse', () => {
  const good = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'a' }, spec: { maxUnavailable: 1, selector: { matchLabels: { a: 'b' } } } };
  assert.deepEqual(problems_of(good), []);
  assert.equal(problems_of({ ...good, spec: { ...good.spec, maxUnavailabel: 1 } }).length, 1);
  assert.equal(problems_of({ ...good, spec: { ...good.spec, selector: 'a' } }).length > 0, true);
  assert.equal(problems_of({ ...good, kind: 'PodDisruption' }).length, 1);
});

test("the operators' schemas refuse an unknown field and a wrong type", () => {
  const metadata = { name: 'a' };
  const good = {
    HTTPRoute: { apiVersion: 'gateway.networking.k8s.io/v1', spec: { rules: [{ backendRefs: [{ name: 'a', port: 80 }] }] } },
    ScaledObject: { apiVersion: 'keda.sh/v1alpha1', spec: { scaleTargetRef: { name: 'a' }, triggers: [{ type: 'cpu', metadata: { value: '1' } }] } },
    PrometheusRule: { apiVersion: 'monitoring.coreos.com/v1', spec: { groups: [{ name: 'a', rules: [{ record: 'a', expr: 'b' }] }] } },
    Certificate: { apiVersion: 'cert-manager.io/v1', spec: { secretName: 'a', issuerRef: { name: 'b' } } },
    ExternalSecret: { apiVersion: 'external-secrets.io/v1', spec: { secretStoreRef: { name: 'a' } } },
  };
  for (const [kind, one] of Object.entries(good)) {
    assert.deepEqual(problems_of({ kind, metadata, ...one }), []);
    assert.deepEqual(problems_of({ kind, metadata, ...one, spec: { ...one.spec, own: 1 } }), [`${kind} a: /spec/own is no field of it`]);
    assert.notDeepEqual(problems_of({ kind, metadata, ...one, spec: Object.fromEntries(Object.keys(one.spec).map((name) => [name, 1])) }), [], kind);
  }
});

test('kustomize is there', { skip: tools_missing }, () => assert.ok(overlays.length > 0));

for (const overlay of overlays) {
  const objects = build_objects(overlay);
  const of_kind = (kind) => objects.filter((object) => object.kind === kind);
  const named = (kind, name) => of_kind(kind).find((object) => object.metadata.name === name);

  test(`${overlay}: every object is as Kubernetes' schema says`, () => {
    assert.ok(objects.length > 20);
    assert.deepEqual(objects.flatMap(problems_of), []);
  });

  test(`${overlay}: all is in the namespace, and pods there must keep the restricted profile`, () => {
    const outside = objects.filter((object) => object.kind !== 'Namespace' && object.metadata.namespace !== 'recruiting');
    assert.deepEqual(outside.map((object) => object.metadata.name), []);
    assert.equal(named('Namespace', 'recruiting').metadata.labels['pod-security.kubernetes.io/enforce'], 'restricted');
  });

  test(`${overlay}: what a pod names is there`, () => {
    for (const pod of pods_of(objects)) {
      const volumes = pod.spec.volumes ?? [];
      const secrets = volumes.flatMap((volume) => [volume.secret?.secretName, ...(volume.projected?.sources ?? []).map((one) => one.secret?.name)]).filter(Boolean);
      for (const name of secrets) assert.ok(documented_secrets.has(name) || example_only.has(name), `${pod.name}: the Secret ${name} is not in kubernetes.md`);
      const maps = [...volumes.map((volume) => volume.configMap?.name), ...pod.spec.containers.flatMap((one) => (one.envFrom ?? []).map((from) => from.configMapRef.name))];
      for (const name of maps.filter(Boolean)) assert.ok(named('ConfigMap', name), `${pod.name}: ${name}`);
      if (pod.spec.serviceAccountName) assert.equal(named('ServiceAccount', pod.spec.serviceAccountName).automountServiceAccountToken, false);
      const known = volumes.map((volume) => volume.name);
      for (const mount of pod.spec.containers.flatMap((one) => one.volumeMounts ?? [])) assert.ok(known.includes(mount.name), `${pod.name}: ${mount.name}`);
      const { matchLabels } = pod.owner.spec.selector ?? { matchLabels: {} };
      for (const [label, value] of Object.entries(matchLabels)) assert.equal(pod.labels[label], value);
    }
  });

  test(`${overlay}: Services, budgets and autoscalers point to pods that are there`, () => {
    const pods = pods_of(objects);
    const selected = (labels) => pods.filter((pod) => Object.entries(labels).every(([label, value]) => pod.labels[label] === value));
    for (const service of of_kind('Service')) {
      const [pod, ...others] = selected(service.spec.selector);
      assert.equal(others.length, 0);
      const ports = pod.spec.containers.flatMap((one) => one.ports).map((port) => port.name);
      for (const { targetPort } of service.spec.ports) assert.ok(ports.includes(targetPort), `${service.metadata.name}: ${targetPort}`);
    }
    for (const budget of of_kind('PodDisruptionBudget')) assert.equal(selected(budget.spec.selector.matchLabels).length, 1);
    const scalers = [...of_kind('HorizontalPodAutoscaler'), ...of_kind('ScaledObject')];
    assert.deepEqual(scalers.map((one) => one.spec.scaleTargetRef.name).sort(), of_kind('Deployment').map((one) => one.metadata.name).filter((name) => !['mail', 'redis'].includes(name)).sort(), 'one each');
    for (const { spec: { scaleTargetRef: { kind = 'Deployment', name }, minReplicas, minReplicaCount } } of scalers) {
      assert.equal(named(kind, name).spec.replicas, undefined, 'two would decide on the number');
      assert.ok((minReplicas ?? minReplicaCount) >= 2);
    }
  });

  test(`${overlay}: autoscalers ask for metrics that the programs have, of pods and services that are there`, () => {
    for (const { metadata, spec } of of_kind('ScaledObject')) {
      for (const { query } of spec.triggers.map((one) => one.metadata).filter((one) => one.query)) {
        const [metric] = /recruiting_\w+/.exec(query);
        assert.match(metrics_document, new RegExp(`^\\| \`${metric.replace(/_bucket$/, '')}\` `, 'm'), query);
        const pods = /instance=~"([\w-]+)-\.\+"/.exec(query)?.[1];
        const upstream = /upstream="([\w-]+)"/.exec(query)?.[1];
        for (const name of [pods, upstream].filter(Boolean)) assert.equal(name, metadata.name);
      }
    }
  });

  test(`${overlay}: what PostgreSQL's Cluster names is there, and its pods are spread`, () => {
    for (const { metadata, spec } of of_kind('Cluster')) {
      const secrets = [spec.bootstrap.initdb.secret, ...spec.managed.roles.map((role) => role.passwordSecret)].map((one) => one.name);
      for (const name of secrets) assert.ok(documented_secrets.has(name), `the Secret ${name} is not in kubernetes.md`);
      for (const { name, key } of spec.bootstrap.initdb.postInitApplicationSQLRefs.configMapRefs) assert.ok(named('ConfigMap', name).data[key].includes('DO $$'), key);
      const roles = [spec.bootstrap.initdb.owner, ...spec.managed.roles.map((role) => role.name)];
      assert.deepEqual(roles, ['recruiting_owner', 'recruiting_auth', 'recruiting_public']);
      const nodes = named('NetworkPolicy', 'postgresql-nodes').spec.podSelector.matchLabels;
      for (const [label, value] of Object.entries(nodes)) assert.equal(spec.inheritedMetadata.labels[label], value);
      assert.deepEqual(spec.topologySpreadConstraints[0].labelSelector.matchLabels, { 'cnpg.io/cluster': metadata.name });
      assert.equal(spec.affinity.podAntiAffinityType, 'required');
      assert.ok(spec.instances >= 3 && spec.postgresql.synchronous.number >= 1);
    }
  });

  test(`${overlay}: Redis' pods know each other's names, which the document has in its URL, and are spread`, () => {
    for (const { metadata, spec } of of_kind('StatefulSet').filter((object) => object.metadata.name === 'redis')) {
      const nodes = Array.from({ length: spec.replicas }, (_, i) => `${metadata.name}-${i}.${spec.serviceName}`);
      for (const { env } of spec.template.spec.containers) assert.equal(env.find((one) => one.name === 'NODES').value, nodes.join(' '));
      assert.ok(document.includes(`sentinel://gateway:PASSWORD@${nodes.join(',')}/counts`));
      assert.ok(spec.replicas >= 3, 'two Sentinels must agree');
      assert.equal(named('Service', spec.serviceName).spec.publishNotReadyAddresses, true);
      const [{ topologyKey, labelSelector }] = spec.template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
      assert.deepEqual([topologyKey, labelSelector], ['kubernetes.io/hostname', spec.selector]);
      assert.equal(named('PodDisruptionBudget', metadata.name).spec.maxUnavailable, 1);
    }
  });
}
