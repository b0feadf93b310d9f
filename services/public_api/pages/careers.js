// The list follows the form as it is filled in, so that there is no button to press. The server writes the list, with
// and without this script.
const form = document.querySelector('form.filters');
const results = document.getElementById('results');
const count = document.getElementById('count');
const pause = 250; // milliseconds, after the last key
let waiting;
let asked;

const address = () => {
  const filled = [...new FormData(form)].filter(([, value]) => value);
  const query = new URLSearchParams(filled).toString();
  return form.action + (query && `?${query}`);
};

const show = async (url) => {
  if (asked) asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  try {
    const answer = await fetch(url, { headers: { Accept: 'text/html' }, signal });
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    results.replaceChildren(...page.getElementById('results').childNodes);
    count.textContent = page.getElementById('count').textContent;
    history.replaceState(null, '', url);
  } catch {
    if (!signal.aborted) location.assign(url); // the browser says what is wrong
  }
};

form.querySelector('[type=submit]').parentNode.hidden = true;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(waiting);
  show(address());
});
form.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => show(address()), pause);
});
// Another page of the list keeps the place of the reader; its first job gets the focus.
results.addEventListener('click', async (event) => {
  const link = event.target.closest('nav a, a.clear');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await show(link.href);
  if (link.matches('.clear')) for (const field of form.elements) field.value = '';
  const first = results.querySelector('.title') || results;
  first.focus();
  first.scrollIntoView({ block: 'nearest' });
});
