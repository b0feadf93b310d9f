// A collector that is away, hangs, refuses, lies or is slow: requests do not notice, and neither does the end of the program.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { make_authority } from '../edge/support/certificates.mjs';
import { free_port, start_gateway } from '../edge/support/gateway.mjs';
import { start_recorder } from '../edge/support/recorder.mjs';
import { ask } from '../faults/support/http.mjs';
import { until } from '../faults/support/wait.mjs';
import { start_collector } from './support/collector.mjs';
import { trace_settings } from './support/world.mjs';

let service, authority;
before(async () => {
  service = await start_recorder();
  authority = make_authority();
});
after(async () => {
  await service?.stop();
  authority?.stop();
});

const metric = (gateway, reason) => gateway.metric(`recruiting_trace_spans_dropped_total{reason="${reason}"}`);
const exported = (gateway) => gateway.metric('recruiting_trace_spans_exported_total');
const get = async (gateway, times = 1) => {
  for (let i = 0; i < times; i += 1) assert.equal((await ask({ port: gateway.port, path: '/api/v1/me', timeout: 20_000 })).status, 200);
};

/** A gateway that exports to a collector, for the length of a test. */
const traced = (name, { more = {}, ...options }, run) =>
  test(name, async () => {
    const collector = await start_collector(options);
    let gateway;
    try {
      gateway = await start_gateway(service.address, service.address, {}, trace_settings(collector, more));
      await run({ collector, gateway });
    } finally {
      await gateway?.stop();
      await collector.stop();
    }
    assert.deepEqual(collector.wrong, []);
  });

traced('spans arrive in batches, with the header fields of the file, which no log and no help shows', {
  more: { get RECRUITING_TRACE_HEADERS_FILE() {
    const file = join(authority.path('headers'));
    writeFileSync(file, '# vendor\nX-Vendor-Token: very-secret-token\n');
    return file;
  } },
}, async ({ collector, gateway }) => {
  await get(gateway, 20);
  await until(async () => (await exported(gateway)) >= 40, 'all spans are exported');
  assert.ok(collector.requests.length < 20, 'one request a span');
  for (const { path, method, headers } of collector.requests) {
    assert.deepEqual([path, method], ['/v1/traces', 'POST']);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['x-vendor-token'], 'very-secret-token');
  }
  assert.doesNotMatch(gateway.log(), /very-secret-token/);
});

traced('a collector that hangs delays neither requests nor, beyond its bound, the end', {}, async ({ collector, gateway }) => {
  collector.answer = () => {}; // never
  await get(gateway, 50);
  await until(() => collector.requests.length > 0, 'it was asked');
  await get(gateway, 50);
  gateway.signal('SIGTERM');
  const told = performance.now();
  assert.equal(await gateway.exit(), 0);
  assert.ok(performance.now() - told < 9_000, 'it waits for an export of ten seconds');
});

test('a collector that is away: requests are served, spans are counted, it recovers', async () => {
  const port = await free_port();
  const gateway = await start_gateway(service.address, service.address, {}, trace_settings({ url: `http://127.0.0.1:${port}` }));
  let collector;
  try {
    await get(gateway, 5);
    await until(() => gateway.log().includes('trace_export_failed'), 'the log says so');
    collector = await start_collector({ port });
    await until(() => collector.spans.length >= 10, 'what waited arrives');
    await until(() => gateway.log().includes('trace_export_recovered'), 'the log says so');
    assert.equal(await metric(gateway, 'rejected'), 0);
  } finally {
    await gateway.stop();
    await collector?.stop();
  }
});

traced('what was under way when it was told to wait is sent again, once', {}, async ({ collector, gateway }) => {
  collector.answer = ({ response }) => {
    collector.answer = undefined;
    response.writeHead(503, { 'Retry-After': '1' }).end();
  };
  await get(gateway);
  await until(async () => (await exported(gateway)) >= 2, 'the spans are exported');
  assert.equal(collector.requests[0].body, collector.requests[1].body);
  assert.equal(collector.spans.length, await exported(gateway));
});

traced('what the collector refuses is counted, not repeated', {}, async ({ collector, gateway }) => {
  collector.answer = ({ response }) => response.writeHead(400).end('no');
  await get(gateway);
  await until(async () => (await metric(gateway, 'rejected')) >= 2, 'the spans are counted');
  assert.equal(await exported(gateway), 0);
  await until(() => gateway.log().includes('"event":"trace_export_failed","message":"status 400"'), 'the log tells');
});

traced('of a partial success the rejected spans are counted', {}, async ({ collector, gateway }) => {
  collector.answer = ({ response }) => response.writeHead(200).end('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"MARKER"}}');
  await get(gateway);
  await until(async () => (await exported(gateway)) + (await metric(gateway, 'rejected')) >= 2, 'the spans are counted');
  assert.ok((await metric(gateway, 'rejected')) >= 1);
  assert.doesNotMatch(gateway.log(), /MARKER/);
});

for (const [what, lie] of Object.entries({
  'resets the connection': ({ request }) => request.socket.resetAndDestroy(),
  'closes without an answer': ({ request }) => request.socket.destroy(),
  'speaks something else': ({ request }) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
  'answers with 1 MiB of nonsense': ({ response }) => response.writeHead(200).end('x'.repeat(1024 * 1024)),
  'redirects': ({ response }) => response.writeHead(302, { Location: 'http://127.0.0.1:1/elsewhere' }).end(),
  'cuts its answer off': ({ request, response }) => { response.writeHead(200, { 'Content-Length': '100' }); response.write('{'); request.socket.end(); },
})) {
  traced(`a collector that ${what} is no harm`, {}, async ({ collector, gateway }) => {
    collector.answer = lie;
    await get(gateway, 3);
    await until(() => collector.requests.length > 0, 'it was asked');
    await get(gateway, 3);
    gateway.signal('SIGTERM');
    assert.equal(await gateway.exit(), 0);
  });
}

traced('a full queue drops and counts; nothing waits', {}, async ({ collector, gateway }) => {
  collector.answer = () => {};
  for (let i = 0; i < 50 && (await metric(gateway, 'queue_full')) === 0; i += 1) await get(gateway, 500); // 8,192 spans wait, 512 are on their way
  assert.ok((await metric(gateway, 'queue_full')) > 0);
});

traced('the last spans are sent before the program ends', {}, async ({ collector, gateway }) => {
  await get(gateway, 7);
  gateway.signal('SIGTERM');
  assert.equal(await gateway.exit(), 0);
  assert.deepEqual(['GET /api/v1', 'GET'].map((name) => collector.spans.filter((span) => span.name === name).length), [7, 7]); // waits for Redis are spans too
});

test('the collector over TLS, with an authority of its own', async () => {
  authority.issue('collector', 'IP:127.0.0.1');
  const tls = { cert: readFileSync(authority.path('collector.pem')), key: readFileSync(authority.path('collector.key')) };
  const collector = await start_collector({ tls });
  const strict = await start_gateway(service.address, service.address, {}, trace_settings(collector));
  const knowing = await start_gateway(service.address, service.address, {}, trace_settings(collector, { RECRUITING_TRACE_CA_FILE: authority.file }));
  try {
    await get(strict);
    await until(() => /trace_export_failed","message":"TLS failed/.test(strict.log()), 'an unknown authority vouches for nobody');
    assert.equal(collector.requests.length, 0);
    await get(knowing);
    await until(() => collector.spans.length >= 2, 'its own does');
  } finally {
    await strict.stop();
    await knowing.stop();
    await collector.stop();
  }
});

test('callers from nowhere can neither join a trace nor have theirs sampled', async () => {
  const collector = await start_collector();
  const gateway = await start_gateway(service.address, service.address, {}, trace_settings(collector, { RECRUITING_TRACE_SAMPLE: '0' }));
  try {
    service.reset();
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await ask({ port: gateway.port, path: '/api/v1/me', headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` }, timeout: 20_000 });
    assert.match(service.recorded, /\r\ntraceparent: 00-[0-9a-f]{32}-[0-9a-f]{16}-00\r\n/);
    assert.ok(!service.recorded.includes(trace));
  } finally {
    await gateway.stop();
    await collector.stop();
  }
  assert.equal(collector.requests.length, 0);
});
