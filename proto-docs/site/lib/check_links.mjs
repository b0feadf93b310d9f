// Every link of the built site leads somewhere: to a file that is there, and to an anchor that is on it.
import { posix } from 'node:path';
import { unescape } from './html.mjs';

const targets_of = (html) => [...html.matchAll(/ (?:href|src|data-index|data-root|data-script)="([^"]*)"/g)].map(([, value]) => unescape(value));
const anchors_of = (html) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => unescape(id));

/** What is wrong, a sentence each. files: path → content. prefix: what links that begin at the server's root begin with. */
export const broken_links = (files, prefix) => {
  const anchors = new Map([...files].filter(([path]) => path.endsWith('.html')).map(([path, content]) => [path, anchors_of(content.toString())]));
  const problem = (path, target) => {
    const [address, anchor] = target.split('#');
    const from_root = address.startsWith(prefix) ? address.slice(prefix.length) : undefined;
    const joined = from_root ?? (address === '' ? path : posix.join(posix.dirname(path), address));
    const file = joined === '' || joined === './' || joined.endsWith('/') ? posix.join(joined, 'index.html') : joined;
    if (!files.has(file)) return `${path}: nothing is at ${target}`;
    return anchor && !anchors.get(file)?.includes(anchor) ? `${path}: ${target} names no heading of that page` : undefined;
  };
  const twice = [...anchors].flatMap(([path, ids]) => ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${path}: two elements have the id ${id}`));
  const lost = [...anchors.keys()].flatMap((path) =>
    targets_of(files.get(path).toString()).filter((target) => !/^[a-z]+:/.test(target)).map((target) => problem(path, target)).filter(Boolean));
  return [...twice, ...lost];
};
