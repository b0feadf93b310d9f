// What new users ask, and the page that answers it: the site's own search has that page among its first five results.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import MiniSearch from '../../proto-docs/site/node_modules/minisearch/dist/es/index.js';
import { find, options } from '../../proto-docs/site/assets/search_options.js';

const shown_first = 5;

// [question, the pages that answer it]
const questions = [
  ['how do I replace a key without failed requests', /^(keys|secrets)/],
  ['what happens while Redis is unavailable', /^(operations|edge|troubleshooting)/],
  ['how do I restore a backup', /^backup/],
  ['how do I import jobs from Greenhouse', /^importing/],
  ['why is my widget empty', /^(troubleshooting|widgets)/],
  ['why do I get 429', /^(limits|troubleshooting|errors)/],
  ['what is a sync token', /^(glossary|concepts|lists)/],
  ['which requests may I repeat after a timeout', /^(clients|troubleshooting)/],
  ['error code insufficient_scope', /^errors/],
  ['what may a recruiter see', /^(keys|concepts)/],
  ['how do I renew a TLS certificate', /^(tls|secrets)/],
  ['how do I upgrade without downtime', /^(packages|edge|operations|kubernetes)/],
  ['candidate got no e-mail after booking', /^(troubleshooting|booking)/],
  ['how do I open interview slots', /^booking/],
  ['dead mails resend', /^(mail|troubleshooting)/],
  ['delete the data of a candidate', /^secrets/],
  ['default of RECRUITING_GATEWAY_IDLE_TIMEOUT', /^settings/],
  ['what does the log event mail_delayed mean', /^log_events/],
  ['how is the audit log verified', /^(audit|secrets)/],
  ['how do I connect a model server such as Ollama', /^agent/],
  ['how do I connect Claude or Cursor', /^mcp/],
  ['which webhook is sent when a candidate changes', /^webhooks/],
  ['verify the signature of a webhook', /^webhooks/],
  ['what can change within v1', /^versioning/],
  ['how do I set the logo and accent color', /^branding/],
  ['clients behind a load balancer share one rate limit', /^(edge|troubleshooting)/],
  ['sign in to the console with OpenID Connect', /^openid_connect/],
  ['which ports and health checks does each program have', /^(operations|edge|containers|kubernetes)/],
  ['the key leaked', /^(keys|secrets)/],
  ['how do I scrape metrics with Prometheus', /^(operations|metrics)/],
  ['which database roles are needed for the first start', /^operations/],
];

const built = new URL('../../build/docs/assets/search_index.json', import.meta.url); // by scripts/test --only docs
const index = MiniSearch.loadJSON(readFileSync(built, 'utf8'), options);

for (const [question, answered_by] of questions) {
  test(question, () => {
    const urls = find(index, question).slice(0, shown_first).map(({ url }) => url);
    assert.ok(urls.some((url) => answered_by.test(url)), `not ${answered_by} but:\n${urls.join('\n')}`);
  });
}

test('something that is nowhere is not found', () => {
  assert.deepEqual(find(index, 'no-such-thing-anywhere'), []);
});
