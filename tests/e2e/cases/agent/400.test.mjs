// POST /agent/invoke: what is refused, and that a refusal stores nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completed, invoke, invoke_raw, new_key, runs_of, sessions_of } from '../../support/agent.mjs';
import { auth_prefix, close_connections, get, send, send_raw } from '../../support/client.mjs';
import { make_organization } from '../../support/organization.mjs';

const question = 'How many open jobs are there?';
let organization, key, session;
before(async () => {
  organization = await make_organization();
  key = (await organization.key('*')).secret;
  session = (await completed({ key, prompt: question })).sessionId;
});
after(async () => {
  const counts = [await runs_of(organization), (await sessions_of({ key })).length];
  close_connections();
  assert.deepEqual(counts, [1, 1], 'nothing that was refused is stored');
});

const fields_of = ({ error }, status = 400) => {
  assert.equal(error.code, status === 400 ? 'invalid_request' : error.code);
  return error.details.map(({ location, field }) => `${location} ${field}`).sort();
};

test('Idempotency-Key together with sessionId', async () => {
  const answer = await invoke({ key, prompt: question, session, idempotency: new_key(), expect: 400 });
  assert.deepEqual(fields_of(answer), ['header Idempotency-Key']);
});

test('a key that was refused is still free', async () => {
  const idempotency = new_key();
  await invoke({ key, prompt: question, session, idempotency, expect: 400 });
  await invoke({ key, prompt: '', idempotency, expect: 400 });
  const other = await make_organization(); // so that this file's own stays as it is
  const own = (await other.key('*')).secret;
  await invoke({ key: own, prompt: '', idempotency, expect: 400 });
  assert.equal((await completed({ key: own, prompt: question, idempotency })).idempotentReplay, false);
});

test('an Idempotency-Key of another form', async () => {
  for (const idempotency of ['', '""', '"open', '"a"b', '"a\\b"', 'k'.repeat(256), 'gr\xfc\xdf', 'tab\tin it']) {
    const answer = await invoke({ key, prompt: question, idempotency, expect: 400 });
    assert.deepEqual(fields_of(answer), ['header Idempotency-Key'], idempotency);
  }
  // Which of two would count, nobody can know: the edge says so before it counts the request.
  const twice = await send_raw(`POST ${auth_prefix}/agent/invoke HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 0\r\n`
    + 'Idempotency-Key: one\r\nIdempotency-Key: two\r\nConnection: close\r\n\r\n');
  assert.match(twice, /^HTTP\/1\.1 400 /);
  assert.match(twice, /"field":"Idempotency-Key"/);
});

const refused_bodies = {
  'no body': ['', ['body ']],
  'not JSON': ['prompt=hello', ['body ']],
  'cut short': ['{"prompt":"hello"', ['body ']],
  'more after it': ['{"prompt":"hello"} {}', ['body ']],
  'an array': ['["prompt"]', ['body ']],
  'not UTF-8': [Buffer.from('{"prompt":"gr\xfc\xdf"}', 'latin1'), ['body ']],
  'a lone high surrogate': ['{"prompt":"\\ud83d and more"}', ['body ']],
  'a lone low surrogate': ['{"prompt":"\\ude42"}', ['body ']],
  'nested too deep': [`{"prompt":${'['.repeat(5000)}${']'.repeat(5000)}}`, ['body ']],
  'no prompt': ['{}', ['body prompt']],
  'a prompt that is null': ['{"prompt":null}', ['body prompt']],
  'a prompt that is a number': ['{"prompt":5}', ['body prompt']],
  'an empty prompt': ['{"prompt":""}', ['body prompt']],
  'a prompt of white space': ['{"prompt":" \\n\\t "}', ['body prompt']],
  'a prompt with NUL': ['{"prompt":"a\\u0000b"}', ['body prompt']],
  'a prompt of 32,001 characters': [JSON.stringify({ prompt: 'é'.repeat(32_001) }), ['body prompt']],
  'a field there is not': ['{"prompt":"hello","model":"other"}', ['body model']],
  'a field in another case': ['{"Prompt":"hello"}', ['body Prompt', 'body prompt']],
  'a sessionId of another form': ['{"prompt":"hello","sessionId":"x"}', ['body sessionId']],
  'a sessionId that is a number': ['{"prompt":"hello","sessionId":7}', ['body sessionId']],
  'the same member twice': ['{"prompt":"hello","prompt":"good-bye"}', ['body prompt']],
  'the same member twice, spelled otherwise': ['{"sessionId":null,"prompt":"hello","session\\u0049d":null}', ['body sessionId']],
  'a 65th member': [JSON.stringify({ prompt: 'hello', ...Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`f${i}`, i])) }), ['body ']],
  'all of it at once': ['{"prompt":"","sessionId":"x","stream":true}', ['body prompt', 'body sessionId', 'body stream']],
};
for (const [what, [body, fields]] of Object.entries(refused_bodies)) {
  test(`400: ${what}`, async () => {
    const answer = await invoke_raw(body, { key, expect: 400 });
    assert.deepEqual(fields_of(answer), fields, answer.text);
  });
}

test('400: a query', async () => {
  const answer = await invoke({ key, prompt: question, query: { stream: 'true' }, expect: 400 });
  assert.deepEqual(fields_of(answer), ['query stream']);
});

test('415: another content type, or none', async () => {
  const body = JSON.stringify({ prompt: question });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'application/json-patch+json', '']) {
    const { error } = await invoke_raw(body, { key, headers: { 'Content-Type': type }, expect: 415 });
    assert.equal(error.code, 'unsupported_media_type');
  }
});

test('413: a body beyond 256 KiB', async () => {
  const { error } = await invoke_raw(JSON.stringify({ prompt: 'x'.repeat(300_000) }), { key, expect: 413 });
  assert.equal(error.code, 'payload_too_large');
});

test('405: any other method', async () => {
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const { headers } = await send(method, `${auth_prefix}/agent/invoke`, { key, expect: 405 });
    assert.equal(headers.allow, 'POST');
  }
  for (const path of ['/agent/sessions', `/agent/sessions/${session}`]) {
    const { headers } = await send('POST', auth_prefix + path, { key, expect: 405 });
    assert.equal(headers.allow, 'GET, HEAD');
  }
  await get('/agent', { key, expect: 404 });
});
