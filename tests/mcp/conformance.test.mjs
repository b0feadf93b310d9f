// The protocol's official conformance suite, as a whole: what applies to this server passes; what does not is named here with
// the reason. A scenario of the table that passes fails this test, as does one outside it that does not pass.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { close_connections } from '../e2e/support/client.mjs';
import { make_organization } from '../e2e/support/organization.mjs';
import { run_package } from './support/packages.mjs';
import { open_door } from './support/with_key.mjs';

const applying = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'];

const because = (reason, ...scenarios) => scenarios.map((scenario) => [scenario, reason]);
const not_applying = new Map([
  ...because('calls a tool of the suite\'s example server; tools here are the organization\'s data (clients.test.mjs calls each)',
    'tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content',
    'tools-call-error', 'tools-call-with-progress', 'json-schema-2020-12'),
  ...because('reads a resource of the example server (clients.test.mjs reads each of ours)',
    'resources-read-text', 'resources-read-binary', 'resources-templates-read'),
  ...because('gets a prompt of the example server (clients.test.mjs gets each of ours)',
    'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'),
  ...because('needs the capability "logging", which is not offered', 'logging-set-level', 'tools-call-with-logging'),
  ...because('needs the capability "completions", which is not offered', 'completion-complete'),
  ...because('needs resources.subscribe, which is not offered', 'resources-subscribe', 'resources-unsubscribe'),
  ...because('has the server ask the client, which this one never does',
    'tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'),
  ...because('needs a session id; every request stands alone here', 'server-sse-polling', 'server-sse-multiple-streams'),
]);

const suite = '@modelcontextprotocol/conformance/dist/index.js';
let door, folder;
before(async () => {
  const { secret } = await (await make_organization()).key('*');
  door = await open_door(secret);
  folder = mkdtempSync(join(tmpdir(), 'recruiting-conformance-'));
});
after(() => {
  door?.close();
  if (folder) rmSync(folder, { recursive: true });
  close_connections();
});

test('every scenario for servers is named here', async () => {
  const { code, stdout, stderr } = await run_package(suite, 'list', '--server');
  assert.equal(code, 0, stderr);
  const scenarios = [...stdout.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
  assert.deepEqual([...applying, ...not_applying.keys()].sort(), scenarios.sort());
});

test('the suite passes, but for what does not apply', async () => {
  const exceptions = join(folder, 'exceptions.yaml');
  writeFileSync(exceptions, `server:\n${[...not_applying.keys()].map((name) => `  - ${name}\n`).join('')}`);
  const { code, stdout, stderr } = await run_package(suite, 'server', '--url', String(door.url), '--suite', 'all', '--expected-failures', exceptions);
  assert.equal(code, 0, stdout.slice(-6000) + stderr.slice(-2000));
  assert.match(stdout, /Baseline check passed/);
  for (const name of applying) assert.match(stdout, new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`), name);
});
