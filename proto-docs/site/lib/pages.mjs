// The table of pages: every Markdown file of proto-docs, where it goes, and which section it stands in.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { labels, sections } from './navigation.mjs';

const title_of = (source, text) => {
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (!title) throw new Error(`${source} has no title: a line "# …"`);
  return title.replace(/[`*_]/g, '');
};

/** The root's pages have a folder of their own. */
const target_of = (name) =>
  posix.join(posix.dirname(name) === '..' ? 'project' : posix.dirname(name), posix.basename(name).replace(/^README\.md$/, 'index.md'))
    .replace(/\.md$/, '.html').replace(/[A-Z]+(?=\.html$)/, (word) => word.toLowerCase());

const markdown_in = (folder) => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')).sort() : []);

/** source: its path in the repository; path: its path in the site. */
const read_page = (docs, name, section, parent) => {
  const source = posix.normalize(posix.join('proto-docs', name));
  const text = readFileSync(posix.join(docs, name), 'utf8');
  const title = title_of(source, text);
  return { source, path: target_of(name), title, label: labels[name] ?? title, section, text, ...(parent && { parent: target_of(parent) }) };
};

/** The sections with their pages, in the navigation's order. docs: the folder proto-docs. */
export const read_sections = (docs) => {
  const named = new Set(sections.flatMap(({ pages = [] }) => pages));
  return sections.map((section) => {
    const own = (section.pages ?? []).filter((name) => existsSync(posix.join(docs, name)));
    const unnamed_in = (folder) => markdown_in(posix.join(docs, folder)).map((name) => posix.join(folder, name)).filter((name) => !named.has(name));
    const inner_of = (name) => (section.inner?.[name] ? unnamed_in(section.inner[name]) : []);
    const pages = own.flatMap((name) => [read_page(docs, name, section.title), ...inner_of(name).map((one) => read_page(docs, one, section.title, name))]);
    const taken = section.takes ? unnamed_in(section.takes) : [];
    return { ...section, pages: [...pages, ...taken.map((name) => read_page(docs, name, section.title))] };
  }).filter(({ pages, references }) => pages.length > 0 || references);
};

/** From one place of the site to another, so that the site works below any address. */
export const relative = (from, to) => {
  const [path, anchor = ''] = to.split(/(?=#)/);
  if (path === from && anchor) return anchor;
  const folder = posix.relative(posix.dirname(from), posix.dirname(path));
  const name = posix.basename(path).replace(/^index\.html$/, '');
  return `${`${folder && `${folder}/`}${name}` || './'}${anchor}`;
};
