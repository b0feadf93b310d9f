// The choice of an interview's day and time: zone, days, times. Radio buttons are the browser's own, so that arrow keys,
// screen readers and forced colours work as everywhere.
import { h, option } from './dom.js';
import { date_text, days_of, time_texts, zone_text, zones } from './format.js';

const first_days = 12; // two rows, or a strip that scrolls

export class time_picker {
  /** slots: [{ slotStart }]; name: of the radio buttons whose value is the time chosen; chosen(slot): told of each choice. */
  constructor({ slots, zone, tag, say, name, chosen = () => {} }) {
    Object.assign(this, { slots, zone, tag, say, name, chosen });
    this.slot = null;
    this.shown_days = first_days;
    this.fields = [this.zone_field(), this.day_field(), this.time_field()];
    this.show_days();
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

  chip(part, name, value, checked, choose, ...content) {
    return h('label', { class: 'chip', part }, h('input', { type: 'radio', name, value, checked, change: () => choose(value) }), content);
  }

  show_days() {
    this.days = days_of(this.slots, this.zone);
    const chosen = this.day_of(this.slot) || this.days[0];
    const text = (slot, options) => date_text(this.tag, this.zone, new Date(slot.slotStart), options);
    this.day_choice.replaceChildren(...this.days.slice(0, this.shown_days).map(({ day, slots }) =>
      this.chip('day', 'day', day, day === chosen.day, (value) => this.choose_day(value),
        h('span', { class: 'small' }, text(slots[0], { weekday: 'short' })), h('strong', {}, text(slots[0], { day: 'numeric', month: 'short' })))));
    this.more.hidden = this.days.length <= this.shown_days;
    this.zone_name.textContent = zone_text(this.tag, this.zone, new Date(chosen.slots[0].slotStart));
    this.show_times(chosen);
  }

  day_of(slot) {
    return slot && this.days.find(({ slots }) => slots.includes(slot));
  }

  show_times({ slots }) {
    const day = date_text(this.tag, this.zone, new Date(slots[0].slotStart), { weekday: 'long', day: 'numeric', month: 'long' });
    const texts = time_texts(slots, this.tag, this.zone);
    this.time_legend.textContent = this.say('choose_time', { day });
    this.time_choice.replaceChildren(...slots.map((slot, i) =>
      this.chip('time', this.name, slot.slotStart, slot === this.slot, () => this.choose_slot(slot), h('span', {}, texts[i]))));
  }

  choose_day(value) {
    const chosen = this.days.find(({ day }) => day === value);
    if (!chosen.slots.includes(this.slot)) this.choose_slot(null);
    this.show_times(chosen);
  }

  choose_slot(slot) {
    this.slot = slot;
    this.times.removeAttribute('aria-invalid');
    this.time_error.textContent = '';
    this.chosen(slot);
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
    this.chosen(this.slot);
  }

  /** No time is chosen yet: says so. */
  miss_time() {
    this.times.setAttribute('aria-invalid', 'true');
    this.time_error.textContent = this.say('no_time');
    this.time_choice.querySelector('input').focus();
  }

  /** "Monday, 23 November 2026 at 10:00 (Central European Standard Time, GMT+1)" */
  when(slot) {
    const date = new Date(slot.slotStart);
    const time = date_text(this.tag, this.zone, date, { dateStyle: 'full', timeStyle: 'short' });
    return `${time} (${zone_text(this.tag, this.zone, date)})`;
  }

  focus() {
    this.day_choice.querySelector(':checked').focus();
  }
}
