// What Eleventy makes of proto-docs: its pages, the navigation, and where links from file to file lead in the site.
import highlighter from 'highlight.js';
import markdown_it from 'markdown-it';
import anchors from 'markdown-it-anchor';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

const text_of = (file) => readFileSync(file, 'utf8');
const references = { auth_api: 'api/authenticated', public_api: 'api/public', console: 'api/console' };
const project = { 'SECURITY.md': 'project/security', 'CHANGELOG.md': 'project/changelog' };

/** Where a file of the repository is in the site; undefined: it is not. */
const place_of = (file) => {
  if (project[file]) return `${project[file]}.html`;
  const path = posix.relative('proto-docs', existsSync(`${file}/README.md`) ? `${file}/README.md` : file);
  const [, document] = /^openapi\/(\w+)\.(?:yaml|json)$/.exec(path) ?? [];
  if (document) return `${references[document]}/`;
  if (/^(clients|images)\/\w[\w.-]+$/.test(path)) return path;
  return !path.startsWith('..') && path.endsWith('.md') ? path.replace(/README\.md$/, '').replace(/\.md$/, '.html') : undefined;
};

/** The overview's tables are the navigation. */
const sections = () => text_of('proto-docs/README.md').split(/^## /m).slice(1).map((part) => ({
  title: part.split('\n')[0],
  pages: [...part.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \|/gm)].map(([, label, link]) => ({ label, path: place_of(posix.join('proto-docs', link)) })),
})).filter(({ pages }) => pages.length > 0);

/** The page of an OpenAPI document. The viewer replaces the operations, and knows each by the id that its heading has. */
const reference = (name) => {
  const { info, paths } = JSON.parse(text_of(`proto-docs/openapi/${name}.json`));
  const files = ['yaml', 'json'].map((ending) => `<a href="../../openapi/${name}.${ending}" download>${name}.${ending}</a>`).join(', ');
  const operations = Object.entries(paths).flatMap(([path, item]) => Object.entries(item).filter(([method, one]) => one.operationId && method !== 'options')
    .map(([method, one]) => `<h3 id="/${one.tags[0]}/${one.operationId}">${one.summary}</h3>\n\n\`${method.toUpperCase()} ${path}\`\n\n${one.description ?? ''}\n`));
  return `# ${info.title}\n\nVersion ${info.version}. ${files}\n\n<div id="viewer" data-document="../../openapi/${name}.json">\n\n${operations.join('\n')}\n</div>\n`;
};

/** problem(text) is called for a link to a file that is not there. A link to a file that the site does not show becomes its words. */
const markdown = (problem) => {
  const parser = markdown_it({ html: true });
  const permalink = anchors.permalink.ariaHidden({ placement: 'after', class: 'anchor', renderAttrs: () => ({ tabindex: '-1' }) });
  // As code hosts do it, so that one link works there and here.
  const slugify = (text) => text.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '').replace(/ /g, '-');
  parser.use(anchors, { slugify, permalink, level: [2, 3, 4], tabIndex: false });
  parser.core.ruler.push('links', ({ tokens, env }) => {
    for (const [at, token, all] of tokens.flatMap(({ children }) => (children ?? []).map((one, i) => [i, one, children]))) {
      const name = { link_open: 'href', image: 'src' }[token.type];
      if (!name || /^([a-z]+:|#)/.test(token.attrGet(name))) continue;
      const [path, anchor = ''] = decodeURI(token.attrGet(name)).split(/(?=#)/);
      const file = posix.join(posix.dirname(env.source), path).replace(/\/$/, '');
      const place = existsSync(file) ? place_of(file) : problem(`${env.source}: there is no ${path}`);
      if (place !== undefined) token.attrSet(name, (env.root + place || './') + anchor);
      else [token.tag, all.slice(at).find(({ type }) => type === 'link_close').tag, token.attrs] = ['span', 'span', [['title', `${file}, in the repository`]]];
    }
  });
  const code = ({ content, info }) => (highlighter.getLanguage(info) ? highlighter.highlight(content, { language: info }).value : parser.utils.escapeHtml(content));
  parser.renderer.rules.fence = parser.renderer.rules.code_block = (tokens, at) => `<pre tabindex="0"><code>${code(tokens[at])}</code></pre>\n`;
  Object.assign(parser.renderer.rules, { table_open: () => '<div class="table" tabindex="0"><table>\n', table_close: () => '</table></div>\n' });
  return parser;
};

export const configure = (eleventy, problems) => {
  for (const folder of ['site', 'clients', 'openapi']) eleventy.ignores.add(`proto-docs/${folder}/**`);
  for (const [file, at] of Object.entries(project)) eleventy.addTemplate(`${at}.md`, text_of(file), { origin: file });
  for (const [name, at] of Object.entries(references)) eleventy.addTemplate(`${at}/README.md`, reference(name), { viewer: true });
  eleventy.addTemplate('404.md', `# No such page\n\nThe search above knows every page, and so does the <a href="/docs/">overview</a>.\n`, { base: '/docs/' });
  eleventy.setLibrary('md', markdown((text) => void problems.push(text)));
  // The site's policy takes no style attributes, and an empty cell heads nothing.
  eleventy.addTransform('policy', (html) => html.replace(/ style="text-align:(\w+)"/g, ' class="$1"').replace(/<th([^>]*)><\/th>/g, '<td$1></td>'));
  eleventy.addFilter('headings', (html) => [...html.matchAll(/<h([23]) id="([^"]+)"[^>]*>(.*?) <a class="anchor"/gs)].map(([, level, id, text]) => ({ level, id, text })));
  eleventy.addGlobalData('layout', 'layout.njk');
  eleventy.addGlobalData('templateEngineOverride', 'md');
  eleventy.addGlobalData('sections', sections());
  eleventy.addGlobalData('permalink', () => ({ page }) => `${page.filePathStem.replace(/README$/, 'index')}.html`);
  eleventy.addGlobalData('eleventyComputed', {
    source: ({ origin, page }) => origin || posix.normalize(page.inputPath),
    root: ({ base, page }) => base || '../'.repeat(page.filePathStem.split('/').length - 2),
    path: ({ page }) => page.filePathStem.slice(1).replace(/README$/, '').replace(/([^/])$/, '$1.html'),
    title: ({ page }) => /^# (.+)$/m.exec(page.rawInput)[1].replace(/[`*_]/g, ''),
  });
  const modules = 'proto-docs/site/node_modules';
  eleventy.addPassthroughCopy({
    'proto-docs/site/assets': 'assets', 'proto-docs/images': 'images', 'proto-docs/openapi/*.{json,yaml}': 'openapi', 'proto-docs/clients/*.{sh,py,ts}': 'clients',
    [`${modules}/minisearch/dist/es/index.js`]: 'assets/minisearch.js', [`${modules}/minisearch/LICENSE.txt`]: 'assets/minisearch.txt',
    [`${modules}/highlight.js/styles/github{,-dark}.css`]: 'assets', [`${modules}/highlight.js/LICENSE`]: 'assets/highlight.txt',
    [`${modules}/swagger-ui-dist/swagger-ui{.css,-bundle.js,-bundle.js.LICENSE.txt}`]: 'assets', [`${modules}/swagger-ui-dist/{LICENSE,NOTICE}`]: 'assets/swagger-ui',
  });
  eleventy.setIncludesDirectory('site');
  eleventy.setTemplateFormats(['md']);
};
