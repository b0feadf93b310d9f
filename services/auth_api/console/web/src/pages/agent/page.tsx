// The agent: the conversations so far, of which admins see every member's, and below them the next question.
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { api, type agent_session, type agent_status, body_of } from '../../api/client';
import { use_action, use_load, use_poll } from '../../api/load';
import { use_format, use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Badge, Button, Empty, Loaded, PageHead, ProblemNote, Time } from '../../ui/basics';
import { Segments } from '../../ui/forms';
import { read_members } from '../members/read_members';
import { Ask } from './ask';
import { StatusBadge } from './talk';

type filter = { status: agent_status | 'all'; mine: boolean };
type page = { data: agent_session[]; page: { nextCursor: string | null } };
const statuses: agent_status[] = ['in_progress', 'completed', 'failed'];
const page_size = 25;

const read_page = async ({ status, mine }: filter, member: string, cursor: string | null, signal?: AbortSignal): Promise<page> => {
  const query = { limit: page_size, sort: '-updatedAt' as const, ...(status !== 'all' && { status }), ...(mine && { memberId: member }), ...(cursor && { cursor }) };
  return body_of(api.GET('/agent/sessions', { params: { query }, ...(signal && { signal }) }));
};

/** The first page, which is read again while a run goes on, and those that were asked for behind it. */
const use_sessions = (filter: filter) => {
  const { member } = use_session();
  const key = JSON.stringify(filter);
  const first = use_load(key, (signal) => read_page(filter, member.id, null, signal));
  const [later, set_later] = useState<{ key: string; rows: agent_session[]; cursor: string | null } | null>(null);
  const behind = later?.key === key ? later : null;
  const cursor = behind ? behind.cursor : first.value?.page.nextCursor ?? null;
  const more = use_action(async () => {
    const { data, page } = await read_page(filter, member.id, cursor);
    set_later({ key, rows: [...(behind?.rows ?? []), ...data], cursor: page.nextCursor });
  });
  const fresh = first.value?.data ?? [];
  const ids = new Set(fresh.map(({ id }) => id));
  const rows = [...fresh, ...(behind?.rows ?? []).filter(({ id }) => !ids.has(id))];
  use_poll(fresh.some(({ status }) => status === 'in_progress') ? 4_000 : null, () => !first.loading && first.reload());
  return { first, rows, cursor, more };
};

const Row = ({ session, owner }: { session: agent_session; owner: string | null }) => {
  const text = use_text();
  const format = use_format();
  return (
    <tr>
      <th scope="row" dir="auto"><a href={`/console/agent/${session.id}`}>{session.title}</a></th>
      {owner !== null && <td data-label={text.agent.column_member}><bdi>{owner}</bdi></td>}
      <td data-label={text.common.status}><StatusBadge status={session.status} /></td>
      <td data-label={text.agent.column_runs} class="number">{format.number(session.runCount)}</td>
      <td data-label={text.agent.column_began}>{session.credentialId ? <Badge tone="quiet">{text.agent.via_key}</Badge> : text.agent.via_console}</td>
      <td data-label={text.agent.column_last}><Time at={session.lastRunAt} /></td>
    </tr>
  );
};

const Table = ({ rows, names }: { rows: agent_session[]; names: Map<string, string> | null }) => {
  const text = use_text();
  return (
    <table class="records">
      <caption class="unseen">{text.agent.sessions}</caption>
      <thead>
        <tr>
          <th scope="col">{text.agent.column_title}</th>{names && <th scope="col">{text.agent.column_member}</th>}<th scope="col">{text.common.status}</th>
          <th scope="col" class="number">{text.agent.column_runs}</th><th scope="col">{text.agent.column_began}</th><th scope="col">{text.agent.column_last}</th>
        </tr>
      </thead>
      <tbody>{rows.map((session) => <Row key={session.id} session={session} owner={names && (names.get(session.memberId) ?? '–')} />)}</tbody>
    </table>
  );
};

const Sessions = () => {
  const text = use_text();
  const { member } = use_session();
  const admin = member.role === 'admin';
  const [filter, set_filter] = useState<filter>({ status: 'all', mine: false });
  const { first, rows, cursor, more } = use_sessions(filter);
  const members = use_load('members', async (signal) => (admin ? read_members(signal) : []));
  const names = admin ? new Map((members.value ?? []).map(({ id, name }) => [id, name])) : null;
  const choices = [{ value: 'all', label: text.common.all }, ...statuses.map((value) => ({ value, label: text.agent.statuses[value] }))];
  const filtered = filter.status !== 'all' || filter.mine;
  return (
    <section class="stack" aria-label={text.agent.sessions}>
      <h2>{text.agent.sessions}</h2>
      <div class="filters" role="search">
        <Segments label={text.common.status} name="status" value={filter.status} choices={choices} change={(status) => set_filter({ ...filter, status: status as filter['status'] })} />
        {admin && <label class="check"><input type="checkbox" checked={filter.mine} onChange={(event) => set_filter({ ...filter, mine: event.currentTarget.checked })} />{text.agent.mine}</label>}
      </div>
      <Loaded of={first}>{() => (rows.length > 0 ? <Table rows={rows} names={names} /> : filtered
        ? <Empty title={text.agent.no_match_title} action={<Button onClick={() => set_filter({ status: 'all', mine: false })}>{text.common.clear}</Button>}>{text.agent.no_match}</Empty>
        : <Empty title={text.agent.empty_title}>{text.agent.empty}</Empty>)}</Loaded>
      <ProblemNote problem={more.problem} title={text.problems.load_title} />
      {cursor && <p class="more"><Button busy={more.busy} onClick={() => void more.run()}>{text.common.more}</Button></p>}
    </section>
  );
};

export const AgentPage = () => {
  const text = use_text();
  const { scopes } = use_session();
  const { route } = useLocation();
  return (
    <>
      <PageHead title={text.agent.title} intro={text.agent.intro} />
      <Sessions />
      {scopes.includes('agents:invoke') && <section class="panel composer"><Ask done={(session_id) => route(`/console/agent/${session_id}`)} /></section>}
    </>
  );
};
