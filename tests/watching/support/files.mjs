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
