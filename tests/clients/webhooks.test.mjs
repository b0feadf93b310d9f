// What the clients of proto-docs/clients take for a message of a webhook, with the official package standardwebhooks as the
// side that signs.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { clients } from './support/clients.mjs';

const new_secret = () => `whsec_${randomBytes(32).toString('base64')}`;
const [secret, other] = [new_secret(), new_secret()];
const id = `msg_${randomBytes(16).toString('hex')}`;
const body = JSON.stringify({
  type: 'candidates.changed', timestamp: '2026-11-28T23:41:05.123Z',
  data: { organizationId: '0'.repeat(32), resource: 'candidates', fetch: '/api/v1/candidates?syncToken=' },
});

/** The three headers as standardwebhooks makes them, with the signatures of these secrets. */
const signed = ({ age = 0, secrets = [secret], content = body } = {}) => {
  const at = new Date(Date.now() - age * 1000);
  return [id, String(Math.floor(at / 1000)), secrets.map((each) => new Webhook(each).sign(id, at, content)).join(' ')];
};

for (const [name, client] of Object.entries(clients)) {
  const verify = (headers, content = body, secrets = [secret]) =>
    client(['verify', ...headers], { WEBHOOK_SECRETS: secrets.join(' ') }, content);
  const accepted = async (...given) => {
    const { code, stdout, stderr } = await verify(...given);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), JSON.parse(given[1] ?? body));
  };
  const refused = async (...given) => {
    const { code, stdout, stderr } = await verify(...given);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    for (const each of [secret, other]) assert.ok(!stderr.includes(each.slice(6)), 'a secret in an error');
  };

  describe(`${name}: webhooks`, () => {
    test('a signed message is accepted, to the byte', async () => {
      await accepted(signed());
      const content = '{"name":"Åsa \\u00d6berg 🎈"}\n\n';
      await accepted(signed({ content }), content);
    });

    test('any of several secrets signs, and any of several signatures counts', async () => {
      await accepted(signed({ secrets: [other] }), body, [secret, other]);
      await accepted(signed({ secrets: [other, secret] }));
      const [, at, signature] = signed();
      await accepted([id, at, `v1a,${'A'.repeat(86)}== * ${signature}`]);
    });

    test('another secret, body, id, time or version is refused', async () => {
      const [, at, signature] = signed();
      await refused(signed(), body, [other]);
      await refused([id, at, signature], body.replace('candidates', 'candidate'));
      await refused([id, at, signature], `${body}\n`);
      await refused([`${id}0`, at, signature]);
      await refused([id, String(Number(at) - 1), signature]);
      await refused([id, at, signature.replace('v1,', 'v2,')]);
      await refused([id, at, signature.replace('v1,', '')]);
    });

    test('a signature cut short, lengthened, empty or of other characters is refused', async () => {
      const [, at, signature] = signed();
      for (const wrong of ['', ' ', '*', 'v1', 'v1,', signature.slice(0, -1), `${signature}=`, `${signature},`, `x${signature}`, 'v1,ä']) {
        await refused([id, at, wrong]);
      }
    });

    test('five minutes ago and five ahead is the limit', async () => {
      for (const age of [290, -290]) await accepted(signed({ age }));
      for (const age of [310, -310, 86_400]) await refused(signed({ age }));
    });

    test('what is no time is refused, whoever signed it', async () => {
      for (const at of ['', 'now', '-1', `${signed()[1]}.0`, `0x${Math.floor(Date.now() / 1000).toString(16)}`, '9'.repeat(5000), '²']) {
        await refused([id, at, signed()[2]]);
      }
    });

    test('an empty or short secret verifies nothing', async () => {
      for (const key of ['', 'c2hvcnQ=']) {
        const [, at] = signed();
        const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${at}.${body}`).digest('base64');
        await refused([id, at, `v1,${signature}`], body, [`whsec_${key}`]);
      }
    });
  });
}
