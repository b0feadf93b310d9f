// Search in the browser, with an index that is loaded when somebody first looks for something.
import MiniSearch from './minisearch.js';
import { find, options } from './search_options.js';

const most = 12;
const box = document.querySelector('search');
const [input, status, list] = [box.querySelector('input'), box.querySelector('[role=status]'), box.querySelector('ol')];
const root = new URL(box.dataset.root, location.href);

let loading;
const index = () => {
  loading ??= fetch(box.dataset.index).then((answer) => answer.text()).then((text) => MiniSearch.loadJSON(text, options)).catch((error) => {
    loading = undefined; // asked for again with the next key
    throw error;
  });
  return loading;
};

const element = (name, text, ...children) => {
  const made = document.createElement(name);
  made.append(...[text].filter(Boolean), ...children);
  return made;
};

const result = ({ title, page, url }) => {
  const link = element('a', '', element('span', title), ...(page === title ? [] : [' ', element('small', page)]));
  link.href = new URL(url, root).href;
  return element('li', '', link);
};

const show = async () => {
  const query = input.value.trim();
  const found = query ? find(await index(), query).slice(0, most) : [];
  if (input.value.trim() !== query) return;
  list.replaceChildren(...found.map(result));
  list.hidden = found.length === 0;
  status.textContent = query ? (found.length ? `${found.length} places, arrow keys choose` : 'Nothing found') : '';
  box.classList.toggle('nothing', Boolean(query) && found.length === 0);
};

const close = () => {
  list.hidden = true;
  status.textContent = '';
  box.classList.remove('nothing');
};

const step = (by) => {
  const places = [input, ...list.querySelectorAll('a')];
  places[(places.indexOf(document.activeElement) + by + places.length) % places.length].focus();
};

const keys = {
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  Escape: () => {
    close();
    input.focus();
  },
  Enter: (event) => event.target === input && list.querySelector('a')?.click(),
};

input.addEventListener('input', show);
input.addEventListener('focus', show);
box.addEventListener('keydown', (event) => {
  if (!keys[event.key] || list.hidden) return;
  if (event.target === input || event.key !== 'Enter') event.preventDefault();
  keys[event.key](event);
});
document.addEventListener('click', (event) => box.contains(event.target) || close());
box.addEventListener('focusout', (event) => event.relatedTarget && !box.contains(event.relatedTarget) && close());
show(); // of what was typed while this was loaded
