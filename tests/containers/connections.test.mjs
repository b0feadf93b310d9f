// The connections of all pods, at the autoscalers' bounds and while the pods are replaced, fit into PostgreSQL's
// max_connections. How many a pod opens is what its program's --check prints with the pod's settings.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { beside_pods, binary_of, image_settings, seconds } from './support/images.mjs';
import { overlays, pods_of, build_objects, root, settings_of } from './support/manifests.mjs';
import { connections_of } from './support/programs.mjs';

const document = readFileSync(join(root, 'proto-docs', 'kubernetes.md'), 'utf8');
/** Rows "| `program` | pods | connections of one | of all |" of the section Connections. */
const documented = new Map([...document.matchAll(/^\| `([a-z-]+)` \| (\d+) \| (\d+) \| (\d+) \|$/gm)].map(([, name, ...numbers]) => [name, numbers.map(Number)]));
const required = Number(/`max_connections` of (\d+)/.exec(document)?.[1]);

/** How many pods of a Deployment may hold connections at once: the bound, one more for its rollout, and those that drain. */
const most_pods = (owner, scaler, drain) => {
  const bound = scaler.spec.maxReplicas ?? scaler.spec.maxReplicaCount;
  const ending = owner.spec.minReadySeconds >= drain ? 1 : bound;
  return bound + owner.spec.strategy.rollingUpdate.maxSurge + ending;
};

/** max_connections of the PostgreSQL that is among the objects; undefined: it is elsewhere. */
const max_connections = (objects) => {
  const cluster = objects.find((object) => object.kind === 'Cluster');
  if (cluster) return Number(cluster.spec.postgresql.parameters.max_connections);
  const own = objects.find((object) => object.kind === 'StatefulSet' && object.metadata.name === 'postgres');
  const text = own?.spec.template.spec.containers[0].args.find((one) => one.startsWith('max_connections='))?.split('=')[1];
  return text === undefined ? undefined : Number(text);
};

for (const overlay of overlays) {
  const objects = build_objects(overlay);
  const rows = pods_of(objects).filter(({ program }) => ['auth-api', 'workers', 'public-api'].includes(program)).map(({ program, owner, spec }) => {
    const settings = { ...image_settings(binary_of[program]), ...settings_of(spec.containers[0], objects) };
    const prefix = binary_of[program].toUpperCase().replaceAll('-', '_');
    const drain = ['DELAY', 'TIMEOUT'].reduce((sum, part) => sum + seconds(settings[`${prefix}_DRAIN_${part}`]), 0);
    const scaler = objects.find((object) => object.spec?.scaleTargetRef?.name === owner.metadata.name);
    const pods = most_pods(owner, scaler, drain);
    const { postgres } = connections_of(binary_of[program], settings);
    return [program, [pods, postgres, pods * postgres]];
  });

  test(`${overlay}: the pods' connections are those of the table`, () => {
    assert.equal(rows.length, 3);
    for (const [program, numbers] of rows) assert.deepEqual(numbers, documented.get(program), program);
  });

  test(`${overlay}: PostgreSQL takes the connections of all pods, a migration, operators and superusers`, () => {
    const all = rows.reduce((sum, [, [, , one]]) => sum + one, beside_pods);
    const allowed = max_connections(objects) ?? required;
    assert.equal(allowed, required);
    assert.ok(all <= allowed, `${all} > ${allowed}`);
  });
}

test('compose.yaml: PostgreSQL takes the connections of programs on a machine of 32 cores', () => {
  const { services } = parse(readFileSync(join(root, 'deploy', 'docker', 'compose.yaml'), 'utf8'), { merge: true });
  const allowed = Number(services.postgres.command.find((one) => one.startsWith('max_connections=')).split('=')[1]);
  const of = (binary, threads) => connections_of(binary, { ...image_settings(binary), RECRUITING_CURSOR_SECRET_FILE: '', ...threads }).postgres;
  const all = of('recruiting-auth-api', { RECRUITING_KEY_PEPPER_FILE: '', RECRUITING_AUTH_API_THREADS: '32' }) + of('recruiting-public-api', { RECRUITING_PUBLIC_API_THREADS: '32' });
  assert.ok(all + beside_pods <= allowed, `${all} + ${beside_pods} > ${allowed}`);
});
