// API access: every key one may see, to compare and to find, page by page.
import { useState } from 'preact/hooks';
import { api, type api_key, body_of, type key_state, type member } from '../../api/client';
import { use_action, use_load } from '../../api/load';
import { use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Button, Done, Empty, LinkButton, Loaded, PageHead, ProblemNote, Time } from '../../ui/basics';
import { use_filter } from '../../ui/filter';
import { SearchField, Segments, SelectField } from '../../ui/forms';
import { read_members } from '../members/read_members';
import { Expiry, is_live, LastUse, Owner, Prefix, ScopeChips, StateBadge } from './key_parts';
import { RevokeDialog } from './revoke';

const states: key_state[] = ['active', 'inactive', 'expired', 'revoked'];
const page_size = 100;
type filter = { text: string; state: key_state | 'all'; owner: string };
type wanted = Omit<filter, 'text'>;
type page = { data: api_key[]; page: { nextCursor: string | null } };
const no_filter: filter = { text: '', state: 'active', owner: '' };

const matches = (key: api_key, text: string): boolean => {
  const wanted = text.trim().toLowerCase();
  return [key.name, key.displayedPrefix, key.owner.name, key.owner.email].some((part) => part.toLowerCase().includes(wanted));
};

const read_page = ({ state, owner }: wanted, cursor: string | null, signal?: AbortSignal): Promise<page> => {
  const query = { limit: page_size, ...(state === 'all' ? { includeRevoked: true } : { state }), ...(owner && { memberId: owner }), ...(cursor && { cursor }) };
  return body_of(api.GET('/api-keys', { params: { query }, ...(signal && { signal }) }));
};

/** The first page, and whether there is any key at all. */
const read_first = async (wanted: wanted, signal: AbortSignal): Promise<page & { any: boolean }> => {
  const first = await read_page(wanted, null, signal);
  const any = first.data.length > 0 || (await body_of(api.GET('/api-keys', { params: { query: { includeRevoked: true, limit: 1 } }, signal }))).data.length > 0;
  return { ...first, any };
};

const use_keys = (wanted: wanted) => {
  const key = JSON.stringify(wanted);
  const first = use_load(key, (signal) => read_first(wanted, signal));
  const [later, set_later] = useState<{ key: string; rows: api_key[]; cursor: string | null } | null>(null);
  const behind = later?.key === key ? later : null;
  const cursor = behind ? behind.cursor : first.value?.page.nextCursor ?? null;
  const more = use_action(async () => {
    const { data, page } = await read_page(wanted, cursor);
    set_later({ key, rows: [...(behind?.rows ?? []), ...data], cursor: page.nextCursor });
  });
  const fresh = first.value?.data ?? [];
  const ids = new Set(fresh.map(({ id }) => id));
  const rows = [...fresh, ...(behind?.rows ?? []).filter(({ id }) => !ids.has(id))];
  const reload = () => { set_later(null); first.reload(); };
  return { first, rows, cursor, more, reload };
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
      <td class="row-actions">{is_live(api_key) && <Button kind="quiet danger" aria-label={`${keys.revoke}: ${api_key.name}`} onClick={revoke}>{keys.revoke}</Button>}</td>
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

const Filters = ({ filter, change, owners }: { filter: filter; change: (filter: filter) => void; owners: member[] | null }) => {
  const text = use_text();
  const choices = [...states.map((state) => ({ value: state, label: text.keys.states[state] })), { value: 'all', label: text.common.all }];
  return (
    <div class="filters" role="search">
      <SearchField label={text.keys.filter} value={filter.text} change={(value) => change({ ...filter, text: value })} />
      <Segments label={text.common.state} name="state" value={filter.state} choices={choices} change={(state) => change({ ...filter, state: state as filter['state'] })} />
      {owners && <SelectField label={text.keys.column_owner} name="owner" value={filter.owner} choices={[{ value: '', label: text.common.all }, ...owners.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))]} change={(owner) => change({ ...filter, owner })} />}
    </div>
  );
};

const Keys = () => {
  const text = use_text();
  const { member, mayCreateKeys } = use_session();
  const admin = member.role === 'admin';
  const [filter, set_filter] = use_filter(no_filter);
  const [revoking, set_revoking] = useState<api_key | null>(null);
  const [said, say] = useState<string | null>(null);
  const { first, rows, cursor, more, reload } = use_keys({ state: filter.state, owner: filter.owner });
  const members = use_load('members', async (signal) => (admin ? read_members(signal) : []));
  const shown = rows.filter((key) => matches(key, filter.text));
  return (
    <Loaded of={first}>{({ any }) => (any ? (
      <>
        <Done>{said}</Done>
        <Filters filter={filter} change={set_filter} owners={admin ? members.value ?? [] : null} />
        {shown.length > 0 ? <Table rows={shown} admin={admin} revoke={set_revoking} /> : (
          <Empty title={text.keys.no_match_title} action={<Button onClick={() => set_filter({ ...no_filter, state: 'all' })}>{text.common.clear}</Button>}>{text.keys.no_match}</Empty>
        )}
        <ProblemNote problem={more.problem} title={text.problems.load_title} />
        {cursor && <p class="more"><Button busy={more.busy} onClick={() => void more.run()}>{text.common.more}</Button></p>}
        {revoking && <RevokeDialog api_key={revoking} close={() => set_revoking(null)} done={({ name }) => { set_revoking(null); say(text.revoke.done(name)); reload(); }} />}
      </>
    ) : (
      <Empty title={text.keys.empty_title} action={mayCreateKeys && <LinkButton kind="primary" icon="plus" href="/console/api-access/new">{text.keys.create}</LinkButton>}>
        {mayCreateKeys ? text.keys.empty : text.keys.empty_no_rights}
      </Empty>
    ))}</Loaded>
  );
};

export const KeysPage = () => {
  const text = use_text();
  const { mayCreateKeys } = use_session();
  return (
    <>
      <PageHead title={text.keys.title} intro={text.keys.intro}>
        {mayCreateKeys && <LinkButton kind="primary" icon="plus" href="/console/api-access/new">{text.keys.create}</LinkButton>}
      </PageHead>
      <Keys />
    </>
  );
};
