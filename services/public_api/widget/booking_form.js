// The form of a booking: day and time, and the address of the candidate.
import { sleep } from './client.js';
import { h } from './dom.js';
import { time_picker } from './time_picker.js';

export class booking_form {
  constructor(owner, email = '') {
    const { say, slots, tag, zone } = owner;
    this.owner = owner;
    this.say = say;
    this.picker = new time_picker({ slots, zone, tag, say, name: 'time' });
    this.node = h('form', { class: 'choosing', part: 'form', novalidate: true, submit: (event) => this.submit(event) },
      this.picker.fields, this.email_field(email), this.sending());
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

  sending() {
    this.button = h('button', { class: 'main', type: 'submit', part: 'button submit' }, this.say('submit'));
    this.status = h('p', { role: 'status', part: 'status' });
    this.problem = h('p', { class: 'error', part: 'error', role: 'alert', tabindex: '-1' });
    return h('div', { class: 'send' }, this.button, this.status, this.problem);
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

  /** All that is missing is said at once; the first of it gets the focus. */
  submit(event) {
    event.preventDefault();
    if (this.button.getAttribute('aria-disabled') === 'true') return;
    this.problem.textContent = '';
    const email = this.email.value.trim();
    const good_email = email && this.email.validity.valid;
    const { slot, zone } = this.picker;
    if (!good_email) this.refuse_email();
    if (!slot) this.picker.miss_time();
    if (good_email && slot) this.owner.send(this, email, slot, zone);
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
}
