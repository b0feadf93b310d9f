// Times, numbers and money as the language writes them. Times are the reader's own zone's.
export type format = ReturnType<typeof make_format>;

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000], ['month', 2_592_000], ['day', 86_400], ['hour', 3_600], ['minute', 60],
];

export const make_format = (locale: string) => {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const minute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const second = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const hour = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric' });
  const long = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const number = new Intl.NumberFormat(locale);
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  return {
    locale,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    date: (time: string | Date) => date.format(new Date(time)),
    minute: (time: string | Date) => minute.format(new Date(time)),
    second: (time: string | Date) => second.format(new Date(time)),
    day: (time: string | Date) => day.format(new Date(time)),
    /** "Mon 30" */
    weekday: (time: string | Date) => weekday.format(new Date(time)),
    hour: (time: string | Date) => hour.format(new Date(time)),
    clock: (time: string | Date) => clock.format(new Date(time)),
    days: (from: Date, to: Date) => date.formatRange(from, to),
    /** "10:00 – 10:45" */
    span: (from: string, to: string) => hour.formatRange(new Date(from), new Date(to)),
    long: (time: string | Date) => long.format(new Date(time)),
    /** "3 minutes ago", "in 2 months"; the largest unit that fits. */
    relative(time: string | Date, now = Date.now()) {
      const seconds = (new Date(time).getTime() - now) / 1000;
      for (const [unit, length] of steps) {
        const whole = length < 86_400 ? Math.trunc(seconds / length) : Math.round(seconds / length);
        if (Math.abs(seconds) >= length) return relative.format(whole, unit);
      }
      return relative.format(0, 'second');
    },
    number: (value: number) => number.format(value),
    compact: (value: number) => compact.format(value),
    money: (cents: number, currency: string) => new Intl.NumberFormat(locale, { style: 'currency', currency }).format(cents / 100),
    size(bytes: number) {
      const [unit, value] = bytes < 1_000_000 ? (['kilobyte', bytes / 1e3] as const) : (['megabyte', bytes / 1e6] as const);
      return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
    },
  };
};
