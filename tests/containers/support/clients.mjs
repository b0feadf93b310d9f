// Clients of every kind, through a gateway, on kept connections and on new ones: none of their requests may fail.
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { pause } from '../../faults/support/wait.mjs';

/** Of the organization acme; each is made anew for every time that it is sent. */
export const requests_with = (key) => {
  const headers = { Authorization: `Bearer ${key}` };
  return {
    'authenticated read': () => ({ path: '/api/v1/candidates?limit=2', headers }),
    'public read': () => ({ path: '/api/public/v1/organizations/acme/jobs' }),
    'page for people': () => ({ path: '/careers/acme' }),
    'agent run': () => ({ method: 'POST', path: '/api/v1/agent/invoke', body: JSON.stringify({ prompt: 'How many open jobs are there?' }),
      headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': randomBytes(12).toString('hex') } }),
  };
};

/** Why the request failed, or nothing. One that met a kept connection's end is sent again, as RFC 9112 (9.3.1) has it. */
const send = (port, what, agent) =>
  new Promise((done) => {
    let answered = false;
    const sent = http.request({ host: '127.0.0.1', port, agent, ...what }, (answer) => {
      answered = true;
      answer.on('data', () => {});
      answer.on('error', (error) => done(error.message));
      answer.on('end', () => done(answer.statusCode === 200 ? undefined : `status ${answer.statusCode}`));
    });
    sent.on('error', (error) => {
      const met_the_end = sent.reusedSocket && !answered && error.code === 'ECONNRESET';
      done(met_the_end ? send(port, what, agent) : error.message);
    });
    sent.end(what.body);
  });

/** stop() answers with {failures, done: how many of each kind}. */
export const start_clients = (port, requests) => {
  const [failures, done] = [[], {}];
  let running = true;
  const client = async (name, make, kept) => {
    const agent = kept ? new http.Agent({ keepAlive: true, maxSockets: 1 }) : false;
    for (; running; await pause(15)) {
      const failure = await send(port, make(), agent);
      done[name] = (done[name] ?? 0) + 1;
      if (failure) failures.push(`${name}, ${kept ? 'kept' : 'new'} connection: ${failure}`);
    }
    if (agent) agent.destroy();
  };
  const clients = Object.entries(requests).flatMap(([name, make]) => [client(name, make, true), client(name, make, false)]);
  return { async stop() {
    running = false;
    await Promise.all(clients);
    return { failures, done };
  } };
};
