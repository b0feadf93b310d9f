// A new program takes over on the same port under load: no client is refused, reset or left without an answer.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { get, open } from './support/cases.mjs';
import { make_authority } from './support/certificates.mjs';
import { ask, free_port, start_gateway } from './support/gateway.mjs';
import { start_recorder } from './support/recorder.mjs';
import { connect } from './support/wire.mjs';

// Never fewer than before: a successor with fewer is given way to less exactly (decision 0036).
const threads = [1, 2, 2, 3, 3];
const generations = threads.length - 1;
const pause = (most) => new Promise((done) => setTimeout(done, Math.random() * most));

let authority, service, first, current, secure_port, admin_port;
before(async () => {
  authority = make_authority();
  service = await start_recorder();
  [secure_port, admin_port] = [await free_port(), await free_port()];
  first = await start_gateway(service.address, service.address, {
    // Longer than this process may be held up on a busy machine: whoever keeps a connection hears within it that it ends.
    THREADS: threads[0], DRAIN_DELAY: '2500ms', TLS_LISTEN: `127.0.0.1:${secure_port}`, TLS_CERTIFICATES: authority.issue('edge', 'IP:127.0.0.1'),
    ADMIN_LISTEN: `127.0.0.1:${admin_port}`,
  });
  current = first;
});
after(async () => {
  await first?.stop();
  await service?.stop();
  authority?.stop();
});

const where = (secure) => [secure ? secure_port : first.port, { secure }];

const one_request = async (wire) => {
  await wire.send(get(open));
  const answer = await wire.answer();
  if (answer?.status !== 200) throw new Error(`${answer ? answer.status : 'no answer'}, ${wire.failure() ?? 'no error'}`);
  return answer.value('connection') !== 'close';
};

const clients = {
  'a connection for each request': async (secure) => {
    const wire = await connect(...where(secure));
    await one_request(wire);
    wire.close();
    if (secure) await pause(10);
  },
  'a connection that waits before its request': async (secure) => {
    const wire = await connect(...where(secure));
    await pause(250);
    await one_request(wire);
    wire.close();
  },
  // Strict: the connection ends only where the last answer said so.
  'a connection that is kept': async (secure, running) => {
    const wire = await connect(...where(secure));
    while (running() && (await one_request(wire))) await pause(20);
    wire.close();
  },
};

/** Clients of every kind, until stop(), which tells what they met. */
const load = () => {
  const [failures, done] = [[], {}];
  let running = true;
  const workers = Object.entries(clients).flatMap(([name, client]) =>
    [false, false, false, true].map(async (secure) => {
      const kind = `${secure ? 'TLS' : 'plain'}: ${name}`;
      for (; running; done[kind] = (done[kind] ?? 0) + 1) {
        await client(secure, () => running).catch((error) => failures.push(`${kind}: ${error.message}`));
      }
    }));
  return { async stop() {
    running = false;
    await Promise.all(workers);
    return { failures, done };
  } };
};

test('programs that replace one another under load: every request is answered, each ends with 0', async (t) => {
  const clients = load();
  const exits = [];
  const readiness = [];
  for (let i = 0; i < generations; i += 1) {
    const next = await first.successor({ THREADS: threads[i + 1] });
    current.signal('SIGTERM');
    for (let ended = false; !ended; readiness.push((await ask({ host: '127.0.0.1', port: admin_port, path: '/readyz' })).status)) {
      ended = !current.alive();
    }
    exits.push(await current.exit());
    current = next;
  }
  const { failures, done } = await clients.stop();
  t.diagnostic(JSON.stringify(done));
  assert.deepEqual(failures, []);
  assert.deepEqual(exits, Array(generations).fill(0));
  // A connection made before the signal may still be the old program's.
  assert.ok(readiness.filter((status) => status !== 200).length <= generations, 'whoever asks for readiness is told of the program that stays');
});

test('a program that starts while its predecessor drains already', async () => {
  const clients = load();
  current.signal('SIGTERM');
  const old = current;
  current = await first.successor({ THREADS: threads.at(-1) });
  await old.exit();
  const { failures } = await clients.stop();
  assert.deepEqual(failures, []);
});

test('a program that can not start leaves the port to the one that runs', async () => {
  const clients = load();
  for (let i = 0; i < 3; i += 1) {
    await assert.rejects(first.successor({ ADMIN_LISTEN: 'unix:/nowhere/to/be/found.sock' }), /can't listen/);
  }
  const { failures } = await clients.stop();
  assert.deepEqual(failures, []);
});
