// The old and the new key side by side, until the old one is quiet and can be revoked.
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { api_key } from '../../api/client';
import { use_load, use_poll } from '../../api/load';
import { use_text } from '../../i18n/language';
import { Button, Crumb, Loaded, PageHead } from '../../ui/basics';
import { Icon } from '../../ui/icons';
import { KeyNotFound } from './details';
import { Expiry, is_live, LastUse, Prefix, read_keys, ScopeChips, StateBadge } from './key_parts';
import { RevokeDialog } from './revoke';

const Side = ({ label, api_key }: { label: string; api_key: api_key }) => {
  const text = use_text();
  return (
    <section class="panel">
      <h2>{label}</h2>
      <p class="lead"><a href={`/console/api-access/${api_key.id}`}>{api_key.name}</a> <StateBadge state={api_key.state} /></p>
      <dl class="facts">
        <dt>{text.keys.column_used}</dt><dd class="strong"><LastUse api_key={api_key} /></dd>
        <dt>{text.keys.prefix}</dt><dd><Prefix of={api_key} /></dd>
        <dt>{text.keys.column_permissions}</dt><dd><ScopeChips api_key={api_key} most={9} /></dd>
        <dt>{text.keys.column_expires}</dt><dd><Expiry api_key={api_key} /></dd>
      </dl>
    </section>
  );
};

/** Last use is kept to the minute: the old key is quiet when the new one was used in a later minute, a few minutes ago at least. */
const is_quiet = (old_key: api_key, new_key: api_key): boolean => {
  if (!new_key.lastUsedAt) return false;
  const old_use = old_key.lastUsedAt ? Date.parse(old_key.lastUsedAt) : 0;
  return Date.parse(new_key.lastUsedAt) > old_use && Date.now() - old_use > 5 * 60_000;
};

const Advice = ({ old_key, new_key }: { old_key: api_key; new_key: api_key }) => {
  const text = use_text();
  if (!is_live(old_key)) return <p class="note good" role="status"><Icon name="check" />{text.compare.finished}</p>;
  if (!new_key.lastUsedAt) return <p class="note" role="status"><span class="spinner" aria-hidden="true" />{text.compare.waiting}</p>;
  if (is_quiet(old_key, new_key)) return <p class="note good" role="status"><Icon name="check" />{text.compare.quiet}</p>;
  return <p class="note warn" role="status"><Icon name="warning" />{text.compare.both}</p>;
};

const Compare = ({ old_key, new_key, changed }: { old_key: api_key; new_key: api_key; changed: () => void }) => {
  const text = use_text();
  const [revoking, set_revoking] = useState(false);
  return (
    <>
      <PageHead title={text.compare.title} intro={text.compare.intro}>
        {is_live(old_key) && <Button kind={is_quiet(old_key, new_key) ? 'danger' : 'plain'} onClick={() => set_revoking(true)}>{`${text.keys.revoke}: ${old_key.name}`}</Button>}
      </PageHead>
      <Advice old_key={old_key} new_key={new_key} />
      <div class="columns"><Side label={text.compare.old_key} api_key={old_key} /><Side label={text.compare.new_key} api_key={new_key} /></div>
      <p class="small quiet">{text.compare.updated}</p>
      {revoking && <RevokeDialog api_key={old_key} close={() => set_revoking(false)} done={() => { set_revoking(false); changed(); }} />}
    </>
  );
};

export const ReplacePage = () => {
  const text = use_text();
  const { query } = useLocation();
  const ids = [query['old'] ?? '', query['new'] ?? ''];
  const keys = use_load(ids.join(), (signal) => read_keys(ids, signal));
  use_poll(15_000, keys.reload);
  return (
    <>
      <Crumb href="/console/api-access">{text.keys.title}</Crumb>
      <Loaded of={keys}>{([old_key, new_key]) => (old_key && new_key ? <Compare old_key={old_key} new_key={new_key} changed={keys.reload} /> : <KeyNotFound />)}</Loaded>
    </>
  );
};
