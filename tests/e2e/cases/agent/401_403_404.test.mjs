// Who may ask the agent, and whose sessions are seen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completed, invoke, new_key, runs_of, session_of, sessions_of } from '../../support/agent.mjs';
import { close_connections, get } from '../../support/client.mjs';
import { make_organization } from '../../support/organization.mjs';

const question = 'How many open jobs are there?';
const unknown = '0199c1a1c3d87f02b5a6e4d17c930f58';
let organization, keys, mine;
before(async () => {
  organization = await make_organization();
  keys = { admin: (await organization.key('*')).secret };
  for (const role of ['recruiter', 'hiring_manager', 'interviewer', 'viewer']) {
    const { email } = await organization.add_member(role);
    keys[role] = (await organization.key('*', email)).secret;
  }
  mine = {};
  for (const role of ['admin', 'recruiter', 'hiring_manager']) mine[role] = (await completed({ key: keys[role], prompt: question })).sessionId;
});
after(close_connections);

test('401 without a credential of ours', async () => {
  for (const key of [undefined, 'sp_test_x']) {
    await invoke({ key, prompt: question, expect: 401 });
    await get('/agent/sessions', { key, expect: 401 });
    await get(`/agent/sessions/${mine.admin}`, { key, expect: 401 });
  }
});

test('403 by role: interviewers and viewers neither ask nor read', async () => {
  const runs = await runs_of(organization);
  for (const role of ['interviewer', 'viewer']) {
    const key = keys[role];
    for (const answer of [await invoke({ key, prompt: question, idempotency: new_key(), expect: 403 }),
      await get('/agent/sessions', { key, expect: 403 }), await get(`/agent/sessions/${mine.admin}`, { key, expect: 403 })]) {
      assert.equal(answer.error.code, 'insufficient_role');
    }
  }
  assert.equal(await runs_of(organization), runs);
});

test('403 by scope: each operation has its own', async () => {
  const ways = {
    'agents:invoke': (key, expect) => invoke({ key, prompt: question, expect }),
    'agents:read': (key, expect) => get('/agent/sessions', { key, expect }),
    'agents:history': (key, expect) => get(`/agent/sessions/${mine.admin}`, { key, expect }),
  };
  for (const scope of Object.keys(ways)) {
    const { secret } = await organization.key(scope);
    for (const [needed, way] of Object.entries(ways)) {
      const answer = await way(secret, needed === scope ? 200 : 403);
      if (needed !== scope) {
        assert.equal(answer.error.code, 'insufficient_scope');
        assert.equal(answer.headers['www-authenticate'], `Bearer error="insufficient_scope", scope="${needed}"`);
      }
    }
  }
  const { secret } = await organization.key('*:read'); // includes neither history nor invoke
  await ways['agents:read'](secret, 200);
  await ways['agents:history'](secret, 403);
  await ways['agents:invoke'](secret, 403);
});

test('403: resuming a session needs the scopes its tools used; reading history needs agents:history alone', async () => {
  const { sessionId } = await completed({ key: keys.admin, prompt: 'How many candidates do we have?' });
  const { secret: narrow } = await organization.key('agents:invoke,agents:history');
  const runs = await runs_of(organization);
  const refused = await invoke({ key: narrow, prompt: 'What was that?', session: sessionId, expect: 403 });
  assert.equal(refused.error.code, 'insufficient_scope');
  assert.equal(refused.headers['www-authenticate'], 'Bearer error="insufficient_scope", scope="candidates:read"');
  assert.deepEqual(refused.error.details.map(({ field, message }) => [field, /candidates:read/.test(message)]), [['scope', true]]);
  assert.equal(await runs_of(organization), runs);
  const session = await session_of(sessionId, { key: narrow });
  assert.ok(session.messages.some(({ toolName, content }) => toolName === 'count_candidates' && /"count"/.test(content)));
});

test('scopes are checked on replays too: no key gets another\'s reply, and a reduced role no longer its own', async () => {
  const { email } = await organization.add_member('admin', `replays@${organization.slug}.example`);
  const [wide, narrow] = [(await organization.key('*', email)).secret, (await organization.key('agents:invoke', email)).secret];
  const asked = { prompt: 'How many candidates do we have?', idempotency: 'daily-1' };
  const reply = await completed({ key: wide, ...asked });
  const other = await completed({ key: narrow, ...asked });
  assert.equal(other.idempotentReplay, false);
  assert.notEqual(other.sessionId, reply.sessionId);
  assert.match(other.reply, /it needs candidates:read/);
  await organization.member('set-role', email, '--role', 'hiring_manager');
  const refused = await invoke({ key: wide, ...asked, expect: 403 });
  assert.equal(refused.error.code, 'insufficient_role');
  assert.equal((await completed({ key: narrow, ...asked })).idempotentReplay, true);
  await organization.member('set-role', email, '--role', 'admin');
  assert.equal((await completed({ key: wide, ...asked })).reply, reply.reply);
});

test('the credential comes before the request\'s form', async () => {
  await invoke({ prompt: '', expect: 401 });
  await invoke({ key: keys.viewer, prompt: '', expect: 403 });
});

test('a member sees and resumes their own sessions; an admin sees all, and resumes their own', async () => {
  for (const role of ['recruiter', 'hiring_manager']) {
    const listed = await sessions_of({ key: keys[role] });
    assert.deepEqual(listed.map(({ id }) => id), [mine[role]]);
    await session_of(mine[role], { key: keys[role] });
    for (const other of [mine.admin, unknown, 'x', mine.admin.toUpperCase()]) {
      assert.equal((await get(`/agent/sessions/${other}`, { key: keys[role], expect: 404 })).error.code, 'not_found');
    }
    for (const other of [mine.admin, unknown]) await invoke({ key: keys[role], prompt: question, session: other, expect: 404 });
    await session_of(mine[role], { key: keys.admin });
    // An admin's results must not land in another member's history.
    await invoke({ key: keys.admin, prompt: question, session: mine[role], expect: 404 });
  }
  const all = await sessions_of({ key: keys.admin });
  for (const id of Object.values(mine)) assert.ok(all.some((session) => session.id === id));
});

test('a demoted admin keeps their own sessions and loses sight of the others', async () => {
  const { email } = await organization.add_member('admin', `demoted@${organization.slug}.example`);
  const { secret: key } = await organization.key('*', email);
  const own = (await completed({ key, prompt: question })).sessionId;
  await session_of(mine.recruiter, { key });
  await organization.member('set-role', email, '--role', 'recruiter');
  assert.deepEqual((await sessions_of({ key })).map(({ id }) => id), [own]);
  await get(`/agent/sessions/${mine.recruiter}`, { key, expect: 404 });
  await session_of(own, { key });
});

test('another organization\'s admin sees nothing of it', async () => {
  const other = await make_organization();
  const { secret: key } = await other.key('*');
  assert.deepEqual(await sessions_of({ key }), []);
  await get(`/agent/sessions/${mine.admin}`, { key, expect: 404 });
  await invoke({ key, prompt: question, session: mine.admin, expect: 404 });
});

test('list_api_keys shows a caller who is not an admin their own keys only', async () => {
  for (const role of ['recruiter', 'hiring_manager']) {
    const { sessionId } = await completed({ key: keys[role], prompt: 'list the API keys' });
    const { messages } = await session_of(sessionId, { key: keys[role] });
    const listed = messages.filter(({ toolName }) => toolName === 'list_api_keys').flatMap(({ content }) => JSON.parse(content).data);
    assert.ok(listed.length > 0);
    for (const { ownerEmail } of listed) assert.match(ownerEmail, new RegExp(`^${role.replace('_', '-')}@`));
  }
});
