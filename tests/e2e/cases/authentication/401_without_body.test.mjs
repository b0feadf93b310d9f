// A request without a credential holds nothing: the service does not await its body, and the gateway forwards it only
// when a small body is complete.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auth_prefix, close_connections, get } from '../../support/client.mjs';
import { gateway_url } from '../../support/environment.mjs';
import { make_organization } from '../../support/organization.mjs';
import { connect } from '../../../edge/support/wire.mjs';
import { key_of } from '../../../support/api_key.mjs';

let organization;
before(async () => (organization = await make_organization()));
after(close_connections);

const port = Number(gateway_url.port);
const head = (fields) => `POST ${auth_prefix}/agent/invoke HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${fields}\r\n`;
const credentials = {
  'no credential': ['', 'missing_credential'],
  'another scheme': ['Authorization: Basic eDp5\r\n', 'invalid_credential'],
  'a key ID': [`Authorization: Bearer ${'a'.repeat(32)}\r\n`, 'invalid_credential'],
  'a key that nobody has': [`Authorization: Bearer ${key_of('nobody', 'sp_test_')}\r\n`, 'invalid_credential'],
};

for (const [what, [credential, code]] of Object.entries(credentials)) {
  for (const [framing, begun] of [['Content-Length: 100000\r\n', '{'], ['Transfer-Encoding: chunked\r\n', '1\r\n{\r\n']]) {
    test(`${what}: refused while its body (${framing.trim()}) is still to come`, async () => {
      const wire = await connect(port);
      await wire.send(head(credential + framing) + begun);
      const answer = await wire.answer(); // after the time for a body it would be 408
      assert.equal(answer.status, 401, answer.body);
      assert.equal(JSON.parse(answer.body).error.code, code);
      assert.equal(answer.value('connection'), 'close');
      assert.match(answer.value('www-authenticate'), /^Bearer realm="api"/);
      await wire.end();
      wire.close();
    });
  }
}

test('two hundred such requests at once keep a tenant waiting for nothing', async () => {
  const key = await organization.key('*');
  const wires = await Promise.all(Array.from({ length: 200 }, () => connect(port, { from: '127.0.0.13' })));
  for (const wire of wires) await wire.send(head('Content-Length: 2\r\n') + '{');
  assert.equal((await get('/me', { key: key.secret })).status, 200);
  for (const wire of wires) await wire.send('}');
  for (const wire of wires) assert.equal((await wire.answer()).status, 401);
  for (const wire of wires) wire.close();
});
