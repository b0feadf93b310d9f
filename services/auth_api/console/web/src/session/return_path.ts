// Where to go after signing in: a page of the console, never another place or origin.
import { keep, kept } from '../ui/kept';

export const home = '/console/api-access';
const remembered_for = 60 * 60 * 1000;

/** The path if it is one of the console's pages, else null. Browsers read "\" as "/" and skip tabs, so the URL parser decides. */
export const safe_path = (path: string | null | undefined): string | null => {
  if (!path || !path.startsWith('/console') || /[\\\u0000-\u0020]/.test(path)) return null;
  try {
    const url = new URL(path, location.origin);
    const inside = url.pathname === '/console' || url.pathname.startsWith('/console/');
    if (url.origin !== location.origin || !inside || url.pathname.startsWith('/console/api/') || url.pathname.startsWith('/console/sign-in') || url.pathname.includes('//')) return null;
    return url.pathname + url.search;
  } catch {
    return null;
  }
};

/** The mailed link opens in a tab of its own, so the page to come back to is remembered for an hour. */
export const remember_path = (path: string): void => {
  const wanted = safe_path(path);
  if (wanted) keep('return', JSON.stringify({ path: wanted, until: Date.now() + remembered_for }));
};

export const kept_path = (): string => {
  const text = kept('return');
  try {
    const { path, until } = JSON.parse(text ?? '{}') as { path?: string; until?: number };
    if (typeof until === 'number' && until > Date.now()) return safe_path(path) ?? home;
  } catch {
    // Somebody else wrote it.
  }
  return home;
};

export const take_path = (): string => {
  const path = kept_path();
  keep('return', null);
  return path;
};
