// What agent.md says is what there is: settings, tools; and the client that it names really follows the rules.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { start_model_double } from '../../../support/model_double.mjs';
import { invoke, new_key, runs_of } from '../../support/agent.mjs';
import { close_connections } from '../../support/client.mjs';
import { binary_of, gateway_url } from '../../support/environment.mjs';
import { make_organization } from '../../support/organization.mjs';
import { await_condition, behind_gateway, start_program } from '../../support/programs.mjs';

const text_of = (path) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const page = text_of('proto-docs/agent.md');
const client = fileURLToPath(new URL('../../../../proto-docs/clients/recruiting.sh', import.meta.url));

let double, service, organization, key;
let held = [];
before(async () => {
  double = await start_model_double(({ prompt }) => {
    if (prompt.startsWith('Fail')) return { status: 500, raw: 'oops' };
    return prompt.startsWith('Wait') ? new Promise((done) => held.push(done)) : `You said: ${prompt}`;
  });
  service = await start_program('auth-api', { RECRUITING_AGENT_MODEL_BASE_URL: double.url, RECRUITING_AGENT_MODEL: 'double' });
  organization = await make_organization();
  key = (await organization.key('*')).secret;
});
after(async () => {
  held.forEach((done) => done('At last.'));
  await service?.stop();
  await double?.stop();
  close_connections();
});

/** The names that --help tells. */
const settings = () => new Set(execFileSync(binary_of('auth-api'), ['--help'], { encoding: 'utf8' }).match(/^RECRUITING_AGENT_[A-Z_]+/gm));

test('the settings that it names exist', () => {
  for (const [name] of page.matchAll(/RECRUITING_AGENT_[A-Z_]+/g)) assert.ok(settings().has(name) || settings().has(name.replace(/_FILE$/, '')), name);
});

test('it has every tool that models are offered, and no other', async () => {
  await invoke({ key, prompt: 'What can you do?', base: service.url, direct: true });
  const offered = double.requests.at(-1).body.tools.map((tool) => tool.function.name);
  const named = [...page.matchAll(/^\| `([a-z_]+)` \| [a-z]+:[a-z]+/gm)].map(([, name]) => name);
  assert.deepEqual(named.sort(), offered.sort());
});

const metrics_of = async (program) => (await fetch(new URL('/metrics', program.admin_url))).text();

/** Runs the client: {code, stdout, stderr}. */
const ask_agent = (prompt, { base = service.url, secret = key, run_key = new_key() } = {}) =>
  new Promise((done) => {
    const env = { PATH: process.env.PATH, RECRUITING_GATEWAY_URL: base.origin, API_KEY: secret };
    execFile('bash', ['--norc', client, 'invoke', run_key, prompt], { env, encoding: 'utf8' },
      (error, stdout, stderr) => done({ code: error ? error.code : 0, stdout, stderr }));
  });

test('it names that client, and has no other', () => {
  assert.match(page, /^recruiting\.sh invoke "/m);
  assert.doesNotMatch(page, /curl/);
});

test('its client prints the reply, through the gateway and the built-in responder', async () => {
  const { code, stdout } = await ask_agent('Who are the admins?', { base: gateway_url });
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(organization.admin));
});

test('its client polls a run that is going on, and invokes no second one', async () => {
  double.answer = () => new Promise((done) => held.push(done));
  const run_key = new_key();
  const runs = await runs_of(organization);
  const both = [ask_agent('Wait for both of us', { run_key })];
  await await_condition(() => held.length === 1, 'the run waits for the model');
  both.push(ask_agent('Wait for both of us', { run_key }));
  // The second one has been told in_progress, and asks the session.
  await await_condition(async () => /route="\/api\/v1\/agent\/sessions\/\{id\}",status="200"\} [1-9]/.test(await metrics_of(service)), 'the client polls');
  held.splice(0).forEach((done) => done('At last.'));
  assert.deepEqual((await Promise.all(both)).map(({ code, stdout }) => [code, stdout]), [[0, 'At last.\n'], [0, 'At last.\n']]);
  assert.equal(await runs_of(organization), runs + 1);
});

test('its client ends with 1 when the run failed, and says which', async () => {
  double.answer = () => ({ status: 500, raw: 'oops' });
  const { code, stdout, stderr } = await ask_agent('Fail, for once');
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^The agent run did not complete\. [0-9a-f]{8}-[0-9a-f-]{27}$/m);
});

test('its client ends with 2 when it is refused, without asking again', async () => {
  const { code, stderr } = await ask_agent(' ');
  assert.equal(code, 2);
  assert.equal(JSON.parse(stderr).error.code, 'invalid_request');
  assert.equal((await ask_agent('Hello again, it is me', { secret: 'sp_test_x' })).code, 2);
});

test('its client asks again while the service is away', async () => {
  double.answer = () => 'Here again.';
  const gateway = await start_program('gateway', { ...behind_gateway(service, null), RECRUITING_GATEWAY_RATE_LIMIT: '1000' }, { ready: false });
  try {
    await service.kill();
    const asking = ask_agent('Are you there again?', { base: gateway.url });
    await await_condition(async () => /route="\/api\/v1",status="5xx"\} [1-9]/.test(await metrics_of(gateway)), 'the client was answered 503');
    await service.start();
    assert.deepEqual(await asking, { code: 0, stdout: 'Here again.\n', stderr: '' });
  } finally {
    await gateway.stop();
  }
});
