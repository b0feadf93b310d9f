// Expect: 100-continue (RFC 9110 section 10.1.1): told to go on, or refused before the body; never passed on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { key_of } from '../support/api_key.mjs';
import { auth, forwarded, get, open, passed, post, refused, request, run_cases } from './support/cases.mjs';
import { connect } from './support/wire.mjs';

const expecting = (fields = 'Content-Length: 5\r\n', path = auth) => post(`Expect: 100-continue\r\n${fields}`, '', path);
const up = forwarded(`POST ${auth}`, { framing: 'Content-Length: 5\r\n', body: 'hello' });

const world = run_cases([
  passed('a body that came anyway needs no 100', post('Expect: 100-continue\r\nContent-Length: 5\r\n', 'hello'), up),
  passed('without a body there is nothing to continue', get(auth, 'Expect: 100-continue\r\n'), forwarded(`GET ${auth}`)),
  passed('the expectation in any case', post('Expect: 100-Continue\r\nContent-Length: 5\r\n', 'hello'), up),
  refused('another expectation', get(auth, 'Expect: 200-ok\r\n'), 417),
  refused('an empty expectation', get(auth, 'Expect:\r\n'), 417),
  refused('two expectations in one field', post('Expect: 100-continue, x\r\nContent-Length: 5\r\n'), 417),
  refused('a body too large is refused without 100', expecting('Content-Length: 9999999\r\n'), 413),
  refused('nothing there is refused without 100', request('POST /elsewhere', 'Expect: 100-continue\r\nContent-Length: 5\r\n'), 404),
  { ...refused('a key towards the public API is refused without 100', expecting(`Authorization: Bearer ${key_of('expect')}\r\nContent-Length: 5\r\n`, open), 400), code: 'credential_not_allowed', to_public: true },
  refused('ambiguous framing is refused without 100', expecting('Content-Length: 5\r\nContent-Length: 5\r\n')),
]);

test('100 Continue, then the answer, then the next request', async () => {
  const wire = await connect(world.gateway.port);
  for (const body of ['hello', 'again']) {
    await wire.send(expecting());
    const interim = await wire.answer({ interim: true });
    assert.equal(interim.head, 'HTTP/1.1 100 Continue\r\n');
    await wire.send(body);
    assert.equal((await wire.answer({ interim: true })).status, 200);
  }
  assert.equal(world.auth.text(), up + up.replace('hello', 'again'));
  wire.close();
});

test('100 Continue for chunks', async () => {
  const wire = await connect(world.gateway.port);
  await wire.send(expecting('Transfer-Encoding: chunked\r\n'));
  assert.equal((await wire.answer({ interim: true })).status, 100);
  await wire.send('5\r\nhello\r\n0\r\n\r\n');
  assert.equal((await wire.answer({ interim: true })).status, 200);
  wire.close();
});

test('HTTP/1.0 is never told to continue', async () => {
  const wire = await connect(world.gateway.port);
  await wire.send(`POST ${auth} HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n`);
  await wire.send('hello');
  assert.equal((await wire.answer({ interim: true })).status, 200);
  wire.close();
});
