// <recruiting-booking job="…" stage="…">: asks for one of the published times of an interview. What is shown afterwards
// is the same for everybody: neither the API nor this page tells whether an address belongs to a candidate.
import { failure } from './client.js';
import { h } from './dom.js';
import { recruiting_element } from './element.js';
import { unit_text, visitors_zone, zone_named } from './format.js';
import { booking_form } from './booking_form.js';

const is_about = ({ details = [] }, name) => details.some(({ field }) => field === name);

export class recruiting_booking extends recruiting_element {
  static get observedAttributes() {
    return ['job', 'stage', 'api', 'lang', 'time-zone', 'heading-level'];
  }

  get usual_level() {
    return 2;
  }

  get zone() {
    return zone_named(this.getAttribute('time-zone')) || visitors_zone() || this.zone_of_organization || 'UTC';
  }

  draw() {
    this.found = false;
    this.interviews = [];
    this.refused = new Set(); // times that the API has refused are not offered again
    this.about_text = '';
    this.about = h('p', { class: 'quiet', part: 'about' });
    this.body = h('div', {}, this.skeleton(3));
    const name = h(`h${this.level}`, { class: 'name', part: 'heading', id: 'name' }, this.say('book'));
    this.root.append(h('div', { class: 'booking', part: 'card', role: 'group', 'aria-labelledby': 'name' }, h('div', { class: 'top' }, name, this.about), this.body));
  }

  place(node) {
    super.place(node);
    this.about.textContent = this.about_text;
  }

  load(signal) {
    return this.guarded(signal, async () => {
      const stages = await this.load_stages(signal);
      await this.load_interviews(stages, signal);
      this.emit('loaded', { count: this.interviews.reduce((sum, { slots }) => sum + slots.length, 0) });
      this.show_form();
    }, (error) => (error.kind === 'missing' ? this.show_missing() : this.show_failure(error)));
  }

  /** The stage the page names, or all that can be booked. */
  async load_stages(signal) {
    if (!this.getAttribute('job')) throw new failure('missing');
    const { data: job } = await this.ask(`/jobs/${encodeURIComponent(this.getAttribute('job'))}`, { signal });
    this.found = true;
    const wanted = this.getAttribute('stage');
    const stages = job.bookableStages.filter(({ id }) => !wanted || id === wanted);
    if (!stages.length) throw new failure('missing');
    // What an organization calls its stages is for candidates only where the page has chosen one.
    const [stage] = wanted ? stages : [];
    this.about_text = [job.title, stage && stage.name, stage && this.minutes(stage), job.organization.name].filter(Boolean).join(' · ');
    if (!visitors_zone()) await this.load_zone(job.organization.slug, signal);
    return stages;
  }

  /** For a visitor whose browser does not know their own; without an answer it is UTC. */
  async load_zone(slug, signal) {
    const { data } = await this.ask(`/organizations/${encodeURIComponent(slug)}`, { signal }).catch(() => ({ data: {} }));
    this.zone_of_organization = zone_named(data.timeZone);
  }

  minutes(stage) {
    return unit_text(this.tag, 'minute', stage.interviewDurationMinutes);
  }

  path_of(stage) {
    return `/scheduling/${encodeURIComponent(this.getAttribute('job'))}/${encodeURIComponent(stage.id)}`;
  }

  name_of(stage, slot) {
    return `${this.path_of(stage)} ${slot.slotStart}`;
  }

  /** Stages without times are not offered. */
  async load_interviews(stages, signal) {
    const found = [];
    for (const stage of stages) found.push({ stage, slots: await this.load_slots(stage, signal) });
    for (const interview of found) interview.slots = interview.slots.filter((slot) => !this.refused.has(this.name_of(interview.stage, slot)));
    this.interviews = found.filter(({ slots }) => slots.length).sort((a, b) => a.stage.interviewDurationMinutes - b.stage.interviewDurationMinutes);
    this.wanted = this.interviews.find(({ stage }) => this.wanted && stage.id === this.wanted.stage.id) || this.interviews[0];
  }

  /** All of them: a part says where the next one begins. */
  async load_slots(stage, signal) {
    const slots = [];
    for (let from = ''; ;) {
      const { data, page } = await this.ask(`${this.path_of(stage)}/slots`, { query: { from }, signal });
      slots.push(...data);
      if (!page.hasMore) return slots;
      from = page.nextFrom;
    }
  }

  get slots() {
    return this.wanted.slots;
  }

  show_closed() {
    this.show_nothing(this.say('closed'));
  }

  show_missing() {
    const [job, stage] = ['job', 'stage'].map((name) => this.getAttribute(name));
    if (!job) this.tell_developer('the attribute job is missing: it takes the id of a published job.');
    else if (this.found) this.tell_developer(`job="${job}" has no bookable stage${stage ? ` "${stage}"` : ''}: open slots for it, or correct the ids.`);
    else this.tell_developer(`job="${job}" is not published, or there is no such job: publish it, or correct the id.`);
    this.show_closed();
  }

  show_form(problem) {
    if (!this.interviews.length) {
      this.show_nothing(this.say('no_slots'));
      return;
    }
    this.form = new booking_form(this, this.form && this.form.email.value);
    this.place(h('div', { class: 'choosing' }, this.length_field(), this.form.node));
    if (problem) this.form.tell(problem);
  }

  /** Several interviews are told apart by what a candidate was told: how long they are. */
  length_field() {
    if (this.interviews.length < 2) return null;
    const texts = this.interviews.map(({ stage }) => this.minutes(stage));
    const told_apart = texts.map((text, i) => (texts.indexOf(text) === texts.lastIndexOf(text) ? text : `${text} (${i + 1})`));
    const chips = this.interviews.map((interview, i) => h('label', { class: 'chip', part: 'length' },
      h('input', { type: 'radio', name: 'length', checked: interview === this.wanted, change: () => this.choose_interview(interview) }), h('span', {}, told_apart[i])));
    return h('fieldset', { part: 'lengths', role: 'radiogroup' }, h('legend', {}, this.say('lengths')), h('div', { class: 'choice lengths' }, chips));
  }

  choose_interview(interview) {
    this.wanted = interview;
    this.show_form();
    this.body.querySelector('[name=length]:checked').focus();
  }

  /** The visitor's choice goes out; form: the one it was made in. */
  send(form, email, slot, zone) {
    const { signal } = this.life;
    form.busy(true);
    const { stage } = this.wanted;
    const body = { email, slotStart: slot.slotStart, timeZone: zone, language: this.tag };
    return this.guarded(signal, async () => {
      await this.request_booking(stage, body, { signal, on_wait: (pause) => form.wait(pause, signal) });
      this.emit('booked', { job: this.getAttribute('job'), stage: stage.id, slotStart: slot.slotStart, timeZone: zone });
      this.show_confirmation(form.picker.when(slot));
    }, (error) => {
      if (error.kind === 'missing') this.refused.add(this.name_of(stage, slot));
      this.not_booked(form, error, signal);
    }).finally(() => form.busy(false));
  }

  /** A zone that only the browser knows is left out: the mails then have the organization's. */
  async request_booking(stage, body, options) {
    const path = `${this.path_of(stage)}/bookings`;
    try {
      await this.ask(path, { body, ...options });
    } catch (error) {
      if (!is_about(error, 'timeZone')) throw error;
      await this.ask(path, { body: { ...body, timeZone: undefined }, ...options });
    }
  }

  not_booked(form, error, signal) {
    if (error.kind === 'missing') this.reload(signal);
    else if (error.kind === 'limited') form.limit(error.until, signal);
    else if (is_about(error, 'email')) form.refuse_email();
    else if (error.kind === 'refused' || error.kind === 'unknown') form.tell(this.say(error.kind === 'refused' ? 'refused_booking' : 'unknown'));
    else form.tell(this.say(error.kind === 'offline' ? 'offline' : 'not_sent'));
  }

  /** The time is no longer offered: what is, with the address kept. */
  reload(signal) {
    this.place(this.skeleton(3));
    return this.guarded(signal, async () => {
      await this.load_interviews(this.interviews.map(({ stage }) => stage), signal);
      this.show_form(this.say('gone'));
    }, (error) => (error.kind === 'missing' ? this.show_closed() : this.show_failure(error)));
  }

  show_confirmation(when) {
    const again = h('button', { class: 'plain', type: 'button', part: 'button', click: () => this.choose_again() }, this.say('another'));
    const panel = h('div', { class: 'done', part: 'confirmation', tabindex: '-1', role: 'status' },
      h('div', { class: 'tick', 'aria-hidden': 'true' }),
      h(`h${Math.min(6, this.level + 1)}`, { class: 'name' }, this.say('thanks')),
      h('p', {}, this.say('confirmed')),
      h('p', {}, `${this.say('requested')}: `, h('strong', {}, when)),
      h('p', { class: 'quiet' }, this.say('confirmed_hint')));
    this.place(h('div', {}, panel, again));
    panel.focus();
  }

  choose_again() {
    this.show_form();
    this.form.picker.focus();
  }
}
