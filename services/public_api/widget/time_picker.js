// The choice of an interview's day and time: zone, days, times. Radio buttons are the browser's own, so that arrow keys,
// screen readers and forced colours work as everywhere.
import { h, option } from './dom.js';
import { date_text, days_of, searched_zone, time_texts, zone_choices, zone_label, zone_text } from './format.js';

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

  /** A field that searches: while it has the focus, what is typed narrows the browser's own list of zones. */
  zone_field() {
    this.zone_list = h('datalist', { id: 'zones' });
    this.zone_input = h('input', {
      id: 'zone', part: 'input', list: 'zones', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'zone-name',
      focus: () => this.open_zones(), blur: () => this.show_zone(), input: () => this.search_zone(true), change: () => this.search_zone(false),
      keydown: (event) => this.enter_zone(event),
    });
    this.zone_name = h('p', { class: 'small quiet', id: 'zone-name', part: 'zone' });
    this.show_zone();
    return h('div', { class: 'field' }, h('label', { for: 'zone', part: 'label' }, this.say('zone')), this.zone_input, this.zone_list, this.zone_name);
  }

  show_zone() {
    this.zone_input.value = zone_label(this.zone, new Date(this.slots[0].slotStart));
    this.zone_input.removeAttribute('aria-invalid');
  }

  /** Empties the field, for browsers list only what its text is part of. The offsets of all zones take a moment. */
  open_zones() {
    if (!this.zones) {
      this.zones = zone_choices(new Date(this.slots[0].slotStart));
      this.zone_list.append(...this.zones.map(({ label }) => option(label, '')));
    }
    this.zone_input.placeholder = this.zone_input.value;
    this.zone_input.value = '';
  }

  /** typing: only a whole label is a choice yet. */
  search_zone(typing) {
    const text = this.zone_input.value;
    if (!text || (typing && !text.endsWith(')'))) return;
    const zone = searched_zone(this.zones, text);
    if (zone) this.change_zone(zone);
    this.zone_input.setAttribute('aria-invalid', String(!zone && !typing));
  }

  /** Enter chooses a zone, and does not send the form. */
  enter_zone(event) {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    this.search_zone(false);
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
    this.show_zone();
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
