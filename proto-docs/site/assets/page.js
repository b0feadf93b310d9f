// What a page gains with scripts: search, buttons that copy code, the viewer of an API. Without them it reads the same.
import { find, options } from './search_options.js';

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const box = document.querySelector('search');
const [input, status, list] = ['input', '[role=status]', 'ol'].map((one) => box.querySelector(one));
box.hidden = false;
let loading;
const index = () => loading ??= Promise.all([import('./minisearch.js'), fetch(new URL('search_index.json', import.meta.url)).then((response) => response.text())])
  .then(([{ default: MiniSearch }, text]) => MiniSearch.loadJSON(text, options)).catch((error) => { loading = undefined; throw error; }); // requested again with the next key
const place = ({ title, page, url }) => element('li', {}, element('a', { href: new URL(`../${url}`, import.meta.url).href },
  element('span', {}, title), ...(page === title ? [] : [' ', element('small', {}, page)])));
const show = async () => {
  const query = input.value.trim();
  const found = query ? find(await index(), query).slice(0, 12) : [];
  if (input.value.trim() !== query) return;
  list.replaceChildren(...(found.length ? found.map(place) : [element('li', {}, 'Nothing found')]));
  list.togglePopover(query !== '');
  status.textContent = query && (found.length ? `${found.length} places, arrow keys choose` : 'Nothing found');
};
for (const kind of ['input', 'focus']) input.addEventListener(kind, show);
document.addEventListener('keydown', (event) => {
  const places = [input, ...list.querySelectorAll('a')];
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by && box.contains(event.target)) places[(places.indexOf(event.target) + by + places.length) % places.length].focus();
  else if (event.key === 'Enter' && event.target === input) places[1]?.click();
  else if (event.key === '/' && !event.target.closest('input, textarea')) input.focus();
  else return;
  event.preventDefault();
});
for (const block of navigator.clipboard ? document.querySelectorAll('pre') : []) {
  const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' });
  button.onclick = () => navigator.clipboard.writeText(block.textContent).then(() => { button.textContent = 'Copied'; });
  block.replaceWith(element('div', { className: 'code' }, block.cloneNode(true), button));
}

const viewer = document.querySelector('#viewer');
if (viewer) {
  const spec = await fetch(viewer.dataset.document).then((response) => response.json());
  for (const { parameters = [], ...operations } of Object.values(spec.paths)) // the viewer ignores the parameters of a whole path
    for (const operation of Object.values(operations)) operation.parameters = [...parameters, ...(operation.parameters ?? [])];
  spec.info.description = spec.info.description.replace(/`(\w+)\.md`/g, '[$1](../../$1.html)');
  // The console's operations need its session, which is not for other pages.
  const methods = viewer.dataset.document.endsWith('/console.json') ? [] : ['get', 'post', 'put', 'patch', 'delete'];
  document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);
  window.SwaggerUIBundle({ spec, domNode: viewer, deepLinking: true, supportedSubmitMethods: methods });
  addEventListener('hashchange', () => location.reload()); // the viewer reads the address once
}
