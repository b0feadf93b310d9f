// Every curl line of both references, taken from the built site as the gateway serves it, run as a reader runs it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gateway_url, run_dir } from '../e2e/support/environment.mjs';

const root = new URL('/docs/', gateway_url);
const page = async (path) => {
  const answer = await fetch(new URL(path, root));
  assert.equal(answer.status, 200, `${path}: is the documentation built, and RECRUITING_PUBLIC_API_DOCS set?`);
  return answer.text();
};

const text_of = (html) => html.replace(/<[^>]+>/g, '').replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" })[name]);

/** [{ id, text, status }] of a page: each stands below the heading, or in the element, with its operation's id. */
const attempts_of = (html) => {
  const found = [...html.matchAll(/<(?:h2|details) id="(?<id>\w+)"|<pre data-try="(?<status>\d+)"[^>]*>(?<code>.*?)<\/pre>/gs)];
  let id;
  return found.flatMap(({ groups }) => {
    if (groups.id) id = groups.id;
    return groups.id ? [] : [{ id, text: text_of(groups.code).trim(), status: groups.status }];
  });
};

// The last command tells its status instead of its answer; all else stays as it stands.
const with_status = (text) => {
  const at = text.lastIndexOf('\ncurl ') + 1;
  return `. '${join(run_dir, 'env')}'\nset -eu\n${text.slice(0, at)}curl -sS -o /dev/null -w '%{http_code}' --noproxy '*'${text.slice(at + 'curl'.length)}`;
};
const run = (script) => new Promise((done) => {
  execFile('bash', ['--norc', '-c', script], { env: { PATH: process.env.PATH, HOME: '/' }, timeout: 120_000 }, (error, stdout, stderr) => done({ error, stdout, stderr }));
});

for (const [name, folder] of [['auth_api', 'api/authenticated/'], ['public_api', 'api/public/']]) {
  const document = JSON.parse(readFileSync(new URL(`../../proto-docs/openapi/${name}.json`, import.meta.url), 'utf8'));
  const documented = Object.values(document.paths).flatMap((item) => Object.values(item)).map(({ operationId }) => operationId).filter(Boolean);

  test(`every operation of ${name} has a curl line that works`, async (t) => {
    const pages = await Promise.all(document.tags.map(({ name: tag }) => page(`${folder}${tag}.html`)));
    const attempts = pages.flatMap(attempts_of);
    assert.deepEqual(attempts.map(({ id }) => id).sort(), documented.sort());
    for (const { id, text, status } of attempts) {
      await t.test(`${id}: ${status}`, async () => {
        const { error, stdout, stderr } = await run(with_status(text));
        assert.equal(error, null, `${text}\n${stderr}`);
        assert.equal(stdout, status, `${text}\n${stderr}`);
      });
    }
  });
}
