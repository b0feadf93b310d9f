// The running system under a real Prometheus: every metric as documented, rules that load, panels that show something,
// runbooks whose commands run.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { admin_of, environment, settings_of, usual_admin } from '../e2e/support/environment.mjs';
import { await_condition } from '../e2e/support/programs.mjs';
import { alerts, documented_metrics, panels, runbooks, text_of } from './support/files.mjs';
import { start_prometheus } from './support/prometheus.mjs';
import { start_traffic } from './support/traffic.mjs';

const programs = Object.keys(usual_admin);
const targets = Object.fromEntries(Object.entries(usual_admin).map(([name, address]) => [address, admin_of(name)]));

let prometheus, stop_traffic;
before(async () => {
  stop_traffic = start_traffic();
  prometheus = await start_prometheus(targets);
});
after(async () => {
  await stop_traffic?.();
  await prometheus?.stop();
});

const shown_by = async (name) => (await fetch(`http://${admin_of(name)}/metrics`)).text();

for (const name of programs) {
  test(`${name}: promtool finds nothing amiss in its metrics`, async () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await shown_by(name), encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.equal(`${stdout}${stderr}`, '');
  });

  test(`${name}: metrics.md has every metric with its type and labels, and no other`, async () => {
    const page = await shown_by(name);
    const types = new Map([...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, metric, type]) => [metric, type]));
    const labels = new Map([...types.keys()].map((metric) => [metric, new Set()]));
    for (const [, sample, braces] of page.matchAll(/^([a-z_]+)\{(.*)\} \S+$/gm)) {
      const metric = types.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '');
      for (const [, label] of braces.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) if (label !== 'le') labels.get(metric).add(label);
    }
    const has_samples = (metric) => new RegExp(`^${metric}[ {_]`, 'm').test(page);
    const documented = documented_metrics().filter(({ programs }) => programs.includes(name));
    assert.deepEqual(documented.map((one) => one.name).sort(), [...types.keys()].sort());
    for (const one of documented) {
      assert.equal(one.type, types.get(one.name), one.name);
      if (has_samples(one.name)) assert.deepEqual([...labels.get(one.name)].sort(), one.labels, one.name);
    }
  });

  test(`${name}: HELP for each, and no metric twice`, async () => {
    const page = await shown_by(name);
    const names = [...page.matchAll(/^# TYPE (\S+) /gm)].map(([, metric]) => metric);
    assert.equal(new Set(names).size, names.length);
    for (const metric of names) assert.match(page, new RegExp(`^# HELP ${metric} \\S`, 'm'));
  });
}

test('no label holds an address of a client, an e-mail address or an id', async () => {
  for (const name of programs) {
    for (const [line] of (await shown_by(name)).matchAll(/^\w+\{.*\}/gm)) {
      assert.doesNotMatch(line, /[0-9a-f]{16}|@|sp_(test|live)_/, line);
    }
  }
});

test('the rules load and every one of them evaluates', async () => {
  const all = async () => (await prometheus.rules()).flatMap((group) => group.rules);
  const evaluated = async () => (await all()).length > 0 && (await all()).every((rule) => rule.health !== 'unknown');
  await await_condition(evaluated, 'each rule was evaluated');
  for (const rule of await all()) assert.equal(rule.health, 'ok', `${rule.name}: ${rule.lastError}`);
  assert.deepEqual([...new Set((await all()).filter((rule) => rule.type === 'alerting').map((rule) => rule.name))].sort(), alerts().sort());
});

test('every program is scraped', async () => {
  const up = async () => (await prometheus.targets()).filter((target) => target.health === 'up').map((target) => target.labels.job).sort();
  await await_condition(async () => (await up()).length === 3, 'all targets are up');
  assert.deepEqual(await up(), ['recruiting-auth-api', 'recruiting-gateway', 'recruiting-public-api']);
});

// Empty by design in this system.
const may_be_empty = { 'Time to certificate expiry': 'the test system does not use TLS' };

for (const panel of panels()) {
  const reason = may_be_empty[panel.title];
  test(`panel "${panel.title}" (${panel.id}) shows something`, { skip: reason }, async () => {
    for (const { expr } of panel.targets) {
      const query = expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '15s');
      const has_data = async () => (await prometheus.values(query)).some(Number.isFinite);
      await await_condition(has_data, `data of ${query}`);
    }
  });
}

const bash = (command) =>
  new Promise((done) => {
    const env = { ...process.env, ...environment, RECRUITING_REDIS_URL: settings_of('gateway').RECRUITING_REDIS_URL };
    execFile('bash', ['-o', 'pipefail', '-c', command], { env, encoding: 'utf8', timeout: 60_000 },
      (error, stdout, stderr) => done({ code: error ? (error.code ?? 1) : 0, stdout, stderr }));
  });

// promtool takes a second to start: what it would ask is asked without it, save once.
const asked = /^promtool query instant \S+ '(.*)'$/;

test('promtool asks as the runbooks say', async () => {
  const { code, stdout } = await bash(`promtool query instant ${prometheus.url} 'up{job=~"recruiting-.+"}'`);
  assert.equal(code, 0);
  assert.match(stdout, /job="recruiting-gateway"/);
});

test('every command of a runbook runs, and says something', async () => {
  const block = /^```sh\n([^]*?)^```$/m;
  const run = async (name, command) => {
    const query = command.match(asked)?.[1];
    if (query !== undefined) return prometheus.values(query);
    let real = command.replace('http://127.0.0.1:9090', prometheus.url);
    for (const [address, to] of Object.entries(targets)) real = real.replace(address, to);
    const { code, stdout, stderr } = await bash(real);
    assert.equal(code, 0, `${name}: ${command}\n${stdout}${stderr}`);
    if (!/slowlog/.test(command)) assert.notEqual(stdout.trim(), '', `${name}: ${command}`);
  };
  const commands = runbooks().flatMap((name) =>
    text_of(`proto-docs/runbooks/${name}.md`).match(block)[1].trim().split('\n').map((command) => [name, command]));
  assert.ok(commands.length > 80);
  const worker = async () => {
    for (let next = commands.shift(); next; next = commands.shift()) await run(...next);
  };
  await Promise.all([worker(), worker(), worker()]);
});
