// Programs one version apart, side by side on the newer schema: under load the schema is migrated below the programs of the
// version before, each program is exchanged for this version's, one at a time, and then back. No request fails, and nothing that
// was acknowledged is lost. PREVIOUS_PROGRAMS is the folder of the other version's programs (scripts/test --previous).
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { requests_with, start_clients } from '../containers/support/clients.mjs';
import { bookable_stage, booking_settings, candidate_email, connect, fill, limits_far_away, start_redis } from '../faults/support/booking_world.mjs';
import { check_history } from '../faults/support/checker.mjs';
import { booking_problems, collect } from '../faults/support/evidence.mjs';
import { ask } from '../faults/support/http.mjs';
import { start_instance } from '../faults/support/instance.mjs';
import { until } from '../faults/support/wait.mjs';
import { agent_settings, make_members, make_operator, programs, public_api_settings, start_database } from '../faults/support/world.mjs';
import { start_model_double } from '../support/model_double.mjs';
import { start_smtp_double } from '../support/smtp_double.mjs';
import { start_load } from '../cluster/support/load.mjs';
import { start_pairs } from '../cluster/support/pairs.mjs';
import { start_watchers } from './support/watchers.mjs';

const previous = process.env.PREVIOUS_PROGRAMS;
const skip = previous ? false : 'no programs of the version before: scripts/test --only cluster --previous COMMIT builds them';
const success = (kind) => (kind === 'revoked' ? 401 : 200);

/** What one recruitctl has written, the other one reads and writes again. */
const operate_both = async (folder, { before, now }) => {
  const jobs = join(folder, 'jobs.ndjson');
  writeFileSync(jobs, '{"externalId":"apart-1","title":"Imported by both"}\n');
  const of_acme = ['--organization', 'acme'];
  for (const [number, which] of [before, now, before].entries()) {
    await which('import', 'jobs', ...of_acme, jobs);
    await which('member', 'add', ...of_acme, '--email', `apart${number}@acme.example`, '--name', 'Apart', '--role', 'recruiter');
    await which('member', 'remove', ...of_acme, '--email', `apart${number}@acme.example`);
  }
  const ids = async (which, what) => (await which(...what)).data.map(({ id }) => id);
  for (const what of [['organization', 'list'], ['member', 'list', ...of_acme], ['key', 'list', ...of_acme]]) {
    assert.deepEqual(await ids(before, what), await ids(now, what), what.join(' '));
  }
};

test('programs one version apart serve side by side: no request fails, and nothing acknowledged is lost', { skip }, async (t) => {
  const { folder, postgres, recruitctl: recruitctl_before } = await start_database(t, 'apart', previous);
  const operators = { before: recruitctl_before, now: make_operator(folder, postgres) };
  await fill(postgres, operators.before, { candidates: 8_000, slots: 600, interviewers: 5 });
  const { job, stage } = await bookable_stage(postgres);
  const members = await make_members(operators.before, 0);
  await operators.before('demo', 'load', '--jobs', '3', '--candidates', '60');
  const key_of_acme = async (which, name) => (await which('key', 'create', '--organization', 'acme', '--owner', 'admin@acme.example', '--name', name, '--scope', '*', '--expires-in', '30d')).secret;
  const secret = await key_of_acme(operators.before, 'apart');
  const { url } = await operators.before('member', 'sign-in-link', '--organization', 'acme', '--email', 'admin@acme.example', '--url', 'http://127.0.0.1', '--expires-in', '15m');

  const model = await start_model_double(({ prompt }) => `Done: ${prompt}`);
  t.after(() => model.stop());
  const mails = await start_smtp_double();
  t.after(() => mails.stop());
  const redis = await start_redis(folder);
  t.after(() => redis.stop());
  const console_folder = join(folder, 'console');
  mkdirSync(console_folder);
  writeFileSync(join(console_folder, 'index.html'), '<!doctype html><title>Console</title>');
  const pairs = await start_pairs(t, { folder, postgres, bin: previous, more: {
    auth_api: { ...agent_settings(model), ...booking_settings, RECRUITING_AUTH_API_STATEMENT_TIMEOUT: '5s',
      RECRUITING_AUTH_API_CONSOLE: console_folder,
      RECRUITING_MAIL_URL: mails.url, RECRUITING_MAIL_FROM: 'jobs@example.com' },
    public_api: { ...limits_far_away, RECRUITING_PUBLIC_API_DATABASE_TIMEOUT: '5s', RECRUITING_REDIS_URL: redis.url },
  } });

  const front = { port: pairs.port, number: 0 };
  const scheduling = `/api/public/v1/scheduling/${job}/${stage}`;
  const slots = JSON.parse((await ask({ ...front, path: `${scheduling}/slots`, timeout: 5_000 })).text).data.map(({ slotStart }) => slotStart);
  const book = (email, slotStart) => {
    const body = JSON.stringify({ email, slotStart });
    return ask({ ...front, method: 'POST', path: `${scheduling}/bookings`, timeout: 30_000, body, headers: { 'Content-Type': 'application/json', 'Content-Length': body.length } });
  };
  let commands = 0;
  const either = (...args) => ((commands += 1) % 2 === 0 ? operators.before : operators.now)(...args);
  const watchers = await start_watchers(front.port, { secret, token: url.split('#token=')[1] });
  const load = start_load({ auth_apis: [front], public_apis: [front], visitors: [{ book }], members, slots, recruitctl: either, seed: 1 });
  const clients = start_clients(front.port, requests_with(secret));
  const end_all = async () => (await Promise.all([clients.stop(), watchers.stop(), load.end()])).slice(0, 2);

  /** What one program writes and another reads later: a published change, a changed candidate. */
  const write_across = async (what) => {
    const title = `Engineer ${what}`;
    await postgres.sql(`update recruiting.jobs set title = '${title}' where id = '${job}'`);
    await postgres.sql(`update recruiting.candidates set name = '${what}' where id = (select c.id from recruiting.candidates c
      join recruiting.organizations o on o.id = c.organization_id where o.slug = 'acme' order by random() limit 1)`);
    for (const { port } of pairs.public_apis) {
      await until(async () => (await ask({ port, path: `/api/public/v1/jobs/${job}`, timeout: 5_000 })).text.includes(title), `public-api shows "${title}"`, 20);
    }
  };

  const steps = [];
  const step = async (what, act) => {
    steps.push({ what, since: performance.now() });
    await act();
    await write_across(what);
  };
  const during = (at) => steps.findLast(({ since }) => since < at)?.what;
  const exchange = async () => {
    await step('the version before', () => {});
    await step('the newer schema', () => operators.now('migrate'));
    for (const [to, bin] of [['now', programs()], ['before', previous]]) {
      for (const one of [...pairs.auth_apis, ...pairs.public_apis, ...pairs.gateways]) {
        await step(`${one.name} ${one.number} ${to}`, () => pairs.restart(one, bin));
      }
    }
  };
  const failure = await exchange().then(() => operate_both(folder, operators)).then(() => undefined, (error) => error);
  const [{ failures, done }, watched] = await end_all();
  t.diagnostic(`load: ${load.answers.length} answers, ${load.bookings.length} bookings, ${load.keys.length} keys, ${load.requests.length} runs; clients: ${JSON.stringify(done)}; ${JSON.stringify(watched.done)}`);

  if (failure) throw failure;
  const failed = load.answers.filter(({ kind, status }) => status !== success(kind)).map(({ kind, status, error, at, took }) => `${during(at)}: ${kind} ${status} in ${Math.round(took)} ms ${error ?? ''}`);
  assert.deepEqual([...failures, ...failed, ...watched.wrong].slice(0, 20), [], 'no request fails');
  for (const kind of Object.keys(watched.done)) assert.ok(watched.done[kind] > 0, `no ${kind}`);
  const count = (what) => postgres.sql(`select count(*) from recruiting.${what}`);
  for (const queue of ['booking_requests', 'audit_intake', "mail_outbox where status = 'waiting'"]) {
    await until(async () => (await count(queue)) === '0', `nothing is left in ${queue}`);
  }
  const evidence = await collect({ postgres, model: { requests: model.requests.filter(({ prompt }) => prompt.startsWith('Request ')) }, instances: pairs.all }, load.requests);
  assert.deepEqual(check_history({ ...evidence, revoked: [] }).slice(0, 20), []);
  assert.deepEqual(load.answers.filter(({ kind, id }) => ['read', 'new key'].includes(kind) && evidence.audited[id] !== 1), [], 'every read has one audit row');
  const booked = new Set((await postgres.rows('select c.email from recruiting.bookings b join recruiting.candidates c on c.id = b.candidate_id')).map(({ email }) => email));
  assert.deepEqual(load.bookings.filter((email) => !booked.has(email)), []);
  assert.deepEqual(await booking_problems(postgres), []);
  const sent = await postgres.rows("select replace(id::text, '-', '') || '@example.com' as id, status from recruiting.mail_outbox");
  const arrived = mails.mails.map(({ id }) => id);
  assert.deepEqual(sent.filter(({ status }) => status !== 'sent'), []);
  assert.deepEqual(sent.filter(({ id }) => arrived.filter((one) => one === id).length !== 1), [], 'every mail arrives once');
  const revoked = new Set((await postgres.rows("select replace(id::text, '-', '') as id from recruiting.api_keys where revoked_at is not null")).map(({ id }) => id));
  assert.deepEqual(load.keys.filter((key) => key.revoked && !revoked.has(key.id)), []);
  const names = await postgres.rows("select replace(c.id::text, '-', '') as id, c.name from recruiting.candidates c join recruiting.organizations o on o.id = c.organization_id where o.slug = 'acme'");
  assert.deepEqual(names.filter(({ id, name }) => watched.copy.get(id) !== name), [], 'a copy kept by syncs equals the list');
  await operators.now('audit', 'verify'); // fails when a chain is not intact
});

const [request_limit, booking_limit] = [30, 10];
const ask_in_turn = async (number, instances, send) => {
  const statuses = [];
  for (let i = 0; i < number; i += 1) statuses.push((await send(instances[i % 2], i)).status);
  return { passed: statuses.filter((status) => status === 200).length, rejected: statuses.filter((status) => status === 429).length };
};
const hour = () => Math.floor(Date.now() / 3_600_000);

test('programs one version apart share their counts in Redis', { skip }, async (t) => {
  const { folder, postgres, recruitctl } = await start_database(t, 'apart-counts');
  await fill(postgres, recruitctl, { candidates: 100, slots: 20, interviewers: 1 });
  const redis = await start_redis(folder);
  t.after(() => redis.stop());
  const service = http.createServer((_, answer) => answer.end('{}')).listen(0, '127.0.0.1');
  await once(service, 'listening');
  t.after(() => service.closeAllConnections() ?? service.close());
  const of_both_versions = (name, settings) => Promise.all([previous, programs()].map(async (bin, number) => {
    const one = await start_instance(number, { name, program: join(bin, `recruiting-${name}`), folder, settings: { ...settings, RECRUITING_REDIS_URL: redis.url } });
    t.after(() => one.end('SIGKILL'));
    await until(async () => (await one.metric('recruiting_redis_connections')) >= 1, `${name} ${number} is connected to Redis`);
    return one;
  }));
  const at = `127.0.0.1:${service.address().port}`;
  const gateways = await of_both_versions('gateway', {
    RECRUITING_GATEWAY_AUTH_API: at, RECRUITING_GATEWAY_PUBLIC_API: at, RECRUITING_GATEWAY_THREADS: '1', RECRUITING_GATEWAY_WINDOW: '86400', RECRUITING_GATEWAY_RATE_LIMIT: String(request_limit),
  });
  const public_apis = await of_both_versions('public-api', {
    ...public_api_settings(folder, postgres.url('recruiting_public')), RECRUITING_PUBLIC_API_TRUSTED_PROXIES: '127.0.0.0/8', RECRUITING_PUBLIC_API_BOOKINGS_PER_ADDRESS: String(booking_limit),
  });
  assert.deepEqual(await ask_in_turn(2 * request_limit, gateways, ({ port }) => ask({ port, path: '/api/v1/me', timeout: 5_000 })), { passed: request_limit, rejected: request_limit });

  const stage = await bookable_stage(postgres);
  const visitors = public_apis.map(({ port }) => connect(port, stage));
  t.after(() => visitors.forEach((visitor) => visitor.close()));
  await until(async () => (await visitors[0].slots()).status === 200 && (await visitors[1].slots()).status === 200, 'slots');
  const [{ slotStart }] = JSON.parse((await visitors[0].slots()).text).data;
  let [began, counted] = [];
  do {
    began = hour();
    counted = await ask_in_turn(2 * booking_limit, visitors, (visitor, i) => visitor.book(candidate_email(i), slotStart, `198.51.100.${began % 250}`));
  } while (hour() !== began);
  assert.deepEqual(counted, { passed: booking_limit, rejected: booking_limit });
});
