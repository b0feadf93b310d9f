// The list follows the form as it is filled in, so that there is no button to press. The server writes the list and the
// form's choices, with and without this script. Each change has an entry in the history, so that "Back" undoes it.
const form = document.querySelector('form.filters');
const results = document.getElementById('results');
const count = document.getElementById('count');
const pause = 250; // milliseconds, after the last key
let waiting;
let asked;
let shown = location.href; // what list and form show
let typed = false; // whether the newest entry is of a search that is still being typed

const address = () => {
  const filled = [...new FormData(form)].filter(([, value]) => value);
  const query = new URLSearchParams(filled).toString();
  return form.action + (query && `?${query}`);
};
const without_hash = (url) => url.split('#')[0];

const fill_form = (page, keep) => {
  for (const field of form.querySelectorAll('input, select')) {
    const written = page.getElementById(field.id);
    const { value } = written; // options that leave their list change what is chosen in it
    if (field.localName === 'select') field.replaceChildren(...written.childNodes);
    if (field !== keep) field.value = value;
  }
};

// entry: what becomes of the history, pushState or replaceState; none where the browser has changed it. keep: the field
// in which people type.
const show = async (url, { entry, keep } = {}) => {
  clearTimeout(waiting);
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  try {
    const answer = await fetch(url, { headers: { Accept: 'text/html' }, signal });
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    results.replaceChildren(...page.getElementById('results').childNodes);
    count.textContent = page.getElementById('count').textContent;
    fill_form(page, keep);
    if (entry) history[entry](null, '', url);
    shown = url;
  } catch {
    if (!signal.aborted) location.assign(url); // the browser says what is wrong
  }
};

const follow_form = (field) => {
  const url = address();
  if (url === without_hash(shown) && url === without_hash(location.href)) return;
  const typing = field?.type === 'search';
  show(url, { entry: typing && typed ? 'replaceState' : 'pushState', keep: typing ? field : undefined });
  typed = typing;
};

form.querySelector('[type=submit]').parentNode.hidden = true;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(waiting);
  follow_form();
});
form.addEventListener('input', ({ target }) => {
  clearTimeout(waiting);
  asked?.abort(); // its answer would undo what has just been chosen
  waiting = setTimeout(() => follow_form(target), pause);
});
form.addEventListener('focusout', () => { typed = false; });
addEventListener('popstate', () => {
  if (without_hash(location.href) === without_hash(shown)) return;
  typed = false;
  show(location.href);
});
// A page that was left before it had caught up with its form comes back as it was.
addEventListener('pageshow', ({ persisted }) => { if (persisted) show(location.href); });
// Another page of the list keeps the place of the reader; its first job gets the focus.
results.addEventListener('click', async (event) => {
  const link = event.target.closest('nav a, a.clear');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await show(link.href, { entry: 'pushState' });
  const first = results.querySelector('.title') || results;
  first.focus();
  first.scrollIntoView({ block: 'nearest' });
});
