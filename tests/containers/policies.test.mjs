// The table "who reaches whom" of kubernetes.md, computed from the NetworkPolicies of all overlays: every pair of ends, no
// more and no less than the table says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { blocks_of, may_connect } from './support/policies.mjs';
import { overlays, build_objects, root } from './support/manifests.mjs';

const namespace = 'recruiting';
const ours = (name) => ({ namespace, labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'recruiting' } });
const beside = (name) => ({ namespace, labels: { 'app.kubernetes.io/name': name } });
const elsewhere = (where, labels) => ({ namespace: where, labels });

const ports = {
  gateway: { http: 8080, https: 8443, admin: 9080 }, 'auth-api': { http: 8081, admin: 9081 }, workers: { http: 8081, admin: 9081 },
  'public-api': { http: 8082, admin: 9082 }, recruitctl: { http: 8080 }, postgresql: { postgresql: 5432 }, redis: { redis: 6379, sentinel: 26379 },
  mail: { smtp: 1025, submission: 587 }, dns: { dns: 53 }, collector: { otlp: 4318 }, 'model-server': { http: 8000 }, monitoring: { http: 9090 }, anybody: { http: 80 },
};
const ends = (overlay) => ({
  gateway: ours('gateway'), 'auth-api': ours('auth-api'), workers: ours('workers'), 'public-api': ours('public-api'), recruitctl: ours('recruitctl'),
  ...(overlay === 'example'
    ? { postgresql: beside('postgresql'), redis: beside('redis'), mail: beside('mail') }
    : { postgresql: overlay === 'production' ? { cidr: '10.20.0.0/28' } : ours('postgresql'), redis: overlay === 'production' ? { cidr: '10.20.1.0/28' } : ours('redis'), mail: { cidr: '203.0.113.25/32' } }),
  dns: elsewhere('kube-system', { 'k8s-app': 'kube-dns' }), collector: elsewhere('observability', { 'app.kubernetes.io/name': 'collector' }),
  'model-server': elsewhere('models', { 'app.kubernetes.io/name': 'model-server' }), monitoring: elsewhere('monitoring', { 'app.kubernetes.io/name': 'prometheus' }),
  anybody: elsewhere('somewhere', {}),
});
/** Ends and ports that are there with a component. */
const components = { collector: 'tracing', 'model-server': 'model-server', monitoring: 'monitoring', https: 'tls' };
const mail_port = { example: 'mail:smtp', production: 'mail:submission', 'highly-available': 'mail:submission' };
/** Those of the overlay and of the overlay that it is made of. */
const components_of = (overlay) => {
  const { components: own, resources } = parse(readFileSync(join(root, 'deploy', 'kubernetes', 'overlays', overlay, 'kustomization.yaml'), 'utf8'));
  return [...own, ...(resources.includes('../production') ? components_of('production') : [])];
};
const has_component = (overlay, what) => components[what] === undefined || components_of(overlay).some((path) => path.endsWith(`/${components[what]}`));
const programs = ['gateway', 'auth-api', 'workers', 'public-api', 'recruitctl'];

/** {from: [to:port]} of the document: rows "| `from` | `to`: port, port; … |". */
const documented = () => {
  const text = readFileSync(join(root, 'proto-docs', 'kubernetes.md'), 'utf8');
  const table = text.split('## Who reaches whom')[1].split('\n## ')[0];
  return new Map([...table.matchAll(/^\| `([\w-]+)` \| (.*) \|$/gm)].map(([, from, cell]) => [from,
    cell.split(';').flatMap((part) => {
      const [, to, names] = /^\s*`([\w-]+)`: (.*?)\s*$/.exec(part);
      return names.split(',').map((name) => `${to}:${name.trim()}`);
    }).sort()]));
};

/** Of what the table says, what this overlay has. */
const expected_in = (overlay, pairs) => pairs.filter((pair) => {
  if (pair.startsWith('mail:')) return pair === mail_port[overlay];
  if (pair === 'redis:sentinel') return overlay === 'highly-available';
  return pair.split(':').every((what) => has_component(overlay, what));
});

for (const overlay of overlays) {
  const objects = build_objects(overlay);
  const all = ends(overlay);

  test(`${overlay}: who reaches whom is what the table says`, () => {
    const table = documented();
    assert.deepEqual([...table.keys()].sort(), [...programs, 'monitoring', 'anybody'].sort());
    for (const [from, pairs] of table) {
      if (!has_component(overlay, from)) continue;
      const reached = Object.keys(all).filter((to) => to !== from).flatMap((to) =>
        Object.entries(ports[to]).filter(([name, number]) => {
          const both_foreign = !programs.includes(from) && !programs.includes(to);
          return !both_foreign && may_connect(objects, namespace, all[from], all[to], { number, name });
        }).map(([name]) => `${to}:${name}`));
      assert.deepEqual(reached.sort(), expected_in(overlay, pairs), `from ${from}`);
    }
  });

  test(`${overlay}: no address block is open that the table has no name for`, () => {
    const named = Object.values(all).map((end) => end.cidr).filter(Boolean);
    assert.deepEqual(blocks_of(objects).sort(), named.sort());
  });
}
