// What is watched, as the project's files say it: documented metrics, rules, runbooks, the dashboard.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const text_of = (path) => readFileSync(join(root, path), 'utf8');

const programs_of = {
  'All programs': ['gateway', 'auth-api', 'public-api'],
  'auth-api and public-api': ['auth-api', 'public-api'],
  'gateway and public-api': ['gateway', 'public-api'],
  gateway: ['gateway'],
  'auth-api': ['auth-api'],
  'public-api': ['public-api'],
};

/** proto-docs/metrics.md: [{name, type, labels, programs}]. */
export const documented_metrics = () =>
  text_of('proto-docs/metrics.md').split(/^## /m).slice(1).flatMap((section) => {
    const programs = programs_of[section.split('\n')[0]];
    return [...section.matchAll(/^\| `([a-z_]+)` \| (\w+) \| ([^|]*)\|/gm)].map(([, name, type, labels]) => ({
      name, type, programs, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label).sort(),
    }));
  });

export const dashboard = () => JSON.parse(text_of('deploy/grafana/recruiting.json'));
export const panels = () => dashboard().panels.filter((panel) => panel.type !== 'row');
export const alerts = () => [...new Set([...text_of('deploy/prometheus/rules.yaml').matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name))];
export const runbooks = () => readdirSync(join(root, 'proto-docs/runbooks')).filter((name) => /^Recruiting\w+\.md$/.test(name)).map((name) => name.slice(0, -3));
/** An alert's severities, in the rules. */
export const severities_of = (alert) =>
  [...new Set([...text_of('deploy/prometheus/rules.yaml').matchAll(new RegExp(`alert: ${alert}\\n[^]*?severity: (\\w+)`, 'g'))].map(([, word]) => word))].sort();
export const rule_tests = () => readdirSync(join(root, 'deploy/prometheus/tests')).map((name) => `deploy/prometheus/tests/${name}`);

/** Names of metrics in an expression; a histogram's parts count as the histogram. */
export const metrics_in = (expression) =>
  [...expression.replace(/"[^"]*"/g, '""').matchAll(/\b(?:recruiting|process)_[a-z_]+/g)].map(([name]) => name);

const unit_of = { '': 1, ms: 1e-3, s: 1, min: 60, h: 3600, day: 86_400, days: 86_400, '%': 0.01, m: 60, d: 86_400 };
const number_of = (value, unit = '') => Number((Number(value) * unit_of[unit]).toPrecision(6));
const once_each = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);

/** Bold values in a text, as in "**10 min**": numbers, times in seconds, shares of one. */
export const values_in = (text) => [...text.matchAll(/\*\*([\d.]+) ?([a-z%]*)\*\*/g)].map(([, value, unit]) => number_of(value, unit));

/** How an alert's rules fire: [{severity, thresholds, duration}], in the order of the rules; duration 0: at once. */
export const conditions_of_rules = (alert) =>
  [...text_of('deploy/prometheus/rules.yaml').matchAll(new RegExp(`- alert: ${alert}\\n +expr: ([^]*?)\\n(?: +for: (\\d+)([smhd])\\n)? +labels: \\{ severity: (\\w+)`, 'g'))]
    .map(([, expression, value, unit, severity]) => {
      const compared = expression.replace(/\{[^}]*\}/g, '').matchAll(/[=!<>]=? ([\d.]+(?: \* [\d.]+)*)/g);
      const thresholds = [...compared].map(([, product]) => number_of(product.split(' * ').reduce((a, b) => a * Number(b), 1)));
      return { severity, thresholds: once_each(thresholds), duration: value === undefined ? 0 : number_of(value, unit) };
    });

/** The same, of a runbook's "Fires when": an item per rule with its values in bold, the last one after "for". */
export const conditions_of_page = (section) =>
  section.split(/^- /m).slice(1).map((item) => {
    const text = item.replace(/\s+/g, ' ');
    const lasting = text.match(/ for (\*\*[^*]+\*\*)\. $/)?.[1] ?? '';
    const stated = lasting ? text.slice(0, text.lastIndexOf(lasting)) : text;
    return { severity: text.match(/^(\w+): /)?.[1], thresholds: once_each(values_in(stated)), duration: values_in(lasting)[0] ?? 0 };
  });
