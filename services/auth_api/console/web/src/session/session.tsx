// The browser's session: read once, kept up to date, and asked for by every page.
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api, body_of, csrf, keep_session, on_session_problem, type session, session_body_of } from '../api/client';
import { as_problem, Problem } from '../api/problem';
import { keep } from '../ui/kept';
import { has_unsent } from '../ui/unsent';

type session_state =
  | { kind: 'loading' }
  | { kind: 'failed'; problem: Problem }
  | { kind: 'signed_out'; ended: boolean }
  /** paused: the session has ended elsewhere, and the page stays for what is half-written in it. */
  | { kind: 'signed_in'; session: session; paused?: true };

type context = {
  state: session_state;
  /** A request was refused because another tab has chosen another organization. */
  organization_changed: boolean;
  forget_change: () => void;
  refresh: () => Promise<void>;
  begin: (token: string) => Promise<session>;
  choose_organization: (id: string) => Promise<void>;
  sign_out: (everywhere?: boolean) => Promise<void>;
  /** Gives up what is half-written on a paused page. */
  drop: () => void;
};

const SessionContext = createContext<context | null>(null);
// Other tabs of this browser have the same cookie: they learn that it means something else now.
const channel = new BroadcastChannel('console');

/** The session as the server last described it. Refreshes are numbered: an answer that came too late changes nothing. */
const use_held_session = () => {
  const [state, set_state] = useState<session_state>({ kind: 'loading' });
  const latest = useRef(0);
  const doubtful = useRef(false);
  const hold = (session: session | null, next: session_state) => {
    latest.current += 1;
    doubtful.current = false;
    keep_session(session);
    set_state(next);
  };
  const enter = useCallback((session: session) => {
    if (session.organization) keep('organization', session.organization.name);
    hold(session, { kind: 'signed_in', session });
  }, []);
  const leave = useCallback(() => hold(null, { kind: 'signed_out', ended: false }), []);
  const lose = useCallback((problem: Problem) => {
    keep_session(null);
    set_state((now) => (now.kind === 'signed_in' && has_unsent() ? { ...now, paused: true } : now.kind === 'signed_out' ? now : { kind: 'signed_out', ended: now.kind === 'signed_in' || problem.code === 'invalid_credential' }));
  }, []);
  const refresh = useCallback(async () => {
    latest.current += 1;
    const number = latest.current;
    const answer = await session_body_of(api.GET('/session')).catch(as_problem);
    if (number !== latest.current) return;
    if (!(answer instanceof Problem)) enter(answer.data);
    else if (answer.status === 401) lose(answer);
    else set_state((now) => (now.kind === 'signed_in' && !doubtful.current ? now : { kind: 'failed', problem: answer }));
  }, []);
  /** Refreshes what may not be true any more: it is not shown if that fails. */
  const doubt = useCallback(() => {
    doubtful.current = true;
    void refresh();
  }, []);
  const drop = useCallback(() => hold(null, { kind: 'signed_out', ended: true }), []);
  return { state, enter, leave, lose, refresh, doubt, drop };
};
type held_session = ReturnType<typeof use_held_session>;

const changes_of = ({ enter, leave }: held_session) => ({
  begin: async (token: string) => {
    const { data } = await body_of(api.POST('/session', { body: { token } }));
    channel.postMessage('changed');
    enter(data);
    return data;
  },
  choose_organization: async (organizationId: string) => {
    const { data } = await body_of(api.PUT('/session/organization', { params: { header: csrf() }, body: { organizationId } }));
    channel.postMessage('changed');
    enter(data);
  },
  sign_out: async (everywhere = false) => {
    const params = { params: { header: csrf() } };
    await body_of(everywhere ? api.DELETE('/sessions', params) : api.DELETE('/session', params));
    channel.postMessage('changed');
    leave();
  },
});

export const SessionProvider = ({ children }: { children: ComponentChildren }) => {
  const held = use_held_session();
  const { state, refresh, lose, doubt } = held;
  const [organization_changed, set_changed] = useState(false);
  useEffect(() => {
    void refresh();
    channel.onmessage = doubt;
    const stop = on_session_problem((problem) => {
      if (problem.status === 401) return lose(problem);
      if (problem.code === 'organization_mismatch') set_changed(true);
      doubt();
    });
    return () => {
      stop();
      channel.onmessage = null;
    };
  }, []);
  const value = useMemo(() => {
    const forget_change = () => set_changed(false);
    return { state, organization_changed, forget_change, refresh, drop: held.drop, ...changes_of(held) };
  }, [state, organization_changed]);
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>;
};

export const use_session_context = (): context => {
  const value = useContext(SessionContext);
  if (!value) throw new Error('outside of SessionProvider');
  return value;
};

export type chosen_session = session & { organization: NonNullable<session['organization']>; member: NonNullable<session['member']> };
export const is_chosen = (session: session): session is chosen_session => session.organization !== null && session.member !== null;

/** Pages inside an organization are only shown with a session that has chosen one. */
export const use_session = (): chosen_session => {
  const { state } = use_session_context();
  if (state.kind !== 'signed_in' || !is_chosen(state.session)) throw new Error('no organization is chosen');
  return state.session;
};
