// A list's filter. Its text is in the page's address (`q`), so that it outlives a reload and can be sent to a colleague.
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';

export const use_filter = <T extends { text: string }>(none: T): [T, (filter: T) => void] => {
  const { query } = useLocation();
  const [filter, set_filter] = useState<T>({ ...none, text: query['q'] ?? '' });
  const change = (wanted: T) => {
    set_filter(wanted);
    const address = new URL(location.href);
    if (wanted.text.trim()) address.searchParams.set('q', wanted.text);
    else address.searchParams.delete('q');
    history.replaceState(history.state, '', address);
  };
  return [filter, change];
};
