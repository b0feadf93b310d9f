// The log's rows under their days; rows that repeat are one line.
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { audit_row } from '../../api/client';
import { use_format, use_text } from '../../i18n/language';
import type { texts } from '../../i18n/texts';
import { Badge } from '../../ui/basics';
import { grouped } from '../../ui/group';
import { Icon } from '../../ui/icons';
import { address_of, type filter, no_filter } from './filter';
import { Names, type names, use_name } from './names';

const action_name = (text: texts, action: audit_row['action']): string => text.audit.actions[action] ?? action;
/** Rows that are a request, of a program or of a member in the console; all others are of something done. */
const is_request = ({ action }: audit_row): boolean => action === 'api.request' || action === 'console.request';
const request_of = ({ method, endpoint, path }: audit_row): string | null => (method ? `${method} ${path ?? endpoint ?? ''}` : null);
/** The line that tells rows apart: the request, or what was done to what. */
const headline = (text: texts, row: audit_row): string => (is_request(row) ? request_of(row) : null) ?? action_name(text, row.action);

const Actor = ({ row }: { row: audit_row }) => {
  const text = use_text();
  const { actor, credentialName } = row;
  const member = use_name(actor.memberId) ?? actor.email;
  if (actor.type === 'system') return <span class="quiet">{text.audit.system}</span>;
  return <span title={actor.email ?? undefined}>{credentialName ?? member ?? text.audit.agent}<span class="small quiet sub">{[actor.type === 'agent' && text.audit.agent, credentialName && member].filter(Boolean).join(' · ')}</span></span>;
};

type target = NonNullable<audit_row['target']>;
const pages: Partial<Record<string, string>> = {
  api_key: 'api-access', booking: 'interviews/bookings', stage: 'interviews/stages', webhook: 'webhooks', agent_session: 'agent',
};
/** By its name where there is one, and a link to its page; its id is in the details. */
const Target = ({ of: { type, id } }: { of: target }) => {
  const { audit } = use_text();
  const name = use_name(id);
  const kind = audit.target_types[type as keyof typeof audit.target_types] ?? type;
  const words = type === 'tool' ? id : name;
  const page = id && pages[type];
  return <>{kind}{words && <> <bdi>{words}</bdi></>}{page && <> <a href={`/console/${page}/${id}`} aria-label={`${audit.open}: ${kind} ${words ?? ''}`}>{audit.open}</a></>}</>;
};

const Result = ({ row }: { row: audit_row }) => {
  const text = use_text();
  if (row.statusCode === null) return <Badge tone={row.success ? 'good' : 'bad'}>{row.success ? text.audit.ok : text.audit.refused}</Badge>;
  return <><Badge tone={row.success ? 'good' : 'bad'}>{row.statusCode}</Badge>{row.errorCode && <span class="small quiet sub">{row.errorCode}</span>}</>;
};

/** A value with a link to everything else that has it. */
const Same = ({ name, value }: { name: keyof filter; value: string }) => {
  const text = use_text();
  return <><code>{value}</code> <a class="small" href={address_of({ ...no_filter, period: 'all', reads: 'true', [name]: value })}>{text.audit.only_this}</a></>;
};

const Details = ({ row }: { row: audit_row }) => {
  const text = use_text();
  const { audit } = text;
  const format = use_format();
  const code = (value: string | null) => value && <code>{value}</code>;
  const facts: [string, preact.ComponentChildren][] = [
    [audit.column_time, format.long(row.occurredAt)],
    [audit.action, row.action !== 'api.request' && <Same name="action" value={row.action} />],
    [audit.method_path, code(request_of(row))],
    [audit.endpoint, row.endpoint && <Same name="endpoint" value={row.endpoint} />],
    [audit.target, row.target && code(`${row.target.type} ${row.target.id ?? ''}`)],
    [audit.key, row.credentialId && <>{row.credentialName} <Same name="credentialId" value={row.credentialId} /></>],
    [audit.member, row.actor.memberId && <>{row.actor.email}{row.actor.role && ` (${text.roles[row.actor.role]})`} <Same name="memberId" value={row.actor.memberId} /></>],
    [audit.error_code, code(row.errorCode)],
    [audit.required_scope, code(row.requiredScope)],
    [audit.ip, row.ipAddress && <Same name="ipAddress" value={row.ipAddress} />],
    [audit.user_agent, row.userAgent],
    [audit.duration, row.durationMs !== null && `${format.number(row.durationMs)} ms`],
    [audit.request_id, row.requestId && <Same name="requestId" value={row.requestId} />],
    [audit.session_id, row.sessionId && <Same name="sessionId" value={row.sessionId} />],
    [audit.correlation_id, code(row.correlationId)],
    [audit.count, row.count !== null && format.number(row.count)],
    [audit.sequence, row.sequence === null ? audit.not_sealed : format.number(row.sequence)],
    [audit.row_id, code(row.id)],
  ];
  return <dl class="facts dense">{facts.filter(([, value]) => value).map(([label, value]) => <Fragment key={label}><dt>{label}</dt><dd>{value}</dd></Fragment>)}</dl>;
};

const who_and_where = ({ actor, credentialId, ipAddress }: audit_row): string => [actor.type, actor.memberId, credentialId, ipAddress].join();
const is_repeated = (one: audit_row, other: audit_row): boolean =>
  one.action === other.action && one.statusCode === other.statusCode && one.errorCode === other.errorCode && request_of(one) === request_of(other)
  && one.target?.id === other.target?.id && who_and_where(one) === who_and_where(other);

/** Neighbors that only differ in their time. */
const runs_of = (rows: audit_row[]): [audit_row, ...audit_row[]][] => {
  const runs: [audit_row, ...audit_row[]][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last && is_repeated(last[0], row)) last.push(row);
    else runs.push([row]);
  }
  return runs;
};

/** One line for rows that repeat; opened, it shows each of them. */
const Row = ({ rows, within = false }: { rows: [audit_row, ...audit_row[]]; within?: boolean }) => {
  const text = use_text();
  const { audit } = text;
  const format = use_format();
  const [open, set_open] = useState(false);
  const [row] = rows;
  const first = rows.at(-1) ?? row;
  const line = headline(text, row);
  const id = `details-${rows.length > 1 ? 'of-' : ''}${row.id}`;
  return (
    <>
      <tr class={`${open ? 'open' : ''} ${within ? 'within' : ''}`}>
        <td class="toggle"><button type="button" class="button quiet icon-only" aria-expanded={open} aria-controls={open ? id : undefined} aria-label={audit.show_details(line)} onClick={() => set_open(!open)}><Icon name={open ? 'down' : 'right'} /></button></td>
        <td data-label={audit.column_time} class="time"><time dateTime={row.occurredAt} title={format.long(row.occurredAt)}>{format.clock(row.occurredAt)}</time>
          {rows.length > 1 && <span class="small quiet sub">{audit.since(format.clock(first.occurredAt))}</span>}</td>
        <td data-label={audit.column_actor} class="person-cell"><Actor row={row} /></td>
        <td data-label={audit.column_what} class="what">{request_of(row) && is_request(row) ? <code>{line}</code> : line}{rows.length > 1 && <> <Badge tone="quiet">{audit.repeated(rows.length)}</Badge></>}
          {!is_request(row) && row.target && <span class="small quiet sub"><Target of={row.target} /></span>}</td>
        <td data-label={audit.column_result}><Result row={row} /></td>
        <td data-label={audit.column_from}>{row.ipAddress ? <code>{row.ipAddress}</code> : <span class="quiet">–</span>}</td>
      </tr>
      {open && rows.length === 1 && <tr class="details" id={id}><td colSpan={6}><Details row={row} /></td></tr>}
      {open && rows.length > 1 && rows.map((one) => <Row key={one.id} rows={[one]} within />)}
    </>
  );
};

export const Table = ({ rows, names }: { rows: audit_row[]; names: names }) => {
  const { audit } = use_text();
  const format = use_format();
  return (
    <Names.Provider value={names}>
      <table class="records audit">
        <caption class="unseen">{audit.title}</caption>
        <thead>
          <tr>
            <th scope="col"><span class="unseen">{audit.details}</span></th><th scope="col">{audit.column_time}</th><th scope="col">{audit.column_actor}</th>
            <th scope="col">{audit.column_what}</th><th scope="col">{audit.column_result}</th><th scope="col">{audit.column_from}</th>
          </tr>
        </thead>
        {grouped(rows, ({ occurredAt }) => format.day(occurredAt)).map(([day, of_day]) => (
          <tbody key={day}>
            <tr class="group"><th scope="rowgroup" colSpan={6}>{day}</th></tr>
            {runs_of(of_day).map((run) => <Row key={run[0].id} rows={run} />)}
          </tbody>
        ))}
      </table>
    </Names.Provider>
  );
};
