// HTTP for the tests: keep-alive over node:http, any client address of 127.0.0.0/8, and the contract check on every answer.
import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { gunzipSync } from 'node:zlib';
import { check_answer } from './contract.mjs';
import { gateway_url } from './environment.mjs';
import { record_secret } from './records.mjs';

export const auth_prefix = '/api/v1';
export const public_prefix = '/api/public/v1';
export const console_prefix = '/console/api';

const agents = new Map();
const agent_for = (address) => {
  if (!agents.has(address)) agents.set(address, new http.Agent({ keepAlive: true, maxSockets: 64, localAddress: address }));
  return agents.get(address);
};

/** The body as text; size: its bytes on the way. */
const content_of = ({ headers }, bytes) => ({
  size: bytes.length,
  text: (headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString('utf8'),
});

const exchange = ({ address, body, ...options }) =>
  new Promise((done, fail) => {
    const request = http.request({ ...options, agent: agent_for(address), timeout: 60_000 }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () =>
        done({ at: Date.now(), status: response.statusCode, headers: response.headers, ...content_of(response, Buffer.concat(chunks)) }));
    });
    request.on('timeout', () => request.destroy(new Error(`${options.method} ${options.path} did not answer in 60 s`)));
    request.on('error', fail);
    request.end(body);
  });

const with_query = (path, query) => {
  if (typeof query === 'string') return `${path}?${query}`;
  const text = new URLSearchParams(Object.entries(query ?? {}).filter(([, value]) => value !== undefined)).toString();
  return text ? `${path}?${text}` : path;
};

/**
 * One request; the answer has status, headers (lower-case names), text, at (when it came), and json where the body is JSON.
 * options: query (object or text), key (bearer secret), headers, address, base (another gateway or a service),
 * direct (base is a service), body, expect (the status it must have).
 */
export const send = async (method, path, options = {}) => {
  const { query, key, headers = {}, address = '127.0.0.1', base = gateway_url, direct = false, body, expect } = options;
  const authorization = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  for (const [name, value] of Object.entries({ ...authorization, ...headers })) {
    const token = String(value).split(' ').pop();
    // A key ID, in whatever form, is no secret: logs and audit rows name it.
    if (name.toLowerCase() === 'authorization' && !/^[0-9a-f]{32}$/i.test(token.replaceAll('-', ''))) record_secret(token);
  }
  const target = with_query(path, query);
  const url = new URL(base);
  const answer = await exchange({
    hostname: url.hostname, port: url.port, path: target, method, headers: { ...authorization, ...headers }, address, body,
  });
  answer.method = method;
  answer.path = target.split('?')[0];
  answer.target = target;
  answer.query = [...new URLSearchParams(target.split('?')[1] ?? '').keys()];
  check_answer(answer, { direct });
  if (/^application\/(problem\+)?json$/.test(answer.headers['content-type'] ?? '') && method !== 'HEAD') answer.json = JSON.parse(answer.text);
  answer.error = answer.json?.error;
  if (expect !== undefined) {
    assert.equal(answer.status, expect, `${method} ${target} answered ${answer.status}: ${answer.text.slice(0, 1500)}`);
  }
  return answer;
};

/** GET of the authenticated API; 200 unless `expect` says otherwise. */
export const get = (path, options = {}) => send('GET', auth_prefix + path, { expect: 200, ...options });
/** GET of the public API; 200 unless `expect` says otherwise. */
export const get_public = (path, options = {}) => send('GET', public_prefix + path, { expect: 200, ...options });

/** Bytes as they are over a socket of their own, for what node:http would not send; the raw answer. */
export const send_raw = (text, { base = gateway_url, address = '127.0.0.1', wait = 10_000 } = {}) =>
  new Promise((done, fail) => {
    const url = new URL(base);
    const socket = net.connect({ host: url.hostname, port: Number(url.port), localAddress: address }, () => socket.write(text));
    let answer = '';
    socket.setTimeout(wait, () => socket.destroy());
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', (error) => (answer ? undefined : fail(error)));
    socket.on('close', () => done(answer));
  });

/** Lets a test process end: idle keep-alive sockets hold it otherwise. */
export const close_connections = () => {
  for (const agent of agents.values()) agent.destroy();
};
