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

/** The first of these tags whose words are here; its region stays, since dates and numbers differ by it. */
export const pick_language = (tags) => {
  for (const tag of tags) {
    const known = tag && canonical(tag);
    const words = known && languages[known.split('-')[0]];
    if (words) return { tag: known, words };
  }
  return { tag: 'en', words: en };
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
