// What the browser remembers of the console: language, appearance, the page to come back to. A browser may refuse.
const name_of = (name: string): string => `console.${name}`;

export const kept = (name: string): string | null => {
  try {
    return localStorage.getItem(name_of(name));
  } catch {
    return null;
  }
};

export const keep = (name: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(name_of(name));
    else localStorage.setItem(name_of(name), value);
  } catch {
    // Then it holds for this page only.
  }
};
