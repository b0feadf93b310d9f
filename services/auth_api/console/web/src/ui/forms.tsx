// Form fields with their label, hint and error tied together, and dialogs.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Problem } from '../api/problem';
import { use_text } from '../i18n/language';
import type { texts } from '../i18n/texts';
import { Button, ProblemNote } from './basics';
import { Icon } from './icons';

/** What the API says of one field, in the reader's language where the reason is a known one. */
export const field_error = (text: texts, problem: Problem | undefined, field: string): string | undefined => {
  const detail = problem?.detail_of(field);
  if (!detail) return undefined;
  const reasons = text.problems.reasons;
  return reasons[detail.reason as keyof typeof reasons] ?? detail.message;
};

/** As much as the browser can say of an address; the API says the rest. */
export const is_email = (text: string): boolean => /^\S+@\S+$/.test(text.trim());

type about = { label: string; hint?: ComponentChildren; error?: string | undefined; optional?: boolean };
type ids = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

/** Draws what belongs to a field around it; the field itself gets the attributes that tie them. */
export const Field = ({ label, hint, error, optional = false, children }: about & { children: (ids: ids) => ComponentChildren }) => {
  const text = use_text();
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class={`field ${error ? 'wrong' : ''}`}>
      <label for={id}>{label}{optional && <span class="quiet"> ({text.common.optional})</span>}</label>
      {children({ id, ...(described && { 'aria-describedby': described }), ...(error && { 'aria-invalid': true }) })}
      {hint && <p id={`${id}-hint`} class="hint">{hint}</p>}
      {error && <p id={`${id}-error`} class="error"><Icon name="warning" />{error}</p>}
    </div>
  );
};

type text_options = about & {
  value: string; change: (value: string) => void; name: string; type?: 'text' | 'email'; autocomplete?: 'email' | 'off';
  maxLength?: number; spellcheck?: boolean; autofocus?: boolean; inputMode?: 'numeric' | 'url'; onBlur?: () => void;
};
// Preact's types tell apart what an input may have by its type; these have all the same.
export const TextField = ({ label, hint, error, optional, value, change, type = 'text', ...rest }: text_options) => (
  <Field {...{ label, hint, error, optional: optional ?? false }}>
    {(ids) => <input {...rest} {...ids} type={type as 'text'} value={value} onInput={(event) => change(event.currentTarget.value)} />}
  </Field>
);

type choice = { value: string; label: string };
type select_options = about & { value: string; choices: choice[]; change: (value: string) => void; name?: string };
export const SelectField = ({ label, hint, error, value, choices, change, name }: select_options) => (
  <Field {...{ label, hint, error }}>
    {(ids) => (
      <select {...ids} name={name} value={value} onChange={(event) => change(event.currentTarget.value)}>
        {choices.map((one) => <option key={one.value} value={one.value} selected={one.value === value}>{one.label}</option>)}
      </select>
    )}
  </Field>
);

/** A list's filter by text; its label is for screen readers, its placeholder for all others. */
export const SearchField = ({ label, value, change }: { label: string; value: string; change: (value: string) => void }) => (
  <label class="search"><span class="unseen">{label}</span><Icon name="search" />
    <input type="search" placeholder={label} value={value} onInput={(event) => change(event.currentTarget.value)} />
  </label>
);

/** One of a few, all to be seen at once. */
export const Segments = ({ label, name, value, choices, change }: { label: string; name: string; value: string; choices: choice[]; change: (value: string) => void }) => (
  <fieldset class="segments">
    <legend class="unseen">{label}</legend>
    {choices.map((one) => (
      <label key={one.value} class={one.value === value ? 'on' : ''}>
        <input type="radio" class="unseen" name={name} value={one.value} checked={one.value === value} onChange={() => change(one.value)} />
        {one.label}
      </label>
    ))}
  </fieldset>
);

export const first_wrong = (form: HTMLFormElement | null): void => {
  // After the errors are drawn.
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
};

/** A modal dialog; the browser keeps the focus inside. Escape and the cross close it. */
export const Dialog = ({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) => {
  const text = use_text();
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('form input, form select')?.focus();
    return () => {
      dialog?.close();
      // Where one was; what was there may be gone after the change.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      else document.getElementById('main')?.focus();
    };
  }, []);
  return (
    <dialog ref={element} aria-labelledby={id} onCancel={(event) => { event.preventDefault(); close(); }}>
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet icon-only" aria-label={text.common.close} onClick={close}><Icon name="close" /></button>
      </div>
      {children}
    </dialog>
  );
};

type form_options = {
  title: string; close: () => void; submit: string; danger?: boolean; busy: boolean; problem: Problem | undefined;
  known_fields?: string[]; run: () => void; blocked?: boolean; children: ComponentChildren;
};
/** A dialog that asks for one thing to be done. */
export const FormDialog = ({ title, close, submit, danger = false, busy, problem, known_fields, run, blocked = false, children }: form_options) => {
  const text = use_text();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problem) first_wrong(form.current);
  }, [problem]);
  const send = (event: Event) => {
    event.preventDefault();
    if (!busy && !blocked) run();
  };
  return (
    <Dialog title={title} close={close}>
      <form ref={form} noValidate onSubmit={send}>
        {children}
        <ProblemNote problem={problem} {...(known_fields && { known_fields })} />
        <div class="dialog-foot">
          <Button onClick={close}>{text.common.cancel}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy} disabled={blocked}>{submit}</Button>
        </div>
      </form>
    </Dialog>
  );
};
