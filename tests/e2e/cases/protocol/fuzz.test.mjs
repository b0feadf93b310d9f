// Whatever is sent, through the gateway or to a service: no error of the server's, no refusal larger than four times its
// request (or 16 KiB), and an answer in time. Requests are made from the OpenAPI documents and then damaged.
// RECRUITING_FUZZ_SEED repeats a run, RECRUITING_FUZZ_REQUESTS says how many requests it makes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect } from '../../../edge/support/wire.mjs';
import { close_connections } from '../../support/client.mjs';
import { fresh_address, sign_in } from '../../support/console.mjs';
import { demo, gateway_url, settings_of } from '../../support/environment.mjs';
import { make_requests } from '../../support/fuzz.mjs';
import { make_organization } from '../../support/organization.mjs';
import { record_secret } from '../../support/records.mjs';
import { sql } from '../../support/recruitctl.mjs';

const seed = Number(process.env.RECRUITING_FUZZ_SEED ?? Date.now() % 2 ** 31);
const count = Number(process.env.RECRUITING_FUZZ_REQUESTS ?? 3000);
const at_once = 8;
// A statement may take 4 s and a request's arrival 10 s (proto-docs/limits.md). A client that sent all it had to send
// waits for less.
const longest = 20_000;
const largest = (request) => Math.max(4 * request, 16 * 1024);
// Of the 5xx, those two say what the request is, not how the server fares (RFC 9110 sections 15.6.2 and 15.6.6).
const about_the_request = [501, 505];

let requests;
const ports = { auth_api: [], public_api: [] };
const from = fresh_address(); // sign-in links are limited by client
before(async () => {
  const organization = await make_organization('Fuzzed');
  const keys = [(await organization.key('*')).secret, demo.key, demo.key];
  keys.forEach(record_secret);
  const { email: recruiter } = await organization.add_member('recruiter');
  const some = async (table, where = 'true') =>
    (await sql(`select t.id from recruiting.${table} t join recruiting.organizations o on o.id = t.organization_id
      where o.slug = '${demo.slug}' and ${where} order by t.id limit 20`)).flat().map((id) => id.replaceAll('-', ''));
  const [jobs, candidates, members] = await Promise.all(['jobs', 'candidates', 'memberships'].map((table) => some(table)));
  const stages = await some('stages', 'bookable');
  assert.ok(jobs.length > 0 && candidates.length > 0 && members.length > 0 && stages.length > 0);
  const sessions = await Promise.all([organization.admin, organization.admin, recruiter].map((email) => sign_in(organization, email)));
  requests = make_requests(seed, { jobs, candidates, stages, members, slugs: [demo.slug, organization.slug], keys, sessions });
  for (const [name, program] of [['auth_api', 'auth-api'], ['public_api', 'public-api']]) {
    const listen = settings_of(program)[`RECRUITING_${name.toUpperCase()}_LISTEN`];
    ports[name] = [gateway_url.port, gateway_url.port, gateway_url.port, listen.split(':').pop()].map(Number);
  }
  ports.console = ports.auth_api;
});

after(close_connections);

/** undefined: all is well; else what is wrong. statuses: how often each was answered. */
const fault_of = async (request, port, statuses) => {
  const wire = await connect(port, { from });
  const began = Date.now();
  let answer;
  try {
    await wire.send(request.text);
    wire.half_close();
    answer = await wire.answer({ to_head: request.method === 'HEAD' });
  } catch (error) {
    return `no HTTP came back: ${error.message}`;
  } finally {
    wire.close();
  }
  const took = Date.now() - began;
  if (took > longest) return `took ${took} ms`;
  statuses[answer?.status] = (statuses[answer?.status] ?? 0) + 1;
  if (!answer) return request.complete ? 'no answer' : undefined; // what never became a request may go unanswered
  if (answer.status >= 500 && !about_the_request.includes(answer.status)) return `${answer.line}: ${answer.body.slice(0, 300)}`;
  if (answer.status >= 400 && answer.size > largest(request.text.length)) return `a refusal of ${answer.size} bytes`;
  return undefined;
};

test(`${count} requests of seed ${seed}`, { timeout: 900_000 }, async (t) => {
  const faults = [];
  const statuses = {};
  let sent = 0;
  const worker = async () => {
    while (sent < count && faults.length < 10) {
      const number = (sent += 1);
      const request = requests.next();
      const choices = ports[request.to];
      const port = choices[number % choices.length];
      const fault = await fault_of(request, port, statuses);
      if (fault) faults.push(`request ${number} of ${request.operation} to port ${port}: ${fault}\n${JSON.stringify(request.text.slice(0, 2000))}`);
    }
  };
  await Promise.all(Array.from({ length: at_once }, worker));
  assert.deepEqual(faults, [], `RECRUITING_FUZZ_SEED=${seed} repeats it`);
  assert.equal(sent, count);
  t.diagnostic(JSON.stringify(statuses));
  // Requests that are all refused at the door would prove little.
  for (const status of [200, 400, 401, 403, 404]) assert.ok(statuses[status] > 0, `some are answered ${status}`);
});
