// The search index: an entry a section of each page.
import MiniSearch from 'minisearch';
import { options } from '../assets/search_options.js';
import { text_of, unescape } from './html.mjs';

const readable = (html) => text_of(html.replace(/<a class="anchor".*?<\/a>/g, ''));

/** The page's text, cut at its headings. */
const sections_of = ({ path, title, label, html }) => {
  const pieces = html.split(/(?=<h[23] id=")/);
  return pieces.map((piece) => {
    const [, id, inner] = /^<h[23] id="([^"]+)"[^>]*>(.*?)<\/h[23]>/s.exec(piece) ?? [];
    const url = id ? `${path}#${unescape(id)}` : path;
    return { id: url, url: url.replace(/(^|\/)index\.html/, '$1'), page: label ?? title, title: id ? readable(inner) : title, text: `${id ?? ''} ${readable(piece)}` };
  });
};

export const make_index = (pages) => {
  const index = new MiniSearch(options);
  index.addAll(pages.flatMap(sections_of));
  return JSON.stringify(index);
};
