// The decision records have one form, name files that exist, and are all listed in the index under their titles.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'proto-docs/decisions');
const text_of = (name) => readFileSync(join(folder, name), 'utf8');
const records = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md').sort();

const sections = ['## Context', '## Decision', '## Alternatives', '## Consequences'];

/** What is wrong with the form of a record. */
const faults = (name, text) => {
  const found = [];
  const [title, status = '', date = ''] = text.trimEnd().split('\n\n');
  if (!new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S.*[^.]$`).test(title)) found.push(`the title is not "# ${Number(name.slice(0, 4))}. <the decision>"`);
  if (!/^Status: (accepted|superseded by )/.test(status)) found.push('the title is not followed by "Status: accepted" or "Status: superseded by …"');
  if (!/^Date: \d{4}-\d\d-\d\d$/.test(date)) found.push('the status is not followed by "Date: YYYY-MM-DD"');
  const headings = text.split('\n').filter((line) => /^#{2,} /.test(line));
  for (const heading of sections.filter((one) => one !== '## Alternatives')) if (!headings.includes(heading)) found.push(`there is no "${heading}"`);
  const known = headings.filter((heading) => sections.includes(heading));
  for (const heading of headings) if (!sections.includes(heading)) found.push(`"${heading}" is none of ${sections.join(', ')}`);
  if (known.join() !== sections.filter((one) => known.includes(one)).join()) found.push('the sections are not in order, or one occurs twice');
  return found;
};

test('every decision record has the form', () => {
  assert.ok(records.length > 60);
  for (const name of records) assert.deepEqual(faults(name, text_of(name)), [], name);
});

test('a record without the form is reported', () => {
  const good = '# 7. A sentence\n\nStatus: accepted\n\nDate: 2026-11-21\n\n## Context\n\n## Decision\n\n## Consequences\n';
  assert.deepEqual(faults('0007-a.md', good), []);
  assert.equal(faults('0008-a.md', good).length, 1);
  for (const [part, instead] of [['Status: ', ''], ['Date: 2026', 'Date: 26'], ['## Context\n', ''], ['Decision', 'Choice'], ['## Consequences', '## Cost']])
    assert.notDeepEqual(faults('0007-a.md', good.replace(part, instead)), [], part);
  assert.equal(faults('0007-a.md', good.replace('## Context\n\n## Decision', '## Decision\n\n## Context')).length, 1);
});

test('the index lists every record once, under its title', () => {
  const listed = [...text_of('README.md').matchAll(/^- \[(.*)\]\((\d{4}-[a-z0-9-]+\.md)\)$/gm)].map(([, title, name]) => `${name}: ${title}`);
  const expected = records.map((name) => `${name}: ${text_of(name).split('\n')[0].slice(2)}`);
  assert.deepEqual(listed.sort(), expected);
});

test('files and folders that records name exist', () => {
  for (const name of records) {
    for (const [, path] of text_of(name).matchAll(/`((?:cmake|deploy|gateway|libs|proto-docs|scripts|services|tests)\/[A-Za-z0-9_./-]+)[^`]*`/g))
      assert.ok(existsSync(join(root, path)), `${name}: ${path}`);
  }
});
