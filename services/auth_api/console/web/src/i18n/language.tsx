// The reader's language: chosen, or the first of the browser's that the console has.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { keep, kept } from '../ui/kept';
import { make_format, type format } from './format';
import type { texts } from './texts';

export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', it: 'Italiano', ja: '日本語' } as const;
export type language = keyof typeof languages;
/** Addresses of the languages' files, written by build.mjs: a reader loads one. */
declare const language_files: Record<language, string>;
const load_texts = async (name: language): Promise<texts> => ((await import(language_files[name])) as Record<language, texts>)[name];

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

/** Another language is shown when its file is there; if it does not come, the language stays. */
export const LanguageProvider = ({ children }: { children: ComponentChildren }) => {
  const [wanted, set_wanted] = useState(first_language);
  const [shown, set_shown] = useState<{ language: language; text: texts } | 'failed' | null>(null);
  useEffect(() => {
    let is_wanted = true;
    load_texts(wanted).then(
      (text) => is_wanted && set_shown({ language: wanted, text }),
      () => is_wanted && set_shown((before) => before ?? 'failed'),
    );
    return () => {
      is_wanted = false;
    };
  }, [wanted]);
  const value = useMemo(() => {
    if (!shown || shown === 'failed') return null;
    const choose = (name: string) => {
      if (!is_language(name)) return;
      keep('language', name);
      set_wanted(name);
    };
    return { ...shown, choose, format: make_format(locale_of(shown.language)) };
  }, [shown]);
  useLayoutEffect(() => {
    if (value) document.documentElement.lang = value.language;
  }, [value]);
  if (shown === 'failed') return <p class="noscript">The console could not be loaded. Reload the page.</p>;
  return value && <LanguageContext.Provider value={value}>{children}</LanguageContext.Provider>;
};

export const use_language = (): context => {
  const value = useContext(LanguageContext);
  if (!value) throw new Error('outside of LanguageProvider');
  return value;
};
export const use_text = (): texts => use_language().text;
export const use_format = (): format => use_language().format;
