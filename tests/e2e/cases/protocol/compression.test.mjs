// Accept-Encoding: gzip on /api/v1 for bodies above 1 KiB (RFC 9110 section 12.5.3), through the gateway.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { auth_prefix, close_connections, get, send } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';

const key = demo.key;
after(close_connections);

const jobs = (accepted, more = {}) =>
  get('/jobs', { key, query: { limit: 20 }, headers: accepted === undefined ? {} : { 'Accept-Encoding': accepted }, ...more });

test('a body above 1 KiB is gzip for clients that ask for it, and the same as without', async () => {
  const plain = await jobs();
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(plain.headers.vary, 'Accept-Encoding');
  assert.equal(Number(plain.headers['content-length']), plain.size);
  for (const accepted of ['gzip', 'gzip, deflate, br', '*', 'br;q=1.0, gzip;q=0.2']) {
    const packed = await jobs(accepted);
    assert.equal(packed.headers['content-encoding'], 'gzip', accepted);
    assert.equal(packed.headers.vary, 'Accept-Encoding');
    assert.equal(Number(packed.headers['content-length']), packed.size);
    assert.equal(packed.text, plain.text);
    assert.ok(packed.size < plain.size / 3, `${packed.size} of ${plain.size} bytes`);
  }
});

test('quality values are obeyed: gzip;q=0, identity preferred, *;q=0', async () => {
  for (const accepted of ['gzip;q=0', 'gzip;q=0, *', 'identity, gzip;q=0.5', '*;q=0', 'br', 'identity']) {
    assert.equal((await jobs(accepted)).headers['content-encoding'], undefined, accepted);
  }
});

test('HEAD has the header fields of GET, and no body', async () => {
  const packed = await jobs('gzip');
  const { headers, text } = await send('HEAD', `${auth_prefix}/jobs`, { key, query: { limit: 20 }, headers: { 'Accept-Encoding': 'gzip' }, expect: 200 });
  assert.equal(headers['content-encoding'], 'gzip');
  assert.equal(headers['content-length'], packed.headers['content-length']);
  assert.equal(text, '');
});

test('short bodies stay as they are', async () => {
  const { headers } = await get('/jobs', { key, query: { limit: 1, q: 'no such job anywhere' }, headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(headers['content-encoding'], undefined);
  assert.equal(headers.vary, undefined);
});

test('the OpenAPI document too, without a key', async () => {
  const plain = await get('/openapi.json');
  const packed = await get('/openapi.json', { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(packed.text, plain.text);
  assert.ok(packed.size < plain.size / 4);
});
