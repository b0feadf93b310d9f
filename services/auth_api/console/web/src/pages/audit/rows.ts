// The rows of the audit log as the page holds them: pages from the newest backwards, and new ones while it is live.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, type audit_row, body_of } from '../../api/client';
import { use_action, use_load, use_poll } from '../../api/load';
import { Problem } from '../../api/problem';
import { use_text } from '../../i18n/language';
import type { texts } from '../../i18n/texts';
import { type filter, query_of, reading } from './filter';

const page_size = 50;
/** Rows of a transaction that commits late have an earlier time: look back a little. */
const overlap = 30_000;
const live_pause = 4_000;

type action = audit_row['action'];
export const changes_of = ({ audit }: texts): action[] => (Object.keys(audit.actions) as action[]).filter((name) => !reading.includes(name));

type page = { data: audit_row[]; page: { nextCursor: string | null } };
type more = { cursor?: string; limit?: number; occurredAfter?: string };

/** filter_at: when the filter's relative times are counted from; a cursor belongs to the same times. */
const read_page = async (filter: filter, changes: action[], more: more, filter_at = Date.now(), signal?: AbortSignal): Promise<page> => {
  const query = { limit: page_size, ...query_of(filter, changes, filter_at), ...more };
  const body = await body_of(api.GET('/audit', { params: { query }, ...(signal && { signal }) }));
  if (typeof body === 'string') throw new Problem({ code: 'unknown' });
  return body;
};

/** A page ends after a range of the log, perhaps without a row that matches: reads on, but not through all of a large log. */
const most_ranges = 10;
const read_on = async (filter: filter, changes: action[], more: more, filter_at: number, signal?: AbortSignal): Promise<page> => {
  let found = await read_page(filter, changes, more, filter_at, signal);
  for (let ranges = 1; ranges < most_ranges && found.data.length === 0 && found.page.nextCursor !== null; ++ranges)
    found = await read_page(filter, changes, { ...more, cursor: found.page.nextCursor }, filter_at, signal);
  return found;
};

const merged = (fresh: audit_row[], rows: audit_row[]): audit_row[] => {
  const ids = new Set(fresh.map(({ id }) => id));
  const all = [...fresh, ...rows.filter(({ id }) => !ids.has(id))];
  return all.sort((one, other) => (one.occurredAt < other.occurredAt ? 1 : one.occurredAt > other.occurredAt ? -1 : one.id < other.id ? 1 : -1));
};

type state = { rows: audit_row[]; cursor: string | null; filter_at: number };

export const use_rows = (filter: filter, live: boolean) => {
  const changes = changes_of(use_text());
  const key = JSON.stringify(filter);
  const [state, set_state] = useState<state | undefined>(undefined);
  const first = use_load(key, async (signal) => {
    const filter_at = Date.now();
    const { data, page } = await read_on(filter, changes, {}, filter_at, signal);
    return { rows: data, cursor: page.nextCursor, filter_at };
  });
  useEffect(() => set_state(first.value), [first.value]);
  const current = useRef(key);
  current.current = key;
  const more = use_action(async () => {
    if (!state?.cursor) return;
    const { data, page } = await read_on(filter, changes, { cursor: state.cursor }, state.filter_at);
    if (current.current !== key) return;
    set_state((now) => now && { ...now, rows: merged(now.rows, data), cursor: page.nextCursor });
  });
  const tail = use_action(async () => {
    const newest = state?.rows[0]?.occurredAt;
    const since = newest ? { occurredAfter: new Date(Date.parse(newest) - overlap).toISOString() } : {};
    const { data } = await read_page(filter, changes, { ...since, limit: 200 });
    if (current.current === key) set_state((now) => now && { ...now, rows: merged(data, now.rows) });
  });
  use_poll(live && state ? live_pause : null, () => void tail.run());
  return { state, loading: first.loading, problem: first.problem, reload: first.reload, more, tail_problem: tail.problem };
};
