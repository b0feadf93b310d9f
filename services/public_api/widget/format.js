// Dates, times and money in the visitor's language and time zone. Pure.

// What browsers of Unicode's CLDR call by a former name; libs/zones has the same.
const renamed = {
  'Africa/Asmera': 'Africa/Asmara', 'America/Buenos_Aires': 'America/Argentina/Buenos_Aires', 'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan', 'America/Cordoba': 'America/Argentina/Cordoba', 'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis', 'America/Jujuy': 'America/Argentina/Jujuy', 'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza', 'Asia/Calcutta': 'Asia/Kolkata', 'Asia/Katmandu': 'Asia/Kathmandu', 'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh', 'Atlantic/Faeroe': 'Atlantic/Faroe', 'Europe/Kiev': 'Europe/Kyiv', 'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei', 'Pacific/Truk': 'Pacific/Chuuk',
};

const is_zone = (name) => {
  try {
    return Boolean(name && name !== 'Etc/Unknown' && Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
};

/** A zone's current name, or the one that the browser knows; '' for what is no zone. */
export const zone_named = (name) => [renamed[name], name].find((one) => is_zone(one)) || '';

/** '' where the browser does not know its own. */
export const visitors_zone = () => zone_named(Intl.DateTimeFormat().resolvedOptions().timeZone);

const part_of = (tag, zone, date, timeZoneName) =>
  Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName }).formatToParts(date).find(({ type }) => type === 'timeZoneName').value;

const folded_zone = (text) => text.replace(/[\s_]+/g, ' ').trim().toLowerCase();

/** "Asia/Ho Chi Minh (UTC+07:00)" at that moment. */
export const zone_label = (zone, date) =>
  `${zone.replace(/_/g, ' ')} (${part_of('en', zone, date, 'longOffset').replace(/^GMT$/, '$&+00:00').replace('GMT', 'UTC')})`;

/** All there are to choose from: [{ zone, label, text }], of which text is what a search is compared with. */
export const zone_choices = (date) =>
  ['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => {
    const zone = zone_named(name);
    const label = zone_label(zone, date);
    return { zone, label, text: folded_zone(`${label} ${name}`) };
  }).sort((a, b) => (a.zone < b.zone ? -1 : 1));

/** The zone of that label, or the only one that a few letters are in; undefined otherwise. */
export const searched_zone = (choices, text) => {
  const wanted = folded_zone(text);
  const found = choices.filter((choice) => choice.text.includes(wanted));
  const { zone } = found.find(({ label }) => folded_zone(label) === wanted) || (found.length === 1 && found[0]) || {};
  return zone;
};

/** "Central European Standard Time, GMT+1" at that moment. */
export const zone_text = (tag, zone, date) => {
  const [name, offset] = ['long', 'shortOffset'].map((style) => part_of(tag, zone, date, style));
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
