// Which slots a form asks for: what is entered, whether it can be, and how many they are at most.
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type weekday = (typeof weekdays)[number];
export type draft = {
  member: string; first_day: string; last_day: string; from: string; to: string; weekdays: weekday[]; minutes: string; zone: string; join_url: string;
};

export const most_slots = 1000;
const longest_days = 366;
const day_length = 24 * 3600 * 1000;

const minutes_of = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
const is_day = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

export const is_length = (minutes: number): boolean => Number.isInteger(minutes) && minutes >= 5 && minutes <= 480;
const is_meeting_url = (text: string): boolean => text.trim() === '' || /^https:\/\/[^\s/]/.test(text.trim());

/** Days of the calendar, whatever the zone: so many are chosen, and so many slots fit into each. */
export const count_slots = ({ first_day, last_day, from, to, weekdays: chosen }: draft, minutes: number): { days: number; each: number } => {
  if (!is_day(first_day) || !is_day(last_day) || !is_length(minutes) || !from || !to) return { days: 0, each: 0 };
  const begin = Date.parse(first_day);
  const length = Math.min((Date.parse(last_day) - begin) / day_length, longest_days);
  let days = 0;
  for (let i = 0; i <= length; i += 1) if (chosen.includes(weekdays[(new Date(begin + i * day_length).getUTCDay() + 6) % 7] ?? 'mon')) days += 1;
  return { days, each: Math.max(0, Math.floor((minutes_of(to) - minutes_of(from)) / minutes)) };
};

type wrong = 'day' | 'last_day' | 'clock' | 'weekdays' | 'minutes' | 'member' | 'join_url';
export const wrong_parts = (draft: draft, minutes: number): wrong[] => {
  const found: [wrong, boolean][] = [
    ['member', draft.member === ''],
    ['day', !is_day(draft.first_day)],
    ['last_day', !is_day(draft.last_day) || draft.last_day < draft.first_day],
    ['clock', !draft.from || !draft.to || draft.from >= draft.to],
    ['weekdays', draft.weekdays.length === 0],
    ['minutes', !is_length(minutes)],
    ['join_url', !is_meeting_url(draft.join_url)],
  ];
  return found.filter(([, is_wrong]) => is_wrong).map(([name]) => name);
};

/** The browser's day, as its field for days writes it. */
export const day_after = (days: number, now = new Date()): string => {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
};

/** The wanted ones first, then all that this browser knows. */
export const time_zones = (first: string[]): string[] => [...new Set([...first, ...Intl.supportedValuesOf('timeZone')])];
