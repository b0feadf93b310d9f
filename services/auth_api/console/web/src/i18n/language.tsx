// The reader's language: chosen, or the first of the browser's that the console has.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { keep, kept } from '../ui/kept';
import { de } from './de';
import { en } from './en';
import { es } from './es';
import { make_format, type format } from './format';
import { fr } from './fr';
import { it } from './it';
import { ja } from './ja';
import type { texts } from './texts';

export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', it: 'Italiano', ja: '日本語' } as const;
export type language = keyof typeof languages;
const dictionaries: Record<language, texts> = { en, de, fr, es, it, ja };

const is_language = (name: string): name is language => Object.hasOwn(languages, name);

const first_language = (): language => {
  for (const wanted of [kept('language') ?? '', ...navigator.languages]) {
    const name = wanted.slice(0, 2).toLowerCase();
    if (is_language(name)) return name;
  }
  return 'en';
};

/** Dates and numbers as the reader's region writes them, where the browser names a region of the language. */
const locale_of = (name: language): string => navigator.languages.find((wanted) => wanted.slice(0, 2).toLowerCase() === name) ?? (name === 'en' ? 'en-GB' : name);

type context = { language: language; choose: (name: string) => void; text: texts; format: format };
const LanguageContext = createContext<context | null>(null);

export const LanguageProvider = ({ children }: { children: ComponentChildren }) => {
  const [language, set_language] = useState(first_language);
  useLayoutEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const value = useMemo(() => {
    const choose = (name: string) => {
      if (!is_language(name)) return;
      keep('language', name);
      set_language(name);
    };
    return { language, choose, text: dictionaries[language], format: make_format(locale_of(language)) };
  }, [language]);
  return <LanguageContext.Provider value={value}>{children}</LanguageContext.Provider>;
};

export const use_language = (): context => {
  const value = useContext(LanguageContext);
  if (!value) throw new Error('outside of LanguageProvider');
  return value;
};
export const use_text = (): texts => use_language().text;
export const use_format = (): format => use_language().format;
