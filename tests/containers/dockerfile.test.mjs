// The Dockerfile: as a linter wants it, every target an image that only starts one program, as nobody.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import linter from 'dockerfile-utils';
import { programs_settings } from './support/programs.mjs';
import { root } from './support/manifests.mjs';

const text = readFileSync(join(root, 'deploy', 'docker', 'Dockerfile'), 'utf8');
const lines = text.replace(/\\\n\s*/g, ' ').split('\n').filter((line) => line && !line.startsWith('#'));
/** {stage: {from, instructions: [[name, rest]]}} */
const stages = {};
let current;
for (const line of lines) {
  const [name, ...rest] = line.split(' ');
  const from = /^FROM (\S+) AS (\S+)$/.exec(line);
  if (from) stages[from[2]] = current = { from: from[1], instructions: [] };
  else current?.instructions.push([name, rest.join(' ')]);
}
const targets = { gateway: [8080, 8443, 9080], 'auth-api': [8081, 9081], 'public-api': [8082, 9082], recruitctl: [] };
const of = (stage, name) => stages[stage].instructions.filter(([one]) => one === name).map(([, rest]) => rest);

test('the linter finds nothing', () => {
  assert.deepEqual(linter.validate(text).map(({ range, message }) => `line ${range.start.line + 1}: ${message}`), []);
  assert.equal(linter.validate('FROM a\nRUNN b\n').length, 1);
});

test('an image begins with nothing, and belongs to a user without rights', () => {
  assert.equal(stages.base.from, 'scratch');
  assert.deepEqual(of('base', 'USER'), ['65532:65532']);
  assert.deepEqual(of('base', 'STOPSIGNAL'), ['SIGTERM']);
  for (const target of Object.keys(targets)) {
    assert.equal(stages[target].from, 'base');
    const pages = { 'public-api': ['--from=docs /docs /usr/share/recruiting/docs'], 'auth-api': ['--from=console /console /usr/share/recruiting/console'] };
    assert.deepEqual(of(target, 'COPY'), [`--from=build /images/${target} /`, ...(pages[target] ?? [])]);
    for (const name of ['RUN', 'ADD', 'USER', 'VOLUME', 'SHELL']) assert.deepEqual(of(target, name), []);
  }
});

test('an image starts its program, says which ports, and is asked for its health without a shell', () => {
  for (const [target, ports] of Object.entries(targets)) {
    const binary = target === 'recruitctl' ? '/usr/bin/recruitctl' : `/usr/bin/recruiting-${target}`;
    assert.deepEqual(JSON.parse(of(target, 'ENTRYPOINT')[0]), [binary]);
    assert.deepEqual(of(target, 'EXPOSE'), ports.length ? [ports.join(' ')] : []);
    const [health] = of(target, 'HEALTHCHECK');
    if (ports.length === 0) assert.equal(health, 'NONE');
    else assert.deepEqual(JSON.parse(/CMD (\[.*\])$/.exec(health)[1]), [binary, '--healthcheck']);
  }
});

test('the programs know the settings their images come with', () => {
  for (const target of Object.keys(targets)) {
    const names = of(target, 'ENV').flatMap((rest) => rest.split(/\s+/).map((one) => one.split('=')[0]));
    const known = programs_settings(target === 'recruitctl' ? target : `recruiting-${target}`);
    assert.ok(names.length > 0);
    assert.deepEqual(names.filter((name) => !known.has(name)), [], target);
  }
});

test('what is copied into the build is there, and secrets never reach the engine', () => {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  assert.ok(ignored.includes('*'));
  for (const name of ['deploy/docker/secrets', 'deploy/docker/.env']) assert.ok(ignored.includes(name), name);
  for (const path of ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))) assert.ok(existsSync(join(root, path)), path);
  for (const rest of [...of('tools', 'COPY'), ...of('build', 'COPY')]) {
    for (const path of rest.split(' ').slice(0, -1)) assert.ok(existsSync(join(root, path)), path);
  }
});

test('cmake is content with what is copied into the build', () => {
  const source = mkdtempSync(join(tmpdir(), 'recruiting-build-stage-'));
  try {
    for (const rest of [...of('tools', 'COPY'), ...of('build', 'COPY')])
      for (const path of rest.split(' ').slice(0, -1)) cpSync(join(root, path), join(source, path), { recursive: true });
    const [, step] = /^ +(cmake .*)$/m.exec(readFileSync(join(root, 'deploy/docker/build_steps'), 'utf8'));
    const { status, stderr } = spawnSync('sh', ['-c', step], { cwd: source, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  } finally {
    rmSync(source, { recursive: true });
  }
});
