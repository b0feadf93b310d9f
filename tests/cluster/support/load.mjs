// Clients of every kind, until they are told to end; what each was answered stays as evidence.
import { randomBytes } from 'node:crypto';
import { candidate_email } from '../../faults/support/booking_world.mjs';
import { make_client } from '../../faults/support/client.mjs';
import { ask } from '../../faults/support/http.mjs';
import { pause } from '../../faults/support/wait.mjs';
import { make_random } from '../../support/random.mjs';

const patience = 30_000; // ms
const database_unavailable = 3; // an exit code of recruitctl

const read = async (instance, secret) => {
  const began = performance.now();
  const { status, headers, text } = await ask({ port: instance.port, path: '/api/v1/me', timeout: patience, headers: { Authorization: `Bearer ${secret}` } })
    .catch((error) => ({ status: 0, headers: {}, text: error.message }));
  const at = performance.now();
  return { status, id: headers['x-request-id'], error: status === 200 ? undefined : text, at, took: at - began };
};

/**
 * world: {auth_apis, public_apis, visitors, members, slots, recruitctl, seed}
 * Kept: answers [{kind, instance, status (0: none), id (of its audit row), at, took}], requests (of the agent, for the
 * checker), keys [{id, secret, revoked (when)}] and bookings (whose) that were acknowledged.
 */
export const start_load = (world) => {
  const kept = { answers: [], requests: [], keys: [], bookings: [] };
  let going = true;
  const kinds = [];
  const every = (ms, act) => kinds.push((async () => {
    for (; going; await pause(ms)) await act();
  })());
  const note = (kind, instance, answer) => kept.answers.push({ kind, instance: instance.number, ...answer });

  for (const instance of world.auth_apis) {
    for (const { systems } of world.members.slice(0, 2)) {
      every(20, async () => note('read', instance, await read(instance, systems[0].secret)));
    }
    const random = make_random(world.seed + instance.number);
    const client = make_client({ instances: [instance], random, answered: (request, answer) => {
      request.answers.push(answer);
      note('invoke', instance, { status: answer.status, at: answer.ended, took: answer.ended - answer.began });
    } });
    every(100, async () => {
      const id = kept.requests.length + 1;
      const [system] = random.pick(world.members).systems;
      const request = { id, secret: system.secret, credential: system.credential, key: randomBytes(8).toString('hex'), prompt: `Request ${id}`, reply: `Done: Request ${id}`, answers: [] };
      kept.requests.push(request);
      await client.run(request);
    });
  }

  world.public_apis.forEach((instance, which) => {
    let next = which;
    every(80, async () => {
      const email = candidate_email(next);
      const slot = world.slots[next % world.slots.length];
      next += world.public_apis.length;
      const began = performance.now();
      const { status } = await world.visitors[which].book(email, slot).catch(() => ({ status: 0 }));
      const at = performance.now();
      note('booking', instance, { status, at, took: at - began });
      if (status === 200) kept.bookings.push(email);
    });
  });

  /** An operator's command; undefined when it failed. */
  const operate = async (...args) => {
    const began = performance.now();
    const done = await world.recruitctl(...args).catch((error) => ({ error }));
    const status = !done.error ? 200 : done.error.code === database_unavailable ? 503 : done.error.message;
    note('operator', { number: 0 }, { status, at: performance.now(), took: performance.now() - began });
    return done.error ? undefined : done;
  };
  let keys = 0;
  every(200, async () => {
    const made = await operate('key', 'create', '--organization', 'faults', '--owner', 'admin@faults.example', '--name', `key ${keys += 1}`, '--scope', '*', '--expires-in', '30d');
    if (!made) return;
    const key = { id: made.id, secret: made.secret };
    kept.keys.push(key);
    note('new key', world.auth_apis[0], await read(world.auth_apis[0], key.secret));
    while (going && !key.revoked) {
      if (await operate('key', 'revoke', '--organization', 'faults', '--id', key.id)) key.revoked = performance.now();
      else await pause(100);
    }
  });
  for (const instance of world.auth_apis) {
    const random = make_random(world.seed + 100 + instance.number);
    every(50, async () => {
      const revoked = kept.keys.filter((key) => key.revoked);
      if (revoked.length === 0) return;
      note('revoked', instance, await read(instance, random.pick(revoked.slice(-20)).secret));
    });
  }

  return {
    ...kept,
    async end() {
      going = false;
      await Promise.all(kinds);
    },
  };
};
