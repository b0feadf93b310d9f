// <recruiting-jobs organization="acme">: what an organization has published.
import { choices, chosen_jobs, values_of } from './choice.js';
import { description_of, safe_page } from './description.js';
import { h, option } from './dom.js';
import { recruiting_element } from './element.js';
import { date_text, place_text, salary_text, visitors_zone } from './format.js';

const kinds = ['workplace', 'employment']; // choices whose values are keys of texts
const many = 8; // from so many jobs on, filters are worth their room
const first_request = 25; // shown soon; the rest follows in whole pages
const whole_page = 100;
const most_loaded = 1000; // beyond it, only as the visitor asks for more

export class recruiting_jobs extends recruiting_element {
  static get observedAttributes() {
    return ['organization', 'api', 'lang', 'department', 'location', 'details', 'filters', 'page-size', 'heading-level', 'target'];
  }

  get usual_level() {
    return 2;
  }

  get organization() {
    return this.getAttribute('organization') || '';
  }

  set organization(slug) {
    this.setAttribute('organization', slug);
  }

  /** What has been loaded so far, as the API gave it. */
  get jobs() {
    return [...(this.loaded || [])];
  }

  draw() {
    this.loaded = [];
    this.cursor = null;
    this.search = null;
    this.wanted = {};
    this.page_size = Math.min(100, Math.max(1, Number(this.getAttribute('page-size')) || 20));
    this.shown = this.page_size;
    this.filters = h('div', { class: 'filters', part: 'filters', role: 'group', 'aria-label': this.say('filter'), hidden: true });
    this.count = h('p', { class: 'count', part: 'count', role: 'status' });
    this.clear = h('button', { class: 'plain', type: 'button', part: 'button clear', hidden: true, click: () => this.clear_filters() }, this.say('clear'));
    this.body = h('div', {}, this.skeleton(5));
    this.root.append(this.filters, h('div', { class: 'bar' }, this.count, this.clear), this.body);
  }

  load(signal) {
    if (!this.organization) return this.show_missing('the attribute organization is missing: it takes the slug of an organization.');
    return this.guarded(signal, async () => {
      await this.load_page(first_request, signal);
      this.draw_filters();
      this.draw_list();
      while (this.cursor && this.loaded.length < most_loaded) {
        await this.load_page(whole_page, signal);
        this.draw_filters();
        this.draw_list();
      }
      this.emit('loaded', { count: this.loaded.length });
    }, (error) => this.fail(error));
  }

  async load_page(limit, signal) {
    const query = { limit, cursor: this.cursor, department: this.getAttribute('department'), location: this.getAttribute('location') };
    // What is on the screen stays there while more of it is awaited.
    const on_wait = this.loaded.length ? () => {} : undefined;
    const path = `/organizations/${encodeURIComponent(this.organization)}/jobs`;
    const { data, page } = await this.ask(path, { query, signal, on_wait });
    this.loaded.push(...data);
    this.cursor = page.hasMore ? page.nextCursor : null;
  }

  fail(error) {
    if (this.loaded.length) return; // a later page: "Show more" asks for it again
    if (error.kind === 'missing') this.show_missing(`organization="${this.organization}" has published no job, or there is no such organization: publish a job, or correct the slug.`);
    else this.show_failure(error);
  }

  show_empty(words) {
    this.count.textContent = '';
    this.show_nothing(this.say(words));
  }

  show_missing(why) {
    this.tell_developer(why);
    this.show_empty('no_jobs');
  }

  draw_filters() {
    const wanted = this.getAttribute('filters') !== 'none' && (this.loaded.length >= many || this.cursor);
    this.filters.hidden = !wanted;
    if (!wanted) return;
    if (!this.search) this.make_filters();
    for (const { name, select } of this.selects) {
      const values = values_of(this.loaded, (job) => choices[name](job, this.tag), this.tag);
      const text = (value) => (kinds.includes(name) ? this.say(value) : value);
      select.parentNode.hidden = values.length < 2;
      select.replaceChildren(option('', this.say('all')), ...values.map((value) => option(value, text(value), value === this.wanted[name])));
    }
  }

  make_filters() {
    this.search = h('input', { id: 'search', type: 'search', part: 'input', autocomplete: 'off', placeholder: this.say('searched'), input: () => this.choose('search', this.search.value) });
    this.selects = Object.keys(choices).map((name) => {
      const select = h('select', { id: name, part: 'select', change: () => this.choose(name, select.value) });
      return { name, select };
    });
    const field = (id, control) => h('div', { class: 'field' }, h('label', { for: id, part: 'label' }, this.say(id)), control);
    this.filters.append(field('search', this.search), ...this.selects.map(({ name, select }) => field(name, select)));
  }

  choose(name, value) {
    this.wanted[name] = value;
    this.shown = this.page_size;
    this.draw_list();
  }

  clear_filters() {
    this.wanted = {};
    this.search.value = '';
    this.shown = this.page_size;
    this.draw_filters();
    this.draw_list();
    this.search.focus();
  }

  draw_list() {
    if (!this.loaded.length) return this.show_empty('no_jobs');
    const chosen = chosen_jobs(this.loaded, this.wanted, this.tag, this.say);
    this.clear.hidden = !Object.values(this.wanted).some(Boolean);
    if (!chosen.length) this.show_empty('no_match');
    this.count.textContent = chosen.length ? this.say('jobs', { n: chosen.length }) : '';
    if (!chosen.length) return undefined;
    const items = chosen.slice(0, this.shown).map((job) => this.job_item(job));
    const more = chosen.length > this.shown || this.cursor;
    const button = h('button', { type: 'button', part: 'button more', click: () => this.show_more(items.length) }, this.say('more'));
    return this.place(h('div', {}, h('ul', { class: 'jobs', part: 'list', role: 'list' }, items), more && h('div', { class: 'after' }, button)));
  }

  async show_more(before) {
    const { signal } = this.life;
    this.shown += this.page_size;
    const enough = () => chosen_jobs(this.loaded, this.wanted, this.tag, this.say).length > before;
    await this.guarded(signal, async () => {
      while (this.cursor && !enough()) await this.load_page(whole_page, signal);
    }, () => {});
    if (signal.aborted) return;
    this.draw_list();
    const next = this.body.querySelectorAll('.title')[before];
    if (next) next.focus();
  }

  job_item(job) {
    const page = safe_page(job.publicUrl);
    const unfolds = this.getAttribute('details') === 'inline' || !page;
    const item = h('li', { class: 'job', part: 'job' });
    const title = unfolds ? this.unfolding_title(job, item) : this.linked_title(job, page);
    const where = [job.department, place_text(job.location, this.tag)].filter(Boolean).join(' · ');
    const tags = [job.workplaceType, job.employmentType].filter(Boolean).map((key) => h('span', { class: 'tag', part: 'tag' }, this.say(key)));
    const pay = salary_text(job.salary, this.tag, this.say);
    item.append(
      h('div', { class: 'head' }, h(`h${this.level}`, { part: 'title' }, title), h('span', { class: unfolds ? 'arrow fold' : 'arrow', 'aria-hidden': 'true' })),
      h('p', { class: 'quiet', part: 'meta' }, where),
      h('div', { class: 'tags small' }, tags, pay && h('span', { class: 'pay', part: 'salary' }, pay)),
    );
    return item;
  }

  tell(job, event) {
    const { id, title, publicUrl } = job;
    if (!this.emit('job', { id, title, publicUrl }, { cancelable: true })) event.preventDefault();
    return !event.defaultPrevented;
  }

  linked_title(job, page) {
    const target = this.getAttribute('target');
    const attributes = { class: 'title', part: 'link', href: page, target, rel: target && 'noopener' };
    return h('a', { ...attributes, click: (event) => this.tell(job, event) }, job.title);
  }

  unfolding_title(job, item) {
    const id = `job-${job.id}`;
    const button = h('button', { class: 'title', part: 'link', type: 'button', 'aria-expanded': 'false', 'aria-controls': id }, job.title);
    button.addEventListener('click', (event) => {
      const open = button.getAttribute('aria-expanded') === 'true';
      if (!open && !this.tell(job, event)) return;
      if (!item.querySelector('.text')) item.append(this.details(job, id));
      button.setAttribute('aria-expanded', String(!open));
      item.classList.toggle('open', !open);
      item.querySelector('.text').hidden = open;
    });
    return button;
  }

  details(job, id) {
    const page = safe_page(job.publicUrl);
    const closes = job.closesAt && date_text(this.tag, visitors_zone() || 'UTC', Date.parse(job.closesAt), { dateStyle: 'long' });
    return h('div', { class: 'text', part: 'description', id },
      description_of(job, this.level),
      closes && h('p', { class: 'small' }, this.say('closes', { date: closes })),
      page && h('p', {}, h('a', { href: page, part: 'link', target: this.getAttribute('target'), rel: 'noopener' }, this.say('view'))));
  }
}
