// POST /mcp: bodies that are no message, and messages that their revision does not allow.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections } from '../../support/client.mjs';
import { ask, legacy, meta, modern, post } from '../../support/mcp.mjs';
import { make_organization } from '../../support/organization.mjs';

let key;
before(async () => { key = (await (await make_organization()).key('*')).secret; });
after(close_connections);

/** Holds an error of the protocol: its code, our code, the id it names (undefined: none). */
const check = ({ json, headers }, code, { id, ours = 'invalid_request' } = {}) => {
  assert.deepEqual([json.jsonrpc, json.error?.code, json.id, 'result' in json], ['2.0', code, id, false], JSON.stringify(json));
  assert.deepEqual([json.error.data.code, json.error.data.requestId], [ours, headers['x-request-id']]);
  return json.error;
};
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const nested = (depth, open, close) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_jobs","arguments":{"q":${open.repeat(depth)}1${close.repeat(depth)}}}}`;

test('no JSON: -32700', async () => {
  for (const body of ['', ' ', '{', 'null1', JSON.stringify(list).slice(0, -1), `${JSON.stringify(list)}{}`, '{"jsonrpc":"2.0",}', '\ufeff{}', '{"id":01}', '{"id":NaN}', "{'id':1}", '{"a":"\u0001"}',
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}', 'latin1'), Buffer.from('{"jsonrpc":"2.0","id":"\xed\xa0\x80","method":"ping"}', 'latin1'), '{"id":"\\ud800"}',
    '['.repeat(20_000), nested(5000, '[', ']'), nested(5000, '{"a":', '}')]) {
    check(await post(body, { key, expect: 400 }), -32700);
  }
});

test('no single message of JSON-RPC 2.0: -32600, and no id is guessed', async () => {
  for (const body of [null, 1, 'x', [], [list], [list, list], {}, { ...list, jsonrpc: '1.0' }, { ...list, jsonrpc: 2 }, { id: 1, method: 'tools/list' },
    { ...list, method: undefined }, { ...list, method: 7 }, { ...list, method: '' }, { ...list, id: null }, { ...list, id: true }, { ...list, id: 1.5 }, { ...list, id: [1] }, { ...list, id: {} },
    { jsonrpc: '2.0', id: 1, result: {} }, { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }]) {
    check(await post(JSON.stringify(body), { key, expect: 400 }), -32600);
  }
});

test('a huge number is no id, and in a value it is no fault of ours', async () => {
  for (const id of ['1e400', '-1e400', '9'.repeat(400), '1e30', '18446744073709551616']) {
    const { json } = await post(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`, { key, expect: 400 });
    assert.ok([-32600, -32700].includes(json.error.code), id);
  }
  for (const limit of ['1e400', '9'.repeat(400), '18446744073709551616', '-9223372036854775809', '1.5', '-0.0']) {
    const answer = await post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_jobs","arguments":{"limit":${limit}}}}`, { key });
    assert.ok(answer.status === 400 ? answer.json.error.code === -32700 : answer.json.result.isError, `${limit}: ${answer.text}`);
  }
});

test('revision 2026-07-28: what every request must have', async () => {
  for (const name of ['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities']) {
    const { [name]: left_out, ...rest } = meta;
    assert.ok(left_out);
    const body = JSON.stringify({ ...list, params: { _meta: rest } });
    check(await post(body, { key, headers: { 'MCP-Protocol-Version': modern, 'Mcp-Method': 'tools/list' }, expect: 400 }), -32602, { id: 1 });
  }
});

test('revision 2026-07-28: fields that are missing or say something else: -32020', async () => {
  const params = { name: 'get_job', arguments: { jobId: 'x' } };
  for (const headers of [
    { 'MCP-Protocol-Version': undefined }, { 'MCP-Protocol-Version': legacy }, { 'Mcp-Method': undefined }, { 'Mcp-Method': 'tools/list' }, { 'Mcp-Method': 'Tools/Call' },
    { 'Mcp-Name': undefined }, { 'Mcp-Name': 'list_jobs' }, { 'Mcp-Name': 'GET_JOB' }, { 'Mcp-Name': '=?base64?bGlzdF9qb2Jz?=' }, { 'Mcp-Name': '=?base64?!?=' },
  ]) {
    check(await ask('tools/call', params, { key, headers, expect: 400 }), -32020, { id: 1 });
  }
});

test('a revision that nobody has: -32022, which says those there are', async () => {
  for (const version of ['2099-01-01', '2024-11-05', 'x']) {
    const body = JSON.stringify({ ...list, params: { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': version } } });
    const answer = await post(body, { key, headers: { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/list' }, expect: 400 });
    const { data } = check(answer, -32022, { id: 1 });
    assert.deepEqual([data.supported, data.requested], [[modern, legacy, '2025-06-18'], version]);
  }
});

test('a method that is not there: 404 in revision 2026-07-28, 200 in those before', async () => {
  for (const method of ['ping', 'initialize', 'tools', 'TOOLS/LIST', 'resources/subscribe', 'subscriptions/listen', 'logging/setLevel', 'completion/complete', 'constructor']) {
    check(await ask(method, {}, { key, expect: 404 }), -32601, { id: 1, ours: 'not_found' });
  }
  for (const method of ['server/discover', 'tools', 'resources/subscribe', 'logging/setLevel', 'completion/complete']) {
    check(await ask(method, {}, { key, version: legacy }), -32601, { id: 1, ours: 'not_found' });
  }
});

test('what is wrong with the request itself has the API\'s own form', async () => {
  for (const [options, status, code] of [
    [{ headers: { 'Content-Type': 'text/plain' } }, 415, 'unsupported_media_type'],
    [{ headers: { 'Content-Type': undefined } }, 415, 'unsupported_media_type'],
    [{ headers: { Cookie: 'sp_session=x' } }, 400, 'invalid_request'],
  ]) {
    const answer = await post(JSON.stringify(list), { key, ...options, expect: status });
    assert.equal(answer.error.code, code);
    assert.equal(answer.json.jsonrpc, undefined);
  }
  const { error } = await post(JSON.stringify({ ...list, params: { x: 'x'.repeat(300_000) } }), { key, expect: 413 });
  assert.equal(error.code, 'payload_too_large');
});
