// What both elements have in common: language, API address, life cycle, and the states between a request and its answer.
import { failure, request, sleep } from './client.js';
import { h } from './dom.js';
import { date_text, unit_text, visitors_zone } from './format.js';
import { make_say, pick_language } from './language.js';
import { script_origin } from './origin.js';
import { style_sheet } from './style.js';
// { en: { key: text } }, of libs/words: public-api puts it before the modules (pages/assets.cpp).
import { texts } from './given.js';

const heading_level = (text, usual) => (/^[1-6]$/.test(text || '') ? Number(text) : usual);

// The page's ground is unknown, its text is not: light text stands on something dark.
const is_light = (color) => {
  const [r, g, b] = (color.match(/^rgba?\(([\d., ]+)/) || ['', '0,0,0'])[1].split(/[, ]+/).map(Number);
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255 > 0.55;
};

// closest() stops at the shadow root an element stands in.
const closest_lang = (node) => {
  for (let at = node; at; at = at.getRootNode().host) {
    const found = at.closest('[lang]');
    if (found) return found.lang;
  }
  return '';
};

// What is far below, or folded away, asks for nothing until it comes near the screen.
const near_the_screen = (element, signal) =>
  new Promise((done) => {
    const watcher = new IntersectionObserver((seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      done();
    }, { rootMargin: '300px' });
    watcher.observe(element);
    signal.addEventListener('abort', () => watcher.disconnect());
  });

export class recruiting_element extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [style_sheet()];
    this.scheme = matchMedia('(prefers-color-scheme: dark)');
    this.follow_scheme = () => this.root && this.root.classList.toggle('dark', is_light(getComputedStyle(this).color));
  }

  connectedCallback() {
    this.scheme.addEventListener('change', this.follow_scheme);
    this.begin();
  }

  disconnectedCallback() {
    this.scheme.removeEventListener('change', this.follow_scheme);
    this.life.abort();
    this.life = null;
  }

  // Several attributes set in a row are one change.
  attributeChangedCallback(name, before, after) {
    if (!this.life || before === after || this.changing) return;
    this.changing = true;
    queueMicrotask(() => {
      this.changing = false;
      if (this.life) this.begin();
    });
  }

  /** Starts again: asks the API anew. */
  refresh() {
    if (this.life) this.begin();
  }

  begin() {
    if (this.life) this.life.abort();
    this.life = new AbortController();
    const language = pick_language([closest_lang(this), ...navigator.languages], texts);
    this.tag = language.tag;
    this.say = make_say(language);
    this.level = heading_level(this.getAttribute('heading-level'), this.usual_level);
    this.root = h('div', { class: 'root', part: 'container', lang: language.tag });
    this.shadowRoot.replaceChildren(this.root);
    this.follow_scheme();
    this.draw();
    this.reserve();
    const { signal } = this.life;
    near_the_screen(this, signal).then(() => {
      this.reserve();
      return this.load(signal);
    });
  }

  /** The room down to the window's end: what follows is below it, and is not seen to move when the element is filled. */
  reserve() {
    if (!this.getClientRects().length) return; // folded away
    const { top } = this.root.getBoundingClientRect();
    this.root.style.setProperty('--room', `${Math.max(0, innerHeight - Math.max(0, top))}px`);
  }

  /** Runs it; what fails is shown by on_failure(error), what was aborted is nobody's business any more. */
  async guarded(signal, work, on_failure) {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      // An answer that is not the API's, say of a proxy, fails as what reads it.
      const told = error instanceof failure ? error : new failure('failed');
      this.emit('error', { kind: told.kind, status: told.status, code: told.code });
      on_failure(told);
      if (told !== error) console.error(error);
    }
  }

  url(path, query = {}) {
    const url = new URL(`/api/public/v1${path}`, this.getAttribute('api') || script_origin());
    for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
    return url;
  }

  ask(path, { query, body, signal, on_wait = (pause) => this.show_wait(pause, signal) }) {
    return request(this.url(path, query), { body, signal, on_wait });
  }

  emit(name, detail, more = {}) {
    return this.dispatchEvent(new CustomEvent(`recruiting:${name}`, { bubbles: true, composed: true, detail, ...more }));
  }

  skeleton(rows) {
    const bones = Array.from({ length: rows }, () => h('div', { class: 'bone' }));
    return h('div', { class: 'bones', part: 'loading', 'aria-busy': 'true' }, h('p', { class: 'unseen', role: 'status' }, this.say('loading')), bones);
  }

  /** In a new element: one that stays would be seen to move by what is shown above it at the same time. */
  place(node) {
    const body = h('div', {}, node);
    this.body.replaceWith(body);
    this.body = body;
  }

  /** There is nothing to show: the words, or what the page has put into the element for this. */
  show_nothing(words) {
    const notice = h('div', { class: 'notice', part: 'empty' }, h('p', { role: 'status' }, words));
    this.place(this.textContent.trim() || this.children.length ? h('slot') : notice);
  }

  /** What is wrong with the page, which visitors are not told; once, however often the element begins again. */
  tell_developer(words) {
    if (words !== this.told) console.warn(`<${this.localName}>: ${words}`);
    this.told = words;
  }

  time_of(moment) {
    const same_day = moment - Date.now() < 12 * 3600 * 1000;
    return date_text(this.tag, visitors_zone() || 'UTC', moment, same_day ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' });
  }

  /** The seconds that are left, each second, until the moment; screen readers hear the first only (role timer). */
  async count_down(until, signal, show) {
    for (let left = until - Date.now(); left > 0; left = until - Date.now()) {
      show(this.say('waiting', { time: unit_text(this.tag, 'second', Math.ceil(left / 1000)) }));
      await sleep(Math.min(left, 1000), signal);
    }
  }

  /** A read's pause. A short one is not worth words. */
  show_wait(pause, signal) {
    if (pause < 2500) return;
    const text = h('p', { role: 'timer' });
    const first = h('p', { class: 'unseen', role: 'status' });
    this.place(h('div', { class: 'notice', part: 'notice limited' }, text, first));
    this.count_down(Date.now() + pause, signal, (words) => {
      text.textContent = words;
      if (!first.textContent) first.textContent = words;
    }).catch(() => {}); // aborted: the element is gone, or starts again
  }

  /** A read that failed for good, with a button. While offline, and before `until`, there is nothing to press. */
  show_failure(error) {
    const { signal } = this.life;
    const again = h('button', { type: 'button', part: 'button', click: () => this.retry() }, this.say('retry'));
    const late = error.kind === 'limited' && error.until > Date.now();
    let words = this.say('failed');
    if (error.kind === 'offline') words = this.say('offline');
    if (late) words = this.say('limited', { time: this.time_of(error.until) });
    again.hidden = late || error.kind === 'offline';
    if (error.kind === 'offline') window.addEventListener('online', () => this.retry(), { once: true, signal });
    if (late) sleep(Math.min(error.until - Date.now(), 2 ** 31 - 1), signal).then(() => { again.hidden = false; }, () => {});
    this.place(h('div', { class: 'notice', part: `notice ${error.kind}` }, h('p', { role: 'alert' }, words), again));
  }

  retry() {
    this.begin();
    this.root.tabIndex = -1;
    this.root.focus(); // the button that was pressed is gone
  }
}
