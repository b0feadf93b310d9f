// What operators see: metrics of everything that passes, and an access log that tells no secret.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, open, post, request, run_cases } from './support/cases.mjs';
import { connect } from './support/wire.mjs';
import { key_of } from '../support/api_key.mjs';
import { until } from './support/gateway.mjs';

const world = run_cases([], { RATE_LIMIT: 6, PUBLIC_RATE_LIMIT: 1000, WINDOW: 86_400, TRUSTED_PROXIES: '127.0.0.0/8' });

const secret = key_of('0123456789abcdefABCDEF');
const link = 'token-of-a-mailed-link';
const token = 'dGhpcyBpcyBub3QgYSB0b2tlbiBvZiBhbnlib2R5cw_'; // in a link that somebody mistyped
const as = (client) => `X-Forwarded-For: ${client}\r\n`;
const traffic = [
  [get('/api/v1/jobs?token=' + secret, `Authorization: Bearer ${secret}\r\n${as('10.0.0.1')}`), 200],
  [get('/api/v1/jobs', `X-Api-Key: ${secret}\r\nCookie: session=${secret}\r\nX-Request-Id: from-the-client-1\r\n${as('10.0.0.1')}`), 200],
  [post(`Content-Length: ${secret.length}\r\nAuthorization: Basic ${secret}\r\n${as('10.0.0.1')}`, secret, '/api/v1/run'), 200],
  [get(`${open}?api_key=${secret}`, as('10.0.0.2')), 400],
  [get(`/api/public/v1/${secret}`, as('10.0.0.2')), 400],
  [get(`/elsewhere/${secret}?a=${secret}`, as('10.0.0.2')), 404],
  [get(open, as('10.0.0.2')), 200],
  [get(`/api/public/v1/scheduling/manage/${link}?a=1`, as('10.0.0.2')), 200],
  [get(`/interviews/${link}`, as('10.0.0.2')), 200],
  [get(`/interview/${token}`, as('10.0.0.2')), 404],
  [request('BREW /api/v1/x', as('10.0.0.3')), 501],
  ...Array.from({ length: 6 }, () => [get('/api/v1/over', as('10.0.0.4')), 200]),
  [get('/api/v1/over', as('10.0.0.4')), 429],
  [get('/api/v1/over', as('10.0.0.4')), 429],
];

test('mixed traffic: each answer as expected', async () => {
  for (const [text, status] of traffic) {
    const wire = await connect(world.gateway.port);
    await wire.send(text);
    assert.equal((await wire.answer())?.status, status, text);
    wire.close();
  }
  const wire = await connect(world.gateway.port); // a head that can't be read holds a secret too
  await wire.send(`GET /api/v1/x?${secret} HTTP/1.1\r\nHost: a\r\nAuthorization : Bearer ${secret}\r\n\r\n`);
  assert.equal((await wire.answer()).status, 400);
  wire.close();
});

test('metrics: requests by route and status, durations, the rate limit, Redis, services, connections', async () => {
  const { text } = await world.gateway.admin('/metrics');
  const value = (name) => Number(text.split('\n').find((line) => line.startsWith(`${name} `))?.slice(name.length + 1));
  const requests = (route, status) => value(`recruiting_gateway_requests_total{route="${route}",status="${status}"}`);
  assert.equal(requests('/api/v1', '2xx'), 9);
  assert.equal(requests('/api/v1', '4xx'), 3); // the 501 too
  assert.equal(requests('/api/v1', '5xx'), 0);
  assert.equal(requests('/api/public/v1', '2xx'), 2);
  assert.equal(requests('/api/public/v1', '4xx'), 2);
  assert.equal(requests('/interviews', '2xx'), 1);
  assert.equal(requests('none', '4xx'), 3);
  assert.equal(value('recruiting_gateway_request_duration_seconds_count{route="/api/v1"}'), 12);
  assert.ok(value('recruiting_gateway_request_duration_seconds_sum{route="/api/v1"}') > 0);
  assert.equal(value('recruiting_gateway_request_duration_seconds_bucket{route="/api/v1",le="+Inf"}'), 12);
  assert.equal(value('recruiting_redis_connections'), 1);
  assert.match(text, /^recruiting_redis_\w*seconds_count\S* [1-9]/m, "Redis's latency");
  for (const service of ['auth-api', 'public-api']) {
    assert.equal(value(`recruiting_gateway_upstream_up{upstream="${service}"}`), 1);
    assert.ok(value(`recruiting_gateway_upstream_connects_total{upstream="${service}"}`) > 0);
    assert.equal(value(`recruiting_gateway_upstream_requests_lost_total{upstream="${service}"}`), 0);
    assert.match(text, new RegExp(`^recruiting_gateway_upstream_addresses_ready{upstream="${service}",address="[^"]+"} 1$`, 'm'));
  }
  assert.match(text, /^recruiting_gateway_connections \d+$/m);
  assert.match(text, /^recruiting_gateway_rate_limit\w*{.*rejected.*} 2$/m, 'what the rate limit rejected');
});

test('metrics: each is explained, and none twice', async () => {
  const { text } = await world.gateway.admin('/metrics');
  const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'));
});

test('access log: a line of JSON a request, with its id; no query, no credential', async () => {
  await until(() => world.gateway.requests().length > traffic.length, 'every request is logged');
  const lines = world.gateway.requests();
  assert.equal(lines.length, traffic.length + 1);
  for (const line of lines) {
    assert.match(line.requestId, /^[A-Za-z0-9_-]{8,64}$/);
    assert.ok(Number.isInteger(line.status) && Number.isInteger(line.durationUs));
    assert.ok(!('query' in line));
    assert.ok(!(line.path ?? '').includes('?'));
  }
  assert.deepEqual(lines.slice(0, -1).map((line) => line.status), traffic.map(([, status]) => status));
  assert.equal(lines[1].requestId, 'from-the-client-1');
  assert.equal(lines[0].client, '10.0.0.1');
  assert.equal(lines[0].rateLimit, 'allowed');
  assert.equal(lines.at(-2).rateLimit, 'rejected');
  const log = world.gateway.log();
  for (const line of log.split('\n').filter(Boolean)) JSON.parse(line);
  assert.ok(!log.includes(secret), log.split('\n').find((line) => line.includes(secret)));
  assert.ok(!log.includes('0123456789abcdef'), 'not even a part');
  assert.ok(!log.includes(link));
  assert.ok(!log.includes(token));
});

test("a client that has used up the API's requests has all of the console's, and the other way round", async () => {
  const ask = async (path, client) => {
    const wire = await connect(world.gateway.port);
    await wire.send(get(path, as(client)));
    const answer = await wire.answer();
    wire.close();
    return answer;
  };
  const [api, console_path] = ['/api/v1/jobs', '/console/api/session'];
  for (const [first, second, client] of [[api, console_path, '10.0.1.1'], [console_path, api, '10.0.1.2']]) {
    for (let i = 0; i < 6; i += 1) assert.equal((await ask(first, client)).status, 200);
    assert.equal((await ask(first, client)).status, 429);
    for (let left = 5; left >= 0; left -= 1) {
      const answer = await ask(second, client);
      assert.equal(answer.status, 200);
      assert.equal(answer.value('ratelimit-policy'), '"ip";q=6;w=86400');
      assert.match(answer.value('ratelimit'), new RegExp(`^"ip";r=${left};t=\\d+$`));
    }
    assert.equal((await ask(second, client)).status, 429);
  }
  assert.equal(await world.gateway.metric('recruiting_gateway_rate_limit_decisions_total{policy="console",decision="allowed"}'), 12);
  assert.equal(await world.gateway.metric('recruiting_gateway_rate_limit_decisions_total{policy="console",decision="rejected"}'), 2);
});
