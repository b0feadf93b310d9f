// One trace from the caller through the gateway and a service to PostgreSQL, a model and its tools; and nothing secret in it.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ask } from '../faults/support/http.mjs';
import { until } from '../faults/support/wait.mjs';
import { make_operator } from '../faults/support/world.mjs';
import { kinds } from './support/collector.mjs';
import { start_traced_world } from './support/world.mjs';

const marker = (what) => `${what}MARKER${randomBytes(6).toString('hex')}`;
const secrets = {
  prompt: marker('prompt'), reply: marker('reply'), search: marker('search'), token: marker('token'), email: `${marker('mail')}@mail.example`,
  path: marker('path'), agent: marker('browser'), state: marker('state').toLowerCase(), argument: marker('argument'), tool: marker('tool'), method: 'MARKERMETHOD',
  referrer: marker('referrer'), host: `${marker('host')}.example`,
};

let world;
const answer = ({ round }) =>
  round === 0
    ? { calls: [{ name: 'list_jobs', arguments: { q: secrets.argument } }, { name: secrets.tool, arguments: {} }], usage: { prompt_tokens: 11, completion_tokens: 7 } }
    : { text: secrets.reply, usage: { prompt_tokens: 13, completion_tokens: 5 } };

before(async () => {
  world = await start_traced_world({ answer });
});
after(async () => {
  await world?.stop();
});

const new_trace = () => ({ trace: randomBytes(16).toString('hex'), caller: randomBytes(8).toString('hex') });
const request = async ({ path, method = 'GET', headers = {}, body, key = world.secret, flags = '01' }) => {
  const ids = new_trace();
  const got = await ask({
    port: world.gateway.port, method, path, body, timeout: 30_000,
    headers: { traceparent: `00-${ids.trace}-${ids.caller}-${flags}`, ...(key && { Authorization: `Bearer ${key}` }), ...headers },
  });
  return { ...got, ...ids };
};
const invoke = (prompt) =>
  request({ path: '/api/v1/agent/invoke', method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ prompt }) });

const service = (span) => span.resource['service.name'];
/** The one span of that trace, program and name, once it has been exported. A program's spans come in the order in which they end. */
const span_of = async ({ trace }, from, name) => {
  const found = () => world.collector.of_trace(trace).filter((span) => service(span) === from && span.name === name);
  await until(() => found().length > 0, `a span "${name}" of ${from}`);
  assert.equal(found().length, 1, `${found().length} spans "${name}" of ${from}`);
  return found()[0];
};

test('one trace: caller, gateway, auth-api, PostgreSQL', async () => {
  const got = await request({ path: `/api/v1/jobs?q=${secrets.search}&limit=1` });
  assert.equal(got.status, 200, got.text);
  const edge = await span_of(got, 'recruiting-gateway', 'GET /api/v1');
  const call = await span_of(got, 'recruiting-gateway', 'GET');
  const served = await span_of(got, 'recruiting-auth-api', 'GET /api/v1/jobs');
  const read = await span_of(got, 'recruiting-auth-api', 'authenticate and read');
  const audit = await span_of(got, 'recruiting-auth-api', 'write audit row');
  const spans = world.collector.of_trace(got.trace);
  assert.equal(edge.parentSpanId, got.caller);
  assert.equal(call.parentSpanId, edge.spanId);
  assert.equal(served.parentSpanId, call.spanId);
  for (const part of [read, audit]) assert.equal(part.parentSpanId, served.spanId);
  assert.deepEqual([edge, call, served, read, audit].map((span) => span.kind), [kinds.server, kinds.client, kinds.server, kinds.client, kinds.client]);
  assert.equal(edge.flags & 0x300, 0x300, 'the caller is another process');
  assert.equal(call.flags & 0x300, 0x100, 'its parent is of this process');
  assert.equal(new Set(spans.map((span) => span.spanId)).size, spans.length);
  assert.equal(edge.attributes['http.route'], '/api/v1');
  assert.equal(served.attributes['http.route'], '/api/v1/jobs');
  assert.equal(served.attributes['http.response.status_code'], 200);
  assert.equal(served.attributes['recruiting.request_id'], edge.attributes['recruiting.request_id']);
  assert.deepEqual([call.attributes['server.address'], call.attributes['server.port']], ['127.0.0.1', world.auth_api.port]);
  assert.equal(read.attributes['db.system.name'], 'postgresql');
  assert.equal(edge.resource['deployment.environment.name'], 'tests');
  assert.match(edge.resource['service.version'], /^\d+\.\d+\.\d+/);
  assert.notEqual(edge.resource['service.instance.id'], served.resource['service.instance.id']);
  for (const span of spans) assert.deepEqual(span.status, {});
});

test('the lines of the logs have the trace', async () => {
  const got = await request({ path: '/api/v1/me' });
  assert.equal(got.status, 200);
  const line_of = (lines) => lines.map((line) => JSON.parse(line)).find((line) => line.event === 'request' && line.traceId === got.trace);
  await until(() => line_of(world.gateway.log().split('\n').filter((line) => line.startsWith('{'))), "the gateway's line");
  await until(() => line_of(world.auth_api.log_lines()), "auth-api's line");
  const open = await request({ path: '/api/public/v1/openapi.json', key: '' });
  assert.equal(open.status, 200, open.text);
  await until(() => world.public_api.log_lines().some((line) => line.includes(open.trace)), "public-api's line");
});

test('what the caller does not sample is recorded nowhere, and goes on', async () => {
  const quiet = await request({ path: '/api/v1/me', flags: '00' });
  const loud = await request({ path: '/api/v1/me' });
  for (const [from, name] of [['recruiting-gateway', 'GET /api/v1'], ['recruiting-auth-api', 'GET /api/v1/me']]) await span_of(loud, from, name); // later ones
  assert.deepEqual(world.collector.of_trace(quiet.trace), []);
  await until(() => world.auth_api.log_lines().some((line) => line.includes(quiet.trace)), 'the log has the trace');
});

test('refusals are no errors of the server that refuses, and are errors of the call', async () => {
  const got = await request({ path: `/api/v1/${secrets.path}` });
  assert.equal(got.status, 404);
  assert.deepEqual((await span_of(got, 'recruiting-gateway', 'GET /api/v1')).status, {});
  assert.deepEqual((await span_of(got, 'recruiting-auth-api', 'GET')).status, {});
  const call = await span_of(got, 'recruiting-gateway', 'GET');
  assert.equal(call.status.code, 2);
  assert.equal(call.attributes['error.type'], '404');
});

test('a run of the agent: the model, its tools and what they read', async () => {
  const got = await invoke(`${secrets.prompt}: which jobs are there?`);
  assert.equal(got.status, 200, got.text);
  assert.equal(JSON.parse(got.text).status, 'completed', got.text);
  const served = await span_of(got, 'recruiting-auth-api', 'POST /api/v1/agent/invoke');
  const run = await span_of(got, 'recruiting-auth-api', 'invoke_agent recruiting');
  const tool = await span_of(got, 'recruiting-auth-api', 'execute_tool list_jobs');
  const unknown = await span_of(got, 'recruiting-auth-api', 'execute_tool unknown');
  const spans = world.collector.of_trace(got.trace);
  const chats = spans.filter((span) => span.name === 'chat double');
  assert.equal(run.parentSpanId, served.spanId);
  assert.equal(chats.length, 2);
  for (const part of [...chats, tool, unknown]) assert.equal(part.parentSpanId, run.spanId);
  const under = (parent) => spans.filter((span) => span.parentSpanId === parent.spanId).map((span) => span.name).sort();
  assert.deepEqual(under(tool), ['authenticate and read', 'write audit row']);
  assert.deepEqual(under(served).filter((name) => name !== 'authenticate and read'), ['begin run', 'invoke_agent recruiting', 'write audit row']);
  assert.ok(under(run).includes('end run'));
  assert.equal(unknown.status.code, 2);
  assert.deepEqual(chats.map((span) => span.attributes['gen_ai.usage.input_tokens']).sort(), [11, 13]);
  assert.equal(chats[0].attributes['server.port'], Number(new URL(world.services.model.url).port));
  assert.ok(world.services.model.requests.every(({ headers }) => headers.traceparent === undefined), 'the model server is told of no trace');
});

/** "job/stage", once the public API knows them. */
const published_job = async () => {
  const { folder, postgres } = world.services;
  const file = join(folder, 'jobs.ndjson');
  writeFileSync(file, JSON.stringify({ externalId: 'traced', title: 'Traced', status: 'open', published: true,
    stages: [{ name: 'Traced', kind: 'interview', bookable: true, interviewDurationMinutes: 30 }] }));
  await make_operator(folder, postgres)('import', 'jobs', '--organization', 'faults', file);
  const ids = await postgres.sql("select replace(job_id::text, '-', '') || '/' || replace(id::text, '-', '') from recruiting.stages where name = 'Traced'");
  const published = '/api/public/v1/organizations/faults/jobs';
  await until(async () => (await request({ path: published, key: '' })).text.includes(ids.slice(0, 32)), 'the job is published');
  return ids.trim();
};

test('the public API: limits in Redis, PostgreSQL, and links that are secrets', async () => {
  const got = await request({ path: `/api/public/v1/scheduling/manage/${secrets.token}`, key: '' });
  assert.equal(got.status, 404);
  const shown = await span_of(got, 'recruiting-public-api', 'GET /api/public/v1/scheduling/manage/{token}');
  assert.equal(shown.parentSpanId, (await span_of(got, 'recruiting-gateway', 'GET')).spanId);
  const page = await request({ path: `/interviews/${secrets.token}`, key: '' });
  await span_of(page, 'recruiting-gateway', 'GET /interviews');
  const job = await published_job();
  const booked = await request({ path: `/api/public/v1/scheduling/${job}/bookings`, method: 'POST', key: '', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: secrets.email, slotStart: new Date(Date.now() + 86_400_000).toISOString() }) });
  assert.equal(booked.status, 404, booked.text); // counted, for there is such a job; looked for, but there is no such time
  const served = await span_of(booked, 'recruiting-public-api', 'POST /api/public/v1/scheduling/{jobId}/{stageId}/bookings');
  const counted = await span_of(booked, 'recruiting-public-api', 'INCRBY');
  assert.equal(counted.parentSpanId, served.spanId);
  assert.equal(counted.attributes['db.system.name'], 'redis');
});

test('a service that is gone: each attempt is a span that says how it failed', async () => {
  await world.public_api.end('SIGTERM');
  const got = await request({ path: '/api/public/v1/organizations/faults/jobs', key: '' });
  assert.equal(got.status, 503);
  const edge = await span_of(got, 'recruiting-gateway', 'GET /api/public/v1');
  assert.equal(edge.status.code, 2);
  assert.equal(edge.attributes['error.type'], '503');
  await world.public_api.start();
});

test('work that nobody asked for has traces of its own', async () => {
  const sealed = await world.collector.span((span) => span.name === 'seal audit rows', 'the sealer');
  assert.equal(sealed.parentSpanId, undefined);
  assert.equal(service(sealed), 'recruiting-auth-api');
});

test('nothing secret is in any span', async () => {
  const odd = await request({ path: '/api/v1/me', headers: { 'User-Agent': secrets.agent, Referer: secrets.referrer, Host: secrets.host,
    tracestate: `${secrets.state}=1`, 'X-Forwarded-For': '203.0.113.77' } });
  await span_of(odd, 'recruiting-auth-api', 'GET /api/v1/me');
  const strange = await request({ path: '/api/v1/me', method: 'PROPFIND', headers: { 'X-Method': secrets.method } });
  assert.equal((await span_of(strange, 'recruiting-gateway', '_OTHER /api/v1')).attributes['http.request.method'], '_OTHER');
  world.gateway.signal('SIGTERM'); // with what still waits
  await world.gateway.exit();
  await world.auth_api.end('SIGTERM');
  const everything = world.collector.everything();
  const found = Object.entries({ ...secrets, key: world.secret, client: '127.0.0.1"}},{"key":"client', address: '203.0.113.77' })
    .filter(([, text]) => everything.toLowerCase().includes(text.toLowerCase()));
  assert.deepEqual(found, []);
  assert.doesNotMatch(everything, /sp_(live|test)_|select |insert |@mail|Alex|client\.address|url\.(full|path|query)/i);
  assert.deepEqual(world.collector.wrong, []);
});
