// The page around a page's text: header with search, navigation, contents, what comes before and after.
import { escape, lines } from './html.mjs';
import { site_name } from './navigation.mjs';

const entry = (page, here, link) =>
  `<li${page.parent ? ' class="inner"' : ''}><a href="${escape(link(page.path))}"${page.path === here.path ? ' aria-current="page"' : ''}>${escape(page.label)}</a></li>`;

const list = (pages, here, link) => `<ul>\n${lines(pages.map((page) => entry(page, here, link)))}\n</ul>`;

/** A long section shows its first page only, until one of its pages is open. */
const section_part = ({ title, pages, folded }, here, link) => {
  const inside = pages.some(({ path }) => path === here.path);
  const shown = folded && !inside ? pages.slice(0, 1) : pages;
  return lines(`<h2>${escape(title)}</h2>`, list(shown.filter(({ parent }) => !parent || inside_of(parent, here)), here, link));
};
const inside_of = (parent, here) => here.path === parent || here.parent === parent;

const navigation = (sections, here, link) => lines(
  '<nav id="navigation" popover aria-label="Pages">',
  sections.map((section) => section_part(section, here, link)),
  '</nav>',
);

const contents = (headings) => headings.length < 3 ? '' : lines(
  '<nav class="contents" aria-labelledby="contents">',
  '<h2 id="contents">On this page</h2>',
  '<ul>',
  headings.map(({ level, id, text }) => `<li class="level-${level}"><a href="#${escape(id)}">${escape(text)}</a></li>`),
  '</ul>',
  '</nav>',
);

const neighbours = ({ before, after }, link) => !before && !after ? '' : lines(
  '<nav class="neighbours" aria-label="Before and after">',
  before && `<a rel="prev" href="${escape(link(before.path))}"><span>Before</span> ${escape(before.label)}</a>`,
  after && `<a rel="next" href="${escape(link(after.path))}"><span>Next</span> ${escape(after.label)}</a>`,
  '</nav>',
);

const head = (page, link, assets) => lines(
  '<meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<meta name="color-scheme" content="light dark">',
  `<title>${escape(page.title === site_name ? site_name : `${page.title} · ${site_name}`)}</title>`,
  `<link rel="icon" href="${escape(link(assets['icon.svg']))}" type="image/svg+xml">`,
  `<link rel="stylesheet" href="${escape(link(assets['site.css']))}">`,
  `<script type="module" src="${escape(link(assets['page.js']))}"></script>`,
);

const top = (link, assets) => lines(
  '<a class="skip" href="#text">Skip to the text</a>',
  '<header>',
  `<a class="home" href="${escape(link('index.html'))}">${escape(site_name)}</a>`,
  `<search hidden data-index="${escape(link(assets['search_index.json']))}" data-root="${escape(link('index.html'))}" data-script="${escape(link(assets['search.js']))}">`,
  '<input type="search" id="query" placeholder="Search" aria-label="Search the documentation" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">',
  '<p role="status" class="unseen"></p>',
  '<ol hidden></ol>',
  '</search>',
  '<button type="button" popovertarget="navigation" class="menu">Pages</button>',
  '</header>',
);

/** page: { path, title, headings, html, section }; link(path): how this page reaches another. */
export const render_page = (page, { sections, assets, link, before, after }) => lines(
  '<!doctype html>',
  '<html lang="en">',
  '<head>', head(page, link, assets), '</head>',
  `<body${page.kind ? ` class="${page.kind}"` : ''}>`,
  top(link, assets),
  '<div class="frame">',
  navigation(sections, page, link),
  '<main id="text" tabindex="-1">',
  page.section && `<p class="section">${escape(page.section)}</p>`,
  page.html.trimEnd(),
  neighbours({ before, after }, link),
  '</main>',
  contents(page.headings ?? []),
  '</div>',
  '</body>',
  '</html>',
  '',
) + '\n';
