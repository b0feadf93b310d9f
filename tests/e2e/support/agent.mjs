// POST /agent/invoke and the sessions it leaves, as the agent's cases ask for them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { auth_prefix, get, send } from './client.mjs';
import { record_secret } from './records.mjs';
import { sql } from './recruitctl.mjs';

const json = { 'Content-Type': 'application/json' };

/** One invocation; 200 unless `expect` says otherwise. idempotency: the Idempotency-Key field as it is sent. */
export const invoke = ({ prompt, session, idempotency, headers, expect = 200, ...options }) => {
  if (prompt?.length >= 12) record_secret(prompt); // no log may hold it; the closing test looks
  const key_field = idempotency === undefined ? {} : { 'Idempotency-Key': idempotency };
  return send('POST', `${auth_prefix}/agent/invoke`, {
    headers: { ...json, ...key_field, ...headers },
    body: JSON.stringify({ prompt, ...(session && { sessionId: session }) }),
    expect,
    ...options,
  });
};

/** A body as it is, valid or not. */
export const invoke_raw = (body, { headers, ...options }) =>
  send('POST', `${auth_prefix}/agent/invoke`, { headers: { ...json, ...headers }, body, ...options });

/** A run that completed: {sessionId, reply, …}. */
export const completed = async (options) => {
  const { json: result } = await invoke(options);
  assert.equal(result.status, 'completed', JSON.stringify(result));
  assert.ok(result.reply.length > 0);
  record_secret(result.reply);
  return result;
};

export const session_of = async (id, options) => (await get(`/agent/sessions/${id}`, options)).json.data;
export const sessions_of = async (options) => (await get('/agent/sessions', options)).json.data;

/** What stands after the flag that tells a replay apart is the same text, byte for byte. */
export const without_replay = (answer) => answer.text.replace(/"idempotentReplay":(true|false)/, '"idempotentReplay":…');

/** How many runs the organization has had. */
export const runs_of = async (organization) => {
  const [[count]] = await sql(`select count(*) from recruiting.agent_runs
    where organization_id = (select id from recruiting.organizations where slug = '${organization.slug}')`);
  return Number(count);
};

/** A client-generated Idempotency-Key. */
export const new_key = () => randomUUID();
