// What the languages share: the names of all texts, and the forms of a text for a number.
import type { en } from './en';

/** The same names with any text, any function that gives one. */
export type widened<T> = T extends string ? string : T extends (...input: infer I) => string ? (...input: I) => string : { [K in keyof T]: widened<T[K]> };

/** What every language has: a text that is missing in one of them, or named wrongly, fails tsc. */
export type texts = widened<typeof en>;

/**
 * The form of a text for a number: one or other by the language's rules; # is the number as the language writes it. A language
 * with a single form gives only that.
 */
export const counted = (language: string) => {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count: number, one: string, other = one): string => (rules.select(count) === 'one' ? one : other).replace('#', numbers.format(count));
};
