// Builds the documentation: node build.mjs FOLDER. The same files give the same bytes; a broken link fails.
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { assets, search_library } from './lib/assets.mjs';
import { broken_links } from './lib/check_links.mjs';
import { escape, lines } from './lib/html.mjs';
import { render_page } from './lib/layout.mjs';
import { render_markdown } from './lib/markdown.mjs';
import { read_document } from './lib/openapi.mjs';
import { read_sections, relative } from './lib/pages.mjs';
import { reference_pages } from './lib/reference.mjs';
import { make_index } from './lib/search_index.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const docs = dirname(here);
const repository = dirname(docs);
const served_below = '/docs/'; // of the one page that is shown at any address: 404.html

const worth_compressing = (path) => /\.(html|css|js|json|yaml|svg)$/.test(path);

/** Where a link of a Markdown file leads in the site. */
const make_resolver = (pages, references, kept, problems) => {
  const by_source = new Map(pages.filter(({ source }) => source).map((page) => [page.source, page.path]));
  for (const { name, folder } of references)
    for (const ending of ['yaml', 'json']) by_source.set(`proto-docs/openapi/${name}.${ending}`, `${folder}/index.html`);
  return (page) => (href) => {
    if (/^[a-z]+:/.test(href) || href.startsWith('#')) return { href };
    const [path, anchor] = decodeURI(href).split(/(?=#)/);
    const source = posix.join(posix.dirname(page.source), path).replace(/\/$/, '');
    const target = by_source.get(source) ?? by_source.get(`${source}/README.md`) ?? by_source.get(`${source}/`);
    if (target) return { href: relative(page.path, target + (anchor ?? '')) };
    if (!existsSync(join(repository, source))) problems.push(`${page.source}: there is no ${href}`);
    if (source.startsWith('proto-docs/clients/')) return { href: relative(page.path, posix.relative('proto-docs', source)) };
    if (/\.(png|svg|jpg)$/.test(source) && existsSync(join(repository, source))) return { href: relative(page.path, kept.add_file(join(repository, source))) };
    return { file: source };
  };
};

/** A folder whose pages have no front page gets a list of them. */
const list_page = ({ title, takes, pages }) => {
  const path = `${takes}/index.html`;
  const items = pages.map((page) => `<li><a href="${escape(relative(path, page.path))}">${escape(page.title)}</a></li>`);
  return {
    source: `proto-docs/${takes}/`, path, title, label: `All ${title.toLowerCase()}`, section: title,
    html: lines(`<h1>${escape(title)}</h1>`, '<ul class="plain-list">', items, '</ul>'), headings: [],
  };
};
const with_list = (section) => {
  if (!section.folded || section.pages.some(({ path }) => path === `${section.takes}/index.html`)) return section;
  return { ...section, pages: [list_page(section), ...section.pages] };
};

const with_references = (section) => {
  const made = (section.references ?? []).flatMap((frame) => reference_pages(read_document(join(docs, 'openapi', `${frame.name}.json`)), frame));
  return { ...section, pages: [...made, ...section.pages] };
};

const not_found = {
  path: '404.html', title: 'No such page', label: 'No such page', headings: [],
  html: `<h1>No such page</h1>\n<p>Nothing is at this address. The search above knows every page, and so does the <a href="${served_below}">overview</a>.</p>`,
};

const add_assets = (kept, pages) => {
  kept.add('minisearch.js', search_library(join(here, 'node_modules')));
  for (const name of ['search_options.js', 'search.js', 'page.js']) kept.add_script(join(here, 'assets', name));
  for (const name of ['site.css', 'icon.svg']) kept.add_file(join(here, 'assets', name));
  kept.add('search_index.json', make_index(pages));
};

/** path → bytes of the whole site. */
const make_site = () => {
  const problems = [];
  const kept = new assets();
  const sections = read_sections(docs).map(with_references).map(with_list);
  const pages = sections.flatMap((section) => section.pages);
  const resolver = make_resolver(pages, sections.flatMap(({ references = [] }) => references), kept, problems);
  for (const page of pages) if (page.text) Object.assign(page, render_markdown(page.text, resolver(page)));
  add_assets(kept, pages);
  const files = new Map(kept.files);
  const put = (page, link, around) => files.set(page.path, Buffer.from(render_page(page, { sections, assets: kept.paths, link, ...around })));
  pages.forEach((page, at) => put(page, (path) => relative(page.path, path), { before: pages[at - 1], after: pages[at + 1] }));
  put(not_found, (path) => served_below + path.replace(/(^|\/)index\.html$/, '$1'), {});
  for (const { name } of sections.flatMap(({ references = [] }) => references))
    for (const ending of ['yaml', 'json']) files.set(`openapi/${name}.${ending}`, readFileSync(join(docs, 'openapi', `${name}.${ending}`)));
  // To be downloaded as they are.
  for (const name of readdirSync(join(docs, 'clients')).filter((one) => /\.(sh|py|ts)$/.test(one))) files.set(`clients/${name}`, readFileSync(join(docs, 'clients', name)));
  return { files, problems: [...problems, ...broken_links(files, served_below)] };
};

/** Nothing, an empty folder or a site of before: what else is there was named by mistake, and would be gone. */
const may_be_replaced = (folder) =>
  !existsSync(folder) || readdirSync(folder).length === 0 || ['404.html', 'openapi/auth_api.json'].every((name) => existsSync(join(folder, name)));

const write_site = (files, folder) => {
  const fresh = `${folder}.${process.pid}`;
  for (const [path, bytes] of files) {
    mkdirSync(join(fresh, dirname(path)), { recursive: true });
    writeFileSync(join(fresh, path), bytes);
    if (worth_compressing(path)) writeFileSync(join(fresh, `${path}.gz`), gzipSync(bytes, { level: 9 }));
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
};

const folder = process.argv[2];
if (!folder) throw new Error('usage: node build.mjs FOLDER');
if (!may_be_replaced(folder)) {
  console.error(`${folder} holds something else than the documentation: name another folder`);
  process.exit(1);
}
const { files, problems } = make_site();
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
write_site(files, folder.replace(/\/$/, ''));
const pages = [...files.keys()].filter((path) => path.endsWith('.html')).length;
console.log(`${pages} pages, ${files.size} files, ${Math.round([...files.values()].reduce((sum, bytes) => sum + bytes.length, 0) / 1024)} KiB`);
