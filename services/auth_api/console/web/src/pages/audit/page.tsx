// The audit log: what was changed, and on demand every request; filters in the address, rows from the newest backwards, a
// live tail, CSV, the state of the seal.
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { api, type audit_chain, body_of } from '../../api/client';
import { use_load, use_poll } from '../../api/load';
import { use_format, use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Button, CopyField, Empty, PageHead, ProblemNote, Waiting } from '../../ui/basics';
import { Icon } from '../../ui/icons';
import { read_keys } from '../keys/read_keys';
import { read_members } from '../members/read_members';
import { Download } from './download';
import { address_of, filter_of, is_set, no_filter } from './filter';
import { Filters, type people } from './filters';
import { use_names } from './names';
import { use_rows } from './rows';
import { Table } from './table';

const read_people = async (signal: AbortSignal): Promise<people> => {
  const [keys, members] = await Promise.all([
    read_keys(signal),
    read_members(signal),
  ]);
  return { keys, members };
};

const Seal = ({ chain }: { chain: audit_chain | undefined }) => {
  const text = use_text();
  const format = use_format();
  if (!chain) return null;
  const summary = chain.head === null ? text.audit.seal_none : [
    text.audit.sealed(chain.sequence), chain.sealedUntil && text.audit.sealed_until(format.second(chain.sealedUntil)), chain.unsealedRows > 0 && text.audit.unsealed(chain.unsealedRows),
  ].filter(Boolean).join(' · ');
  return (
    <details class="seal">
      <summary><Icon name="seal" /><strong>{text.audit.seal_title}</strong> <span class="quiet">{summary}</span></summary>
      <p class="hint">{text.audit.seal_hint}</p>
      {chain.head && <CopyField label={text.audit.head} value={`${chain.sequence} ${chain.head}`} />}
    </details>
  );
};

export const AuditPage = () => {
  const text = use_text();
  const { audit } = text;
  const { query, route } = useLocation();
  const format = use_format();
  const { organization } = use_session();
  const filter = filter_of(query);
  const [live, set_live] = useState(false);
  const rows = use_rows(filter, live);
  const chain = use_load('chain', (signal) => body_of(api.GET('/audit/chain', { signal })));
  const people = use_load('people', read_people);
  use_poll(live ? 10_000 : null, chain.reload);
  const change = (wanted: typeof filter) => route(address_of(wanted), true);
  const shown = rows.state?.rows ?? [];
  const names = use_names(people.value);
  return (
    <>
      <PageHead title={audit.title} intro={`${audit.intro} ${text.common.times_in(format.zone)}`}><Download filter={filter} slug={organization.slug} /></PageHead>
      <Seal chain={chain.value?.data} />
      <Filters filter={filter} change={change} people={people.value} />
      <div class="bar">
        <label class="check"><input type="checkbox" role="switch" checked={live} onChange={(event) => set_live(event.currentTarget.checked)} />{audit.live}{live && <span class="pulse" aria-hidden="true" />}</label>
        <label class="check"><input type="checkbox" checked={filter.reads !== ''} disabled={filter.action !== ''} onChange={(event) => change({ ...filter, reads: event.currentTarget.checked ? 'true' : '' })} />{audit.show_reads}</label>
        <span class="small quiet" role="status">{rows.loading ? text.common.refreshing : text.common.shown(shown.length)}</span>
      </div>
      <ProblemNote problem={rows.problem ?? rows.more.problem ?? rows.tail_problem} retry={rows.reload} title={text.problems.load_title} />
      {shown.length > 0 && <Table rows={shown} names={names} />}
      {!rows.state && !rows.problem && <Waiting />}
      {rows.state && shown.length === 0 && rows.state.cursor === null && !rows.loading && (is_set(filter)
        ? <Empty title={audit.no_match_title} action={<Button onClick={() => change({ ...no_filter, period: 'month', reads: 'true' })}>{text.common.clear}</Button>}>{audit.no_match}</Empty>
        : <Empty title={audit.empty_title} action={<Button onClick={() => change({ ...filter, period: 'all', reads: 'true' })}>{audit.periods.all}</Button>}>{audit.empty}</Empty>)}
      {rows.state?.cursor && <p class="more"><Button busy={rows.more.busy} onClick={() => void rows.more.run()}>{text.common.more}</Button></p>}
    </>
  );
};
