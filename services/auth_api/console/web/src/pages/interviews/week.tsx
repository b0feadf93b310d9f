// A week of slots as a calendar, days beside each other and hours below each other; on a phone each day is a list. Times and
// days are those of the reader's zone.
import { useState } from 'preact/hooks';
import type { interview_slot } from '../../api/client';
import { use_format, use_text } from '../../i18n/language';
import { Button } from '../../ui/basics';
import { Icon } from '../../ui/icons';

const row_minutes = 15;
const shortest_rows = 2; // of a slot, or its text has no room
const usual_hours = { first: 9, last: 17 };
/** As many as styles/calendar.css has; the next interviewers have the first ones again. */
const colors = 8;

const midnight = (time: Date, days = 0): Date => new Date(time.getFullYear(), time.getMonth(), time.getDate() + days);
const monday_of = (time: Date): Date => midnight(time, -((time.getDay() + 6) % 7));
const minutes_of = (time: Date): number => time.getHours() * 60 + time.getMinutes();

type placed = { slot: interview_slot; lane: number; from: number; to: number }; // rows, from 0, to is exclusive
type day = { at: Date; slots: placed[]; lanes: number };

/** Slots that overlap stand in lanes beside each other. */
const place = (slots: interview_slot[], first_hour: number): { placed: placed[]; lanes: number } => {
  const ends: number[] = []; // of the last slot in each lane
  const placed = slots.map((slot) => {
    const starts = new Date(slot.slotStart);
    const from = Math.floor((minutes_of(starts) - first_hour * 60) / row_minutes);
    const rows = Math.ceil((Date.parse(slot.slotEnd) - starts.getTime()) / 60_000 / row_minutes);
    const to = from + Math.max(rows, shortest_rows);
    const free = ends.findIndex((end) => end <= from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = to;
    return { slot, lane, from, to };
  });
  return { placed, lanes: Math.max(ends.length, 1) };
};

/** The hours that the week's slots need, at least the usual ones; a slot that ends on another day ends at midnight here. */
const hours_of = (slots: interview_slot[]): { first: number; last: number } => {
  const starts = slots.map(({ slotStart }) => new Date(slotStart).getHours());
  const ends = slots.map(({ slotStart, slotEnd }) => {
    const [from, to] = [new Date(slotStart), new Date(slotEnd)];
    return midnight(from).getTime() === midnight(to).getTime() ? Math.ceil(minutes_of(to) / 60) : 24;
  });
  return { first: Math.min(usual_hours.first, ...starts), last: Math.max(usual_hours.last, ...ends) };
};

const week_of = (slots: interview_slot[], monday: Date): { days: day[]; first: number; last: number } => {
  const [begin, end] = [monday.getTime(), midnight(monday, 7).getTime()];
  const within = slots.filter(({ slotStart }) => Date.parse(slotStart) >= begin && Date.parse(slotStart) < end);
  const { first, last } = hours_of(within);
  const days = Array.from({ length: 7 }, (_, i) => {
    const [at, next] = [midnight(monday, i), midnight(monday, i + 1)];
    const { placed, lanes } = place(within.filter(({ slotStart }) => Date.parse(slotStart) >= at.getTime() && Date.parse(slotStart) < next.getTime()), first);
    return { at, slots: placed, lanes };
  });
  return { days, first, last };
};

type interviewer = { id: string; name: string };
/** In the order of their names, which is the order of their colors. */
export const interviewers_of = (slots: interview_slot[]): interviewer[] =>
  [...new Map(slots.map(({ interviewer: { memberId, name } }) => [memberId, name]))].map(([id, name]) => ({ id, name })).sort((one, other) => (one.name < other.name ? -1 : 1));

const Slot = ({ of: { slot, lane, from, to }, color, choose }: { of: placed; color: number; choose: (slot: interview_slot) => void }) => {
  const { interviews } = use_text();
  const format = use_format();
  const { interviewer, state, booked, slotStart, slotEnd } = slot;
  const inside = <><strong class="slot-start">{format.hour(slotStart)}</strong><strong class="slot-span">{format.span(slotStart, slotEnd)}</strong> <span class="slot-person"><bdi>{interviewer.name}</bdi></span> {state !== 'open' && <span class="slot-state">{state === 'taken' && booked ? interviews.booked : interviews.slot_states[state]}</span>}</>;
  const place = { gridRow: `${from + 1} / ${to + 1}`, gridColumn: String(lane + 1) };
  if (state === 'past' || state === 'closed') return <li class={`slot ${state} color-${color}`} style={place}>{inside}</li>;
  return <li class={`slot ${state} color-${color}`} style={place}><button type="button" onClick={() => choose(slot)}>{inside}</button></li>;
};

const Day = ({ of: { at, slots, lanes }, rows, color_of, choose }: { of: day; rows: number; color_of: (slot: interview_slot) => number; choose: (slot: interview_slot) => void }) => {
  const format = use_format();
  const { interviews } = use_text();
  const today = midnight(new Date()).getTime() === at.getTime();
  const free = slots.filter(({ slot }) => slot.state === 'open').length;
  return (
    <section class={`day ${today ? 'today' : ''} ${slots.length === 0 ? 'without' : ''}`} aria-label={format.day(at)}>
      <h3>{format.weekday(at)}<span class="small quiet">{slots.length > 0 && interviews.free_count(free)}</span></h3>
      <ul style={{ gridTemplateRows: `repeat(${rows}, var(--row))`, gridTemplateColumns: `repeat(${lanes}, minmax(0, 1fr))` }}>
        {slots.map((one) => <Slot key={one.slot.id} of={one} color={color_of(one.slot)} choose={choose} />)}
      </ul>
    </section>
  );
};

const Hours = ({ first, last }: { first: number; last: number }) => {
  const format = use_format();
  return (
    <ol class="hours" aria-hidden="true">
      {Array.from({ length: last - first }, (_, i) => <li key={i}>{format.hour(new Date(2026, 0, 1, first + i))}</li>)}
    </ol>
  );
};

/** The first week that has a slot is shown first. `choose` is called for a slot that is open or taken. */
export const Week = ({ slots, choose }: { slots: interview_slot[]; choose: (slot: interview_slot) => void }) => {
  const { interviews } = use_text();
  const format = use_format();
  const first_week = monday_of(slots[0] ? new Date(slots[0].slotStart) : new Date());
  const [monday, show] = useState(first_week);
  const people = interviewers_of(slots);
  const color_of = ({ interviewer }: interview_slot) => people.findIndex(({ id }) => id === interviewer.memberId) % colors;
  const { days, first, last } = week_of(slots, monday);
  const last_week = monday_of(slots.length > 0 ? new Date(slots.at(-1)!.slotStart) : new Date());
  return (
    <>
      <div class="week-head">
        <h2 aria-live="polite">{format.days(monday, midnight(monday, 6))}</h2>
        <div class="week-ways">
          <Button aria-label={interviews.week_before} disabled={monday <= first_week} onClick={() => show(midnight(monday, -7))}><Icon name="left" /></Button>
          <Button aria-label={interviews.week_after} disabled={monday >= last_week} onClick={() => show(midnight(monday, 7))}><Icon name="right" /></Button>
        </div>
        {people.length > 1 && <ul class="people" aria-label={interviews.interviewers}>{people.map(({ id, name }, i) => <li key={id} class={`color-${i % colors}`}><bdi>{name}</bdi></li>)}</ul>}
      </div>
      <div class="week">
        <Hours first={first} last={last} />
        {days.map((day) => <Day key={day.at.getTime()} of={day} rows={((last - first) * 60) / row_minutes} color_of={color_of} choose={choose} />)}
      </div>
    </>
  );
};
