// The command line of the protocol's Inspector, which people try a server with: lists, calls, reads.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get } from '../e2e/support/client.mjs';
import { fill, id_of, make_organization } from '../e2e/support/organization.mjs';
import { endpoint } from './support/clients.mjs';
import { run_package } from './support/packages.mjs';

let key, job;
before(async () => {
  const organization = await make_organization();
  await fill(organization, { jobs: 3, candidates: 3 });
  key = (await organization.key('jobs:read')).secret;
  job = await id_of(organization, 'jobs', 'job-1');
});
after(close_connections);

// Its own files for servers take no fields, so the key of this test is an argument.
const inspect = (...args) => run_package('@modelcontextprotocol/inspector-cli/build/cli.js', '--cli', String(endpoint),
  '--transport', 'http', '--header', `Authorization: Bearer ${key}`, ...args);
const answer_to = async (...args) => {
  const { code, stdout, stderr } = await inspect(...args);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
};

test('lists the tools that the key reaches', async () => {
  const { tools } = await answer_to('--method', 'tools/list');
  assert.deepEqual(tools.map(({ name }) => name), ['list_jobs', 'get_job', 'sync_jobs']);
});

test('calls one', async () => {
  const { structuredContent, isError } = await answer_to('--method', 'tools/call', '--tool-name', 'get_job', '--tool-arg', `jobId=${job}`);
  assert.notEqual(isError, true);
  assert.deepEqual(structuredContent, (await get(`/jobs/${job}`, { key })).json);
});

test('reads a resource', async () => {
  const { contents: [{ text }] } = await answer_to('--method', 'resources/read', '--uri', `recruiting://jobs/${job}`);
  assert.equal(JSON.parse(text).data.id, job);
});

test('a key that is none: it says so and ends', async () => {
  const { code, stderr } = await run_package('@modelcontextprotocol/inspector-cli/build/cli.js', '--cli', String(endpoint), '--transport', 'http', '--method', 'tools/list');
  assert.notEqual(code, 0);
  assert.match(stderr, /missing_credential|401|Unauthorized/);
});
