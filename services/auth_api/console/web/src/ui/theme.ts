import { useState } from 'preact/hooks';
import { keep, kept } from './kept';

export const themes = ['system', 'light', 'dark'] as const;
export type theme = (typeof themes)[number];

const chosen = (): theme => themes.find((name) => name === kept('theme')) ?? 'system';

const dark = matchMedia('(prefers-color-scheme: dark)');

const show = (name: theme): void => {
  document.documentElement.dataset['theme'] = name !== 'system' ? name : dark.matches ? 'dark' : 'light';
};

export const show_theme = (): void => {
  show(chosen());
  dark.addEventListener('change', () => show(chosen()));
};

export const use_theme = (): [theme, (name: theme) => void] => {
  const [name, set_name] = useState(chosen);
  const choose = (wanted: theme) => {
    keep('theme', wanted === 'system' ? null : wanted);
    show(wanted);
    set_name(wanted);
  };
  return [name, choose];
};
