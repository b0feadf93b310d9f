// recruitctl doctor beside the running system, found by the env file of scripts/up.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { free_port } from '../../../support/free_port.mjs';
import { admin_of } from '../../support/environment.mjs';
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
    'migrations.schema', 'sealer.lag', 'clock.postgres', 'redis.memory', 'host.time-zones',
  ]) {
    assert.equal(verdict_of(report, check), 'ok', check);
  }
});

/** Those that carry out the console's changes (`change_threads`): they are in no metric. */
const changing = 2;
/** As the program's own metrics say. */
const connections_of = async (name) => {
  const page = await (await fetch(`http://${admin_of(name)}/metrics`)).text();
  return [...page.matchAll(/^recruiting_postgres_connections_expected\{.*\} (\d+)$/gm)].reduce((sum, [, number]) => sum + Number(number), 0);
};

test('the programs report as many connections to PostgreSQL as they open', async () => {
  for (const [name, more] of [['auth-api', changing], ['public-api', 0]]) {
    const { connections } = await (await fetch(`http://${admin_of(name)}/settings`)).json();
    assert.equal(connections.postgres, (await connections_of(name)) + more, name);
  }
});

test('running programs report their settings without secrets', async () => {
  for (const name of ['gateway', 'auth-api', 'public-api']) {
    const text = await (await fetch(`http://${admin_of(name)}/settings`)).text();
    assert.doesNotMatch(text, /:\/\/[^*"]*@/, name);
    const { settings } = JSON.parse(text);
    const by_name = new Map(settings.map((one) => [one.name, one]));
    const listen = by_name.get(`RECRUITING_${name.toUpperCase().replace('-', '_')}_ADMIN_LISTEN`);
    assert.equal(listen.value, admin_of(name));
    assert.match(listen.origin, /^(default|environment)$/);
    assert.ok(settings.some(({ origin }) => origin === 'default'), name);
    if (name === 'auth-api') assert.deepEqual(Object.keys(by_name.get('RECRUITING_AGENT_MODEL_PROXY')), ['name', 'secret', 'set', 'origin']);
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
