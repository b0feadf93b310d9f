// An agent that takes its time: the client waits on a stream, hears of progress when it asks, and gets the run's answer.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { invoke } from '../e2e/support/agent.mjs';
import { close_connections } from '../e2e/support/client.mjs';
import { make_organization } from '../e2e/support/organization.mjs';
import { await_condition, behind_gateway, start_program } from '../e2e/support/programs.mjs';
import { start_model_double } from '../support/model_double.mjs';
import { clients, connect } from './support/clients.mjs';

const slow = 13_000; // the answer is waited for, then a stream begins, with a sign of life every 5 s
let double, service, gateway, key;
before(async () => {
  double = await start_model_double(({ prompt }) => (prompt.startsWith('Fail') ? { status: 500, raw: 'oops' } : { text: `Heard: ${prompt}`, delay: slow }));
  service = await start_program('auth-api', { RECRUITING_AGENT_MODEL_BASE_URL: double.url, RECRUITING_AGENT_MODEL: 'double', RECRUITING_AGENT_RUNS_PER_ORGANIZATION: '20' });
  gateway = await start_program('gateway', { ...behind_gateway(service, null), RECRUITING_GATEWAY_RATE_LIMIT: '100000' }, { ready: false });
  key = (await (await make_organization()).key('*')).secret;
});
after(async () => {
  await gateway?.stop();
  await service?.stop();
  await double?.stop();
  close_connections();
});

const message = (prompt, meta = {}) => JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'tools/call',
  params: { name: 'agent_invoke', arguments: { prompt }, ...(Object.keys(meta).length > 0 && { _meta: meta }) } });
const post = (body, accept) => fetch(new URL('/api/v1/mcp', gateway.url), {
  method: 'POST', headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: accept }, body,
});

// All of them wait, so they wait together.
describe('a run that lasts', { concurrency: true }, () => {
  for (const [name, kind] of Object.entries(clients).filter(([, { version }]) => version !== '2025-06-18')) {
    test(name, async () => {
      const client = await connect(kind, key, new URL('/api/v1/mcp', gateway.url));
      try {
        await client.listTools();
        const heard = [];
        const prompt = `Take your time, ${name}`;
        const given = { name: 'agent_invoke', arguments: { prompt, idempotencyKey: name } };
        const options = { timeout: 60_000, onprogress: (progress) => heard.push(progress) };
        // The 1.x client has the result's schema in between.
        const result = await (kind.Transport ? client.callTool(given, undefined, options) : client.callTool(given, options));
        assert.deepEqual([result.structuredContent.status, result.structuredContent.reply], ['completed', `Heard: ${prompt}`]);
        assert.ok(heard.length > 1, `progress was told ${heard.length} times`);
        assert.deepEqual(heard.map(({ progress }) => progress), heard.map(({ progress }) => progress).sort((a, b) => a - b));
        assert.equal(new Set(heard.map(({ progress }) => progress)).size, heard.length, 'progress increases');
      } finally {
        await client.close();
      }
    });
  }

  test('who takes no stream gets JSON when the run has ended', async () => {
    const answer = await post(message('Without a stream'), 'application/json');
    assert.deepEqual([answer.status, answer.headers.get('content-type')?.split(';')[0]], [200, 'application/json']);
    const { id, result } = await answer.json();
    assert.deepEqual([id, result.structuredContent.reply], ['a', 'Heard: Without a stream']);
  });

  test('the stream holds signs of life and then the one answer; no progress for who did not ask', async () => {
    const answer = await post(message('On a stream'), 'application/json, text/event-stream');
    assert.deepEqual([answer.status, answer.headers.get('content-type')?.split(';')[0]], [200, 'text/event-stream']);
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
    const blocks = (await answer.text()).split(/\r?\n\r?\n/).filter(Boolean);
    const events = blocks.filter((block) => !block.startsWith(':'));
    assert.ok(blocks.length > events.length, 'signs of life');
    assert.equal(events.length, 1, blocks.join('\n\n'));
    assert.equal(blocks.at(-1), events[0]);
    const lines = events[0].split(/\r?\n/);
    assert.ok(lines.includes('event: message'));
    const { id, result } = JSON.parse(lines.find((line) => line.startsWith('data: ')).slice(6));
    assert.deepEqual([id, result.structuredContent.reply], ['a', 'Heard: On a stream']);
  });

  test('asked again while the run goes on, it says so and begins no second one', async () => {
    const ask = (client) => client.callTool({ name: 'agent_invoke', arguments: { prompt: 'Only once', idempotencyKey: 'once' } }, { timeout: 60_000 });
    const [one, two] = [await connect(clients['client 2.x, pinned'], key, new URL('/api/v1/mcp', gateway.url)), await connect(clients['client 2.x, as it comes'], key, new URL('/api/v1/mcp', gateway.url))];
    const first = ask(one);
    await await_condition(() => double.calls('Only once') > 0, 'the run has begun');
    const { structuredContent: meanwhile } = await ask(two);
    assert.deepEqual([meanwhile.status, meanwhile.reply, meanwhile.idempotentReplay], ['in_progress', null, true]);
    const { structuredContent: ended } = await first;
    assert.deepEqual([ended.status, ended.sessionId], ['completed', meanwhile.sessionId]);
    assert.deepEqual((await ask(two)).structuredContent, { ...ended, idempotentReplay: true });
    assert.equal(double.first_calls('Only once'), 1);
    await Promise.all([one.close(), two.close()]);
  });

  test('a run that fails is told as POST /agent/invoke tells it', async () => {
    const client = await connect(clients['client 2.x, pinned'], key, new URL('/api/v1/mcp', gateway.url));
    const prompt = 'Fail, please';
    const { structuredContent } = await client.callTool({ name: 'agent_invoke', arguments: { prompt, idempotencyKey: 'fails' } }, { timeout: 60_000 });
    assert.equal(structuredContent.status, 'failed');
    const { json } = await invoke({ key, prompt, idempotency: 'fails', base: gateway.url });
    assert.deepEqual(json, { ...structuredContent, idempotentReplay: true });
    await client.close();
  });

  test('a client that goes away in the middle of a stream harms no other', async () => {
    const leave = new AbortController();
    const answer = await fetch(new URL('/api/v1/mcp', gateway.url), {
      method: 'POST', signal: leave.signal, body: message('Gone'),
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    });
    assert.equal(answer.status, 200);
    leave.abort();
    const client = await connect(clients['client 2.x, pinned'], key, new URL('/api/v1/mcp', gateway.url));
    assert.ok((await client.callTool({ name: 'get_organization', arguments: {} })).structuredContent.data.id);
    await client.close();
  });
});
