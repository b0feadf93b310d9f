// No log of the run holds a secret, an Authorization value, a password or a candidate's e-mail address; nor does the
// audit log.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { demo, environment, log_dir, settings_of } from '../support/environment.mjs';
import { recorded_secrets } from '../support/records.mjs';
import { audit_sql, sql } from '../support/recruitctl.mjs';

const files_in = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files_in(path) : [path];
  });

const password_of = (url) => url && decodeURIComponent(new URL(url).password);
const secrets = async () => {
  const demo_emails = await sql(`select email from recruiting.candidates where email is not null limit 100000`);
  return [
    ...recorded_secrets(),
    demo.key,
    password_of(environment.RECRUITING_DATABASE_URL),
    password_of(settings_of('auth-api').RECRUITING_AUTH_API_DATABASE_URL),
    password_of(settings_of('public-api').RECRUITING_PUBLIC_API_DATABASE_URL),
    readFileSync(environment.RECRUITING_KEY_PEPPER_FILE, 'latin1').trim(),
    ...demo_emails.flat(),
    ...demo_emails.flat().map(encodeURIComponent),
    // Short texts (a malformed token such as "x") would be found anywhere.
  ].filter((text) => text && text.length >= 12);
};

/** Which of the texts occur. One pass over the haystack's words, because there are many of both. */
const found_in = (text, wanted) => {
  const words = new Set(text.split(/[\s"'=,;:?&<>()[\]{}\\/]+/));
  const unusual = wanted.filter((secret) => /[\s"'=,;:?&<>()[\]{}\\/]/.test(secret));
  return [...wanted.filter((secret) => words.has(secret)), ...unusual.filter((secret) => text.includes(secret))];
};

test('log files', async () => {
  const wanted = await secrets();
  assert.ok(wanted.length > 100, 'the run used secrets');
  const files = files_in(log_dir);
  assert.ok(files.some((file) => file.endsWith('auth-api.log')) && files.some((file) => file.endsWith('gateway.log')));
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    assert.deepEqual(found_in(text, wanted).map((secret) => `${secret.slice(0, 9)}… (${secret.length} characters)`), [], file);
    assert.doesNotMatch(text, /sp_(test|live)_[0-9A-Za-z]{40}/, `${file} holds an API key`);
    assert.doesNotMatch(text, /Bearer [0-9A-Za-z]/i, `${file} holds an Authorization value`);
  }
});

test('request lines of auth-api name the organization of the key or of who is signed in, and of no other request', async () => {
  const organizations = new Set((await sql(`select replace(id::text, '-', '') from recruiting.organizations`)).flat());
  const requests = readFileSync(join(log_dir, 'auth-api.log'), 'utf8').split('\n').filter((line) => line.includes('"event":"request"')).map(JSON.parse);
  for (const caller of ['credentialId', 'memberId']) assert.ok(requests.some((line) => line[caller]), caller);
  for (const { credentialId, memberId, organizationId } of requests) {
    if (!credentialId && !memberId) assert.equal(organizationId, '');
    else assert.ok(organizations.has(organizationId), organizationId);
  }
});

test('request lines of public-api name the organization whose slug or job the path names', async () => {
  const organizations = new Set((await sql(`select replace(id::text, '-', '') from recruiting.organizations`)).flat());
  const requests = readFileSync(join(log_dir, 'public-api.log'), 'utf8').split('\n').filter((line) => line.includes('"event":"request"')).map(JSON.parse);
  const found = requests.filter(({ endpoint, status }) => endpoint === '/api/public/v1/organizations/{slug}/jobs' && status === 200);
  assert.ok(found.length > 0);
  for (const { organizationId } of found) assert.ok(organizations.has(organizationId), organizationId);
  for (const { endpoint, organizationId } of requests.filter(({ endpoint }) => !/\{(slug|jobId)\}/.test(endpoint))) assert.equal(organizationId, '', endpoint);
});

test('audit rows', async () => {
  const rows = await audit_sql(`select a::text from recruiting.audit_log a order by occurred_at desc limit 20000`);
  const text = rows.map((row) => row.join('|')).join('\n');
  assert.ok(rows.length > 100);
  assert.deepEqual(found_in(text, await secrets()).map((secret) => `${secret.slice(0, 9)}…`), []);
  assert.doesNotMatch(text, /sp_(test|live)_[0-9A-Za-z]{40}/);
});
