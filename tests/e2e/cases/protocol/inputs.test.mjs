// What clients may send: times, identifiers, and how much is read and answered of a hostile request.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auth_prefix, close_connections, get, get_public, public_prefix, send } from '../../support/client.mjs';
import { demo, settings_of } from '../../support/environment.mjs';
import { ids_of } from '../../support/lists.mjs';

const key = demo.key;
let job, candidate;
before(async () => {
  [job] = (await get_public(`/organizations/${demo.slug}/jobs`)).json.data;
  [candidate] = (await get(`/jobs/${job.id}/candidates`, { key })).json.data;
});
after(close_connections);

const dashed = (id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const spellings = (id) => [id.toUpperCase(), dashed(id), dashed(id).toUpperCase()];

const utc_forms = ['2026-01-15T13:00Z', '2026-01-15T13:00:00Z', '2026-01-15t13:00:00z', '2026-01-15T13:00:00.0Z', '2026-01-15T13:00:00,000Z',
  '2026-01-15T13:00:00.000000000000Z', '2026-01-15T13:00:00+00:00', '2026-01-15T13:00:00+0000', '2026-01-15T13:00+00'];
const not_utc = ['2026-01-15T13:00:00+01:00', '2026-01-15T13:00:00-0800', '2026-01-15T13:00-05', '2026-01-15T13:00:00', '2026-01-15T13:00'];

test('a time in UTC is read in the forms that real clients write', async () => {
  const wanted = (await get('/candidates', { key, query: { createdAfter: utc_forms[1], limit: 10 } })).json.data;
  for (const form of utc_forms) {
    assert.deepEqual(ids_of((await get('/candidates', { key, query: { createdAfter: form, limit: 10 } })).json.data), ids_of(wanted), form);
    await get('/audit', { key, query: { occurredAfter: form, limit: 1 } });
  }
});

const times_of = { '/jobs': ['createdAfter', 'createdBefore', 'updatedAfter', 'updatedBefore'], '/candidates': ['createdAfter', 'updatedBefore'],
  '/members': ['createdAfter', 'updatedBefore'], '/agent/sessions': ['createdAfter', 'updatedBefore'], '/audit': ['occurredAfter', 'occurredBefore'] };
const each_time = async (check) => {
  for (const [path, names] of Object.entries(times_of)) for (const name of names) await check(name, (value) => get(path, { key, query: { [name]: value }, expect: 400 }));
  const [stage] = job.bookableStages;
  for (const name of ['from', 'to']) await check(name, (value) => get_public(`/scheduling/${job.id}/${stage.id}/slots`, { query: { [name]: value }, expect: 400 }));
  await check('slotStart', (value) => send('POST', `${public_prefix}/scheduling/${job.id}/${stage.id}/bookings`, {
    body: JSON.stringify({ email: 'nobody@mail.example', slotStart: value }), headers: { 'Content-Type': 'application/json' }, expect: 400 }));
};

test('another offset, or none, is 400 and the refusal says so', async () => {
  await each_time(async (name, ask) => {
    for (const text of not_utc) {
      const { error } = await ask(text);
      assert.deepEqual([error.details.length, error.details[0].field, error.details[0].reason], [1, name, 'invalid']);
      assert.match(error.details[0].message, /in UTC.*Z/);
    }
  });
});

test('year 0000 is 400 everywhere', async () => {
  await each_time(async (name, ask) => {
    for (const text of ['0000-01-01T00:00:00Z', '0000-12-31T23:59:59.999Z', '10000-01-01T00:00Z']) {
      const { error } = await ask(text);
      assert.deepEqual([error.details[0].field, error.details[0].reason], [name, 'invalid']);
    }
  });
  for (const query of [{ createdAfter: '0001-01-01T00:00Z' }, { createdBefore: '9999-12-31T23:59:59.999999Z' }]) assert.ok((await get('/jobs', { key, query })).json.data.length > 0);
});

test('an unencoded + in a time: the refusal says to encode it', async () => {
  const { error } = await get('/jobs', { key, query: 'createdAfter=2026-01-15T13:00:00+00:00', expect: 400 });
  assert.match(error.details[0].message, /%2B/);
});

test('upper case and dashed UUID form mean the same record in paths', async () => {
  for (const [path, id, options] of [['/jobs/', job.id], ['/candidates/', candidate.id]]) {
    const { data } = (await get(path + id, { key, ...options })).json;
    for (const spelling of spellings(id)) assert.deepEqual((await get(path + spelling, { key })).json.data, data, spelling);
    assert.match(data.id, /^[0-9a-f]{32}$/);
  }
  const listed = ids_of((await get(`/jobs/${job.id}/candidates`, { key })).json.data);
  const posting = (await get_public(`/jobs/${job.id}/jsonld`)).text;
  for (const spelling of spellings(job.id)) {
    assert.deepEqual(ids_of((await get(`/jobs/${spelling}/candidates`, { key })).json.data), listed);
    assert.deepEqual((await get_public(`/jobs/${spelling}`)).json.data, (await get_public(`/jobs/${job.id}`)).json.data);
    assert.equal((await get_public(`/jobs/${spelling}/jsonld`)).text, posting);
    const [stage] = job.bookableStages;
    for (const stage_spelling of spellings(stage.id)) await get_public(`/scheduling/${spelling}/${stage_spelling}/slots`);
    const page = `/careers/${demo.slug}/jobs/`;
    assert.equal((await send('GET', page + spelling, { expect: 301 })).headers.location, page + job.id);
  }
});

test('upper case and dashed UUID form mean the same record in queries and Service-Organization', async () => {
  const { json: me } = await get('/me', { key });
  const pipeline = (await get('/pipeline', { key, query: { jobId: job.id } })).json;
  const of_job = ids_of((await get('/candidates', { key, query: { jobId: job.id } })).json.data);
  for (const spelling of spellings(job.id)) {
    assert.deepEqual((await get('/pipeline', { key, query: { jobId: spelling } })).json, pipeline);
    assert.deepEqual(ids_of((await get('/candidates', { key, query: { jobId: spelling } })).json.data), of_job);
  }
  for (const spelling of spellings(me.principal.credentialId)) {
    const { data } = (await get('/audit', { key, query: { credentialId: spelling, limit: 1 } })).json;
    assert.equal(data[0].credentialId, me.principal.credentialId);
  }
  for (const spelling of spellings(me.organization.id)) await get('/me', { key, headers: { 'Service-Organization': spelling } });
  await get('/me', { key, headers: { 'Service-Organization': dashed(job.id) }, expect: 403 });
});

test('a cursor goes on under another spelling of the same filter', async () => {
  const first = (await get('/candidates', { key, query: { jobId: job.id, limit: 1 } })).json;
  assert.ok(first.page.nextCursor);
  const next = (await get('/candidates', { key, query: { jobId: job.id, limit: 1, cursor: first.page.nextCursor } })).json.data;
  for (const spelling of spellings(job.id)) {
    assert.deepEqual((await get('/candidates', { key, query: { jobId: spelling, limit: 1, cursor: first.page.nextCursor } })).json.data, next);
  }
});

test('upper case and dashed UUID form mean the same session in the body of an invocation', async () => {
  const invoke = (body) => send('POST', `${auth_prefix}/agent/invoke`, { key, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' }, expect: 200 });
  const { sessionId } = (await invoke({ prompt: 'How many open jobs are there?' })).json;
  for (const spelling of spellings(sessionId)) {
    assert.equal((await invoke({ prompt: 'And how many members?', sessionId: spelling })).json.sessionId, sessionId);
    assert.equal((await get(`/agent/sessions/${spelling}`, { key })).json.data.id, sessionId);
  }
});

const hostile = [
  Array.from({ length: 1300 }, (_, i) => `p${i}=1`).join('&').slice(0, 8000),
  Array.from({ length: 2600 }, (_, i) => (i % 100 === 0 ? 'a' : String.fromCharCode(97 + (i % 26)))).join('&').slice(0, 8000),
  `${'%22'.repeat(2500)}=1&${'x'.repeat(400)}=2`, `a=%FF&${'%01=%00&'.repeat(900)}`.slice(0, 8000), 'limit=x&'.repeat(900), '&'.repeat(8000) + 'limit=0',
  Array.from({ length: 60 }, (_, i) => `${i}${'%5C'.repeat(40)}=1`).join('&').slice(0, 8000),
];

test('a refusal is never larger than 16 KiB and gives at most 20 details, through the gateway and at the service', async () => {
  const { RECRUITING_AUTH_API_LISTEN: auth, RECRUITING_PUBLIC_API_LISTEN: open } = { ...settings_of('auth-api'), ...settings_of('public-api') };
  for (const query of hostile) {
    for (const Accept of ['application/json', 'application/problem+json']) {
      for (const where of [{}, { base: `http://${auth}`, direct: true }]) {
        const { text, json } = await get('/jobs', { key, query, headers: { Accept }, expect: 400, ...where });
        const details = json.details ?? json.error.details;
        assert.ok(Buffer.byteLength(text) <= 16 * 1024, `${Buffer.byteLength(text)} bytes`);
        assert.ok(details.length >= 1 && details.length <= 20);
        for (const { field } of details) assert.ok(Buffer.byteLength(field) <= 100);
      }
      for (const where of [{}, { base: `http://${open}`, direct: true }]) {
        const { text } = await send('GET', `${public_prefix}/organizations/${demo.slug}/jobs`, { query, headers: { Accept }, ...where });
        if (!text.includes('"data"')) assert.ok(Buffer.byteLength(text) <= 16 * 1024);
      }
    }
  }
});

test('at most 64 query parameters are read: the 65th is 400 too_many, at the public API too', async () => {
  const many = (count) => Array.from({ length: count }, (_, i) => `utm_${i}=1`).join('&');
  await get_public(`/organizations/${demo.slug}/jobs`, { query: many(64) });
  for (const { error } of [await get('/jobs', { key, query: many(65), expect: 400 }),
    await get_public(`/organizations/${demo.slug}/jobs`, { query: many(65), expect: 400 })]) {
    assert.deepEqual(error.details.filter((one) => one.reason === 'too_many').map((one) => one.location), ['query']);
  }
});

test('unknown parameters and fields suggest the nearest known one', async () => {
  const message = async (path, query) => (await get(path, { key, query, expect: 400 })).error.details[0].message;
  assert.match(await message('/jobs', { creatdAfter: '2026-01-15T13:00Z' }), /Did you mean "createdAfter"\?/);
  assert.match(await message('/jobs', { created_after: '2026-01-15T13:00Z' }), /Did you mean "createdAfter"\?/);
  assert.match(await message('/candidates', { stageid: candidate.id }), /Did you mean "stageId"\?/);
  assert.doesNotMatch(await message('/jobs', { colour: 'red' }), /Did you mean/);
  const { error } = await send('POST', `${auth_prefix}/agent/invoke`, { key, body: '{"promt":"x"}', headers: { 'Content-Type': 'application/json' }, expect: 400 });
  assert.match(error.details.find((one) => one.field === 'promt').message, /Did you mean "prompt"\?/);
});
