// The console's own endpoints, typed by proto-docs/openapi/console.yaml.
import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/schema';
import { Problem, read_problem } from './problem';

type schemas = components['schemas'];
export type session = schemas['Session'];
export type api_key = schemas['ApiKey'];
export type key_state = schemas['ApiKeyState'];
export type key_effect = schemas['KeyEffect'];
export type member = schemas['Member'];
export type role = schemas['Role'];
export type member_status = schemas['MemberStatus'];
export type scope = schemas['Scope'];
export type scope_entry = schemas['ScopeEntry'];
export type audit_row = schemas['AuditRow'];
export type audit_chain = schemas['AuditChain'];
export type billing = schemas['Billing'];
export type limits = schemas['Limits'];
export type listed_session = schemas['ListedSession'];
export type agent_status = schemas['AgentStatus'];
export type agent_session = schemas['AgentSession'];
export type agent_session_detail = schemas['AgentSessionDetail'];
export type agent_message = schemas['AgentMessage'];
export type agent_run = schemas['AgentRun'];
export type agent_tool_call = schemas['AgentToolCall'];
export type interview_stage = schemas['InterviewStage'];
export type interview_slot = schemas['InterviewSlot'];
export type slot_state = schemas['SlotState'];
export type opened_slots = schemas['OpenedSlots'];
export type previewed_slots = schemas['PreviewedSlots'];
export type interview_booking = schemas['InterviewBooking'];
export type booking_event = schemas['BookingEvent'];
export type candidate = schemas['CandidateDetail'];
export type booking_status = schemas['BookingStatus'];
export type unmatched_request = schemas['UnmatchedRequest'];
export type webhook = schemas['Webhook'];
export type webhook_resource = schemas['WebhookResource'];
export type webhook_delivery = schemas['WebhookDelivery'];

export const api = createClient<paths>({
  baseUrl: '/console/api',
  credentials: 'same-origin',
  // A list is one parameter, its values separated by commas: the API refuses a parameter that is repeated.
  querySerializer: { array: { style: 'form', explode: false } },
});

let shown: session | null = null;
/** Requests name the session that the pages show: its token and its organization. */
export const keep_session = (session: session | null): void => {
  shown = session;
};
/** The header that every change needs; the types of the paths ask for it. */
export const csrf = (): { 'X-CSRF-Token': string } => ({ 'X-CSRF-Token': shown?.csrfToken ?? '' });

/** Another tab of the same session may have chosen another organization: the server then refuses a request that names this one. */
const of_a_person = /^\/(settings|limits|sign-in-links|oidc|session|sessions)(\/|$)/;
api.use({
  onRequest({ request, schemaPath }) {
    if (shown?.organization && !of_a_person.test(schemaPath)) request.headers.set('Service-Organization', shown.organization.id);
  },
});

type listener = (problem: Problem) => void;
const listeners = new Set<listener>();
/** Calls the function when a response says that the session has ended, or is another one now; returns what ends this. */
export const on_session_problem = (call: listener): (() => void) => {
  listeners.add(call);
  return () => listeners.delete(call);
};
const of_session = ({ status, code }: Problem): boolean =>
  status === 401 || ['organization_not_chosen', 'organization_mismatch', 'cross_site_request'].includes(code);

export const failed = (problem: Problem): Problem => {
  if (of_session(problem)) for (const call of listeners) call(problem);
  return problem;
};

type answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** As body_of, for the session's own reading: it calls no listener. */
export const session_body_of = async <T>(call: answer<T>): Promise<T> => {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new Problem({ code: 'offline' });
  });
  if (!response.ok) throw read_problem(response, error);
  return data as T;
};

/** The body of a successful response; throws a Problem otherwise. */
export const body_of = <T>(call: answer<T>): Promise<T> =>
  session_body_of(call).catch((cause: unknown) => {
    throw cause instanceof Problem ? failed(cause) : cause;
  });
