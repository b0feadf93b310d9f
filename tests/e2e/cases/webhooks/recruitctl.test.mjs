// Webhooks on the operators' command line, and `recruitctl webhook listen`, which stands in for one during development.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { invoke } from '../../support/agent.mjs';
import { close_connections, get } from '../../support/client.mjs';
import { environment, settings_of } from '../../support/environment.mjs';
import { candidate_record, make_organization } from '../../support/organization.mjs';
import { await_condition } from '../../support/programs.mjs';
import { record_secret } from '../../support/records.mjs';
import { recruitctl, run_recruitctl } from '../../support/recruitctl.mjs';
import { await_messages, touch_candidate } from '../../support/webhooks.mjs';
import { start_receiver, verified } from '../../../support/receiver.mjs';

// What may be called is the operator's to say, to recruitctl as to auth-api.
for (const name of ['HTTP', 'PORTS', 'NETWORKS'].map((each) => `RECRUITING_WEBHOOK_${each}`)) environment[name] = settings_of('auth-api')[name];

let receiver, organization, folder;
before(async () => {
  receiver = await start_receiver();
  organization = await make_organization();
  await organization.import('candidates', [candidate_record(0, organization.slug)]);
  folder = mkdtempSync(join(tmpdir(), 'recruiting-webhooks-'));
});
after(async () => {
  await receiver?.stop();
  rmSync(folder, { recursive: true, force: true });
  close_connections();
});

const webhook = (verb, ...more) => recruitctl('webhook', verb, '--organization', organization.slug, ...more);

test('created, listed, tested, rotated, paused, resumed and deleted', async () => {
  const { secret, ...made } = await webhook('create', '--url', receiver.url, '--resource', 'jobs,candidates', '--description', 'Warehouse');
  record_secret(secret.slice(6));
  assert.deepEqual([made.url, made.status, made.description, made.resources], [receiver.url, 'active', 'Warehouse', ['candidates', 'jobs']]);
  const id = ['--id', made.id];
  await webhook('test', ...id);
  const [message] = await await_messages(receiver, 'webhook.test');
  verified(secret, message);
  await await_condition(async () => JSON.stringify(await webhook('deliveries', ...id)).includes(message.id), 'its delivery is listed');
  const rotated = await webhook('rotate', ...id);
  record_secret(rotated.secret.slice(6));
  await touch_candidate(organization);
  const [changed] = await await_messages(receiver, 'candidates.changed');
  for (const each of [secret, rotated.secret]) verified(each, changed);
  assert.equal((await webhook('pause', ...id)).status, 'paused');
  assert.equal((await webhook('resume', ...id)).status, 'active');
  assert.ok(!JSON.stringify(await webhook('list')).includes('whsec_'));
  await webhook('delete', ...id);
  const { code, stderr } = await run_recruitctl('webhook', 'test', '--organization', organization.slug, ...id);
  assert.notEqual(code, 0);
  assert.match(stderr, new RegExp(made.id));
});

test('a URL inside is refused, and says so', async () => {
  for (const url of ['http://10.0.0.1/', 'https://169.254.169.254/', 'https://user@receiver.example/']) {
    const { code, stderr } = await run_recruitctl('webhook', 'create', '--organization', organization.slug, '--url', url, '--resource', 'jobs');
    assert.notEqual(code, 0, url);
    assert.match(stderr, /url/i);
  }
});

test('listen prints what changes, and forwards it signed', async (t) => {
  const forwarded = await start_receiver();
  t.after(() => forwarded.stop());
  const { secret: key } = await organization.key();
  const file = join(folder, 'key');
  writeFileSync(file, key, { mode: 0o600 });
  const child = spawn('recruitctl', ['webhook', 'listen', '--url', environment.RECRUITING_GATEWAY_URL, '--key-file', file, '--for', '5m',
    '--resource', 'candidates,agent_runs,audit', '--forward', forwarded.url], { env: environment });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill();
    await ended;
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].on('data', (text) => (said[stream] += text));
  await await_condition(() => child.exitCode !== null || said.stderr.includes('listening'), 'it listens');
  assert.equal(child.exitCode, null, said.stderr);
  const [secret] = /whsec_\S+/.exec(said.stderr);
  record_secret(secret.slice(6));
  await touch_candidate(organization);
  const [message] = await await_messages(forwarded, 'candidates.changed');
  assert.equal(verified(secret, message).data.fetch, '/api/v1/candidates?syncToken=');
  const { json } = await invoke({ prompt: 'How many open jobs are there?', key });
  const [run] = await await_messages(forwarded, 'agent_runs.completed');
  assert.equal(verified(secret, run).data.sessionId, json.sessionId);
  await get('/scopes', { key });
  verified(secret, (await await_messages(forwarded, 'audit.changed'))[0]);
  await await_condition(() => said.stdout.includes(message.body), 'it is printed');
  assert.ok(!said.stdout.includes(key) && !said.stderr.includes(key));
});
