// A description the API has sanitised, built again from the few elements it may hold: whatever arrives, no more than
// these gets into the page.
import { h } from './dom.js';

const kept = /^(p|br|ul|ol|li|strong|em|a|h[2-4])$/;
const gone_whole = /^(script|style|template|title|iframe|object|svg|math)$/;

// Pages that require Trusted Types allow this by `trusted-types recruiting`; the parsed document is inert.
let policy;
const as_trusted = (html) => {
  if (!window.trustedTypes) return html;
  policy = policy || window.trustedTypes.createPolicy('recruiting', { createHTML: (text) => text });
  return policy.createHTML(html);
};

const safe_link = (href) => (/^(https?:|mailto:)/i.test(href || '') ? href : null);

// Headings go below the job's own, so that the page's outline stays whole.
const heading = (name, level) => `h${Math.min(6, level + Number(name[1]) - 1)}`;

const rebuilt = (node, level) => {
  if (node.nodeType === Node.TEXT_NODE) return [node.data];
  const name = node.nodeType === Node.ELEMENT_NODE ? node.localName : '';
  if (!name || gone_whole.test(name)) return [];
  const children = [...node.childNodes].flatMap((child) => rebuilt(child, level));
  if (!kept.test(name)) return children;
  if (name !== 'a') return [h(name[0] === 'h' ? heading(name, level) : name, {}, children)];
  const href = safe_link(node.getAttribute('href'));
  return href ? [h('a', { href, rel: 'noopener noreferrer' }, children)] : children;
};

/** level: of the job's heading. Where the page forbids our policy, the description is shown as text. */
export const description_of = (job, level) => {
  try {
    const parsed = new DOMParser().parseFromString(as_trusted(job.descriptionHtml), 'text/html');
    return [...parsed.body.childNodes].flatMap((node) => rebuilt(node, level));
  } catch {
    return job.descriptionText.split(/\n+/).map((line) => h('p', {}, line));
  }
};

export const safe_page = (url) => (/^https?:/i.test(url || '') ? url : null);
