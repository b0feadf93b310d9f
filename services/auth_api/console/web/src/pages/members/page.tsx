// Members: who is in the organization; admins invite, change roles and names, remove and restore.
import { useState } from 'preact/hooks';
import { api, body_of, csrf, type member, type member_status, type role } from '../../api/client';
import { use_action, use_load } from '../../api/load';
import { use_text } from '../../i18n/language';
import { use_session, use_session_context } from '../../session/session';
import { Badge, Button, Done, Empty, Loaded, PageHead, ProblemNote, Time } from '../../ui/basics';
import { use_filter } from '../../ui/filter';
import { SearchField, Segments } from '../../ui/forms';
import { InviteDialog, NameDialog, RemoveDialog, RestoreDialog, RoleDialog, roles } from './dialogs';
import { read_members } from './read_members';

const tones = { active: 'good', invited: 'accent', removed: 'quiet' } as const;
type shown = member_status | 'current';
type filter = { text: string; shown: shown; role: role | '' };
const no_filter: filter = { text: '', shown: 'current', role: '' };
type open = { kind: 'invite' } | { kind: 'role' | 'name' | 'remove' | 'restore'; member: member } | null;

const is_shown = ({ status, role, name, email, title }: member, filter: filter): boolean => {
  const wanted = filter.text.trim().toLowerCase();
  const of_status = filter.shown === 'current' ? status !== 'removed' : status === filter.shown;
  return of_status && (filter.role === '' || role === filter.role) && [name, email, title ?? ''].some((part) => part.toLowerCase().includes(wanted));
};

const Resend = ({ member, done }: { member: member; done: (said: string) => void }) => {
  const text = use_text();
  const send = use_action(async () => {
    await body_of(api.POST('/members/{id}/invitation', { params: { path: { id: member.id }, header: csrf() } }));
    done(text.members.resent(member.email));
  });
  return <><Button kind="quiet" busy={send.busy} aria-label={`${text.members.resend}: ${member.name}`} onClick={() => void send.run()}>{text.members.resend}</Button><ProblemNote problem={send.problem} /></>;
};

const Actions = ({ member, open, done }: { member: member; open: (what: open) => void; done: (said: string) => void }) => {
  const text = use_text();
  const { members } = text;
  const button = (kind: 'role' | 'name' | 'remove' | 'restore', label: string) => <Button kind={kind === 'remove' ? 'quiet danger' : 'quiet'} aria-label={`${label}: ${member.name}`} onClick={() => open({ kind, member })}>{label}</Button>;
  if (member.status === 'removed') return button('restore', members.restore);
  return (
    <>
      {member.status === 'invited' && <Resend member={member} done={done} />}
      {button('role', members.change_role)}
      {button('name', members.rename)}
      {button('remove', members.remove)}
    </>
  );
};

const Row = ({ member, admin, open, done }: { member: member; admin: boolean; open: (what: open) => void; done: (said: string) => void }) => {
  const text = use_text();
  const own = use_session().member.id === member.id;
  return (
    <tr class={member.status === 'removed' ? 'over' : ''}>
      <th scope="row">{member.name}{own && <span class="quiet"> ({text.members.you})</span>}<span class="small quiet sub">{member.email}</span></th>
      <td data-label={text.members.column_title}>{member.title ? <bdi>{member.title}</bdi> : <span class="quiet">–</span>}</td>
      <td data-label={text.common.role}>{text.roles[member.role]}</td>
      <td data-label={text.common.status}><Badge tone={tones[member.status]}>{text.members.statuses[member.status]}</Badge></td>
      <td data-label={text.members.column_since}><Time at={member.deletedAt ?? member.createdAt} form="date" /></td>
      {admin && <td class="row-actions"><Actions member={member} open={open} done={done} /></td>}
    </tr>
  );
};

const Filters = ({ filter, change, found }: { filter: filter; change: (filter: filter) => void; found: member[] }) => {
  const text = use_text();
  const count = (shown: shown) => found.filter((one) => is_shown(one, { ...no_filter, shown })).length;
  const choices = (['current', 'active', 'invited', 'removed'] as const).map((value) => ({ value, label: `${value === 'current' ? text.members.current : text.members.statuses[value]} ${count(value)}` }));
  return (
    <div class="filters" role="search">
      <SearchField label={text.members.filter} value={filter.text} change={(value) => change({ ...filter, text: value })} />
      <Segments label={text.common.status} name="status" value={filter.shown} choices={choices} change={(value) => change({ ...filter, shown: value as shown })} />
      <label class="inline">{text.common.role}
        <select value={filter.role} onChange={(event) => change({ ...filter, role: event.currentTarget.value as filter['role'] })}>
          <option value="">{text.common.any}</option>
          {roles.map((name) => <option key={name} value={name}>{text.roles[name]}</option>)}
        </select>
      </label>
    </div>
  );
};

const Table = ({ rows, admin, open, done }: { rows: member[]; admin: boolean; open: (what: open) => void; done: (said: string) => void }) => {
  const text = use_text();
  return (
    <table class="records">
      <caption class="unseen">{text.members.title}</caption>
      <thead>
        <tr>
          <th scope="col">{text.members.column_member}</th><th scope="col">{text.members.column_title}</th><th scope="col">{text.common.role}</th>
          <th scope="col">{text.common.status}</th><th scope="col">{text.members.column_since}</th>{admin && <th scope="col"><span class="unseen">{text.common.actions}</span></th>}
        </tr>
      </thead>
      <tbody>{rows.map((member) => <Row key={member.id} member={member} admin={admin} open={open} done={done} />)}</tbody>
    </table>
  );
};

export const MembersPage = () => {
  const text = use_text();
  const { member } = use_session();
  const { refresh } = use_session_context();
  const admin = member.role === 'admin';
  const members = use_load('members', read_members);
  const [filter, set_filter] = use_filter(no_filter);
  const [open, set_open] = useState<open>(null);
  const [said, say] = useState<string | null>(null);
  const close = () => set_open(null);
  const done = (sentence: string) => {
    close();
    say(sentence);
    members.reload();
    void refresh(); // one's own role may be another now
  };
  const invite = admin && <Button kind="primary" icon="plus" onClick={() => set_open({ kind: 'invite' })}>{text.members.invite}</Button>;
  return (
    <>
      <PageHead title={text.members.title} intro={text.members.intro}>{invite}</PageHead>
      <Done>{said}</Done>
      <Loaded of={members}>{(found) => {
        const rows = found.filter((one) => is_shown(one, filter));
        return (
          <>
            <Filters filter={filter} change={set_filter} found={found} />
            {rows.length > 0 ? <Table rows={rows} admin={admin} open={set_open} done={done} /> : (
              <Empty title={text.members.no_match_title} action={<Button onClick={() => set_filter(no_filter)}>{text.common.clear}</Button>}>{text.members.no_match}</Empty>
            )}
          </>
        );
      }}</Loaded>
      {open?.kind === 'invite' && <InviteDialog close={close} done={done} />}
      {open?.kind === 'role' && <RoleDialog member={open.member} close={close} done={done} />}
      {open?.kind === 'name' && <NameDialog member={open.member} close={close} done={done} />}
      {open?.kind === 'remove' && <RemoveDialog member={open.member} close={close} done={done} />}
      {open?.kind === 'restore' && <RestoreDialog member={open.member} close={close} done={done} />}
    </>
  );
};
