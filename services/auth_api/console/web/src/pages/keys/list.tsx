// API access: every key one may see, to compare and to find.
import { useState } from 'preact/hooks';
import { api, type api_key, body_of, type key_state } from '../../api/client';
import { use_load } from '../../api/load';
import { use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Button, Done, Empty, LinkButton, Loaded, PageHead, Time } from '../../ui/basics';
import { SearchField, Segments } from '../../ui/forms';
import { Icon } from '../../ui/icons';
import { Expiry, is_live, LastUse, Owner, Prefix, ScopeChips, StateBadge } from './key_parts';
import { RevokeDialog } from './revoke';

const states: key_state[] = ['active', 'inactive', 'expired', 'revoked'];
type filter = { text: string; state: key_state | 'all'; mine: boolean };

const matches = (key: api_key, { text, state, mine }: filter, member: string): boolean => {
  const wanted = text.trim().toLowerCase();
  const found = [key.name, key.displayedPrefix, key.owner.name, key.owner.email].some((part) => part.toLowerCase().includes(wanted));
  return found && (state === 'all' || key.state === state) && (!mine || key.owner.memberId === member);
};

const Row = ({ api_key, admin, revoke }: { api_key: api_key; admin: boolean; revoke: () => void }) => {
  const text = use_text();
  const { keys } = text;
  return (
    <tr class={is_live(api_key) ? '' : 'over'}>
      <th scope="row"><a href={`/console/api-access/${api_key.id}`}>{api_key.name}</a><span class="sub"><Prefix of={api_key} /></span></th>
      <td data-label={text.common.state}><StateBadge state={api_key.state} /></td>
      <td data-label={keys.column_permissions}><ScopeChips api_key={api_key} /></td>
      {admin && <td data-label={keys.column_owner} class="person-cell"><Owner api_key={api_key} /></td>}
      <td data-label={keys.column_created} class="created"><Time at={api_key.createdAt} form="date" /></td>
      <td data-label={keys.column_used}><LastUse api_key={api_key} /></td>
      <td data-label={keys.column_expires}><Expiry api_key={api_key} /></td>
      <td class="row-actions">{is_live(api_key) && <Button kind="quiet" aria-label={`${keys.revoke}: ${api_key.name}`} onClick={revoke}>{keys.revoke}</Button>}</td>
    </tr>
  );
};

const Table = ({ rows, admin, revoke }: { rows: api_key[]; admin: boolean; revoke: (key: api_key) => void }) => {
  const text = use_text();
  const { keys } = text;
  return (
    <table class="records keys">
      <caption class="unseen">{keys.title}</caption>
      <thead>
        <tr>
          <th scope="col">{keys.column_key}</th><th scope="col">{text.common.state}</th><th scope="col">{keys.column_permissions}</th>
          {admin && <th scope="col">{keys.column_owner}</th>}
          <th scope="col" class="created">{keys.column_created}</th><th scope="col">{keys.column_used}</th><th scope="col">{keys.column_expires}</th><th scope="col"><span class="unseen">{text.common.actions}</span></th>
        </tr>
      </thead>
      <tbody>{rows.map((key) => <Row key={key.id} api_key={key} admin={admin} revoke={() => revoke(key)} />)}</tbody>
    </table>
  );
};

const Filters = ({ filter, change, keys, admin }: { filter: filter; change: (filter: filter) => void; keys: api_key[]; admin: boolean }) => {
  const text = use_text();
  const of_state = (state: key_state) => keys.filter((key) => key.state === state).length;
  const choices = states.filter((state) => state === 'active' || of_state(state) > 0).map((state) => ({ value: state, label: `${text.keys.states[state]} ${of_state(state)}` }));
  return (
    <div class="filters" role="search">
      <SearchField label={text.keys.filter} value={filter.text} change={(value) => change({ ...filter, text: value })} />
      <Segments label={text.common.state} name="state" value={filter.state} choices={[...choices, { value: 'all', label: `${text.common.all} ${keys.length}` }]}
        change={(state) => change({ ...filter, state: state as filter['state'] })} />
      {admin && <label class="check"><input type="checkbox" checked={filter.mine} onChange={(event) => change({ ...filter, mine: event.currentTarget.checked })} />{text.keys.mine}</label>}
    </div>
  );
};

const no_filter: filter = { text: '', state: 'active', mine: false };

const Keys = ({ found, truncated, changed }: { found: api_key[]; truncated: boolean; changed: () => void }) => {
  const text = use_text();
  const { member, mayCreateKeys } = use_session();
  const admin = member.role === 'admin';
  const [filter, set_filter] = useState<filter>(no_filter);
  const [revoking, set_revoking] = useState<api_key | null>(null);
  const [said, say] = useState<string | null>(null);
  if (found.length === 0) {
    return (
      <Empty title={text.keys.empty_title} action={mayCreateKeys && <LinkButton kind="primary" icon="plus" href="/console/api-access/new">{text.keys.create}</LinkButton>}>
        {mayCreateKeys ? text.keys.empty : text.keys.empty_no_rights}
      </Empty>
    );
  }
  const rows = found.filter((key) => matches(key, filter, member.id));
  return (
    <>
      <Done>{said}</Done>
      <Filters filter={filter} change={set_filter} keys={found} admin={admin} />
      {truncated && <p class="note warn"><Icon name="warning" />{text.keys.truncated}</p>}
      {rows.length > 0 ? <Table rows={rows} admin={admin} revoke={set_revoking} /> : (
        <Empty title={text.keys.no_match_title} action={<Button onClick={() => set_filter({ ...no_filter, state: 'all' })}>{text.common.clear}</Button>}>{text.keys.no_match}</Empty>
      )}
      {revoking && <RevokeDialog api_key={revoking} close={() => set_revoking(null)} done={({ name }) => { set_revoking(null); say(text.revoke.done(name)); changed(); }} />}
    </>
  );
};

export const KeysPage = () => {
  const text = use_text();
  const { mayCreateKeys } = use_session();
  const keys = use_load('keys', (signal) => body_of(api.GET('/api-keys', { params: { query: { includeRevoked: true } }, signal })));
  return (
    <>
      <PageHead title={text.keys.title} intro={text.keys.intro}>
        {mayCreateKeys && <LinkButton kind="primary" icon="plus" href="/console/api-access/new">{text.keys.create}</LinkButton>}
      </PageHead>
      <Loaded of={keys}>{({ data, truncated }) => <Keys found={data} truncated={truncated} changed={keys.reload} />}</Loaded>
    </>
  );
};
