// What a page reads, and what its buttons do, as state.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { as_problem, type Problem } from './problem';

type loaded<T> = { value: T | undefined; problem: Problem | undefined; loading: boolean; reload: () => void };

/** Reads when the page appears and whenever the key changes. The value of before stays until the next one is here. */
export const use_load = <T>(key: string, read: (signal: AbortSignal) => Promise<T>): loaded<T> => {
  const [state, set_state] = useState<{ value?: T; problem?: Problem; loading: boolean }>({ loading: true });
  const [round, set_round] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    set_state(({ value }) => ({ value, loading: true }));
    read(controller.signal).then(
      (value) => !controller.signal.aborted && set_state({ value, loading: false }),
      (cause: unknown) => !controller.signal.aborted && set_state(({ value }) => ({ value, problem: as_problem(cause), loading: false })),
    );
    return () => controller.abort();
  }, [key, round]);
  const reload = useCallback(() => set_round((now) => now + 1), []);
  return { value: state.value, problem: state.problem, loading: state.loading, reload };
};

type action<A extends unknown[]> = { run: (...input: A) => Promise<void>; busy: boolean; problem: Problem | undefined; clear: () => void };

/** A change: busy while it is under way, and never twice at once. */
export const use_action = <A extends unknown[]>(work: (...input: A) => Promise<void>): action<A> => {
  const [state, set_state] = useState<{ busy: boolean; problem?: Problem }>({ busy: false });
  const under_way = useRef(false);
  const run = async (...input: A): Promise<void> => {
    if (under_way.current) return;
    under_way.current = true;
    set_state({ busy: true });
    try {
      await work(...input);
      set_state({ busy: false });
    } catch (cause) {
      set_state({ busy: false, problem: as_problem(cause) });
    } finally {
      under_way.current = false;
    }
  };
  return { run, busy: state.busy, problem: state.problem, clear: () => set_state({ busy: false }) };
};

/** Calls the function every so many milliseconds while the page can be seen, and at once when it can be seen again. */
export const use_poll = (milliseconds: number | null, call: () => void): void => {
  const latest = useRef(call);
  latest.current = call;
  useEffect(() => {
    if (milliseconds === null) return undefined;
    const call_if_seen = () => {
      if (document.visibilityState === 'visible') latest.current();
    };
    const timer = setInterval(call_if_seen, milliseconds);
    document.addEventListener('visibilitychange', call_if_seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', call_if_seen);
    };
  }, [milliseconds]);
};
