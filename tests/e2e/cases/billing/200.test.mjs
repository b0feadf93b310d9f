// GET /billing: for admins; seats and usage counted from rows.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close_connections, get } from '../../support/client.mjs';
import { demo } from '../../support/environment.mjs';
import { make_organization } from '../../support/organization.mjs';
import { sql, uuid } from '../../support/recruitctl.mjs';

after(close_connections);

test('the demo organization has a plan and invoices', async () => {
  const { data } = (await get('/billing', { key: demo.key })).json;
  assert.ok(data.plan.length > 0 && data.invoices.length > 0);
  assert.ok(data.currentPeriodStart < data.currentPeriodEnd);
  const { memberCount } = (await get('/organization', { key: demo.key })).json.data;
  assert.equal(data.seats.used, memberCount);
});

test('a new organization has a plan too, and its seats follow its members', async () => {
  const organization = await make_organization();
  const { secret: key } = await organization.key('billing:read');
  const used = async () => (await get('/billing', { key })).json.data.seats.used;
  assert.equal(await used(), 1);
  const { email } = await organization.add_member('viewer');
  assert.equal(await used(), 2);
  await organization.member('remove', email);
  assert.equal(await used(), 1);
});

test('periods follow each other, and usage is that of the current one', async () => {
  const organization = await make_organization();
  const { secret: key } = await organization.key('billing:read');
  await sql(`insert into recruiting.usage_records (id, organization_id, kind, occurred_at)
    values (gen_random_uuid(), ${uuid(organization.id)}, 'booking', now())`);
  const current = async (start, end) => {
    await sql(`update recruiting.subscriptions set current_period_start = ${start}, current_period_end = ${end}
      where organization_id = ${uuid(organization.id)}`);
    const { currentPeriodStart, currentPeriodEnd, usage } = (await get('/billing', { key })).json.data;
    return { start: currentPeriodStart, end: currentPeriodEnd, bookings: usage.bookings };
  };
  const now = new Date().toISOString();
  for (const [start, length] of [["'2024-01-31'", '1 month'], ["'2020-02-29'", '1 year'], ["'2015-02-01'", '1 month'],
    ["now() - interval '45 days'", '30 days'], ["now() - interval '4 years'", '14 days'], ["now() - interval '1 hour'", '30 days']]) {
    const period = await current(`(${start})::timestamptz`, `(${start})::timestamptz + interval '${length}'`);
    assert.ok(period.start <= new Date().toISOString() && now < period.end, JSON.stringify({ start, length, period }));
    assert.equal(period.bookings, 1);
  }
  const { start, end, bookings } = await current("now() + interval '1 day'", "now() + interval '31 days'");
  assert.ok(now < start && start < end, 'the first one is yet to begin');
  assert.equal(bookings, 0);
});

test('usage is the sum of the metered rows of the current period', async () => {
  const organization = await make_organization();
  const { secret: key } = await organization.key('billing:read');
  const row = (kind, when, tokens) => `(gen_random_uuid(), ${uuid(organization.id)}, '${kind}', ${when}, ${tokens}, ${tokens * 2})`;
  const { currentPeriodStart: start } = (await get('/billing', { key })).json.data;
  await sql(`insert into recruiting.usage_records (id, organization_id, kind, occurred_at, input_tokens, output_tokens) values
    ${row('agent_run', 'now()', 100)}, ${row('agent_run', 'now()', 7)}, ${row('booking', 'now()', 0)},
    ${row('agent_run', `'${start}'::timestamptz - interval '1 second'`, 1000)}`);
  const { usage } = (await get('/billing', { key })).json.data;
  assert.deepEqual(usage, { agentRuns: 2, agentInputTokens: 107, agentOutputTokens: 214, bookings: 1 });
});
