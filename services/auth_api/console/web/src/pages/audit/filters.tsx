import { useState } from 'preact/hooks';
import type { api_key, member } from '../../api/client';
import { use_format, use_text } from '../../i18n/language';
import { Button } from '../../ui/basics';
import { Field, SelectField, TextField } from '../../ui/forms';
import { type filter, hidden_words, is_set, no_filter, type period, periods, type word } from './filter';

export type people = { keys: api_key[]; members: member[] };
type options = { filter: filter; change: (filter: filter) => void; people: people | undefined };

/** Texts are taken over when the field is left or Enter is pressed, not letter by letter: each change is a request. */
const Text = ({ name, label, hint, filter, change, ...rest }: { name: word; label: string; hint?: string; inputMode?: 'numeric'; filter: filter; change: (filter: filter) => void }) => {
  const [value, set_value] = useState(filter[name]);
  const [given, set_given] = useState(filter[name]);
  if (given !== filter[name]) {
    set_given(filter[name]);
    set_value(filter[name]);
  }
  return <TextField {...rest} label={label} hint={hint} name={name} autocomplete="off" spellcheck={false} value={value} change={set_value} onBlur={() => value !== filter[name] && change({ ...filter, [name]: value.trim() })} />;
};

const Times = ({ filter, change }: Pick<options, 'filter' | 'change'>) => {
  const text = use_text();
  const format = use_format();
  const field = (name: 'from' | 'to') => (
    <Field label={text.audit[name]} {...(name === 'to' && { hint: text.common.times_in(format.zone) })}>
      {(ids) => <input {...ids} type="datetime-local" name={name} value={filter[name]} onChange={(event) => change({ ...filter, [name]: event.currentTarget.value })} />}
    </Field>
  );
  return <>{field('from')}{field('to')}</>;
};

const FirstRow = ({ filter, change, people }: options) => {
  const text = use_text();
  const { audit } = text;
  const any = { value: '', label: text.common.any };
  const set = (name: keyof filter) => (value: string) => change({ ...filter, [name]: value });
  const known = (value: string, list: { value: string; label: string }[]) => (value && !list.some((one) => one.value === value) ? [...list, { value, label: value }] : list);
  const keys = (people?.keys ?? []).map(({ id, name, displayedPrefix }) => ({ value: id, label: `${name} (${displayedPrefix}…)` }));
  const members = (people?.members ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const actions = Object.entries(audit.actions).map(([value, label]) => ({ value, label }));
  const set_period = (period: string) => change({ ...filter, period: period as period });
  return (
    <div class="filter-grid">
      <SelectField label={audit.period} value={filter.period} choices={periods.map((value) => ({ value, label: audit.periods[value] }))} change={set_period} />
      {filter.period === 'custom' && <Times filter={filter} change={change} />}
      <SelectField label={audit.outcome} value={filter.success} choices={[any, { value: 'true', label: audit.ok }, { value: 'false', label: audit.refused }]} change={set('success')} />
      <SelectField label={audit.action} value={filter.action} choices={[any, ...known(filter.action, actions)]} change={set('action')} />
      <SelectField label={audit.key} value={filter.credentialId} choices={[any, ...known(filter.credentialId, keys)]} change={set('credentialId')} />
      <SelectField label={audit.member} value={filter.memberId} choices={[any, ...known(filter.memberId, members)]} change={set('memberId')} />
    </div>
  );
};

export const Filters = ({ filter, change, people }: options) => {
  const text = use_text();
  const { audit } = text;
  const set = hidden_words.filter((name) => filter[name] !== '').length;
  const rest = { filter, change };
  return (
    <form class="audit-filters" role="search" onSubmit={(event) => { event.preventDefault(); (document.activeElement as HTMLElement | null)?.blur(); }}>
      <FirstRow filter={filter} change={change} people={people} />
      <details open={set > 0}>
        <summary>{audit.more_filters}{set > 0 && <span class="quiet"> · {audit.active_filters(set)}</span>}</summary>
        <div class="filter-grid">
          <Text name="endpoint" label={audit.endpoint} hint={audit.endpoint_hint} {...rest} />
          <Text name="statusCode" label={audit.status_code} inputMode="numeric" {...rest} />
          <Text name="ipAddress" label={audit.ip} {...rest} />
          <Text name="requestId" label={audit.request_id} {...rest} />
          <Text name="sessionId" label={audit.session_id} {...rest} />
        </div>
        <button type="submit" class="unseen" tabIndex={-1}>{text.common.search}</button>
      </details>
      {is_set(filter) && <Button kind="quiet" onClick={() => change({ ...no_filter, reads: filter.reads })}>{text.common.clear}</Button>}
    </form>
  );
};
