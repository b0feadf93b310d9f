// Messages that are nearly right: each begins as one the endpoint takes and is then damaged, as a value, as a text, or in its
// fields. The same seed and known values give the same messages.
import { make_random } from '../../support/random.mjs';

const meta = (version) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
});

/** Values that JSON.stringify writes; what it cannot write is in strange_texts. */
const strange_values = [
  null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, '', ' ', '0', 'null', [], {}, [[]], [{}], { a: { b: { c: [] } } }, '\u0000', '\ud800', '\u202e', '%00',
  '../../etc/passwd', "' or 1=1 --", '=?base64?4pyT?=', '2.0', '2026-07-28', 'a'.repeat(300), 'é'.repeat(2000), Array(200).fill(0), { __proto__: null, constructor: 1 },
];
/** Put where a value was, as they are. */
const strange_texts = [
  '1e999', '-1e999', '-0', '0x1', '01', '1.', '.5', '9'.repeat(400), '18446744073709551616', '-9223372036854775809', `1e${'9'.repeat(30)}`, 'NaN', 'Infinity', 'undefined',
  "'x'", '"\\u12"', '"\\ud800"', '"\\x"', '"\u0001"', '"\0"', '"\xff\xfe"', '"\xc0\x80"', '"\xed\xa0\x80"', '\ufeff{}', '// x\n1', '[1,]', '{"a":1,}', '{,}', '"', '',
];

/**
 * next(): {text (bytes as latin1), fields, whole (its bytes are JSON that was only changed as a value), id (then)}.
 * known: jobs and candidates (ids), session (of the agent).
 */
export const make_messages = (seed, { jobs, candidates, session }) => {
  const { between, chance, pick, weighted } = make_random(seed);

  const tools = () => pick([
    ['get_organization', {}], ['list_members', { role: 'admin' }], ['list_jobs', { status: 'open', limit: between(1, 3), q: 'engineer' }], ['get_job', { jobId: pick(jobs) }],
    ['list_job_candidates', { jobId: pick(jobs), limit: 2 }], ['search_candidates', { q: 'a', limit: 2 }], ['get_candidate', { candidateId: pick(candidates) }],
    ['get_pipeline', { jobId: pick(jobs) }], ['get_billing', {}], ['search_audit', { success: true, limit: 1 }], ['list_agent_sessions', { limit: 1 }],
    ['get_agent_session', { sessionId: session, messagesLimit: 1 }], ['sync_jobs', { limit: 1 }], ['sync_candidates', { limit: 1 }], ['no_such_tool', {}],
  ]);
  const requests = [
    () => { const [name, given] = tools(); return ['tools/call', { name, arguments: given }, name]; },
    () => ['tools/list', {}], () => ['resources/list', {}], () => ['resources/templates/list', {}], () => ['prompts/list', {}],
    () => { const uri = pick(['recruiting://organization', 'recruiting://billing', `recruiting://jobs/${pick(jobs)}`, `recruiting://candidates/${pick(candidates)}`, 'recruiting://x']); return ['resources/read', { uri }, uri]; },
    () => { const [name, given] = pick([['weekly_pipeline_review', {}], ['longest_waiting', {}], ['prepare_interview', { candidateId: pick(candidates) }]]); return ['prompts/get', { name, arguments: given }, name]; },
    () => ['server/discover', {}], () => ['ping', {}], () => ['notifications/initialized', {}], () => ['notifications/cancelled', { requestId: 1 }],
    () => ['initialize', { protocolVersion: pick(['2025-11-25', '2025-06-18', '2024-11-05', '2026-07-28']), capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } }],
    () => [pick(['', 'tools', 'tools/call/', 'TOOLS/LIST', 'rpc.discover', 'resources/subscribe', 'logging/setLevel', 'completion/complete', 'constructor', 'tasks/list']), {}],
  ];

  const id = () => pick([between(0, 1e6), String(between(0, 1e6)), `id-${between(0, 99)}`, -between(1, 9), 'ü', 2 ** 53 - 1]);

  const valid = () => {
    const version = weighted([[5, '2026-07-28'], [4, '2025-11-25'], [3, '2025-06-18'], [1, undefined], [1, pick(['2024-11-05', '2099-01-01', 'x', ''])]]);
    const [method, params, name] = (chance(0.5) ? requests[0] : pick(requests))();
    const is_modern = version !== undefined && !version.startsWith('2025');
    if (is_modern) params._meta = meta(version);
    else if (chance(0.1)) params._meta = { progressToken: pick([1, 'p', null]) };
    const message = { jsonrpc: '2.0', ...(method.startsWith('notifications/') ? {} : { id: id() }), method, ...((Object.keys(params).length > 0 || chance(0.5)) && { params }) };
    const fields = {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
      ...(version && { 'MCP-Protocol-Version': version }),
      ...(is_modern && { 'Mcp-Method': method, ...(name && { 'Mcp-Name': name }) }),
    };
    return { message, fields };
  };

  /** Every place in it: [the object or array, its member's name]. */
  const places = (node, found = []) => {
    if (node === null || typeof node !== 'object') return found;
    for (const name of Object.keys(node)) {
      found.push([node, name]);
      places(node[name], found);
    }
    return found;
  };

  const changed = (message) => {
    if (Object.keys(message).length === 0) return;
    const [node, name] = pick(places(message));
    weighted([
      [5, () => { node[name] = structuredClone(pick(strange_values)); }],
      [2, () => { if (Array.isArray(node)) node.splice(Number(name), 1); else delete node[name]; }],
      [1, () => { node[pick(['x', '', 'id', 'method', 'result', 'error', 'cursor', 'limit', '_meta', 'toString'])] = structuredClone(pick(strange_values)); }],
    ])();
  };

  const value_in = /(?<=:)("(?:[^"\\]|\\.)*"|-?\d[\d.e+]*|true|false|null|\[|\{)/g;
  const bytes = (text) => Buffer.from(text, 'utf8').toString('latin1');
  const nested = (depth) => pick([`${'['.repeat(depth)}${']'.repeat(depth)}`, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`, '['.repeat(depth)]);
  const damaged = (text) => weighted([
    [3, () => text.slice(0, between(0, text.length))],
    [3, () => { const at = between(0, text.length); return text.slice(0, at) + String.fromCharCode(between(0, 255)) + text.slice(at + between(0, 2)); }],
    [3, () => { const { index, 0: value } = pick([...text.matchAll(value_in), { index: 0, 0: '' }]); return text.slice(0, index) + pick(strange_texts) + text.slice(index + value.length); }],
    [2, () => text.replace('{', `{${pick(['"jsonrpc":"2.0",', '"method":"tools/list",', '"id":7,', '"id":"7",', '"params":{},', '"params":{"name":"get_billing"},'])}`)],
    [1, () => `[${Array(between(0, 3)).fill(text).join(',')}]`],
    [1, () => text.replace(/:("[^"]*"|\{\})/, `:${nested(between(1, 3000))}`)],
    [1, () => nested(between(1, 20_000))],
    [1, () => pick(strange_texts) + (chance(0.5) ? text : '')],
    [1, () => text + pick(['\0', ' ', '\n\n', text, '}', '\xff'])],
    [1, () => `${' '.repeat(between(0, 5000))}${text}`],
  ])();

  const strange_fields = {
    'MCP-Protocol-Version': ['2026-07-28', '2025-11-25', '2025-03-26', '1', 'x'.repeat(500), '2026-07-28, 2026-07-28', '\xff'],
    'Mcp-Method': ['tools/call', 'tools/list', '=?base64?dG9vbHMvbGlzdA==?=', '=?base64?!!?=', '=?base64??=', '\xe9', 'x'.repeat(3000)],
    'Mcp-Name': ['get_job', '=?base64?Z2V0X2pvYg==?=', '=?base64?//79?=', '=?base64?Z2V0', ' ', 'recruiting://organization'],
    'Content-Type': ['text/plain', 'application/json; charset=utf-8', 'application/json; charset=latin1', 'application/jsonx', 'x'],
    Accept: ['application/json', 'text/event-stream', 'text/html', '*/*', 'application/json;q=0', ''],
    Origin: ['https://evil.example', 'null', 'http://localhost:3000', 'http://127.0.0.1', 'x'],
    Authorization: ['Bearer x', 'Basic eDp5', 'Bearer sp_test_', ''],
    'Mcp-Session-Id': ['x', '0'],
    'Last-Event-ID': ['1'],
  };

  return {
    next() {
      const { message, fields } = valid();
      let whole = true;
      for (let rounds = weighted([[3, 0], [4, 1], [2, 2]]); rounds > 0; rounds -= 1) changed(message);
      let text = bytes(JSON.stringify(message));
      if (chance(0.4)) {
        text = damaged(text);
        whole = false;
      }
      if (chance(0.2)) {
        const name = pick(Object.keys(strange_fields));
        if (chance(0.3)) delete fields[name];
        else fields[name] = pick(strange_fields[name]);
      }
      return { text, fields, whole, id: message.id };
    },
  };
};
