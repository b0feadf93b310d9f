// An interview's page with a script: times in the visitor's own zone, and its choice of times as the widget shows it.
import { h } from './dom.js';
import { date_text, visitors_zone, zone_named, zone_text } from './format.js';
import { make_say, pick_language } from './language.js';
import { time_picker } from './time_picker.js';

const form = document.querySelector('form[data-words]');
const language = document.documentElement.lang;

// The visitor's time leads; the one of the interview's zone stands below it where the two differ.
const show_own_times = (tag) => {
  const zone = visitors_zone();
  if (!zone) return;
  for (const element of document.querySelectorAll('time[data-zone]')) {
    const date = new Date(element.dateTime);
    const wall_clock = (timeZone) => date_text('en', timeZone, date, { dateStyle: 'full', timeStyle: 'short' });
    const theirs = zone_named(element.dataset.zone);
    if (theirs && wall_clock(zone) === wall_clock(theirs)) continue;
    const zone_line = element.nextElementSibling;
    element.after(h('span', { class: 'small quiet block' }, zone_text(tag, zone, date)));
    zone_line.prepend(`${element.textContent}, `);
    element.textContent = date_text(tag, zone, date, { dateStyle: 'full', timeStyle: 'short' });
  }
};

// Takes the place of the plain list of times, whose radio buttons it makes again: the form is sent as it was.
const show_picker = (tag, words) => {
  const list = form.querySelector('.times');
  const slots = [...list.querySelectorAll('[name=slotStart]')].map(({ value }) => ({ slotStart: value }));
  const chosen_text = form.querySelector('.chosen');
  const chosen = (slot) => { chosen_text.textContent = slot ? picker.when(slot) : ''; };
  const zone = visitors_zone() || zone_named(form.dataset.zone) || 'UTC';
  const picker = new time_picker({ slots, zone, tag, say: make_say({ tag, words }), name: 'slotStart', chosen });
  list.replaceWith(...picker.fields);
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    if (picker.slot) return;
    event.preventDefault();
    picker.miss_time();
  });
};

const texts = form ? { [language]: JSON.parse(form.dataset.words) } : { [language]: {} };
const { tag } = pick_language([language, ...navigator.languages], texts);
show_own_times(tag);
if (form) show_picker(tag, texts[language]);
