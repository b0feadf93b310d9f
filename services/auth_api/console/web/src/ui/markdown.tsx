// Markdown of a model, drawn from marked's tokens without a string of HTML: HTML in it is text, an image is a link, and
// a link shows where it leads.
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

const longest = 32_768; // characters; a longer text is shown as it came
const deepest = 16;
/** Marks of quotations and lists, nested on one line more deeply than any text is. */
const too_nested = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){17}/m;

const or_null = <T,>(read: () => T): T | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

const parsed = (text: string): Token[] | null =>
  (text.length > longest || too_nested.test(text) ? null : or_null(() => Lexer.lex(text, { gfm: true, breaks: true })));

/** null: nothing that a link may lead to. A name before the host would only make it look like another one. */
const target_of = (href: string): URL | null => {
  const url = or_null(() => new URL(href));
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) && !url.username && !url.password ? url : null;
};

const Link = ({ href, title, children }: { href: URL; title: string; children: ComponentChildren }) => {
  const shown = href.protocol === 'mailto:' ? or_null(() => decodeURIComponent(href.pathname)) ?? href.pathname : href.host;
  const says_all = [href.href, href.href.replace(/\/$/, ''), shown].includes(title);
  return <><a href={href.href} target="_blank" rel="noopener noreferrer nofollow">{children}</a>{!says_all && <span class="small quiet"> (<bdi>{shown}</bdi>)</span>}</>;
};

const inside = (token: { tokens?: Token[] | undefined; text: string }, depth: number): ComponentChildren =>
  (token.tokens ? drawn(token.tokens, depth) : token.text);

const Table = ({ of: { header, rows }, depth }: { of: Tokens.Table; depth: number }) => (
  <div class="scroll" tabIndex={0}>
    <table>
      <thead><tr>{header.map((cell, i) => <th key={i} scope="col" dir="auto">{inside(cell, depth)}</th>)}</tr></thead>
      <tbody>{rows.map((row, i) => <tr key={i}>{row.map((cell, j) => <td key={j} dir="auto">{inside(cell, depth)}</td>)}</tr>)}</tbody>
    </table>
  </div>
);

const List = ({ of: { ordered, start, items }, depth }: { of: Tokens.List; depth: number }) => {
  const entries = items.map((item, i) => <li key={i} dir="auto">{inside(item, depth)}</li>);
  return ordered ? <ol start={Number(start) || 1}>{entries}</ol> : <ul>{entries}</ul>;
};

const drawn_one = (token: MarkedToken, depth: number): ComponentChildren => {
  switch (token.type) {
    case 'space':
    case 'def': return null;
    case 'hr': return <hr />;
    case 'br': return <br />;
    case 'heading': return <p class="strong" dir="auto">{inside(token, depth)}</p>;
    case 'paragraph': return <p dir="auto">{inside(token, depth)}</p>;
    case 'blockquote': return <blockquote>{inside(token, depth)}</blockquote>;
    case 'list': return <List of={token} depth={depth} />;
    case 'table': return <Table of={token} depth={depth} />;
    case 'code': return <pre><code>{token.text}</code></pre>;
    case 'codespan': return <code>{token.text}</code>;
    case 'strong': return <strong>{inside(token, depth)}</strong>;
    case 'em': return <em>{inside(token, depth)}</em>;
    case 'del': return <del>{inside(token, depth)}</del>;
    case 'checkbox': return token.checked ? '☑ ' : '☐ ';
    case 'escape': return token.text;
    case 'text': return inside(token, depth);
    case 'html': return /^<br\s*\/?>$/i.test(token.raw.trim()) ? <br /> : token.raw;
    case 'link':
    case 'image': {
      const href = target_of(token.href);
      if (!href) return token.raw;
      const title = token.text || token.href;
      return <Link href={href} title={title}>{token.type === 'link' ? inside(token, depth) : title}</Link>;
    }
    default: return (token as Token).raw;
  }
};

const drawn = (tokens: Token[], depth: number): ComponentChildren =>
  (depth > deepest ? tokens.map(({ raw }) => raw).join('') : tokens.map((token) => drawn_one(token as MarkedToken, depth + 1)));

export const Markdown = ({ text }: { text: string }) => {
  const tokens = useMemo(() => parsed(text), [text]);
  return tokens ? <div class="prose markdown" dir="auto">{drawn(tokens, 0)}</div> : <p class="prose" dir="auto">{text}</p>;
};
