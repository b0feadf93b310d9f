// Which language the words are in, and the words with their values. Pure.

const canonical = (tag) => {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined; // a page may say anything in lang
  }
};

const language_of = (tag) => tag.split('-')[0];

/**
 * texts: { en: { key: text } }. The first of these tags whose words are there. Dates and numbers differ by region: a tag
 * without one takes it from a later tag of the same language, so that a page in "en" shows a visitor of "en-GB" 14:00.
 */
export const pick_language = (tags, texts) => {
  const known = tags.map((tag) => tag && canonical(tag)).filter((tag) => tag && texts[language_of(tag)]);
  const first = known[0] || Object.keys(texts)[0];
  const same = known.filter((tag) => language_of(tag) === language_of(first));
  const tag = first.includes('-') ? first : same.find((other) => other !== first) || first;
  return { tag, words: texts[language_of(tag)] };
};

/** say('jobs', { n: 3 }): a text that has plural forms stands under `jobs_one` and `jobs_other`, of which n chooses. */
export const make_say = ({ tag, words }) => {
  const plural = new Intl.PluralRules(tag);
  const number = new Intl.NumberFormat(tag);
  return (key, values = {}) => {
    const text = words[key] || words[`${key}_${plural.select(values.n)}`] || words[`${key}_other`];
    return text.replace(/\{(\w+)\}/g, (_, name) => (name === 'n' ? number.format(values.n) : values[name]));
  };
};
