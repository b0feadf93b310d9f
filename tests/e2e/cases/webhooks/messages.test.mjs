// What a receiver is told of each resource: the right type, where to fetch it, and nothing of anyone.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { invoke } from '../../support/agent.mjs';
import { close_connections, get, get_public, public_prefix, send } from '../../support/client.mjs';
import { fresh_address, sign_in } from '../../support/console.mjs';
import { application_record, candidate_record, fill, id_of, job_record } from '../../support/organization.mjs';
import { await_condition } from '../../support/programs.mjs';
import { await_messages, create_webhook, delete_webhook, resources, touch_candidate } from '../../support/webhooks.mjs';
import { make_interview } from '../../../support/interviews.mjs';
import { start_receiver, verified } from '../../../support/receiver.mjs';
import { clients } from '../../../clients/support/clients.mjs';

const id = '[0-9a-f]{32}';
const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** By type: the resource, and what data has beside it. */
const documented = {
  'jobs.changed': ['jobs', { fetch: '/api/v1/jobs\\?syncToken=' }],
  'candidates.changed': ['candidates', { fetch: '/api/v1/candidates\\?syncToken=' }],
  'members.changed': ['members', { fetch: '/api/v1/members\\?syncToken=' }],
  'interviews.changed': ['interviews', { fetch: '/api/v1/candidates\\?syncToken=' }],
  'pipeline.changed': ['pipeline', { fetch: `/api/v1/(pipeline\\?jobId=${id}|jobs\\?syncToken=)`, jobId: id }],
  'audit.changed': ['audit', { fetch: '/api/v1/audit\\?occurredAfter=[-0-9T:.Z%A-F]+&order=asc' }],
  'agent_runs.completed': ['agent_runs', { fetch: `/api/v1/agent/sessions/${id}`, sessionId: id, correlationId: uuid }],
  'agent_runs.failed': ['agent_runs', { fetch: `/api/v1/agent/sessions/${id}`, sessionId: id, correlationId: uuid }],
  'webhook.test': ['test', { fetch: '/api/v1/organization' }],
};
const optional = ['jobId'];
const headers = ['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent', 'webhook-id', 'webhook-signature', 'webhook-timestamp'];

let receiver, scene, organization, admin, key;
const hooks = {}; // by resource
before(async () => {
  receiver = await start_receiver();
  scene = await make_interview({ candidates: 2 });
  ({ organization } = scene);
  await fill(organization, { jobs: 2, candidates: 3 });
  admin = await sign_in(organization);
  key = (await organization.key()).secret;
  for (const resource of resources) hooks[resource] = await create_webhook(admin, `${receiver.url}/${resource}`, [resource]);
});
after(async () => {
  await receiver?.stop();
  close_connections();
});

/** The messages of the types that come after this act. */
const after_act = async (type, act, count = 1) => {
  const already = receiver.of(type).length;
  await act();
  return (await await_messages(receiver, type, already + count)).slice(already);
};
const fetched = async ({ json }) => (await send('GET', json.data.fetch.split('?')[0], { key, query: json.data.fetch.split('?')[1] ?? '', expect: 200 })).json;

describe('a change is a message', () => {
  test('jobs.changed: an import of a job', async () => {
    const [message] = await after_act('jobs.changed', () => organization.import('jobs', [{ ...job_record(0), title: 'Renamed' }]));
    assert.ok((await fetched(message)).data.some(({ title }) => title === 'Renamed'));
  });

  test('candidates.changed: an import of a candidate', async () => {
    const [message] = await after_act('candidates.changed', () => organization.import('candidates', [{ ...candidate_record(0, organization.slug), currentTitle: 'Director' }]));
    assert.ok((await fetched(message)).data.some(({ currentTitle }) => currentTitle === 'Director'));
  });

  test('members.changed: a role in the console', async () => {
    const { id: member } = await organization.add_member('viewer');
    const [message] = await after_act('members.changed', () => admin.change('PATCH', `/members/${member}`, { role: 'recruiter' }));
    assert.equal((await fetched(message)).data.find((one) => one.id === member).role, 'recruiter');
  });

  test('pipeline.changed: a candidate at another stage, with its job', async () => {
    const job = await id_of(organization, 'jobs', 'job-1');
    const of_job = () => receiver.of('pipeline.changed').filter(({ json }) => json.data.jobId === job);
    const already = of_job().length;
    await organization.import('applications', [application_record(1, 1, { stageName: 'Offer' })]);
    await await_condition(() => of_job().length > already, 'a message of the job');
    const message = of_job().at(-1);
    assert.equal(message.json.data.fetch, `/api/v1/pipeline?jobId=${job}`);
    assert.equal((await fetched(message)).data.jobId, job);
  });

  test('interviews.changed: a booking', async () => {
    const { data: [{ slotStart }] } = (await get_public(`/scheduling/${scene.job}/${scene.stage}/slots`)).json;
    const body = JSON.stringify({ email: scene.emails[0], slotStart, timeZone: 'UTC' });
    const book = () => send('POST', `${public_prefix}/scheduling/${scene.job}/${scene.stage}/bookings`, {
      body, headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }, address: fresh_address(), expect: 200,
    });
    await after_act('interviews.changed', book);
  });

  test('agent_runs.completed: a run, with its session and correlation id', async () => {
    let answer;
    const [message] = await after_act('agent_runs.completed', async () => (answer = await invoke({ prompt: 'How many open jobs are there?', key })));
    assert.deepEqual([message.json.data.sessionId, message.json.data.correlationId], [answer.json.sessionId, answer.headers['correlation-id']]);
    assert.equal((await fetched(message)).data.status, 'completed');
  });

  test('audit.changed: a request with a key', async () => {
    const asked = (await get('/scopes', { key })).headers['x-request-id'];
    await await_condition(async () => {
      const [last] = receiver.of('audit.changed').slice(-1);
      return last && (await fetched(last)).data.some(({ requestId }) => requestId === asked);
    }, 'the request is in what a message names');
  });

  test('forty candidates at once are one message', async () => {
    const { webhook } = await create_webhook(admin, `${receiver.url}/import`, ['candidates']);
    const records = Array.from({ length: 40 }, (_, i) => candidate_record(100 + i, organization.slug));
    await after_act('candidates.changed', () => organization.import('candidates', records), 2);
    await after_act('jobs.changed', () => organization.import('jobs', [{ ...job_record(0), title: 'Renamed again' }]));
    await delete_webhook(admin, webhook);
    const changed = receiver.messages.filter(({ path }) => path.endsWith('/import')).map(({ json }) => json.type);
    assert.ok(changed.length >= 1 && changed.length <= 2, `${changed}`); // the second: the job, whose team may see others now
  });

  test('more jobs than 20 at once are one message of the pipeline', async () => {
    const jobs = Array.from({ length: 25 }, (_, i) => job_record(100 + i));
    const [message] = await after_act('pipeline.changed', () => organization.import('jobs', jobs));
    assert.deepEqual([message.json.data.jobId, message.json.data.fetch], [undefined, '/api/v1/jobs?syncToken=']);
  });
});

test('another organization\'s change is none', async () => {
  const stranger = await make_interview();
  const already = receiver.messages.length;
  await touch_candidate(stranger.organization);
  await after_act('members.changed', () => organization.add_member('recruiter', `late@${organization.slug}.example`));
  assert.ok(receiver.messages.slice(already).every(({ json }) => json.data.organizationId === organization.id));
});

test('reads of the audit log are no change of it', async () => {
  // Were they, each would be followed by a message, and this would not end.
  await await_condition(async () => {
    const already = receiver.of('audit.changed').length;
    for (let round = 0; round < 3; round += 1) {
      await get('/audit', { key, query: { limit: '1' } });
      await after_act('candidates.changed', () => touch_candidate(organization));
    }
    return receiver.of('audit.changed').length === already;
  }, 'three reads without a message');
});

describe('every message', () => {
  test('has the documented members and no other, and only ids and times in them', () => {
    const types = new Set(receiver.messages.map(({ json }) => json.type));
    for (const type of Object.keys(documented).filter((one) => !['agent_runs.failed', 'webhook.test'].includes(one))) assert.ok(types.has(type), type);
    for (const { json, body, path } of receiver.messages) {
      const [resource, fields] = documented[json.type];
      assert.equal(body, JSON.stringify(json), 'compact');
      assert.deepEqual(Object.keys(json), ['type', 'timestamp', 'data']);
      assert.match(json.timestamp, new RegExp(`^${time}$`));
      const { organizationId, resource: named, ...rest } = json.data;
      assert.deepEqual([organizationId, named], [organization.id, resource], path);
      assert.deepEqual(Object.keys(fields).filter((name) => !(name in rest) && !optional.includes(name)), [], json.type);
      for (const [name, value] of Object.entries(rest)) assert.match(value, new RegExp(`^${fields[name] ?? '(?!)'}$`), `${json.type} ${name}`);
    }
  });

  test('is of a resource of its webhook, is signed, and has no other headers', () => {
    for (const message of receiver.messages) {
      assert.deepEqual(Object.keys(message.headers).filter((name) => !headers.includes(name)), []);
      assert.deepEqual([message.method, message.headers['content-type'], message.headers['user-agent'].split('/')[0]], ['POST', 'application/json', 'recruiting-webhooks']);
      assert.match(message.id, /^msg_[0-9a-f]{32}$/);
      const hook = hooks[message.path.split('/').pop()];
      if (!hook) continue;
      assert.equal(message.json.data.resource, message.path.split('/').pop());
      for (const [name, each] of Object.entries(hooks)) {
        if (each === hook) verified(each.secret, message);
        else assert.throws(() => verified(each.secret, message), name);
      }
    }
  });

  for (const [name, client] of Object.entries(clients)) {
    test(`is verified by the ${name} client`, async () => {
      const [message] = receiver.of('jobs.changed');
      const fields = ['id', 'timestamp', 'signature'].map((field) => message.headers[`webhook-${field}`]);
      const verify = (secret) => client(['verify', ...fields], { WEBHOOK_SECRETS: secret }, message.body);
      const { code, stdout, stderr } = await verify(hooks.jobs.secret);
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), message.json);
      assert.equal((await verify(hooks.members.secret)).code, 2);
    });
  }
});
