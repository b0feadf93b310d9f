// Code is coloured while the site is built: a reader's browser runs nothing for it.
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { escape } from './html.mjs';

for (const [name, language] of Object.entries({ bash, cpp, css, diff, http, ini, javascript, json, nginx, python, sql, typescript, xml, yaml }))
  highlighter.registerLanguage(name, language);

const other_names = { promql: 'text', dockerfile: 'bash', console: 'bash' };

/** HTML of a block of code. A scrolling block can be reached by keyboard. */
export const code_block = (code, info = '') => {
  const name = info.trim().split(/\s/)[0];
  const language = other_names[name] ?? name;
  const inner = highlighter.getLanguage(language) ? highlighter.highlight(code, { language }).value : escape(code);
  return `<pre tabindex="0"${name ? ` data-language="${escape(name)}"` : ''}><code>${inner}</code></pre>\n`;
};
