// Damaged messages over kept connections: whatever is sent, no error of the server's, and an answer a client can read.
// RECRUITING_FUZZ_SEED repeats a run, RECRUITING_FUZZ_MESSAGES says how many messages it sends.
import assert from 'node:assert/strict';
import http from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../e2e/support/client.mjs';
import { fresh_address } from '../e2e/support/console.mjs';
import { admin_of, gateway_url, run_dir } from '../e2e/support/environment.mjs';
import { completed } from '../e2e/support/agent.mjs';
import { fill, make_organization } from '../e2e/support/organization.mjs';
import { clients, connect, endpoint } from './support/clients.mjs';
import { make_messages } from './support/fuzz.mjs';

const seed = Number(process.env.RECRUITING_FUZZ_SEED ?? Date.now() % 2 ** 31);
const count = Number(process.env.RECRUITING_FUZZ_MESSAGES ?? 10_000);
const at_once = 16;

let key, messages;
const pids = () => ['gateway', 'auth-api'].map((name) => readFileSync(join(run_dir, `${name}.pid`), 'utf8'));
before(async () => {
  const organization = await make_organization('Fuzzed tools');
  await fill(organization, { jobs: 5, candidates: 9 });
  key = (await organization.key('*')).secret;
  const ids = async (path) => (await get(path, { key })).json.data.map(({ id }) => id);
  const { sessionId: session } = await completed({ key, prompt: 'How many open jobs are there?' });
  messages = make_messages(seed, { jobs: await ids('/jobs'), candidates: await ids('/candidates'), session });
});
after(close_connections);

const send = (agent, { text, fields }) =>
  new Promise((done, fail) => {
    const body = Buffer.from(text, 'latin1');
    const request = http.request({
      agent, hostname: gateway_url.hostname, port: gateway_url.port, path: endpoint.pathname, method: 'POST', timeout: 20_000,
      headers: { Authorization: `Bearer ${key}`, ...fields, 'Content-Length': body.length },
    }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => done({ status: response.statusCode, type: (response.headers['content-type'] ?? '').split(';')[0], body: Buffer.concat(chunks) }));
    });
    request.on('timeout', () => request.destroy(new Error('no answer in 20 s')));
    request.on('error', fail);
    request.end(body);
  });

const is_object = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const is_id = (id) => typeof id === 'string' || Number.isFinite(id);

/** What is wrong with an error of the API. */
const envelope_fault = ({ error }) =>
  is_object(error) && typeof error.code === 'string' && typeof error.message === 'string' && typeof error.requestId === 'string' && Array.isArray(error.details)
    ? undefined : 'is neither JSON-RPC nor the envelope';

/** What is wrong with a response of JSON-RPC. */
const response_fault = (response, { whole, id }) => {
  if (response.jsonrpc !== '2.0') return 'has no jsonrpc "2.0"';
  if (('result' in response) === ('error' in response)) return 'has not one of result and error';
  if ('result' in response && (!is_object(response.result) || !is_id(response.id))) return 'has a result or an id that is none';
  if ('id' in response && !is_id(response.id)) return 'has a wrong id';
  if (whole && 'id' in response && response.id !== id) return `has the id ${JSON.stringify(response.id)} in place of ${JSON.stringify(id)}`;
  if (!response.error) return undefined;
  const { code, message, data } = response.error;
  return Number.isInteger(code) && typeof message === 'string' && typeof data?.code === 'string' && typeof data.requestId === 'string' ? undefined : 'has an error that is none';
};

const decoder = new TextDecoder('utf-8', { fatal: true });
const fault_of = (message, { status, type, body }) => {
  if (status >= 500) return 'is an error of the server\'s';
  const text = decoder.decode(body);
  if (status === 202) return text === '' ? undefined : 'has a body';
  if (type === 'text/event-stream') {
    const found = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data));
    return found.length === 0 ? 'is an empty stream' : response_fault(found.at(-1), message);
  }
  if (type !== 'application/json') return `is of the type "${type}"`;
  const json = JSON.parse(text);
  return 'jsonrpc' in json ? response_fault(json, message) : envelope_fault(json);
};

test(`${count} messages of seed ${seed}`, { timeout: 300_000 }, async (t) => {
  const before_it = pids();
  const faults = [];
  const statuses = {};
  let sent = 0;
  const worker = async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1, localAddress: fresh_address() });
    while (sent < count && faults.length < 10) {
      const number = (sent += 1);
      const message = messages.next();
      let answer;
      let fault;
      try {
        answer = await send(agent, message);
        const { error, result } = answer.type === 'application/json' ? JSON.parse(answer.body) : {};
        const kind = `${answer.status} ${error?.code ?? (result?.isError ? 'isError' : 'well')}`;
        statuses[kind] = (statuses[kind] ?? 0) + 1;
        fault = fault_of(message, answer);
      } catch (error) {
        fault = `cannot be read: ${error.message}`;
      }
      if (fault) {
        faults.push(`The answer to message ${number} ${fault}: ${answer?.status} ${answer?.body.toString('utf8').slice(0, 500)}\n` +
          `${JSON.stringify(message.fields)}\n${JSON.stringify(message.text.slice(0, 2000))}`);
      }
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: at_once }, worker));
  t.diagnostic(JSON.stringify(statuses));
  assert.deepEqual(faults, [], `RECRUITING_FUZZ_SEED=${seed} repeats it`);
  assert.equal(sent, count);
  // Messages that are all refused at the door would prove little.
  for (const kind of ['200 well', '200 isError', '202 well', '200 -32602', '400 -32700', '400 -32600', '400 -32602', '400 -32020', '400 -32022', '404 -32601', '200 -32601',
    '401 invalid_credential', '403 cross_site_request', '415 unsupported_media_type']) {
    assert.ok(statuses[kind] > 0, `some are answered "${kind}": ${JSON.stringify(statuses)}`);
  }

  assert.deepEqual(pids(), before_it);
  for (const name of ['gateway', 'auth-api']) assert.equal((await fetch(`http://${admin_of(name)}/readyz`)).status, 200, name);
  const client = await connect(clients['client 2.x, pinned'], key);
  assert.equal((await client.listTools()).tools.length, 15);
  await client.close();
});
