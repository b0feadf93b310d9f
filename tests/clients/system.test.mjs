// The clients of proto-docs/clients against the running system: what they read, copy, ask and book is what is there.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { close_connections } from '../e2e/support/client.mjs';
import { environment } from '../e2e/support/environment.mjs';
import { bookings_of, make_interview } from '../support/interviews.mjs';
import { clients, state_file } from './support/clients.mjs';

const env = { RECRUITING_GATEWAY_URL: environment.RECRUITING_GATEWAY_URL, API_KEY: environment.RECRUITING_DEMO_KEY };
after(close_connections);
const records = (lines) => lines.map((line) => JSON.parse(line));

for (const [name, client] of Object.entries(clients)) {
  const run = async (...given) => {
    const answer = await client(given, env);
    assert.equal(answer.code, 0, answer.stderr);
    return answer;
  };

  describe(name, () => {
    test('who am I', async () => assert.equal(JSON.parse((await run('get', '/me')).stdout).organization.slug, 'acme'));

    test('a list and a sync of it give the same records; the next sync gives nothing', async () => {
      const state = state_file();
      const listed = records((await run('list', '/candidates')).lines);
      const synced = records((await run('sync', '/candidates', state)).lines);
      assert.ok(listed.length > 200); // more than a page
      const alive = synced.filter(({ deletedAt }) => deletedAt === null);
      assert.deepEqual(new Set(alive.map(({ id }) => id)), new Set(listed.map(({ id }) => id)));
      assert.deepEqual((await run('sync', '/candidates', state)).lines, []);
    });

    test('a question asked twice under one key is answered once, and can be gone on with', async () => {
      const key = `clients-${name}-${process.pid}`;
      const prompt = 'Who are the admins?'; // nobody else's title: the newest session of it is this one
      const first = await run('invoke', key, prompt);
      assert.match(first.stdout, /admin@acme\.example/);
      assert.equal((await run('invoke', key, prompt)).stdout, first.stdout);
      const sessions = JSON.parse((await run('get', '/agent/sessions?limit=50')).stdout).data;
      const { id } = sessions.find(({ title }) => title === prompt);
      assert.match((await run('resume', id, 'Which jobs are open in Berlin?')).stdout, /Berlin/);
    });

    test('a refusal says what is wrong', async () => {
      const { code, stderr } = await client(['get', '/candidates?limit=1000'], env);
      assert.equal(code, 2);
      assert.match(stderr, /invalid_request.*out_of_range/s);
    });

    test('an interview is booked', async () => {
      const { organization, job, stage, emails: [email] } = await make_interview();
      const [, { slotStart }] = records((await run('slots', job, stage)).lines);
      await run('book', job, stage, email, slotStart);
      const [[status, startsAt]] = await bookings_of(organization, 1);
      assert.deepEqual([status, startsAt], ['confirmed', slotStart]);
    });
  });
}
