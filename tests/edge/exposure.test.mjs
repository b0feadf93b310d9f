// A key that was sent to the public API: the client is refused, and the log has the prefix by which its owner knows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { key_of } from '../support/api_key.mjs';
import { get, run_cases } from './support/cases.mjs';
import { until } from './support/gateway.mjs';
import { connect } from './support/wire.mjs';

const world = run_cases([], { THREADS: 1 });

const page = '/api/public/v1/scheduling/a/b/bookings';
const key = key_of(`${'kEy0'.repeat(7)}000001`);
const escaped = encodeURIComponent(key).replace(/_/g, '%5F');
const counted = () => world.gateway.metric('recruiting_gateway_exposed_keys_total');
const lines = () => world.gateway.log().split('\n').filter((line) => line.includes('"key_exposed"')).map((line) => JSON.parse(line));

const ask = async (text) => {
  const wire = await connect(world.gateway.port);
  await wire.send(text);
  const { status } = await wire.answer();
  wire.close();
  return status;
};

for (const [place, text] of [
  ['Authorization', get(page, `Authorization: Bearer ${key}\r\n`)],
  ['X-Api-Key', get(page, `X-Api-Key: ${key}\r\n`)],
  ['Cookie', get(page, `Cookie: session=${escaped}\r\n`)],
  ['query', get(`${page}?key=${escaped}`)],
  ['path', get(`/api/public/v1/${key}`)],
  ['header', get(page, `${key}: 1\r\n`)],
]) {
  test(`a key in ${place} is logged by its prefix, and counted`, async () => {
    const [before, known] = [await counted(), lines().length];
    assert.equal(await ask(text), 400);
    await until(() => lines().length > known, 'the key is logged');
    assert.equal(lines().length, known + 1);
    const line = lines().at(-1);
    assert.deepEqual([line.level, line.keyPrefix, line.seenIn], ['warning', 'sp_live_kEy0', place]);
    assert.match(line.requestId, /^[A-Za-z0-9_-]{8,64}$/);
    assert.equal(await counted(), before + 1);
    assert.equal(world.public.text(), '', 'the service saw something');
  });
}

test('text in the form of a key with a wrong checksum is none: it passes, and nothing is counted', async () => {
  const before = await counted();
  assert.equal(await ask(get(page, `X-Api-Key: ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}\r\n`)), 200);
  assert.equal(await counted(), before);
});

test('no key is in the log, whatever its place was', async () => {
  await until(() => world.gateway.log().includes('"status":400'), 'the requests are logged');
  assert.ok(!world.gateway.log().includes('kEy0kEy0'));
});
