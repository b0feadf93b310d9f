// POST /mcp with one message, as a client of either kind sends it.
import { auth_prefix, send } from './client.mjs';

export const modern = '2026-07-28';
export const legacy = '2025-11-25';

const field_of = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/** What revision 2026-07-28 wants in every request. */
export const meta = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientInfo': { name: 'e2e', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const to_field = (text) => (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`);

const usual = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const given = (headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));

/** A body as it is, message or not. A field that is undefined is left out. */
export const post = (body, { headers, ...options } = {}) =>
  send('POST', `${auth_prefix}/mcp`, { headers: given({ ...usual, ...headers }), body, ...options });

/**
 * One request (a notification with id: null); the answer of send. 200 unless `expect` says otherwise.
 * version: of the protocol; null: a client that does not say. headers: further fields, or others in place of the message's own.
 */
export const ask = (method, params = {}, { version = modern, id = 1, headers, expect = 200, ...options } = {}) => {
  const is_modern = version === modern;
  const name = params[field_of[method]];
  const own = {
    ...(version && { 'MCP-Protocol-Version': version }),
    ...(is_modern && { 'Mcp-Method': method, ...(typeof name === 'string' && { 'Mcp-Name': to_field(name) }) }),
  };
  const body = { jsonrpc: '2.0', ...(id !== null && { id }), method, params: is_modern ? { ...params, _meta: { ...meta, ...params._meta } } : params };
  return post(JSON.stringify(body), { headers: { ...own, ...headers }, expect, ...options });
};

export const call = (tool, input, options) => ask('tools/call', { name: tool, arguments: input }, options);

/** The result of a call that succeeded. */
export const result_of = async (...asked) => {
  const { json } = await ask(...asked);
  if (!json.result) throw new Error(JSON.stringify(json));
  return json.result;
};

/** The error that a refused call tells the model. */
export const told = ({ json: { result } }) => (result?.isError ? JSON.parse(result.content.at(-1).text).error : undefined);

/** name → the scope that it needs, in the order they are listed. */
export const tools = {
  get_organization: 'organization:read',
  list_members: 'members:read',
  list_jobs: 'jobs:read',
  get_job: 'jobs:read',
  list_job_candidates: 'candidates:read',
  search_candidates: 'candidates:read',
  get_candidate: 'candidates:read',
  get_pipeline: 'pipeline:read',
  get_billing: 'billing:read',
  search_audit: 'audit:read',
  list_agent_sessions: 'agents:read',
  get_agent_session: 'agents:history',
  sync_jobs: 'jobs:read',
  sync_candidates: 'candidates:read',
  agent_invoke: 'agents:invoke',
};
