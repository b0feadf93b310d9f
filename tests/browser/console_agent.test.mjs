// The agent in the console: ask, watch the run, read what its tools gave, continue; whose conversations one sees.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { job_record } from '../e2e/support/organization.mjs';
import { console_url, errors_of_responses, heading, make_company, naughty_strings, sign_in } from './support/console.mjs';
import { expect_accessible, launch, sideways, take_pictures, watched_page } from './support/site.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const jobs = (titles) => titles.map((title, i) => ({ ...job_record(i), title, status: 'open', published: true }));
const prompt_field = (page) => page.getByRole('textbox', { name: /Question or instruction|Continue the conversation/ });
const reply = (page) => page.locator('.turn:not(.person, .tool-call, .failed-run, .progress) .prose');
const session_reads = '**/console/api/agent/sessions/*';

/** Answers the reads of a conversation with this reply in the place of the agent's. */
const with_reply = (page, content) => page.route(session_reads, async (route) => {
  const response = await route.fetch();
  const { data } = await response.json();
  const messages = data.messages.map((message) => (message.role === 'assistant' && message.content ? { ...message, content } : message));
  await route.fulfill({ response, json: { data: { ...data, messages } } });
});
const ordinary = `## Open jobs

| Job | Open |
|---|---|
| **Accountant** | 2 |

1. See [the page](https://jobs.example/accountant)
2. or write to <jobs@acme.example>.

- \`revoke "warehouse"\`
- [x] done

> quoted

\`\`\`sql
select 1 < 2
\`\`\`
Next *line*
and another.`;
const hostile = `<script>alert(1)</script>

<img src=x onerror=alert(1)> and <b onclick="alert(1)">bold</b>

![beacon](https://beacon.example/p.png?q=1) ![](data:image/png;base64,AAAA)
[a](javascript:alert(1)) [b](java&#115;cript:alert(1)) [c](JaVaScRiPt:alert(1)) [d](data:text/html,x) [e](vbscript:x) [f](//evil.example) [g](/console/api/session) [h](https://acme.example@evil.example)
[https://acme.example](https://evil.example/login) [аcme](https://аcme.example) https://acme.example/jobs
<javascript:alert(1)> javascript:alert(1)
[j]

[j]: javascript:alert(1) "title"`;

const ask = async (page, prompt) => {
  await prompt_field(page).fill(prompt);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
};

test('ask, read the tool calls, continue, find it in the list and in the audit log', async () => {
  const company = await make_company();
  await company.import('jobs', jobs(['Senior Backend Engineer', 'Accountant']));
  const { page, context, said } = await watched_page(browser);
  await sign_in(page, company);
  await page.getByRole('link', { name: 'Agent', exact: true }).click();
  await heading(page, 'Agent');
  await page.getByRole('heading', { name: 'No conversations yet' }).waitFor();
  await expect_accessible(page, 'agent');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByText('Enter a question or an instruction.').waitFor();
  await ask(page, 'Which jobs are open?');
  await page.waitForURL(/\/console\/agent\/[0-9a-f]{32}$/);
  await reply(page).first().waitFor();
  assert.match(await reply(page).first().textContent(), /Senior Backend Engineer|Accountant/);
  await page.locator('.tool-call summary').first().click();
  await page.locator('.tool-body .json').first().waitFor();
  await expect_accessible(page, 'conversation');
  await take_pictures(page, 'console-conversation');

  // By the keyboard, in the same conversation.
  await prompt_field(page).fill('How many candidates do we have?');
  await page.locator('form.ask button[type=submit]:enabled').waitFor(); // no question is sent while the page reads the conversation
  await prompt_field(page).press('Control+Enter');
  await page.locator('.turn.person').nth(1).waitFor();
  await reply(page).nth(1).waitFor();
  await page.getByRole('link', { name: 'In the audit log' }).click();
  await heading(page, 'Audit log');
  await page.getByRole('row').filter({ hasText: 'Agent run completed' }).first().waitFor();
  await page.getByRole('link', { name: 'Agent', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'Which jobs are open?' });
  await row.getByText('Completed').waitFor();
  await row.getByText('Console').waitFor();
  assert.deepEqual(said.filter((line) => !errors_of_responses.test(line)), []);
  await context.close();
});

test('a run that goes on is polled while the page is seen; one that failed has its run ID', async () => {
  const company = await make_company();
  const { page, context } = await watched_page(browser);
  await sign_in(page, company);
  let reads = 0;
  let run_state = { status: 'in_progress', finishedAt: null };
  await page.route(session_reads, async (route) => {
    reads += 1;
    const response = await route.fetch();
    const { data } = await response.json();
    // A busy system records the question well after the run that it begins.
    const runs = data.runs.map((run) => ({ ...run, ...run_state, startedAt: new Date(Date.parse(run.startedAt) - 40).toISOString() }));
    await route.fulfill({ response, json: { data: { ...data, status: run_state.status, reply: null, runs, messages: data.messages.slice(0, 1) } } });
  });
  await page.goto(console_url('/agent'));
  await ask(page, 'Which jobs are open?');
  await page.locator('.progress').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled(), true);
  await expect_accessible(page, 'a run goes on');
  const show = (state) => page.evaluate((wanted) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => wanted });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
  await show('hidden');
  await page.waitForTimeout(1000); // a read that had begun is counted
  const before_pause = reads;
  await page.waitForTimeout(5000);
  assert.equal(reads, before_pause, 'nobody looks, nobody asks');
  run_state = { status: 'failed', finishedAt: new Date().toISOString() };
  await show('visible');
  await page.locator('.failed-run').getByRole('textbox', { name: 'Run ID' }).waitFor();
  assert.match(await page.locator('.failed-run').getByRole('textbox', { name: 'Run ID' }).inputValue(), /^[0-9a-f-]{36}$/);
  assert.equal(await page.locator('.progress').count(), 0);
  await expect_accessible(page, 'a run failed');
  await context.close();
});

test('members see their own conversations, admins all; roles that may not ask have no such page', async () => {
  const company = await make_company('Acme Robotics', ['recruiter', 'viewer']);
  const recruiter = await watched_page(browser);
  await sign_in(recruiter.page, company, company.members.recruiter.email);
  await recruiter.page.goto(console_url('/agent'));
  await ask(recruiter.page, 'Which jobs are open?');
  await recruiter.page.waitForURL(/\/console\/agent\/[0-9a-f]{32}$/);
  const address = recruiter.page.url();
  const admin = await watched_page(browser);
  await sign_in(admin.page, company);
  await admin.page.goto(console_url('/agent'));
  await admin.page.getByRole('row').filter({ hasText: 'recruiter of' }).getByRole('link', { name: 'Which jobs are open?' }).click();
  await admin.page.getByText(/^Only recruiter of .* can continue this conversation\.$/).waitFor();
  await admin.page.goto(console_url('/agent'));
  await ask(admin.page, 'Who is the admin?');
  await admin.page.waitForURL(/\/console\/agent\/[0-9a-f]{32}$/);
  await recruiter.page.goto(admin.page.url());
  await heading(recruiter.page, 'Conversation not found');
  await expect_accessible(recruiter.page, 'not found');
  const viewer = await watched_page(browser);
  await sign_in(viewer.page, company, company.members.viewer.email);
  assert.equal(await viewer.page.getByRole('link', { name: /^(Agent|Interviews)$/ }).count(), 0);
  await viewer.page.goto(address);
  await heading(viewer.page, 'Page not found');
  for (const { context } of [recruiter, admin, viewer]) await context.close();
});

test('texts of strangers in prompts and results of tools are texts', async () => {
  const strings = naughty_strings(150);
  const titles = strings.filter((text, i) => /[<>"'&{}]|javascript:|\p{Mn}/iu.test(text) && i % 6 === 0).slice(0, 20);
  const company = await make_company();
  await company.import('jobs', jobs(titles));
  const { page, context, said } = await watched_page(browser, { viewport: { width: 390, height: 844 } });
  page.on('dialog', () => assert.fail('a script of a stranger ran'));
  await sign_in(page, company);
  for (const prompt of ['Which jobs are open?', `${strings.slice(0, 60).join('\n')}\n<img src=x onerror=alert(1)>`]) {
    await page.goto(console_url('/agent'));
    await ask(page, prompt);
    await page.waitForURL(/\/console\/agent\/[0-9a-f]{32}$/);
    await reply(page).first().waitFor();
    for (const call of await page.locator('.tool-call summary').all()) await call.click();
    assert.equal(await page.locator('main img, main iframe, main object, main embed, main script, main .person .prose *, main .json-text *').count(), 0);
    assert.equal(await sideways(page), false, 'the layout holds');
    await expect_accessible(page, 'texts of strangers');
  }
  await page.goto(console_url('/agent'));
  await page.getByRole('rowheader').nth(1).waitFor();
  assert.equal(await sideways(page), false);
  assert.deepEqual(said.filter((line) => !errors_of_responses.test(line)), []);
  await context.close();
});

test('a reply is Markdown: HTML in it is text, no image is loaded, and a link shows where it leads', async () => {
  const company = await make_company();
  const { page, context, said, requests } = await watched_page(browser);
  page.on('dialog', () => assert.fail('a script of a model ran'));
  await sign_in(page, company);
  await page.goto(console_url('/agent'));
  await ask(page, '**Which** jobs are open?');
  await page.waitForURL(/\/console\/agent\/[0-9a-f]{32}$/);
  await reply(page).first().waitFor();
  assert.equal(await page.locator('.turn.person .prose').textContent(), '**Which** jobs are open?');
  const show = async (content) => {
    await page.unroute(session_reads);
    await with_reply(page, content);
    await page.reload();
    await reply(page).first().waitFor();
  };
  await show(ordinary);
  const drawn = reply(page).first();
  assert.deepEqual(await drawn.locator('th, td, ol li, ul li, blockquote, pre, strong, em').allTextContents(), [
    'Job', 'Open', 'Accountant', 'Accountant', '2', 'See the page (jobs.example)', 'or write to jobs@acme.example.',
    'revoke "warehouse"', '☑ done', 'quoted', 'select 1 < 2', 'line']);
  assert.deepEqual(await drawn.locator('a').evaluateAll((links) => links.map(({ href, target, rel }) => [href, target, rel])), [
    ['https://jobs.example/accountant', '_blank', 'noopener noreferrer nofollow'], ['mailto:jobs@acme.example', '_blank', 'noopener noreferrer nofollow']]);
  await expect_accessible(page, 'Markdown');
  await take_pictures(page, 'console-markdown');

  await show(hostile);
  assert.equal(await page.locator('main :is(img, script, iframe, object, embed, b, [onclick], [onerror])').count(), 0);
  const text = await drawn.textContent();
  for (const part of ['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '[a](javascript:alert(1))', '[h](https://acme.example@evil.example)']) assert.ok(text.includes(part), part);
  assert.deepEqual(await drawn.locator('a').evaluateAll((links) => links.map((link) => `${link.href} ${link.textContent}${link.nextElementSibling?.textContent ?? ''}`)), [
    'https://beacon.example/p.png?q=1 beacon (beacon.example)',
    'https://evil.example/login https://acme.example (evil.example)',
    'https://xn--cme-5cd.example/ аcme (xn--cme-5cd.example)',
    'https://acme.example/jobs https://acme.example/jobs',
  ]);
  for (const deep of ['> '.repeat(16_000), '- '.repeat(16_000), '['.repeat(32_000), '*_'.repeat(16_000), `${'x'.repeat(33_000)} **not bold**`]) {
    await show(deep);
    assert.ok((await drawn.textContent()).length > 0);
  }
  assert.equal(await drawn.locator('*').count(), 0, 'a text that is too long is shown as it came');
  assert.deepEqual([...new Set(requests.map((request) => new URL(request.url()).origin))].filter((origin) => origin !== 'null'), [new URL(console_url()).origin]);
  assert.deepEqual(said.filter((line) => !errors_of_responses.test(line)), []);
  await context.close();
});

test('six languages, dark, at 200 % zoom', async () => {
  const { page, context } = await watched_page(browser, { viewport: { width: 640, height: 400 }, colorScheme: 'dark' });
  await sign_in(page, await make_company());
  for (const [language, title] of [['en', 'Agent'], ['de', 'Agent'], ['fr', 'Agent'], ['es', 'Agente'], ['it', 'Agente'], ['ja', 'エージェント']]) {
    await page.evaluate((chosen) => localStorage.setItem('console.language', chosen), language);
    await page.goto(console_url('/agent'));
    await heading(page, title);
    await expect_accessible(page, `agent ${language}`);
    assert.equal(await sideways(page), false, language);
  }
  await context.close();
});
