// Which language the words are in, and the words with their values. Pure.
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { ja } from './texts/ja.js';

export const languages = { en, de, fr, es, ja };

const canonical = (tag) => {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined; // a page may say anything in lang
  }
};

const language_of = (tag) => tag.split('-')[0];

/**
 * The first of these tags whose words are here. Dates and numbers differ by region: a tag without one takes it from a
 * later tag of the same language, so that a page in "en" shows a visitor of "en-GB" 14:00.
 */
export const pick_language = (tags) => {
  const known = tags.map((tag) => tag && canonical(tag)).filter((tag) => tag && languages[language_of(tag)]);
  const first = known[0] || 'en';
  const same = known.filter((tag) => language_of(tag) === language_of(first));
  const tag = first.includes('-') ? first : same.find((other) => other !== first) || first;
  return { tag, words: languages[language_of(tag)] };
};

/** say('jobs', { n: 3 }): where a text has plural forms, n chooses. */
export const make_say = ({ tag, words }) => {
  const plural = new Intl.PluralRules(tag);
  const number = new Intl.NumberFormat(tag);
  return (key, values = {}) => {
    const entry = words[key];
    const text = typeof entry === 'string' ? entry : entry[plural.select(values.n)] || entry.other;
    return text.replace(/\{(\w+)\}/g, (_, name) => (name === 'n' ? number.format(values.n) : values[name]));
  };
};
