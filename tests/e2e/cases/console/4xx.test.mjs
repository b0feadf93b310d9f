// What every operation of the console refuses, as its document says: no session, another site, no organization, unknown ids.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { close_connections } from '../../support/client.mjs';
import { call, create_key, in_days, sign_in, sign_in_by_mail } from '../../support/console.mjs';
import { apis } from '../../support/contract.mjs';
import { fill, id_of, make_organization } from '../../support/organization.mjs';
import { sql, uuid } from '../../support/recruitctl.mjs';
import { create_webhook } from '../../support/webhooks.mjs';

const day_in = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const { document } = apis.find(({ name }) => name === 'console');
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  ['get', 'post', 'put', 'patch', 'delete'].filter((verb) => item[verb]).map((verb) => ({ ...item[verb], path, method: verb.toUpperCase() })));
const documenting = (status, more = () => true) => operations.filter((operation) => status in operation.responses && more(operation));
const has_session = ({ security }) => security === undefined;
const changes = ({ method }) => method !== 'GET';

const token = 'x'.repeat(43);
/** A body that is in order, by operationId; an operation with a body that has none here fails these tests. */
const bodies = {
  requestSignInLink: { email: 'nobody@mail.example' },
  inspectSignInLink: { token },
  createSession: { token },
  chooseOrganization: { organizationId: randomUUID() },
  createApiKey: { name: 'Never made', scopes: ['jobs:read'], expiresAt: in_days(1) },
  revokeApiKey: { name: 'Never made' },
  inviteMember: { email: 'never.invited@mail.example', name: 'Never Invited', role: 'viewer' },
  changeMember: { role: 'viewer' },
  openInterviewSlots: {
    jobId: randomUUID(), stageId: randomUUID(), memberId: randomUUID(), firstDay: day_in(30), lastDay: day_in(36), from: '09:00', to: '12:00',
    interviewDurationMinutes: 30,
  },
  changeInterviewStage: { bookable: false },
  moveInterviewBooking: { slotId: randomUUID() },
  handOverInterviewBooking: { memberId: randomUUID() },
  invokeAgent: { prompt: 'Hello' },
  createWebhook: { url: 'https://hooks.example.com/', resources: ['jobs'] },
  changeWebhook: { status: 'paused' },
  resendWebhookMessage: { deliveryId: randomUUID() },
};
/** A query without which an operation is refused before anything else is looked at. */
const queries = { listKeyEffects: { removed: true } };

const path_of = ({ path }, id) => path.replace(/\{\w+\}/, id);
const body_of = ({ operationId, requestBody }) => {
  assert.equal(requestBody !== undefined, operationId in bodies, `${operationId}: its body stands in bodies`);
  return bodies[operationId];
};
const send_to = (operation, { session, id = randomUUID().replaceAll('-', ''), headers, ...options } = {}) =>
  call(operation.method, path_of(operation, id), {
    body: body_of(operation),
    query: queries[operation.operationId],
    headers: { ...(session && { Cookie: session.cookie, 'X-CSRF-Token': session.csrf }), ...headers },
    ...options,
  });
const code_of = ({ error }) => error.code;
/** The answer but for the request's own id. */
const shown = ({ status, text, headers }) => [status, text.replaceAll(headers['x-request-id'], '…')];

let organization, other, nowhere, admin, viewer;
before(async () => {
  [organization, other] = await Promise.all([make_organization('Here'), make_organization('There')]);
  await fill(other, { jobs: 1, candidates: 1 });
  const both = `both@${organization.slug}.example`;
  for (const one of [organization, other]) await one.add_member('recruiter', both);
  await organization.add_member('viewer');
  nowhere = await sign_in_by_mail(both);
  admin = await sign_in(organization);
  viewer = await sign_in(organization, `viewer@${organization.slug}.example`);
});
after(close_connections);

for (const operation of operations.filter(has_session)) {
  const name = `${operation.method} ${operation.path}`;

  test(`${name}: 401 without a session, and with one that nobody opened`, async () => {
    assert.equal(code_of(await send_to(operation, { headers: { 'X-CSRF-Token': 'x' }, expect: 401 })), 'missing_credential');
    for (const cookie of ['sp_session=abc', `sp_session=${token}; sp_session=${token}`])
      assert.equal(code_of(await send_to(operation, { headers: { Cookie: cookie }, expect: 401 })), 'invalid_credential');
  });
  if (!changes(operation)) continue;

  test(`${name}: 403 without the session's own CSRF token`, async () => {
    for (const csrf of [undefined, '', 'x', viewer.csrf])
      assert.equal(code_of(await send_to(operation, { headers: { Cookie: admin.cookie, ...(csrf !== undefined && { 'X-CSRF-Token': csrf }) }, expect: 403 })), 'cross_site_request');
  });
}

for (const operation of operations.filter(changes)) {
  test(`${operation.method} ${operation.path}: 403 from another site, whatever it brings`, async () => {
    const foreign = [
      { 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: admin.data.publicUrl },
    ];
    for (const headers of foreign) {
      const session = has_session(operation) ? admin : undefined;
      assert.equal(code_of(await send_to(operation, { session, headers, expect: 403 })), 'cross_site_request');
    }
  });
}

for (const operation of documenting('409')) {
  test(`${operation.method} ${operation.path}: 409 before an organization is chosen`, async () => {
    assert.equal(code_of(await send_to(operation, { session: nowhere, expect: 409 })), 'organization_not_chosen');
  });
}

for (const operation of documenting('409')) {
  test(`${operation.method} ${operation.path}: 403 where the page shows another organization than the session's`, async () => {
    const headers = { 'Service-Organization': other.id };
    assert.equal(code_of(await send_to(operation, { session: admin, headers, expect: 403 })), 'organization_mismatch');
  });
}

// What any member may do with what is their own, and read of the organization.
const of_everyone = [
  'endSession', 'endSessions', 'endOtherSession', 'chooseOrganization', 'revokeApiKey',
  'getOrganization', 'listScopes', 'listJobs', 'getJob', 'listApiKeys',
];
for (const operation of documenting('403', (one) => has_session(one) && !of_everyone.includes(one.operationId))) {
  test(`${operation.method} ${operation.path}: 403 for a viewer`, async () => {
    const { error } = await send_to(operation, { session: viewer, expect: 403 });
    assert.deepEqual([error.code, error.details[0].field, error.details[0].reason], ['insufficient_role', 'role', 'missing_role']);
  });
}

for (const operation of operations.filter(({ path }) => path.startsWith('/oidc/'))) {
  test(`${operation.method} ${operation.path}: 404 where no provider is set`, async () => {
    assert.equal(code_of(await send_to(operation, { expect: 404 })), 'not_found');
  });
}

/** An interview in that slot; its id. */
const book = async ({ id }, slot) => {
  const [[booking]] = await sql(`insert into recruiting.bookings
      (id, organization_id, application_id, candidate_id, job_id, stage_id, status, slot_id, time_zone, calendar_uid)
    select gen_random_uuid(), organization_id, id, candidate_id, ${uuid(slot.jobId)}, ${uuid(slot.stageId)}, 'confirmed', ${uuid(slot.id)}, 'UTC', gen_random_uuid()
    from recruiting.applications where organization_id = ${uuid(id)} order by id limit 1 returning replace(id::text, '-', '')`);
  return booking;
};

test('another organization\'s ids are 404 as unknown ones are, byte for byte', async () => {
  const theirs = await sign_in(other);
  const job = await id_of(other, 'jobs', 'job-0');
  const [stage] = (await theirs.get('/interviews/stages')).json.data;
  const slots = await theirs.change('POST', '/interviews/slots', { ...bodies.openInterviewSlots, jobId: job, stageId: stage.id, memberId: other.admin_member.id }, { expect: 201 });
  const ids = {
    'api-keys': (await create_key(theirs, 'Theirs')).key.id,
    members: other.admin_member.id,
    jobs: job,
    sessions: theirs.data.id,
    'interviews/stages': stage.id,
    'interviews/slots': slots.json.data.opened[0].id,
    'interviews/bookings': await book(other, slots.json.data.opened[0]),
    candidates: await id_of(other, 'candidates', 'candidate-0'),
    webhooks: (await create_webhook(theirs, bodies.createWebhook.url, ['jobs'])).webhook.id,
    'agent/sessions': (await theirs.change('POST', '/agent/invocations', bodies.invokeAgent, { expect: 202 })).json.data.sessionId,
  };
  for (const operation of documenting('404', ({ path }) => path.includes('{'))) {
    const id = ids[operation.path.split('/{')[0].slice(1)];
    assert.ok(id, `${operation.path}: an id of another organization stands in ids`);
    const [unknown, foreign, malformed] = [
      await send_to(operation, { session: admin, expect: 404 }), await send_to(operation, { session: admin, id, expect: 404 }),
      await send_to(operation, { session: admin, id: 'x', expect: 404 }),
    ];
    assert.deepEqual(shown(foreign), shown(unknown), operation.path);
    assert.deepEqual(shown(malformed), shown(unknown), operation.path);
  }
  await admin.change('POST', '/agent/invocations', { ...bodies.invokeAgent, sessionId: ids['agent/sessions'] }, { expect: 404 });
  assert.equal((await theirs.get('/session')).json.data.id, theirs.data.id);
  assert.equal((await theirs.get('/api-keys')).json.data.length, 1);
});

test('404 and 405 of what is not there', async () => {
  for (const path of ['', '/', '/nothing', '/session/', '/sessions/x/y', '/Session', '/openapi.json']) await call('GET', path, { expect: 404 });
  const { headers } = await call('PUT', '/settings', { expect: 405 });
  assert.deepEqual(headers.allow.split(/, ?/).sort(), ['GET', 'HEAD']);
});
