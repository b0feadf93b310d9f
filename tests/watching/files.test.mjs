// The files of deploy/prometheus, deploy/grafana and the runbooks belong together, and Prometheus' own tools take them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { alerts, conditions_of_page, conditions_of_rules, dashboard, documented_metrics, metrics_in, panels, root, rule_tests, runbooks, severities_of, text_of, values_in } from './support/files.mjs';

const rules = text_of('deploy/prometheus/rules.yaml');
const promtool = (...args) => execFileSync('promtool', args, { cwd: join(root, 'deploy/prometheus'), encoding: 'utf8' });

test('promtool takes the rules and the example configuration', () => {
  promtool('check', 'rules', 'rules.yaml');
  promtool('check', 'config', 'prometheus.yml');
});

for (const file of rule_tests()) {
  test(`promtool: ${file}`, () => void promtool('test', 'rules', file.replace('deploy/prometheus/', '')));
}

test('every alert has a test of its own, and every test an alert', () => {
  const tested = rule_tests().flatMap((file) => [...text_of(file).matchAll(/^ {2}- name: (Recruiting\w+)$/gm)].map(([, name]) => name));
  assert.deepEqual(tested.sort(), alerts().sort());
});

test('every alert has its runbook, and every runbook its alert', () => assert.deepEqual(runbooks().sort(), alerts().sort()));

test('an alert says how bad it is, what it means and where to read on', () => {
  const blocks = rules.split(/^ +- (?=alert:|record:)/m).slice(1).filter((block) => block.startsWith('alert:'));
  for (const block of blocks) {
    const name = block.match(/^alert: (\w+)/)[1];
    assert.match(block, /severity: (critical|warning) /, name);
    assert.match(block, /summary: '\S/, name);
    assert.match(block, /description: '\S/, name);
    assert.match(block, new RegExp(`runbook_url: https://recruiting.example.com/docs/runbooks/${name}\\.html`));
  }
});

test('a runbook has its four parts, and fires as its rules do', () => {
  for (const name of runbooks()) {
    const page = text_of(`proto-docs/runbooks/${name}.md`);
    const [title, ...parts] = page.split(/^## /m);
    assert.equal(title, `# ${name}\n\n`);
    assert.deepEqual(parts.map((part) => part.split('\n')[0]), ['Fires when', 'Impact', 'Check', 'Fix'], name);
    for (const part of parts) assert.match(part, /^.*\n\n\S/, `${name}: nothing below a heading`);
    assert.deepEqual(conditions_of_page(parts[0]), conditions_of_rules(name), name);
  }
});

test('metrics.md names alerts that exist, with the severity and the values of their rules', () => {
  const named = [...text_of('proto-docs/metrics.md').matchAll(/([^|;]*)\[(Recruiting\w+)\]\(runbooks\/\2\.md\) \((\w+)\)/g)];
  assert.ok(named.length > 30);
  for (const [, text, name, severity] of named) {
    const rules = conditions_of_rules(name);
    assert.ok(rules.some((rule) => rule.severity === severity), `${name}: ${severity}`);
    const known = rules.filter((rule) => rule.severity === severity).flatMap(({ thresholds, duration }) => [...thresholds, duration]);
    for (const value of values_in(text)) assert.ok(known.includes(value), `${name}: ${value}`);
  }
});

test('the overview of the runbooks lists every alert, and how bad it is', () => {
  const rows = [...text_of('proto-docs/runbooks/README.md').matchAll(/^\| \[(\w+)\]\(\1\.md\) \| ([\w, ]+) \| \S/gm)];
  const listed = Object.fromEntries(rows.map(([, name, severity]) => [name, severity.split(', ')]));
  assert.deepEqual(listed, Object.fromEntries(alerts().map((name) => [name, severities_of(name)])));
});

test('rules, runbooks and dashboard name documented metrics only', () => {
  const known = new Set(documented_metrics().flatMap(({ name, type }) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name]));
  const expressions = [
    ...rules.split('\n').filter((line) => !/^ *(#|-? *(alert|record|name|summary|description|runbook_url):)/.test(line)),
    ...panels().flatMap((panel) => panel.targets.map((target) => target.expr)),
    ...runbooks().flatMap((name) => [...text_of(`proto-docs/runbooks/${name}.md`).matchAll(/^promtool query instant \S+ '(.*)'$/gm)].map(([, expr]) => expr)),
  ];
  const used = new Set(expressions.flatMap(metrics_in));
  assert.ok(used.size > 50);
  assert.deepEqual([...used].filter((name) => !known.has(name)), []);
});

test('the dashboard: current schema, data source by variable, its own ids, links to runbooks that exist', () => {
  const board = dashboard();
  assert.ok(board.schemaVersion >= 39);
  assert.deepEqual(board.templating.list.map(({ name }) => name), ['datasource', 'instance']);
  const ids = board.panels.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  const known = new Set(runbooks());
  const linked = new Set();
  for (const panel of panels()) {
    assert.equal(panel.datasource.uid, '${datasource}', panel.title); // also of its targets, which name none
    for (const target of panel.targets) assert.equal(target.datasource, undefined, panel.title);
    assert.ok(panel.fieldConfig.defaults.unit, panel.title);
    for (const { url } of panel.links ?? []) linked.add(url.match(/runbooks\/(\w+)\.html$/)[1]);
  }
  assert.deepEqual([...linked].filter((name) => !known.has(name)), []);
  for (const { x, y, w, h } of board.panels.map((panel) => panel.gridPos)) assert.ok(x + w <= 24 && y >= 0 && h > 0);
});
