// <recruiting-booking job="…" stage="…">: asks for one of the published times of an interview. What is shown afterwards
// is the same for everybody: neither the API nor this page tells whether an address belongs to a candidate.
import { failure } from './client.js';
import { h } from './dom.js';
import { recruiting_element } from './element.js';
import { days_of, is_zone, unit_text, visitors_zone } from './format.js';
import { booking_form } from './booking_form.js';

export class recruiting_booking extends recruiting_element {
  static get observedAttributes() {
    return ['job', 'stage', 'api', 'lang', 'time-zone', 'heading-level'];
  }

  get usual_level() {
    return 2;
  }

  get zone() {
    const wanted = this.getAttribute('time-zone');
    return is_zone(wanted) ? wanted : visitors_zone();
  }

  draw() {
    this.found = false;
    this.slots = [];
    this.about = h('p', { class: 'quiet', part: 'about' });
    this.body = h('div', {}, this.skeleton(3));
    const name = h(`h${this.level}`, { class: 'name', part: 'heading', id: 'name' }, this.say('book'));
    this.root.append(h('div', { class: 'booking', part: 'card', role: 'group', 'aria-labelledby': 'name' }, h('div', { class: 'top' }, name, this.about), this.body));
  }

  place(node) {
    this.body.replaceChildren(node);
  }

  load(signal) {
    return this.guarded(signal, async () => {
      await this.load_job(signal);
      await this.load_slots(signal);
      this.emit('loaded', { count: this.slots.length });
      this.show_form();
    }, (error) => (error.kind === 'missing' ? this.show_missing() : this.show_failure(error)));
  }

  async load_job(signal) {
    if (!this.getAttribute('job')) throw new failure('missing');
    const { data: job } = await this.ask(`/jobs/${encodeURIComponent(this.getAttribute('job'))}`, { signal });
    this.found = true;
    const wanted = this.getAttribute('stage');
    this.stage = job.bookableStages.find(({ stageId }) => !wanted || stageId === wanted);
    if (!this.stage) throw new failure('missing');
    const minutes = unit_text(this.tag, 'minute', this.stage.durationMinutes);
    this.about.textContent = [job.title, this.stage.name, minutes, job.organization.name].join(' · ');
  }

  get path() {
    return `/scheduling/${encodeURIComponent(this.getAttribute('job'))}/${encodeURIComponent(this.stage.stageId)}`;
  }

  async load_slots(signal) {
    this.slots = (await this.ask(`${this.path}/slots`, { signal })).data;
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
    if (!this.slots.length) {
      this.show_nothing(this.say('no_slots'));
      return;
    }
    this.form = new booking_form(this, this.form && this.form.email.value);
    this.place(this.form.node);
    if (problem) this.form.tell(problem);
  }

  /** The visitor's choice goes out; form: the one it was made in. */
  send(form, email, slot, zone) {
    const { signal } = this.life;
    form.busy(true);
    const body = { email, slotStart: slot.slotStart, timeZone: zone, language: this.tag };
    return this.guarded(signal, async () => {
      await this.ask(`${this.path}/bookings`, { body, signal, on_wait: (pause) => form.wait(pause, signal) });
      this.emit('booked', { job: this.getAttribute('job'), stage: this.stage.stageId, slotStart: slot.slotStart, timeZone: zone });
      this.show_confirmation(form.when(slot));
    }, (error) => this.not_booked(form, error, signal)).finally(() => form.busy(false));
  }

  not_booked(form, error, signal) {
    const about_email = (error.details || []).some(({ field }) => field === 'email');
    if (error.kind === 'missing') this.reload(signal);
    else if (error.kind === 'limited') form.limit(error.until, signal);
    else if (about_email) form.refuse_email();
    else if (error.kind === 'refused' || error.kind === 'unknown') form.tell(this.say(error.kind));
    else form.tell(this.say(error.kind === 'offline' ? 'offline' : 'not_sent'));
  }

  /** The time is no longer offered: what is, with the address kept. */
  reload(signal) {
    this.place(this.skeleton(3));
    return this.guarded(signal, async () => {
      await this.load_slots(signal);
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
    this.form.focus();
  }

  days(zone) {
    return days_of(this.slots, zone);
  }
}
