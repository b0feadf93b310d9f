// recruitctl doctor beside the running system, found by the env file of scripts/up.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { connections_at_most } from '../../../support/connections.mjs';
import { free_port } from '../../../support/free_port.mjs';
import { admin_of, binary_of, settings_of } from '../../support/environment.mjs';
import { run_recruitctl } from '../../support/recruitctl.mjs';

const doctor = async (...args) => {
  const { code, stdout, stderr } = await run_recruitctl('doctor', '--timeout', '30s', '--json', ...args);
  assert.notEqual(stdout, '', stderr);
  return { code, ...JSON.parse(stdout) };
};
const verdict_of = (report, check) => report.checks.find((one) => one.check === check)?.verdict;

test('a running system has no problem', async () => {
  const report = await doctor();
  assert.deepEqual(report.checks.filter(({ verdict }) => verdict === 'problem'), []);
  assert.equal(report.code, 0);
  assert.equal(report.healthy, true);
  for (const check of [
    'settings.gateway', 'settings.auth-api', 'settings.public-api', 'settings.public-url',
    'reach.postgres', 'reach.postgres-auth-api', 'reach.postgres-public-api', 'reach.redis', 'reach.mail', 'reach.model',
    'reach.gateway', 'reach.auth-api', 'reach.public-api', 'reach.through-to-auth-api', 'reach.through-to-public-api',
    'database.encoding', 'database.time-zones', 'migrations.schema', 'sealer.lag', 'clock.postgres', 'redis.memory', 'host.time-zones',
  ]) {
    assert.equal(verdict_of(report, check), 'ok', check);
  }
});

test('--version, /healthz, the metrics and doctor name the same version and commit', async () => {
  const { recruitctl, checks } = await doctor();
  const built = `${recruitctl.version} (${recruitctl.commit})`;
  assert.match(recruitctl.commit, /^([0-9a-f]{12}(\+dirty)?|unknown)$/);
  assert.equal((await run_recruitctl('--version')).stdout, `recruitctl ${built}\n`);
  for (const name of ['gateway', 'auth-api', 'public-api']) {
    assert.equal(execFileSync(binary_of(name), ['--version'], { encoding: 'utf8' }), `recruiting-${name} ${built}\n`);
    const health = await (await fetch(`http://${admin_of(name)}/healthz`)).json();
    assert.deepEqual(health, { status: 'ok', ...recruitctl });
    const metrics = await (await fetch(`http://${admin_of(name)}/metrics`)).text();
    assert.ok(metrics.includes(`recruiting_build_info{program="${name}",version="${recruitctl.version}",commit="${recruitctl.commit}"} 1\n`), name);
    assert.ok(checks.find(({ check }) => check === `reach.${name}`).text.endsWith(`, ${built}`), name);
  }
});

/** Those that carry out the console's changes (`change_threads`): they are in no metric. */
const changing = 2;
/** As the program's own metrics say. */
const connections_of = async (name) => {
  const page = await (await fetch(`http://${admin_of(name)}/metrics`)).text();
  return [...page.matchAll(/^recruiting_postgres_connections_expected\{.*\} (\d+)$/gm)].reduce((sum, [, number]) => sum + Number(number), 0);
};

test('--check says as many connections to PostgreSQL as they open', async () => {
  for (const [name, more] of [['auth-api', changing], ['public-api', 0]]) {
    assert.equal(connections_at_most(binary_of(name), settings_of(name)).postgres, (await connections_of(name)) + more, name);
  }
});

test('a program that is away is named, with a fix', async () => {
  const report = await doctor('--auth-api', `127.0.0.1:${await free_port()}`);
  assert.equal(report.code, 1);
  const away = report.checks.find(({ check }) => check === 'reach.auth-api');
  assert.equal(away.verdict, 'problem');
  assert.match(away.fix, /scripts\/up --only auth-api/);
});

test('doctor.md has the questions that --help lists', async () => {
  const { stdout } = await run_recruitctl('doctor', '--help');
  const page = readFileSync(new URL('../../../../proto-docs/doctor.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (`[a-z.` -]+`) \| ([^|]+) \|/gm)]
    .flatMap(([, names, question]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [name, question.replaceAll('PROGRAM', /[a-z]*-api$|gateway$/.exec(name)?.[0])]));
  const questions = [...stdout.matchAll(/^ +([a-z]+\.[a-z-]+) +([A-Z].*\?.*)$/gm)].map(([, name, question]) => [name, question]);
  assert.ok(questions.length > 20);
  assert.deepEqual(rows.map(([name]) => name), questions.map(([name]) => name));
  rows.forEach(([name, question], i) => assert.ok(question.startsWith(questions[i][1]), `${name}: ${question}`));
});

test('lines for people hold no secret', async () => {
  const { code, stdout } = await run_recruitctl('doctor', '--timeout', '30s');
  assert.equal(code, 0);
  assert.match(stdout, /^reach$/m);
  assert.match(stdout, /\d+ ok, \d+ warnings?, 0 problems, \d+ skipped\n$/);
  assert.doesNotMatch(stdout, /postgresql:\/\/[^*]*@/);
});
