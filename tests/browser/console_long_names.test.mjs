// Names without a place to break, in every page and dialog of the console, on a phone and on a desk: nothing is cut off.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { get_public } from '../e2e/support/client.mjs';
import { gateway_url } from '../e2e/support/environment.mjs';
import { sql, uuid } from '../e2e/support/recruitctl.mjs';
import { bookings_of, make_interview } from '../support/interviews.mjs';
import { ask_api, console_url, heading, sign_in } from './support/console.mjs';
import { launch, watched_page } from './support/site.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const letters = (first, count = 64) => first + 'w'.repeat(count - 1);

/** A webhook that fails, with a URL and an answer without a place to break; its id. */
const add_webhook = async (organization) => {
  const [id, of] = [randomUUID(), uuid(organization.id)];
  await sql(`insert into recruiting.webhooks (id, organization_id, url, description, resources, secret, failing_since, retry_at)
    values ('${id}', ${of}, 'https://hooks.example.com/${letters('u', 400)}', '${letters('W', 200)}', '{jobs,agent_runs,audit}', sha256('${id}'), now(), now() + interval '1 day')`);
  await sql(`insert into recruiting.webhook_deliveries
      (id, webhook_id, organization_id, message_id, type, message_created_at, attempted_at, status_code, failure, duration_ms, excerpt)
    select gen_random_uuid(), '${id}', ${of}, gen_random_uuid(), 'agent_runs.completed', now(), now(), status, failure, 15000, '${letters('e', 200)}'
      from (values (500, null), (null, 'address not allowed')) as ends (status, failure)`);
  return id.replaceAll('-', '');
};

/** An organization in which all that people may name has a name without spaces. */
const make_company = async () => {
  const interview = await make_interview({ days: 2, name: letters('O') });
  const { organization, stage } = interview;
  const of = `organization_id = ${uuid(organization.id)}`;
  const member = `${letters('m')}@${organization.slug}.example`;
  await organization.add_member('recruiter', member);
  await organization.member('set-name', member, '--name', letters('M', 120));
  await organization.member('set-name', organization.admin, '--name', letters('A', 120));
  await sql(`update recruiting.memberships set title = '${letters('T', 100)}' where ${of}`);
  await sql(`update recruiting.candidates set name = '${letters('C', 120)}' where ${of}`);
  await sql(`update recruiting.jobs set title = '${letters('J', 150)}', department = '${letters('D')}' where ${of}`);
  await sql(`update recruiting.stages set name = '${letters('S')}' where id = ${uuid(stage)}`);
  const keys = [await organization.key('jobs:read', member, { name: letters('K', 120) }), await organization.key('*', organization.admin, { name: letters('L', 120) })];
  await ask_api(keys[0].secret, '/jobs');
  const { json: { data: [{ slotStart }] } } = await get_public(`/scheduling/${interview.job}/${stage}/slots`);
  await fetch(new URL(`/api/public/v1/scheduling/${interview.job}/${stage}/bookings`, gateway_url), {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email: interview.emails[0], slotStart }),
  });
  await bookings_of(organization, 1);
  return { ...interview, member, keys, webhook: await add_webhook(organization) };
};

/** What is wider than its box, or than its dialog, panel or row. Scrolling boxes and texts that end in an ellipsis are meant so. */
const cut_off = (page) => page.evaluate(() => {
  const meant = (element) => element.matches('.unseen, .unseen *, .skip, input, select, textarea, .scroll, .scroll *, svg, svg *') || getComputedStyle(element).textOverflow === 'ellipsis';
  const named = (element) => `${element.tagName.toLowerCase()}.${[...element.classList].join('.')} ${element.textContent.slice(0, 30)}`;
  const out = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) out.push(`document: ${scrollWidth} > ${clientWidth}`);
  for (const element of document.querySelectorAll('body *')) {
    if (element.clientWidth <= 1 || meant(element) || getComputedStyle(element).display === 'inline') continue;
    if (element.scrollWidth > element.clientWidth + 1) out.push(`${named(element)}: ${element.scrollWidth} > ${element.clientWidth}`);
    const box = element.parentElement?.closest('dialog, .panel, .card, .turn, .note, tr, .slot, .empty, .effects, .side');
    if (box && element.getBoundingClientRect().right > box.getBoundingClientRect().right + 1) out.push(`${named(element)} leaves ${named(box)}`);
  }
  return out;
});

const pages = ({ stage, webhook }) => [
  '/api-access', '/api-access/new', '/members', '/webhooks', `/webhooks/${webhook}`, '/interviews', `/interviews/stages/${stage}`, `/interviews/stages/${stage}/open`, `/interviews/stages/${stage}/settings`,
  '/interviews/bookings', '/interviews/unmatched', '/agent', '/audit', '/billing', '/limits', '/sessions', '/organizations',
];

for (const width of [360, 1280]) {
  test(`names of 64 letters and more at ${width} pixels`, async () => {
    const company = await make_company();
    const { page, context } = await watched_page(browser, { viewport: { width, height: 900 } });
    await sign_in(page, company.organization);
    const found = [];
    const holds = async (what) => found.push(...(await cut_off(page)).map((one) => `${what}: ${one}`));
    const loaded = async (path) => {
      await page.goto(console_url(path));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    };
    for (const path of pages(company)) {
      await loaded(path);
      await holds(path);
    }
    await loaded('/members');
    for (const name of [/^Change role: M/, /^Remove: M/]) {
      await page.getByRole('button', { name }).click();
      const dialog = page.getByRole('dialog');
      if (await dialog.getByRole('combobox').count() > 0) await dialog.getByRole('combobox').selectOption('viewer');
      await dialog.getByText(letters('K', 120)).waitFor();
      await holds(String(name));
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: /^Change role: M/ }).click();
    await page.getByRole('combobox').last().selectOption('hiring_manager');
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('status').filter({ hasText: letters('M', 120) }).waitFor();
    await holds('what was done');
    await page.getByRole('button', { name: /^Remove: M/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText(/^Removed 1$/).click();
    await page.getByRole('button', { name: /^Restore: M/ }).click();
    await page.getByRole('dialog').getByText(letters('K', 120)).waitFor();
    await holds('restore');
    await page.keyboard.press('Escape');

    await loaded('/api-access');
    await page.getByRole('link', { name: letters('L', 120) }).click();
    await heading(page, letters('L', 120));
    await holds('key');
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByRole('dialog').waitFor();
    await holds('revoke');
    await page.keyboard.press('Escape');
    await loaded(`/api-access/replace?old=${company.keys[0].id}&new=${company.keys[1].id}`);
    await holds('replace');
    await loaded(`/api-access/new?replace=${company.keys[1].id}`);
    await holds('replacing');

    await loaded(`/webhooks/${company.webhook}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
    await holds('delete a webhook');
    await page.keyboard.press('Escape');

    await loaded('/interviews/bookings');
    await page.getByRole('row').filter({ hasText: letters('C', 120) }).getByRole('link').first().click();
    await heading(page, letters('C', 120));
    await holds('booking');
    await loaded(`/interviews/stages/${company.stage}`);
    await page.locator('.slot.open button').first().click();
    await page.getByRole('dialog').waitFor();
    await holds('close a slot');
    await page.keyboard.press('Escape');
    await loaded('/audit');
    await page.getByRole('button', { name: /^Details of/ }).first().click();
    await page.locator('tr.details').waitFor();
    await holds('audit details');
    await loaded('/agent');
    await page.getByRole('textbox', { name: /Question or instruction/ }).fill(letters('Q', 300));
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.waitForURL(/\/console\/agent\/[0-9a-f]{32}$/);
    await page.locator('.turn:not(.person, .progress)').first().waitFor();
    await holds('conversation');
    await loaded('/agent');
    await page.getByRole('link', { name: /^Qwww/ }).waitFor();
    await holds('conversations');
    assert.deepEqual(found, []);
    await context.close();
  });
}
