// One organization can't slow another: hostile ones send the worst requests there are (tests/bench/api/worst_requests.txt),
// as many at once as they like; another's /me and job by id lose no request, and come in a time far from any timeout.
// The bounds are wide, for the machine is shared; tests/bench/api/fairness measures.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { is_long_run } from '../support/run_length.mjs';
import { pause } from './support/wait.mjs';
import { auth_api_settings, programs, start_database } from './support/world.mjs';

const wanted = { candidates: is_long_run ? 20_000 : 5_000, clients: 12, for_each: is_long_run ? 1_500 : 600, slowest: 2_000 }; // ms

const worst_requests = readFileSync(new URL('../bench/api/worst_requests.txt', import.meta.url), 'utf8')
  .split('\n').filter((line) => line.startsWith('/'));

const start_world = async (t) => {
  const { folder, postgres, recruitctl } = await start_database(t, 'fairness');
  const organization = async (slug, candidates) => {
    await recruitctl('demo', 'load', '--organization', slug, '--jobs', '50', '--candidates', String(candidates));
    return (await recruitctl('key', 'create', '--organization', slug, '--owner', `admin@${slug}.example`, '--name', 'fairness', '--scope', '*', '--expires-in', '1d')).secret;
  };
  const keys = { victim: await organization('victim', 100), hostile: [await organization('hostile', wanted.candidates), await organization('worse', 1_000)] };
  await postgres.sql('analyze');
  const instance = await start_instance(1, { program: join(programs(), 'recruiting-auth-api'), folder, settings: auth_api_settings(folder, postgres) });
  t.after(() => instance.end('SIGTERM'));
  const get = (path, key) => ask({ port: instance.port, path, timeout: 30_000, headers: { Authorization: `Bearer ${key}` } });
  return { keys, get };
};

/** Asks again and again until told to end; what came of each request. */
const keep_asking = async (get, paths, key, ended, between) => {
  const answers = [];
  for (let n = 0; !ended(); n += 1) {
    const began = performance.now();
    const { status, text } = await get(paths[n % paths.length], key).catch((error) => ({ status: 0, text: error.message }));
    answers.push({ status, text, took: performance.now() - began });
    await pause(between);
  }
  return answers;
};

test('with hostile organizations at the worst requests the API has, another loses none', async (t) => {
  const { keys, get } = await start_world(t);
  const first_job = async (key) => JSON.parse((await get('/api/v1/jobs?limit=1', key)).text).data[0].id;
  const own = ['/api/v1/me', `/api/v1/jobs/${await first_job(keys.victim)}`];
  const jobs = new Map();
  for (const key of keys.hostile) jobs.set(key, await first_job(key));
  for (const request of worst_requests) {
    const path = (key) => request.replace('{job}', jobs.get(key));
    let over = false;
    const ended = () => over;
    const hostile = keys.hostile.flatMap((key) => Array.from({ length: wanted.clients }, () => keep_asking(get, [path(key)], key, ended, 0)));
    const victims = Array.from({ length: 3 }, () => keep_asking(get, own, keys.victim, ended, 10));
    await pause(wanted.for_each);
    over = true;
    const answers = (await Promise.all(victims)).flat();
    const lost = answers.filter(({ status }) => status !== 200);
    assert.deepEqual(lost.slice(0, 3), [], request);
    assert.ok(answers.length >= 6, `${request}: ${answers.length} answers`);
    const slowest = Math.max(...answers.map(({ took }) => took));
    assert.ok(slowest < wanted.slowest, `${request}: ${slowest} ms`);
    // Nor are the hostile ones told anything but an answer, what to change, or to come back.
    for (const { status, text } of (await Promise.all(hostile)).flat()) {
      assert.ok([200, 400, 429, 503].includes(status), `${request}: ${status} ${text}`);
      if (status === 429) assert.equal(JSON.parse(text).error.details[0].reason, 'concurrency');
    }
  }
});
