// Calendars as a library reads them that browsers and mail programs use (ical.js); python3-icalendar reads them in
// tests/integration.
import assert from 'node:assert/strict';
import ICAL from 'ical.js';

const plain = (value) => (value && typeof value.toString === 'function' ? value.toString() : value);

/** The one event of a calendar: {method, uid, sequence, status, class, summary, description, location, url, starts, ends, organizer, attendee}. */
export const read_event = (text) => {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const [component, ...others] = calendar.getAllSubcomponents();
  assert.deepEqual([calendar.name, component.name, others.length], ['vcalendar', 'vevent', 0]);
  assert.equal(calendar.getFirstPropertyValue('version'), '2.0');
  const event = new ICAL.Event(component);
  for (const time of [event.startDate, event.endDate]) assert.equal(time.zone, ICAL.Timezone.utcTimezone);
  const value = (name) => plain(component.getFirstPropertyValue(name)) ?? null;
  return {
    method: calendar.getFirstPropertyValue('method'), uid: event.uid, sequence: event.sequence, status: value('status'), class: value('class'),
    summary: event.summary, description: event.description, location: event.location, url: value('url'),
    starts: event.startDate.toJSDate().toISOString(), ends: event.endDate.toJSDate().toISOString(),
    organizer: value('organizer'), attendee: value('attendee'),
  };
};
