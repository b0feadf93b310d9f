// Small parts that every page uses.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Problem } from '../api/problem';
import { use_format, use_text } from '../i18n/language';
import type { texts } from '../i18n/texts';
import { Icon, type icon_name } from './icons';

type button_kind = 'primary' | 'plain' | 'danger' | 'quiet' | 'quiet danger';
type button_options = Omit<JSX.IntrinsicElements['button'], 'icon' | 'class'> & { kind?: button_kind; icon?: icon_name; busy?: boolean };

/** A busy button keeps its focus and its name, and does nothing. */
export const Button = ({ kind = 'plain', icon, busy = false, children, type = 'button', onClick, ...rest }: button_options) => (
  <button {...rest} type={type} class={`button ${kind}`} aria-busy={busy} aria-disabled={busy || undefined} onClick={busy ? (event) => event.preventDefault() : onClick}>
    {busy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
    <span>{children}</span>
  </button>
);

export const LinkButton = ({ kind = 'plain', icon, href, children }: { kind?: button_kind; icon?: icon_name; href: string; children: ComponentChildren }) => (
  <a class={`button ${kind}`} href={href}>{icon && <Icon name={icon} />}<span>{children}</span></a>
);

type tone = 'good' | 'bad' | 'warn' | 'quiet' | 'accent';
export const Badge = ({ tone, children, title }: { tone: tone; children: ComponentChildren; title?: string }) => (
  <span class={`badge ${tone}`} title={title}>{children}</span>
);

/** A time as the reader says it; exact in its title and for programs. */
export const Time = ({ at, form = 'relative' }: { at: string; form?: 'relative' | 'date' | 'minute' | 'second' }) => {
  const format = use_format();
  return <time dateTime={at} title={format.long(at)}>{format[form](at)}</time>;
};

export const sentence_of = (text: texts, problem: Problem): string => {
  const { problems } = text;
  if (problem.status === 401) return problems.session;
  const limit = problem.code === 'rate_limited' ? problem.details[0]?.reason : undefined;
  if (limit === 'agent_runs' || limit === 'invitations' || limit === 'slots' || limit === 'booking_changes') return problems.reasons[limit];
  if (problem.code === 'rate_limited' && problem.retry_after) return problems.rate_limited_for(problem.retry_after);
  const known = problems[problem.code as keyof typeof problems];
  if (typeof known === 'string') return known;
  return problem.message || problems.unknown;
};

/** Counts down what a response asked to wait, and then calls once. */
const Countdown = ({ seconds, call }: { seconds: number; call: () => void }) => {
  const text = use_text();
  const [left, set_left] = useState(seconds);
  const latest = useRef(call);
  latest.current = call;
  useEffect(() => {
    const end = Date.now() + seconds * 1000;
    const timer = setInterval(() => {
      const now = Math.ceil((end - Date.now()) / 1000);
      set_left(Math.max(now, 0));
      if (now > 0) return;
      clearInterval(timer);
      latest.current();
    }, 250);
    return () => clearInterval(timer);
  }, []);
  return <p role="timer" aria-live="off">{text.problems.again_in(left)}</p>;
};
let countdowns = 0;
const number_of = new WeakMap<Problem, number>();
/** Another problem is another countdown, also if it asks for the same time. */
const countdown_key = (problem: Problem): number => {
  if (!number_of.has(problem)) number_of.set(problem, (countdowns += 1));
  return number_of.get(problem) ?? 0;
};
const asks_to_wait = ({ status, retry_after }: Problem): boolean => retry_after !== null && (status === 429 || status === 503);

/** What happened and what to do; with the request's number, which support asks for. */
export const ProblemNote = ({ problem, retry, title, known_fields = [] }: { problem: Problem | undefined; retry?: () => void; title?: string; known_fields?: string[] }) => {
  const text = use_text();
  if (!problem) return null;
  const elsewhere = problem.details.filter(({ field }) => !known_fields.some((known) => field === known || field?.startsWith(`${known}[`)));
  const reasons = text.problems.reasons;
  return (
    <div class="note bad" role="alert">
      <Icon name="warning" />
      <div>
        <p><strong>{title ?? text.problems.title}</strong> {problem.code === 'invalid_request' && elsewhere.length > 0 ? null : sentence_of(text, problem)}</p>
        {problem.code === 'invalid_request' && elsewhere.map((detail) => (
          <p key={`${detail.field}${detail.reason}`}>{reasons[detail.reason as keyof typeof reasons] ?? detail.message}</p>
        ))}
        {problem.request_id && <p class="small quiet">{text.problems.request_id(problem.request_id)}</p>}
        {retry && asks_to_wait(problem) && <Countdown key={countdown_key(problem)} seconds={problem.retry_after ?? 0} call={retry} />}
        {retry && <Button onClick={retry}>{text.common.retry}</Button>}
      </div>
    </div>
  );
};

export const Empty = ({ title, children, action }: { title: string; children: ComponentChildren; action?: ComponentChildren }) => (
  <div class="empty"><h2>{title}</h2><p>{children}</p>{action}</div>
);

/** Appears only when waiting takes long enough to be noticed. */
export const Waiting = () => {
  const text = use_text();
  const [late, set_late] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => set_late(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return <div class="waiting" role="status">{late && <><span class="spinner" aria-hidden="true" /> {text.common.loading}</>}</div>;
};

/** A page's or a part's three states: not here yet, not to be had, here. */
export const Loaded = <T,>({ of, children }: { of: { value: T | undefined; problem: Problem | undefined; reload: () => void }; children: (value: T) => ComponentChildren }) => {
  const text = use_text();
  const note = <ProblemNote problem={of.problem} retry={of.reload} title={text.problems.load_title} />;
  if (of.value === undefined) return of.problem ? note : <Waiting />;
  return <>{note}{children(of.value)}</>;
};

/** Says to screen readers and shows what has just been done. */
export const Done = ({ children }: { children: string | null }) => (
  <div class="done" role="status">{children && <div class="note good"><Icon name="check" /><p>{children}</p></div>}</div>
);

const write_clipboard = async (value: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false; // no permission, or a page that is not served over TLS
  }
};

/** A text to be taken along, as it is, with its button. Focusing it selects it, for those who copy by hand. */
export const CopyField = ({ label, value, secret = false, lines = 1 }: { label: string; value: string; secret?: boolean; lines?: number }) => {
  const text = use_text();
  const field = useRef<HTMLTextAreaElement>(null);
  const [state, set_state] = useState<'' | 'copied' | 'failed'>('');
  const copy = async () => {
    const done = await write_clipboard(value);
    set_state(done ? 'copied' : 'failed');
    if (!done) field.current?.select();
  };
  const id = useId();
  return (
    <div class={`copy-field ${secret ? 'secret' : ''}`}>
      <label for={id}>{label}</label>
      <div class="copy-row">
        <textarea ref={field} id={id} readOnly rows={lines} spellcheck={false} autocomplete="off" value={value} onFocus={(event) => event.currentTarget.select()} />
        <Button kind={secret ? 'primary' : 'plain'} icon={state === 'copied' ? 'check' : 'copy'} onClick={copy} aria-label={`${text.common.copy}: ${label}`}>
          <span class="either"><span class={state === 'copied' ? 'unshown' : ''}>{text.common.copy}</span><span class={state === 'copied' ? '' : 'unshown'}>{text.common.copied}</span></span>
        </Button>
      </div>
      <p class="small quiet" role="status">{state === 'failed' ? text.common.copy_failed : state === 'copied' ? <span class="unseen">{text.common.copied}</span> : null}</p>
    </div>
  );
};

/** Copies a text that stands beside it. */
export const CopyButton = ({ label, value }: { label: string; value: string }) => {
  const { common } = use_text();
  const [copied, set_copied] = useState(false);
  return (
    <button type="button" class="button quiet icon-only copy" aria-label={`${common.copy}: ${label}`} title={common.copy} onClick={async () => set_copied(await write_clipboard(value))}>
      <Icon name={copied ? 'check' : 'copy'} /><span class="unseen" role="status">{copied && common.copied}</span>
    </button>
  );
};

/** The page's heading gets the focus when the page changes, so that a screen reader begins there. */
let shown_before = false;
export const PageHead = ({ title, intro, children }: { title: string; intro?: string; children?: ComponentChildren }) => {
  const text = use_text();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${text.common.console}`;
  }, [title]);
  useEffect(() => {
    if (shown_before) heading.current?.focus();
    shown_before = true;
  }, []);
  return (
    <div class="page-head">
      <div><h1 ref={heading} tabIndex={-1}>{title}</h1>{intro && <p class="quiet">{intro}</p>}</div>
      {children && <div class="page-actions">{children}</div>}
    </div>
  );
};

/** The way back to the page above. */
export const Crumb = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <p class="crumb"><a href={href}><Icon name="right" />{children}</a></p>
);

/** A whole page in place of one that is not there; href and to lead away. */
export const NotFound = ({ title, href, to, children }: { title: string; href: string; to: string; children: ComponentChildren }) => (
  <><PageHead title={title} /><Empty title="404" action={<LinkButton href={href}>{to}</LinkButton>}>{children}</Empty></>
);
