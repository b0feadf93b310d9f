// What every pod and every container of the manifests must keep to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binary_of, seconds } from './support/images.mjs';
import { programs_settings, refused_settings, run_recruitctl } from './support/programs.mjs';
import { overlays, pods_of, build_objects, settings_of } from './support/manifests.mjs';

const programs = ['gateway', 'auth-api', 'workers', 'public-api'];
/** In the example a tag, since the images are made locally; elsewhere a digest, which names one image permanently. */
const pinned = { example: /^[^:@]+:[\w.-]+$/, production: /^[^:@]+(:[\w.-]+)?@sha256:[0-9a-f]{64}$/ };

for (const overlay of overlays) {
  const objects = build_objects(overlay);
  const pods = pods_of(objects);
  const ours = pods.filter((pod) => programs.includes(pod.program));

  test(`${overlay}: nobody is root, writes to the image, gains privileges or holds a token of the cluster`, () => {
    for (const { name, spec } of pods) {
      assert.equal(spec.automountServiceAccountToken, false, name);
      assert.equal(spec.securityContext.runAsNonRoot, true, name);
      assert.ok(spec.securityContext.runAsUser > 0, name);
      assert.deepEqual(spec.securityContext.seccompProfile, { type: 'RuntimeDefault' }, name);
      for (const what of ['hostNetwork', 'hostPID', 'hostIPC']) assert.equal(spec[what], undefined, name);
      for (const { securityContext } of [...spec.containers, ...(spec.initContainers ?? [])]) {
        assert.deepEqual(securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }, name);
      }
      const kinds = (spec.volumes ?? []).flatMap((volume) => Object.keys(volume)).filter((kind) => kind !== 'name');
      assert.ok(kinds.every((kind) => ['secret', 'configMap', 'projected', 'emptyDir'].includes(kind)), `${name}: ${kinds}`);
    }
  });

  test(`${overlay}: every container has its share, and every image is pinned`, () => {
    for (const { name, spec } of pods) {
      for (const { resources, image } of spec.containers) {
        for (const what of ['cpu', 'memory']) assert.ok(resources.requests[what] && resources.limits[what], `${name}: ${what}`);
        assert.match(image, pinned[overlay] ?? pinned.production);
        assert.doesNotMatch(image, /:latest$/);
      }
    }
  });

  test(`${overlay}: PostgreSQL's image is pinned, and its tag has the version that the operator reads`, () => {
    for (const { spec } of objects.filter((object) => object.kind === 'Cluster')) assert.match(spec.imageName, /:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/);
  });

  test(`${overlay}: what runs on is asked for its health`, () => {
    for (const { name, kind, spec } of pods) {
      if (kind === 'Job') continue;
      for (const { livenessProbe, readinessProbe } of spec.containers) assert.ok(livenessProbe && readinessProbe, name);
    }
    for (const { spec } of ours) {
      const [{ ports, livenessProbe, startupProbe }] = spec.containers;
      assert.ok(ports.some((port) => port.name === 'admin'));
      assert.deepEqual(livenessProbe.httpGet, { path: '/healthz', port: 'admin' });
      assert.deepEqual(startupProbe.httpGet, { path: '/healthz', port: 'admin' });
    }
  });

  test(`${overlay}: secrets are files, none is a variable`, () => {
    for (const { name, spec } of pods) {
      for (const { env = [], envFrom = [] } of spec.containers) {
        assert.ok(env.every((one) => one.valueFrom?.secretKeyRef === undefined), name);
        assert.ok(envFrom.every((one) => one.secretRef === undefined), name);
      }
    }
  });

  // Kubernetes puts RECRUITING_…-like variables into pods beside Services, and the programs refuse names they don't know.
  test(`${overlay}: no Service is told to a pod by variables`, () => {
    assert.deepEqual(pods.filter(({ spec }) => spec.enableServiceLinks !== false).map((pod) => pod.name), []);
  });

  test(`${overlay}: pods are replaced one by one, and there is time for a drain`, () => {
    assert.deepEqual(ours.map((pod) => pod.program).sort(), [...programs].sort());
    for (const { program, owner, spec } of ours) {
      assert.deepEqual(owner.spec.strategy, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
      const settings = settings_of(spec.containers[0], objects);
      const prefix = binary_of[program].toUpperCase().replaceAll('-', '_');
      const drain = ['DELAY', 'TIMEOUT'].map((part) => seconds(settings[`${prefix}_DRAIN_${part}`]));
      assert.ok(spec.terminationGracePeriodSeconds > drain[0] + drain[1], program);
    }
  });

  test(`${overlay}: a service's pod goes only when every gateway has heard of its successor`, () => {
    const gateway = settings_of(ours.find((pod) => pod.program === 'gateway').spec.containers[0], objects);
    const dns_cache = 30; // CoreDNS keeps answers no longer
    for (const { program, owner } of ours.filter((pod) => ['auth-api', 'public-api'].includes(pod.program))) {
      assert.ok(owner.spec.minReadySeconds > seconds(gateway.RECRUITING_GATEWAY_RESOLVE_INTERVAL) + dns_cache, program);
      const service = objects.find((object) => object.kind === 'Service' && object.metadata.name === program);
      assert.equal(service.spec.clusterIP, 'None');
    }
  });

  test(`${overlay}: the migration's command line finds its database in the mounted file`, () => {
    const { spec } = pods.find((pod) => pod.kind === 'Job');
    const database_unavailable = 3;
    assert.equal(run_recruitctl(spec.containers[0].args), database_unavailable);
  });

  test(`${overlay}: the programs take their settings`, () => {
    for (const { program, spec } of ours) {
      const settings = settings_of(spec.containers[0], objects);
      const known = programs_settings(binary_of[program]);
      assert.deepEqual(Object.keys(settings).filter((name) => !known.has(name)), [], program);
      assert.equal(refused_settings(binary_of[program], settings), '', program);
    }
  });
}
