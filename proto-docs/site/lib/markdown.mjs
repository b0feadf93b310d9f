// Markdown into HTML: anchors as code hosts make them, links from file to file turned into links from page to page.
import markdown_it from 'markdown-it';
import anchors from 'markdown-it-anchor';
import { escape } from './html.mjs';
import { code_block } from './highlight.mjs';

/** As code hosts do it, so that one link works there and here. */
export const slug = (text) => text.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '').replace(/ /g, '-');

const mark = anchors.permalink.ariaHidden({ placement: 'after', symbol: '#', class: 'anchor', renderAttrs: () => ({ tabindex: '-1' }) });

/** Which of a page's headings a table of contents shows. */
const headings_of = (tokens) =>
  tokens.flatMap((token, at) => {
    const level = token.type === 'heading_open' ? Number(token.tag.slice(1)) : 0;
    if (level < 2 || level > 3) return [];
    const text = tokens[at + 1].children.filter(({ type }) => type === 'text' || type === 'code_inline').map(({ content }) => content).join('');
    return [{ level, id: token.attrGet('id'), text: text.replace(/\s*#$/, '').trim() }];
  });

// A link to a file that the site does not show becomes its words.
const turn_link = (children, at, target) => {
  const open = children[at];
  if (target.href !== undefined) return open.attrSet('href', target.href);
  const close = children.slice(at).find(({ type }) => type === 'link_close');
  open.tag = close.tag = 'span';
  open.attrs = [['class', 'in-repository'], ['title', `${target.file}, in the repository`]];
};

const turn_links = (tokens, env) => {
  for (const { children } of tokens) {
    (children ?? []).forEach((token, at) => {
      if (token.type === 'link_open' && !token.attrGet('aria-hidden')) turn_link(children, at, env.resolve(token.attrGet('href')));
      if (token.type === 'image') token.attrSet('src', env.resolve(token.attrGet('src')).href);
    });
  }
};

const make_parser = () => {
  const parser = markdown_it({ html: true, linkify: false, typographer: false });
  parser.use(anchors, { slugify: slug, permalink: mark, level: [2, 3, 4], tabIndex: false });
  parser.renderer.rules.fence = (tokens, at) => code_block(tokens[at].content, tokens[at].info);
  parser.renderer.rules.code_block = (tokens, at) => code_block(tokens[at].content);
  parser.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  parser.renderer.rules.table_close = () => '</table></div>\n';
  // Comments are for scripts; other HTML would need a policy of its own, and is shown as it stands.
  const shown = ({ content }) => content.replace(/<!--.*?-->\s*/gs, '');
  parser.renderer.rules.html_block = (tokens, at) => (shown(tokens[at]).trim() ? `<p>${escape(shown(tokens[at]))}</p>\n` : '');
  parser.renderer.rules.html_inline = (tokens, at) => escape(shown(tokens[at]));
  // The policy of the site takes no style attributes.
  const aligned = (token) => (token.attrGet('style') ? ` class="${token.attrGet('style').replace('text-align:', '')}"` : '');
  // An empty cell heads nothing.
  const cell_tag = (tokens, at) => (tokens[at + 1]?.type === 'inline' && !tokens[at + 1].content ? 'td' : 'th');
  parser.renderer.rules.th_open = (tokens, at) => `<${cell_tag(tokens, at)}${aligned(tokens[at])}>`;
  parser.renderer.rules.td_open = (tokens, at) => `<td${aligned(tokens[at])}>`;
  parser.renderer.rules.th_close = (tokens, at) => `</${cell_tag(tokens, at - 2)}>`;
  return parser;
};
const parser = make_parser();

/** resolve(href) gives { href }, or { file } for what is in the repository and not in the site. */
export const render_markdown = (text, resolve) => {
  const env = { resolve };
  const tokens = parser.parse(text, env);
  turn_links(tokens, env);
  return { html: parser.renderer.render(tokens, parser.options, env), headings: headings_of(tokens) };
};

/** A sentence or a few of an OpenAPI document. */
export const render_inline = (text) => parser.renderInline(String(text ?? '').replace(/\s+/g, ' ').trim(), {});
export const render_words = (text, resolve) => (text ? render_markdown(text, resolve).html : '');
