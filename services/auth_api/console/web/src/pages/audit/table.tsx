import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { audit_row } from '../../api/client';
import { use_format, use_text } from '../../i18n/language';
import type { texts } from '../../i18n/texts';
import { Badge, Time } from '../../ui/basics';
import { Icon } from '../../ui/icons';
import { type filter, no_filter, address_of } from './filter';

const action_name = (text: texts, action: audit_row['action']): string => text.audit.actions[action] ?? action;
/** Rows that are a request, of a program or of a member in the console; all others are of something done. */
const is_request = ({ action }: audit_row): boolean => action === 'api.request' || action === 'console.request';
const request_of = ({ method, endpoint, path }: audit_row): string | null => (method ? `${method} ${path ?? endpoint ?? ''}` : null);
/** The line that tells rows apart: the request, or what was done to what. */
const headline = (text: texts, row: audit_row): string => (is_request(row) ? request_of(row) : null) ?? action_name(text, row.action);

const Actor = ({ row }: { row: audit_row }) => {
  const text = use_text();
  const { actor } = row;
  if (actor.type === 'system') return <span class="quiet">{text.audit.system}</span>;
  return <>{row.credentialName ?? actor.email ?? text.audit.agent}<span class="small quiet sub">{[actor.type === 'agent' && text.audit.agent, row.credentialName && actor.email].filter(Boolean).join(' · ')}</span></>;
};

const Result = ({ row }: { row: audit_row }) => {
  const text = use_text();
  if (row.statusCode === null) return <Badge tone={row.success ? 'good' : 'bad'}>{row.success ? text.audit.ok : text.audit.refused}</Badge>;
  return <><Badge tone={row.success ? 'good' : 'bad'}>{row.statusCode}</Badge>{row.errorCode && <span class="small quiet sub">{row.errorCode}</span>}</>;
};

/** A value with a link to everything else that has it. */
const Same = ({ name, value }: { name: keyof filter; value: string }) => {
  const text = use_text();
  return <><code>{value}</code> <a class="small" href={address_of({ ...no_filter, period: 'all', [name]: value })}>{text.audit.only_this}</a></>;
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

const Row = ({ row }: { row: audit_row }) => {
  const text = use_text();
  const { audit } = text;
  const [open, set_open] = useState(false);
  const line = headline(text, row);
  const id = `details-${row.id}`;
  return (
    <>
      <tr class={open ? 'open' : ''}>
        <td class="toggle"><button type="button" class="button quiet icon-only" aria-expanded={open} aria-controls={open ? id : undefined} aria-label={audit.show_details(line)} onClick={() => set_open(!open)}><Icon name={open ? 'down' : 'right'} /></button></td>
        <td data-label={audit.column_time} class="time"><Time at={row.occurredAt} form="second" /></td>
        <td data-label={audit.column_actor} class="person-cell"><Actor row={row} /></td>
        <td data-label={audit.column_what} class="what">{request_of(row) && is_request(row) ? <code>{line}</code> : line}
          {!is_request(row) && row.target && <span class="small quiet sub">{row.target.type} {row.target.id}</span>}</td>
        <td data-label={audit.column_result}><Result row={row} /></td>
        <td data-label={audit.column_from}>{row.ipAddress ? <code>{row.ipAddress}</code> : <span class="quiet">–</span>}</td>
      </tr>
      {open && <tr class="details" id={id}><td colSpan={6}><Details row={row} /></td></tr>}
    </>
  );
};

export const Table = ({ rows }: { rows: audit_row[] }) => {
  const { audit } = use_text();
  return (
    <table class="records audit">
      <caption class="unseen">{audit.title}</caption>
      <thead>
        <tr>
          <th scope="col"><span class="unseen">{audit.details}</span></th><th scope="col">{audit.column_time}</th><th scope="col">{audit.column_actor}</th>
          <th scope="col">{audit.column_what}</th><th scope="col">{audit.column_result}</th><th scope="col">{audit.column_from}</th>
        </tr>
      </thead>
      <tbody>{rows.map((row) => <Row key={row.id} row={row} />)}</tbody>
    </table>
  );
};
