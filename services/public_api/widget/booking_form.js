// The form of a booking: day, time, address. Radio buttons are the browser's own, so that arrow keys, screen readers and
// forced colours work as everywhere.
import { h, option } from './dom.js';
import { date_text, time_texts, zone_text, zones } from './format.js';
import { sleep } from './client.js';

const first_days = 12; // two rows, or four on a phone

export class booking_form {
  constructor(owner, email = '') {
    this.owner = owner;
    this.say = owner.say;
    this.zone = owner.zone;
    this.shown_days = first_days;
    this.node = h('form', { part: 'form', novalidate: true, submit: (event) => this.submit(event) },
      this.zone_field(), this.day_field(), this.time_field(), this.email_field(email), this.sending());
    this.show_days();
  }

  email_field(value) {
    this.email_error = h('p', { class: 'error', part: 'error', id: 'email-error' });
    this.email = h('input', {
      id: 'email', type: 'email', part: 'input', autocomplete: 'email', inputmode: 'email', maxlength: '254', required: true,
      spellcheck: 'false', 'aria-describedby': 'email-hint email-error', input: () => this.changed_email(),
    });
    this.email.value = value;
    return h('div', { class: 'field' }, h('label', { for: 'email', part: 'label' }, this.say('email')), this.email,
      h('p', { class: 'small quiet', id: 'email-hint' }, this.say('email_hint')), this.email_error);
  }

  zone_field() {
    const names = zones(this.zone).map((name) => option(name, name.replace(/_/g, ' '), name === this.zone));
    const select = h('select', { id: 'zone', part: 'select', 'aria-describedby': 'zone-name', change: () => this.change_zone(select.value) }, names);
    this.zone_name = h('p', { class: 'small quiet', id: 'zone-name', part: 'zone' });
    return h('div', { class: 'field' }, h('label', { for: 'zone', part: 'label' }, this.say('zone')), select, this.zone_name);
  }

  day_field() {
    this.day_choice = h('div', { class: 'choice days' });
    this.more = h('button', { class: 'plain', type: 'button', part: 'button more', click: () => this.show_more_days() }, this.say('more_days'));
    return h('fieldset', { part: 'days', role: 'radiogroup' }, h('legend', {}, this.say('choose_day')), this.day_choice, this.more);
  }

  time_field() {
    this.time_legend = h('legend');
    this.time_choice = h('div', { class: 'choice' });
    this.time_error = h('p', { class: 'error', part: 'error', id: 'time-error' });
    this.times = h('fieldset', { part: 'times', role: 'radiogroup', 'aria-required': 'true', 'aria-describedby': 'time-error' },
      this.time_legend, this.time_choice, this.time_error);
    return this.times;
  }

  sending() {
    this.button = h('button', { class: 'main', type: 'submit', part: 'button submit' }, this.say('submit'));
    this.status = h('p', { role: 'status', part: 'status' });
    this.problem = h('p', { class: 'error', part: 'error', role: 'alert', tabindex: '-1' });
    return h('div', { class: 'send' }, this.button, this.status, this.problem);
  }

  chip(name, value, checked, choose, ...content) {
    return h('label', { class: 'chip', part: name }, h('input', { type: 'radio', name, value, checked, change: () => choose(value) }), content);
  }

  show_days() {
    this.days = this.owner.days(this.zone);
    const chosen = this.day_of(this.slot) || this.days[0];
    const text = (slot, options) => date_text(this.owner.tag, this.zone, new Date(slot.slotStart), options);
    this.day_choice.replaceChildren(...this.days.slice(0, this.shown_days).map(({ day, slots }) =>
      this.chip('day', day, day === chosen.day, (value) => this.choose_day(value),
        h('span', { class: 'small' }, text(slots[0], { weekday: 'short' })), h('strong', {}, text(slots[0], { day: 'numeric', month: 'short' })))));
    this.more.hidden = this.days.length <= this.shown_days;
    this.zone_name.textContent = zone_text(this.owner.tag, this.zone, new Date(chosen.slots[0].slotStart));
    this.show_times(chosen);
  }

  day_of(slot) {
    return slot && this.days.find(({ slots }) => slots.includes(slot));
  }

  show_times({ slots }) {
    const { tag } = this.owner;
    const day = date_text(tag, this.zone, new Date(slots[0].slotStart), { weekday: 'long', day: 'numeric', month: 'long' });
    const texts = time_texts(slots, tag, this.zone);
    this.time_legend.textContent = this.say('choose_time', { day });
    this.time_choice.replaceChildren(...slots.map((slot, i) =>
      this.chip('time', slot.slotStart, slot === this.slot, () => this.choose_slot(slot), h('span', {}, texts[i]))));
  }

  choose_day(value) {
    const chosen = this.days.find(({ day }) => day === value);
    if (!chosen.slots.includes(this.slot)) this.slot = null;
    this.show_times(chosen);
  }

  choose_slot(slot) {
    this.slot = slot;
    this.times.removeAttribute('aria-invalid');
    this.time_error.textContent = '';
  }

  show_more_days() {
    const before = this.shown_days;
    this.shown_days = this.days.length;
    const at = this.day_choice.querySelector(':checked').value;
    this.show_days();
    const radios = [...this.day_choice.querySelectorAll('input')];
    const kept = radios.find(({ value }) => value === at);
    kept.checked = true;
    this.choose_day(at);
    radios[before].focus();
  }

  change_zone(zone) {
    this.zone = zone;
    if (this.slot) this.shown_days = Infinity; // the chosen time may now be on a day that was not shown
    this.show_days();
  }

  changed_email() {
    this.email.removeAttribute('aria-invalid');
    this.email_error.textContent = '';
    if (this.blocked) this.unblock(); // another address has a limit of its own
  }

  refuse_email() {
    this.email.setAttribute('aria-invalid', 'true');
    this.email_error.textContent = this.say('bad_email');
    this.email.focus();
  }

  miss_time() {
    this.times.setAttribute('aria-invalid', 'true');
    this.time_error.textContent = this.say('no_time');
    this.time_choice.querySelector('input').focus();
  }

  /** All that is missing is said at once; the first of it gets the focus. */
  submit(event) {
    event.preventDefault();
    if (this.button.getAttribute('aria-disabled') === 'true') return;
    this.problem.textContent = '';
    const email = this.email.value.trim();
    const good_email = email && this.email.validity.valid;
    if (!good_email) this.refuse_email();
    if (!this.slot) this.miss_time();
    if (good_email && this.slot) this.owner.send(this, email, this.slot, this.zone);
  }

  busy(on) {
    if (on) this.button.setAttribute('aria-disabled', 'true');
    else if (!this.blocked) this.button.removeAttribute('aria-disabled');
    this.status.textContent = on ? this.say('sending') : '';
  }

  wait(pause, signal) {
    this.status.setAttribute('role', 'timer');
    this.owner.count_down(Date.now() + pause, signal, (words) => { this.status.textContent = words; })
      .then(() => { this.status.setAttribute('role', 'status'); this.status.textContent = this.say('sending'); }, () => {});
  }

  /** Too many requests, for longer than anyone waits: no more before that time, or with this address. */
  limit(until, signal) {
    this.blocked = true;
    this.tell(this.say('limited', { time: this.owner.time_of(until) }));
    sleep(Math.min(until - Date.now(), 2 ** 31 - 1), signal).then(() => this.unblock(), () => {});
  }

  unblock() {
    this.blocked = false;
    this.problem.textContent = '';
    this.button.removeAttribute('aria-disabled');
  }

  tell(words) {
    this.problem.textContent = words;
    this.problem.focus();
  }

  /** "Monday, 23 November 2026 at 10:00 (Central European Standard Time, GMT+1)" */
  when(slot) {
    const date = new Date(slot.slotStart);
    const time = date_text(this.owner.tag, this.zone, date, { dateStyle: 'full', timeStyle: 'short' });
    return `${time} (${zone_text(this.owner.tag, this.zone, date)})`;
  }

  focus() {
    this.day_choice.querySelector(':checked').focus();
  }
}
