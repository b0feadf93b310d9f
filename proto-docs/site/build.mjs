// Builds the documentation: node build.mjs FOLDER. The same files give the same bytes; a broken link fails.
import Eleventy from '@11ty/eleventy';
import MiniSearch from 'minisearch';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { options } from './assets/search_options.js';
import { configure } from './site.mjs';

const fail = (text) => process.exit(console.error(text) ?? 1);
const folder = resolve(process.argv[2] ?? fail('usage: node build.mjs FOLDER'));
// A folder without an earlier site was named by mistake, and would be gone.
if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, 'openapi/auth_api.json'))) fail(`${folder} holds something else than the documentation: name another folder`);
process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const fresh = `${folder}.${process.pid}`;
process.on('exit', () => rmSync(fresh, { recursive: true, force: true }));
const problems = [];
await new Eleventy('proto-docs', fresh, { quietMode: true, configPath: false, config: (eleventy) => configure(eleventy, problems) }).write();
const files = readdirSync(fresh, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  .map(({ parentPath, path, name }) => posix.relative(fresh, join(parentPath ?? path, name))).sort();
const pages = new Map(files.filter((path) => path.endsWith('.html')).map((path) => [path, readFileSync(join(fresh, path), 'utf8')]));

// 404.html is shown at any address, so its links begin with /docs/.
for (const [path, html] of pages) {
  for (const [, link] of html.matchAll(/ (?:href|src|data-\w+)="(?![a-z]+:)([^"]*)"/g)) {
    const { pathname, hash } = new URL(link, `http://site/docs/${path}`);
    const file = pathname.slice('/docs/'.length).replace(/(^|\/)$/, '$1index.html');
    if (!files.includes(file)) problems.push(`${path}: nothing is at ${link}`);
    else if (hash && !pages.get(file)?.includes(` id="${decodeURI(hash.slice(1))}"`)) problems.push(`${path}: ${link} names no heading of that page`);
  }
}
if (problems.length > 0) fail(problems.join('\n'));

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const words = (html) => html.replace(/<a class="anchor".*?<\/a>|<[^>]+>/gs, ' ').replace(/&([\w#]+);/g, (_, name) => entities[name]).replace(/\s+/g, ' ').trim();
/** Of the search: an entry per section of a page, which is cut at its headings. */
const entries = ([path, html]) => {
  const title = words(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)[1]);
  const page = words(/aria-current="page">(.*?)</.exec(html)?.[1] ?? title);
  return / id="text"[^>]*>(.*)<nav class="contents"/s.exec(html)[1].split(/(?=<h[23] id=")/).map((piece) => {
    const [, id, inner] = /^<h[23] id="([^"]+)"[^>]*>(.*?)<\/h[23]>/s.exec(piece) ?? [];
    const url = path.replace(/(^|\/)index\.html$/, '$1') + (id ? `#${id}` : '');
    return { id: url, url, page, title: id ? words(inner) : title, text: `${id ?? ''} ${words(piece)}` };
  });
};
const index = new MiniSearch(options);
index.addAll([...pages].filter(([path]) => path !== '404.html').flatMap(entries));
writeFileSync(join(fresh, 'assets/search_index.json'), JSON.stringify(index));
for (const path of [...files, 'assets/search_index.json'].filter((one) => /\.(html|css|js|json|yaml|svg)$/.test(one)))
  writeFileSync(join(fresh, `${path}.gz`), gzipSync(readFileSync(join(fresh, path)), { level: 9 }));
rmSync(folder, { recursive: true, force: true });
renameSync(fresh, folder);
console.log(`${pages.size} pages, ${files.length + 1} files`);
