// Organizations that have published nothing are 404 at the public API: nothing tells them from unknown ones.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, public_prefix, send } from '../../support/client.mjs';
import { job_record, make_organization } from '../../support/organization.mjs';
import { await_condition } from '../../support/programs.mjs';

let organization;
before(async () => {
  organization = await make_organization('Unpublished');
  await organization.import('jobs', [{ ...job_record(0), published: false }, { ...job_record(3), externalId: 'draft', status: 'draft', published: true }]);
});
after(close_connections);

const of = (slug) => [`${public_prefix}/organizations/${slug}`, `${public_prefix}/organizations/${slug}/jobs`, `${public_prefix}/jobs?organization=${slug}`,
  ...['jobs.rss', 'jobs.json', 'jobs.xml', 'sitemap.xml'].map((feed) => `${public_prefix}/organizations/${slug}/${feed}`), `/careers/${slug}`];
const asked = async (target, accept) => {
  const { status, text, headers } = await send('GET', target, { headers: { 'X-Request-Id': 'the-same-id', Accept: accept } });
  const { date, ratelimit, ...kept } = headers;
  return { status, text, headers: kept };
};
const statuses = async () => Promise.all(of(organization.slug).map(async (target) => (await send('GET', target)).status));
const all_are = (status) => await_condition(async () => (await statuses()).every((one) => one === status), `every address is ${status}`);

test('one that has published nothing is answered like an unknown one, byte by byte', async () => {
  for (const accept of ['application/json', 'application/problem+json', 'text/html']) {
    for (const [i, target] of of(organization.slug).entries()) {
      if (target.startsWith('/careers') && accept === 'application/problem+json') continue; // pages have no such form
      const unpublished = await asked(target, accept);
      assert.equal(unpublished.status, 404, target);
      assert.deepEqual(unpublished, await asked(of('nobody-of-this-name')[i], accept), target);
    }
  }
});

test('it is shown once it has published a job, while that is closed too, and no more when it is withdrawn', async () => {
  const job = { ...job_record(0), published: true, status: 'open' };
  await organization.import('jobs', [job]);
  await all_are(200);
  await organization.import('jobs', [{ ...job, status: 'closed' }]);
  await await_condition(async () => (await send('GET', of(organization.slug)[0])).json?.data.openJobCount === 0, 'the job is closed');
  assert.ok((await statuses()).every((one) => one === 200));
  await organization.import('jobs', [{ ...job, published: false }]);
  await all_are(404);
});
