// The audit log's filters: in the page's address, so that a selection can be sent to a colleague, and as the API reads them.
import type { audit_row } from '../../api/client';

export const periods = ['hour', 'day', 'week', 'month', 'all', 'custom'] as const;
export type period = (typeof periods)[number];
const hours: Partial<Record<period, number>> = { hour: 1, day: 24, week: 24 * 7, month: 24 * 30 };

const words = ['action', 'credentialId', 'memberId', 'success', 'endpoint', 'statusCode', 'ipAddress', 'requestId', 'sessionId'] as const;
export type word = (typeof words)[number];
/** reads: '' or 'true', with requests and tool calls beside what was changed. */
export type filter = { period: period; from: string; to: string; reads: string } & Record<word, string>;

export const no_filter: filter = {
  period: 'day', from: '', to: '', reads: '', action: '', credentialId: '', memberId: '', success: '', endpoint: '', statusCode: '', ipAddress: '', requestId: '', sessionId: '',
};

export const filter_of = (query: Record<string, string>): filter => ({
  ...no_filter,
  ...Object.fromEntries([...words, 'from' as const, 'to' as const, 'reads' as const].map((name) => [name, query[name] ?? ''])),
  period: periods.find((name) => name === query['period']) ?? 'day',
});

export const address_of = (filter: filter): string => {
  const set = Object.entries(filter).filter(([name, value]) => value !== no_filter[name as keyof filter] && (filter.period === 'custom' || !['from', 'to'].includes(name)));
  const query = new URLSearchParams(set).toString();
  return `/console/audit${query && `?${query}`}`;
};

export const is_set = (filter: filter): boolean => words.some((name) => filter[name] !== '') || filter.period !== no_filter.period;
/** Rows of a request or a tool call: most only read, and a change has a row of its own beside its request's. */
export const reading: audit_row['action'][] = ['api.request', 'console.request', 'agent.tool_call'];

export const hidden_words: word[] = ['endpoint', 'statusCode', 'ipAddress', 'requestId', 'sessionId'];

const utc = (local: string): string | undefined => {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
};

type api_query = {
  occurredAfter?: string; occurredBefore?: string; action?: audit_row['action'][]; credentialId?: string; memberId?: string; success?: boolean;
  endpoint?: string; statusCode?: number[]; ipAddress?: string; requestId?: string; sessionId?: string;
};

/** Without what is not set; times are UTC. changes: the actions that are shown without reads. */
export const query_of = (filter: filter, changes: audit_row['action'][], now = Date.now()): api_query => {
  const length = hours[filter.period];
  const after = filter.period === 'custom' ? utc(filter.from) : length && new Date(now - length * 3600_000).toISOString();
  const before = filter.period === 'custom' ? utc(filter.to) : undefined;
  const text = (name: word) => (filter[name].trim() ? { [name]: filter[name].trim() } : {});
  return {
    ...(after && { occurredAfter: after }),
    ...(before && { occurredBefore: before }),
    ...(filter.action ? { action: filter.action.split(',') as audit_row['action'][] } : !filter.reads && { action: changes }),
    ...(filter.success && { success: filter.success === 'true' }),
    ...(filter.statusCode.trim() && { statusCode: filter.statusCode.split(/[\s,]+/).filter(Boolean).map(Number) }),
    ...text('credentialId'), ...text('memberId'), ...text('endpoint'), ...text('ipAddress'), ...text('requestId'), ...text('sessionId'),
  };
};
