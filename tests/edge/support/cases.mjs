// A case is a row: what is sent, what is answered, whether the connection stays, and what the service saw.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { start_gateway } from './gateway.mjs';
import { start_recorder } from './recorder.mjs';
import { connect } from './wire.mjs';

export const host = 'api.example';
export const auth = '/api/v1/x';
export const open = '/api/public/v1/x';

/** A request as a client writes it. fields: lines with their CRLF. */
export const request = (line, fields = '', body = '') => `${line} HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n${body}`;
export const get = (path = auth, fields = '') => request(`GET ${path}`, fields);
export const post = (fields, body = '', path = auth) => request(`POST ${path}`, fields, body);
export const chunked = (body) => post('Transfer-Encoding: chunked\r\n', body);

/** The same request as the service must get it: kept are the fields the edge leaves alone, framing comes last. */
export const forwarded = (line, { kept = '', framing = '', body = '', name = host, version = '1.1' } = {}) =>
  `${line} HTTP/1.1\r\nHost: ${name}\r\n${kept}X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Host: ${name}\r\n` +
  `Forwarded: for=127.0.0.1;host="${name}";proto=http\r\nX-Request-Id: *\r\ntraceparent: *\r\nVia: ${version} recruiting-gateway\r\n` +
  `${framing}\r\n${body}`;
export const forwarded_get = (path = auth, kept = '') => forwarded(`GET ${path}`, { kept });
export const forwarded_chunks = (...pieces) =>
  forwarded(`POST ${auth}`, {
    framing: 'Transfer-Encoding: chunked\r\n',
    body: `${pieces.map((one) => `${one.length.toString(16)}\r\n${one}\r\n`).join('')}0\r\n\r\n`,
  });

/** Refused by the edge itself, connection closed, nothing forwarded. */
export const refused = (name, send, status = 400, more = {}) => ({ name, send, status, closes: true, saw: '', ...more });
/** Answered by the service, connection kept. */
export const passed = (name, send, saw, more = {}) => ({ name, send, status: 200, closes: false, saw, body: 'ok', ...more });
/** Answered by the edge itself, connection kept. */
export const declined = (name, send, status, more = {}) => ({ name, send, status, closes: false, saw: '', ...more });

const codes = {
  400: 'invalid_request', 404: 'not_found', 405: 'method_not_allowed', 408: 'request_timeout', 413: 'payload_too_large', 414: 'uri_too_long',
  417: 'expectation_failed', 429: 'rate_limited', 431: 'headers_too_large', 500: 'outcome_unknown', 501: 'not_implemented',
  503: 'service_unavailable', 505: 'version_not_supported',
};

const check_envelope = (row, answer) => {
  assert.equal(answer.value('content-type'), 'application/json');
  assert.match(answer.value('date'), /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  assert.equal(answer.value('cache-control'), 'no-store');
  if (row.to_head) return;
  const { error, ...rest } = JSON.parse(answer.body);
  assert.deepEqual(rest, {});
  assert.deepEqual(Object.keys(error), ['code', 'message', 'requestId', 'details']);
  assert.equal(error.code, row.code ?? codes[row.status]);
  assert.equal(error.requestId, answer.value('x-request-id'));
};

const check_answer = (row, answer) => {
  assert.ok(answer, 'closed without an answer');
  assert.equal(answer.status, row.status, answer.body);
  const from_service = row.from_service ?? (row.status < 400 && row.status !== 204);
  if (row.status >= 400 && !from_service) check_envelope(row, answer);
  assert.match(answer.value('x-request-id'), /^[A-Za-z0-9_-]{8,64}$/);
  assert.equal(answer.value('connection'), row.connection ?? (row.closes && !row.half_close && !row.next ? 'close' : undefined));
  if (row.body !== undefined && !row.to_head) assert.equal(answer.body, row.body);
  row.check?.(answer);
};

/** The body of a recorded request, whatever the chunks it came in. */
const joined_chunks = (text) => {
  let body = '';
  for (let rest = text.slice(text.indexOf('\r\n\r\n') + 4); ; ) {
    const size = Number.parseInt(rest, 16);
    const begin = rest.indexOf('\r\n') + 2;
    if (size === 0) return body;
    body += rest.slice(begin, begin + size);
    rest = rest.slice(begin + size + 2);
  }
};

/** The connection is in step with the gateway: it reads the next request where the last one ended. */
const check_in_step = async (wire) => {
  await wire.send('GET /elsewhere HTTP/1.1\r\nHost: probe\r\n\r\n');
  const answer = await wire.answer();
  assert.equal(answer?.status, 404, 'the connection is out of step, or closed');
};

const run = async (row, service, gateway) => {
  if (row.answer !== undefined) {
    service.reply = typeof row.answer === 'function' ? row.answer : (socket) => {
      socket.write(row.answer, 'latin1');
      if (row.then === 'close') socket.end();
    };
  }
  const wire = await connect(gateway.port);
  try {
    await wire.send(...[row.send].flat());
    if (row.half_close) wire.half_close();
    check_answer(row, await wire.answer({ to_head: row.to_head }));
    for (const one of row.next ?? []) check_answer({ closes: false, ...one }, await wire.answer({ to_head: one.to_head }));
    if (row.closes) assert.equal(await wire.end(), '', 'more than the answer came');
    else if (!row.half_close) await check_in_step(wire);
    if (row.saw instanceof RegExp) assert.match(service.text(), row.saw);
    else if (row.saw !== undefined) assert.equal(service.text(), row.saw);
    if (row.recorded) assert.match(service.recorded, row.recorded);
    if (row.unfinished) assert.equal(service.requests, 0, 'the service got a whole request');
    if (row.whole !== undefined) assert.equal(joined_chunks(service.text()), row.whole);
    assert.equal(wire.failure(), undefined);
  } finally {
    wire.close();
  }
};

/** Each row is one test. Both services are recorders, unless start_public starts another. The answer: what tests beyond the rows need. */
export const run_cases = (rows, settings = {}, start_public = start_recorder) => {
  const world = { auth: undefined, public: undefined, gateway: undefined };
  before(async () => {
    world.auth = await start_recorder();
    world.public = await start_public();
    world.gateway = await start_gateway(world.auth.address, world.public.address, settings);
  });
  after(async () => {
    const alive = world.gateway?.alive();
    await world.gateway?.stop();
    await world.auth?.stop();
    await world.public?.stop();
    assert.ok(alive, 'the gateway ended before its time');
  });
  beforeEach(() => {
    world.auth.reset();
    world.public.reset();
  });
  for (const row of rows) {
    test(row.name, async () => {
      const [service, other] = row.to_public ? [world.public, world.auth] : [world.auth, world.public];
      await run(row, service, world.gateway);
      assert.equal(other.text(), '', 'the other service saw something');
      if (row.answer !== undefined) service.drop_connections();
    });
  }
  return world;
};
