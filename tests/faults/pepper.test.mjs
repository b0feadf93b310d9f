// The pepper is rotated as secrets.md describes it, on two instances that serve requests all the time: no request is rejected.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { until } from './support/wait.mjs';
import { auth_api_settings, programs, start_database } from './support/world.mjs';

const owner = 'ada@acme.example';

test('a pepper is rotated under requests; without it auth-api is unready, in words', async (t) => {
  const { folder, postgres, recruitctl } = await start_database(t, 'pepper');
  const file = (name) => join(folder, name);
  await recruitctl('organization', 'create', '--slug', 'acme', '--name', 'Acme');
  await recruitctl('member', 'add', '--organization', 'acme', '--email', owner, '--name', 'Ada', '--role', 'admin');
  const make_key = (name) => recruitctl('key', 'create', '--organization', 'acme', '--owner', owner, '--name', name, '--scope', '*', '--expires-in', '90d');
  const used = await make_key('used');
  await make_key('not used');

  let more = {};
  const program = join(programs(), 'recruiting-auth-api');
  const settings = () => ({ ...auth_api_settings(folder, postgres), ...more });
  const instances = [await start_instance(0, { program, settings, folder }), await start_instance(1, { program, settings, folder })];
  t.after(() => Promise.all(instances.map((one) => one.end('SIGKILL'))));
  const me = ({ port }, secret) => ask({ port, path: '/api/v1/me', timeout: 10_000, headers: { Authorization: `Bearer ${secret}` } });

  const answers = {};
  const serving = new Set(instances);
  let asked;
  let asking = true;
  const requests = (async () => {
    while (asking) {
      for (const one of serving) {
        asked = one;
        const { status } = await me(one, used.secret);
        answers[status] = (answers[status] ?? 0) + 1;
      }
    }
  })();
  const restart_all = async () => {
    for (const one of instances) {
      serving.delete(one);
      await until(() => asked !== one, 'its last request is answered');
      await one.end('SIGTERM');
      await one.start();
      serving.add(one);
    }
  };

  const { fileFingerprint: old } = await recruitctl('key', 'pepper');
  writeFileSync(file('second'), randomBytes(32).toString('hex'), { mode: 0o600 });
  more = { RECRUITING_KEY_PEPPER_PREVIOUS_FILE: file('second') };
  await restart_all();
  renameSync(file('pepper'), file('kept'));
  renameSync(file('second'), file('pepper'));
  renameSync(file('kept'), file('second'));
  await restart_all();
  assert.deepEqual((await recruitctl('key', 'pepper', '--adopt')).activeKeys, { current: 0, other: 2, unknown: 0 });
  await until(async () => (await recruitctl('key', 'pepper')).activeKeys.current === 1, 'the key that is used has moved');
  assert.notEqual((await recruitctl('key', 'pepper')).databaseFingerprint, old);
  const unmoved = await recruitctl('key', 'list', '--organization', 'acme', '--unmoved');
  assert.deepEqual(unmoved.data.map(({ name, pepperFingerprint }) => [name, pepperFingerprint]), [['not used', old]]);
  more = {};
  await restart_all();
  asking = false;
  await requests;
  assert.deepEqual(Object.keys(answers), ['200'], JSON.stringify(answers));

  renameSync(file('second'), file('pepper'));
  await instances[0].end('SIGTERM');
  const lost = await start_instance(2, { program, settings, folder, readiness: 503 });
  t.after(() => lost.end('SIGKILL'));
  await until(async () => /recruitctl key pepper/.test(JSON.parse(await lost.admin('/readyz')).checks.pepper), 'it says why');
  assert.ok(lost.log_lines().some((line) => line.includes('"pepper_lost"')));
  await assert.rejects(recruitctl('key', 'pepper'), /is not the pepper of this database's API keys/);
});
