// Dates, times and money in the visitor's language and time zone. Pure.

export const visitors_zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export const is_zone = (name) => {
  try {
    return Boolean(name && Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
};

export const zones = (current) => [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();

/** "Central European Standard Time, GMT+1" at that moment. */
export const zone_text = (tag, zone, date) => {
  const part = (timeZoneName) =>
    Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName }).formatToParts(date).find(({ type }) => type === 'timeZoneName').value;
  const [name, offset] = [part('long'), part('shortOffset')];
  return name === offset ? name : `${name}, ${offset}`;
};

/** Slots by calendar day of the zone: [{ day: '2026-11-23', slots }], in order. */
export const days_of = (slots, zone) => {
  // By its parts: how a locale joins them changes from one version of its data to the next.
  const date = Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const day_of = (slot) => {
    const parts = Object.fromEntries(date.formatToParts(new Date(slot.slotStart)).map(({ type, value }) => [type, value]));
    return `${parts.year}-${parts.month}-${parts.day}`;
  };
  const days = new Map();
  for (const slot of [...slots].sort((a, b) => Date.parse(a.slotStart) - Date.parse(b.slotStart))) {
    const day = day_of(slot);
    if (!days.has(day)) days.set(day, []);
    days.get(day).push(slot);
  }
  return [...days].map(([day, of_day]) => ({ day, slots: of_day }));
};

/** Each slot's time of day; in the hour that autumn repeats, with the offset that tells one from the other. */
export const time_texts = (slots, tag, zone) => {
  const show = (more) => {
    const format = Intl.DateTimeFormat(tag, { timeZone: zone, hour: 'numeric', minute: '2-digit', ...more });
    return slots.map(({ slotStart }) => format.format(new Date(slotStart)));
  };
  const texts = show({});
  const told_apart = show({ timeZoneName: 'shortOffset' });
  return texts.map((text, i) => (texts.indexOf(text) === texts.lastIndexOf(text) ? text : told_apart[i]));
};

export const date_text = (tag, zone, date, options) => Intl.DateTimeFormat(tag, { timeZone: zone, ...options }).format(date);

export const unit_text = (tag, unit, n) => Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(n);

export const salary_text = (salary, tag, say) => {
  const { min, max, currency, period } = salary || {};
  if (min == null && max == null) return '';
  const money = Intl.NumberFormat(tag, { style: 'currency', currency, maximumFractionDigits: min % 1 || max % 1 ? 3 : 0 });
  let amount;
  if (min == null) amount = say('up_to', { amount: money.format(max) });
  else if (max == null) amount = say('from', { amount: money.format(min) });
  else if (min === max) amount = money.format(min);
  else amount = money.formatRange ? money.formatRange(min, max) : `${money.format(min)} – ${money.format(max)}`;
  return period ? say(`per_${period}`, { amount }) : amount;
};

/** The name the organization gave the place, or what is known of it. */
export const place_text = (location, tag) => {
  if (!location) return '';
  const { name, city, region, countryCode } = location;
  const country = countryCode && !name && Intl.DisplayNames ? new Intl.DisplayNames(tag, { type: 'region' }).of(countryCode) : '';
  return name || [city, region, country].filter(Boolean).join(', ');
};
