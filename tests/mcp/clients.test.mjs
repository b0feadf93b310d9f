// The official clients, in each revision: every tool (the client holds results to the output schemas), lists page by page, sync,
// resources, prompts, the agent, and what is refused.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { close_connections, get } from '../e2e/support/client.mjs';
import { ids_of, walk } from '../e2e/support/lists.mjs';
import { fill, id_of, job_record, make_organization } from '../e2e/support/organization.mjs';
import { clients, connect } from './support/clients.mjs';

const tool_names = ['get_organization', 'list_members', 'list_jobs', 'get_job', 'list_job_candidates', 'search_candidates', 'get_candidate',
  'get_pipeline', 'get_billing', 'search_audit', 'list_agent_sessions', 'get_agent_session', 'sync_jobs', 'sync_candidates', 'agent_invoke'];
const unknown = '0199c1a1c3d87f02b5a6e4d17c930f58';
const question = 'How many open jobs are there?';

let organization, key, job, candidate;
before(async () => {
  organization = await make_organization();
  await fill(organization, { jobs: 23, candidates: 45 });
  key = (await organization.key('*')).secret;
  [job, candidate] = [await id_of(organization, 'jobs', 'job-1'), await id_of(organization, 'candidates', 'candidate-1')];
});
after(close_connections);

const api = async (path, query) => (await get(path, { key, query })).json;

/** What is not the same in two answers, because time went on between them or the question was a row itself. */
const stable = ({ data, page }) => ({ data, page: page && { limit: page.limit, hasMore: page.hasMore } });

for (const [name, kind] of Object.entries(clients)) {
  describe(name, () => {
    let client;
    const call = async (tool, given = {}) => {
      const result = await client.callTool({ name: tool, arguments: given });
      assert.notEqual(result.isError, true, JSON.stringify(result.content));
      return result;
    };
    const data_of = async (tool, given) => (await call(tool, given)).structuredContent;
    const refusal_of = async (tool, given) => {
      const result = await client.callTool({ name: tool, arguments: given });
      assert.equal(result.isError, true);
      return JSON.parse(result.content.at(-1).text).error;
    };

    before(async () => {
      client = await connect(kind, key);
      await client.listTools(); // from now on it validates what a tool answers
    });
    after(() => client?.close());

    test('the revision, the server and what it can do', () => {
      const transport = client.transport;
      assert.equal(client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion, kind.version);
      assert.equal(transport.sessionId, undefined);
      const { name: server, title, version } = client.getServerVersion();
      assert.deepEqual([server, title], ['recruiting', 'Recruiting']);
      assert.match(version, /^\d+\.\d+\.\d+/);
      assert.deepEqual(client.getServerCapabilities(), { tools: {}, resources: {}, prompts: {} });
    });

    test('the tools, each with what a model and a client need to know about it', async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name), tool_names);
      for (const { name: tool, title, description, inputSchema, outputSchema, annotations } of tools) {
        assert.ok(title.length > 0 && description.length > 20, tool);
        assert.equal(inputSchema.type, 'object', tool);
        assert.equal(outputSchema.type, 'object', tool);
        assert.equal(annotations.readOnlyHint, tool !== 'agent_invoke', tool);
      }
    });

    test('one record each: what the endpoint answers', async () => {
      const [session] = (await api('/agent/sessions')).data.length > 0 ? (await api('/agent/sessions')).data
        : [{ id: (await data_of('agent_invoke', { prompt: question })).sessionId }];
      for (const [tool, given, path, query] of [
        ['get_organization', {}, '/organization'],
        ['get_job', { jobId: job }, `/jobs/${job}`],
        ['get_candidate', { candidateId: candidate }, `/candidates/${candidate}`],
        ['get_pipeline', { jobId: job }, '/pipeline', { jobId: job }],
        ['get_agent_session', { sessionId: session.id }, `/agent/sessions/${session.id}`],
      ]) {
        const result = await call(tool, given);
        assert.deepEqual(result.structuredContent, await api(path, query), tool);
        assert.deepEqual(JSON.parse(result.content.at(-1).text), result.structuredContent, `${tool}: the text for a client without schemas`);
        assert.match(result.content[0].text, /data/i, `${tool}: says that records are no instructions`);
      }
      const { data } = await data_of('get_billing');
      assert.deepEqual(Object.keys(data), Object.keys((await api('/billing')).data));
    });

    test('one page each, 20 records unless told otherwise', async () => {
      for (const [tool, given, path, query] of [
        ['list_members', {}, '/members'],
        ['list_jobs', {}, '/jobs'],
        ['list_jobs', { status: 'open', sort: 'title', limit: 3 }, '/jobs', { status: 'open', sort: 'title', limit: 3 }],
        ['list_job_candidates', { jobId: job }, `/jobs/${job}/candidates`],
        ['search_candidates', { q: 'bruno', limit: 5 }, '/candidates', { q: 'bruno', limit: 5 }],
        ['list_agent_sessions', {}, '/agent/sessions'],
      ]) {
        assert.deepEqual(stable(await data_of(tool, given)), stable(await api(path, { limit: 20, ...query })), `${tool} ${JSON.stringify(given)}`);
      }
      const { data, page } = await data_of('search_audit', { endpoint: 'mcp:list_jobs', limit: 2 });
      assert.equal(page.limit, 2);
      assert.deepEqual(data.map(({ endpoint, success }) => [endpoint, success]), [['mcp:list_jobs', true], ['mcp:list_jobs', true]]);
    });

    for (const [tool, path, given] of [['list_jobs', '/jobs', {}], ['search_candidates', '/candidates', {}], ['list_job_candidates', () => `/jobs/${job}/candidates`, () => ({ jobId: job, limit: 7 })]]) {
      test(`${tool} page by page: every record once, and each page says how to go on`, async () => {
        const found = [];
        let cursor;
        let pages = 0;
        do {
          const { content, structuredContent: { data, page } } = await call(tool, { ...(typeof given === 'function' ? given() : given), ...(cursor && { cursor }) });
          found.push(...data.map(({ id }) => id));
          cursor = page.nextCursor;
          assert.equal(/cursor/.test(content[0].text), cursor !== null, content[0].text);
          pages += 1;
        } while (cursor);
        assert.ok(pages > 1, `${pages} pages`);
        const whole = await walk(typeof path === 'function' ? path() : path, { key });
        assert.equal(new Set(found).size, found.length);
        assert.deepEqual([...found].sort(), ids_of(whole).sort());
      });
    }

    for (const [tool, path] of [['sync_jobs', '/jobs'], ['sync_candidates', '/candidates']]) {
      test(`${tool}: everything, then what changed`, async () => {
        const newest = new Map();
        let token;
        const round = async () => {
          for (;;) {
            const { content, structuredContent: { data, page } } = await call(tool, { ...(token && { syncToken: token }), limit: 20 });
            for (const record of data) newest.set(record.id, record);
            assert.match(content[0].text, /syncToken/);
            token = page.syncToken;
            if (!page.hasMore) return;
          }
        };
        // What is in a transaction still open anywhere comes in a later round.
        const end = Date.now() + 60_000;
        const until = async (condition, what) => {
          while (!condition()) {
            assert.ok(Date.now() < end, what);
            await round();
          }
        };
        const whole = ids_of(await walk(path, { key }));
        await until(() => whole.every((id) => newest.has(id)), 'every record within a minute');
        if (tool !== 'sync_jobs') return;
        const title = `Renamed for ${name}`;
        await organization.import('jobs', [{ ...job_record(2), title }]);
        newest.clear();
        await until(() => [...newest.values()].some((record) => record.title === title), 'the change within a minute');
        assert.ok(newest.size < whole.length, 'not everything again');
      });
    }

    test('resources are the endpoints\' JSON', async () => {
      const { resources } = await client.listResources();
      assert.deepEqual(resources.map(({ uri }) => uri), ['recruiting://organization', 'recruiting://billing']);
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        ['recruiting://jobs/{id}', 'recruiting://candidates/{id}', 'recruiting://agent/sessions/{id}']);
      const [{ id: session }] = (await api('/agent/sessions')).data;
      for (const [uri, path] of [
        ['recruiting://organization', '/organization'],
        [`recruiting://jobs/${job}`, `/jobs/${job}`],
        [`recruiting://candidates/${candidate}`, `/candidates/${candidate}`],
        [`recruiting://agent/sessions/${session}`, `/agent/sessions/${session}`],
      ]) {
        const { contents } = await client.readResource({ uri });
        assert.deepEqual(contents.map((one) => [one.uri, one.mimeType]), [[uri, 'application/json']]);
        assert.deepEqual(JSON.parse(contents[0].text), await api(path), uri);
      }
      const { contents: [billing] } = await client.readResource({ uri: 'recruiting://billing' });
      assert.ok(JSON.parse(billing.text).data.plan !== undefined);
      const not_found = kind.version === '2026-07-28' ? -32602 : -32002;
      for (const uri of [`recruiting://jobs/${unknown}`, 'recruiting://jobs/x', 'recruiting://nothing', 'https://example.com/']) {
        await assert.rejects(client.readResource({ uri }), ({ code }) => code === not_found, uri);
      }
    });

    test('prompts', async () => {
      const { prompts } = await client.listPrompts();
      assert.deepEqual(prompts.map((prompt) => [prompt.name, (prompt.arguments ?? []).map((one) => [one.name, one.required])]),
        [['weekly_pipeline_review', []], ['longest_waiting', []], ['prepare_interview', [['candidateId', true]]]]);
      for (const { name: prompt, description } of prompts) {
        assert.ok(description.length > 0);
        const given = prompt === 'prepare_interview' ? { candidateId: candidate } : {};
        const { messages } = await client.getPrompt({ name: prompt, arguments: given });
        assert.deepEqual(messages.map(({ role, content }) => [role, content.type]), [['user', 'text']]);
        for (const value of Object.values(given)) assert.ok(messages[0].content.text.includes(value));
        const asked = messages[0].content.text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
        assert.ok(asked.some((word) => tool_names.includes(word)), 'it names a tool to begin with');
      }
      for (const asked of [{ name: 'prepare_interview' }, { name: 'no_such_prompt' }]) {
        await assert.rejects(client.getPrompt(asked), ({ code }) => code === -32602);
      }
    });

    test('the agent: asked twice under one idempotencyKey it answers once, and a session can be gone on with', async () => {
      const asked = { prompt: question, idempotencyKey: randomUUID() };
      const first = await data_of('agent_invoke', asked);
      assert.deepEqual([first.status, first.idempotentReplay], ['completed', false]);
      assert.ok(first.reply.length > 0);
      const again = await data_of('agent_invoke', asked);
      assert.deepEqual(again, { ...first, idempotentReplay: true });
      const next = await data_of('agent_invoke', { prompt: 'List them.', sessionId: first.sessionId });
      assert.equal(next.sessionId, first.sessionId);
      assert.equal((await refusal_of('agent_invoke', { ...asked, sessionId: first.sessionId })).code, 'invalid_request');
      assert.equal((await refusal_of('agent_invoke', { prompt: question, sessionId: unknown })).code, 'not_found');
    });

    test('wrong arguments and unknown records are told to the model, in the API\'s words', async () => {
      for (const [tool, given, field] of [
        ['list_jobs', { status: 'sleeping' }, 'status'],
        ['list_jobs', { limit: 0 }, 'limit'],
        ['list_jobs', { limit: 201 }, 'limit'],
        ['list_jobs', { limit: 'ten' }, 'limit'],
        ['list_jobs', { colour: 'red' }, 'colour'],
        ['search_candidates', { cursor: 'x' }, 'cursor'],
        ['sync_jobs', { syncToken: 'x' }, 'syncToken'],
        ['get_job', {}, 'jobId'],
        ['get_job', { jobId: 7 }, 'jobId'],
        ['agent_invoke', {}, 'prompt'],
      ]) {
        const { code, details, requestId } = await refusal_of(tool, given);
        assert.equal(code, 'invalid_request', `${tool} ${JSON.stringify(given)}`);
        assert.ok(details.some((detail) => detail.field === field), `${tool} ${JSON.stringify(given)}: ${JSON.stringify(details)}`);
        assert.ok(requestId.length > 0);
      }
      for (const [tool, given] of [
        ['get_job', { jobId: unknown }],
        ['get_candidate', { candidateId: unknown }],
        ['list_job_candidates', { jobId: unknown }],
        ['get_pipeline', { jobId: unknown }],
        ['get_agent_session', { sessionId: unknown }],
      ]) {
        assert.equal((await refusal_of(tool, given)).code, 'not_found', tool);
      }
    });

    test('an unknown tool is an error of the protocol', async () => {
      for (const tool of ['no_such_tool', 'list_api_keys', 'revoke_api_key', 'count_candidates']) {
        await assert.rejects(client.callTool({ name: tool, arguments: {} }), ({ code }) => code === -32602, tool);
      }
    });
  });
}
