// The steps of a page that its reader follows: blocks marked <!-- run -->, with what a block prints under <!-- prints -->,
// and blocks of lines for the settings file that the line above names.
import assert from 'node:assert/strict';

const step = new RegExp([
  '^##+ (?<heading>.*)$',
  '^<!-- run -->\\n```sh\\n(?<script>[^]*?)^```\\n(?:<!-- prints -->\\n```\\w+\\n(?<prints>[^]*?)^```$)?',
  '^`(?<file>/\\S+)`:\\n\\n```ini\\n(?<lines>[^]*?)^```$',
].map((one) => `(?:${one})`).join('|'), 'gm');

/** [{ heading, script, prints } or { heading, file, lines }] in the page's order. */
export function steps_of(page) {
  const steps = [];
  let heading;
  for (const { groups } of page.matchAll(step))
    if (groups.heading) heading = groups.heading;
    else steps.push({ ...groups, heading });
  return steps;
}

/** The blocks of commands that are not marked as steps. */
export const unmarked = (page) => [...page.matchAll(/(?<!<!-- run -->\n)^```sh\n([^]*?)^```$/gm)].map(([, script]) => script);

const pattern_of = (text) => new RegExp(`^${text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`);

/** Compares the lines; … in `prints` stands for anything within a line. */
export function assert_prints(printed, prints) {
  const lines = printed.trimEnd().split('\n');
  const expected = prints.trimEnd().split('\n');
  assert.equal(lines.length, expected.length, printed);
  expected.forEach((line, at) => assert.match(lines[at], pattern_of(line)));
}
