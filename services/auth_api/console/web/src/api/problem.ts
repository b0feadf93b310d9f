// An error of the API, or of the way to it.
type problem_detail = { field: string | null; reason: string; message: string };

type parts = { status?: number; code: string; message?: string; requestId?: string | null; details?: problem_detail[]; retry_after?: number | null };

export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly request_id: string | null;
  readonly details: problem_detail[];
  readonly retry_after: number | null;

  constructor({ status = 0, code, message = '', requestId = null, details = [], retry_after = null }: parts) {
    super(message);
    this.status = status;
    this.code = code;
    this.request_id = requestId;
    this.details = details;
    this.retry_after = retry_after;
  }

  detail_of(field: string): problem_detail | undefined {
    return this.details.find((detail) => detail.field === field || detail.field?.startsWith(`${field}[`) || detail.field?.startsWith(`${field}.`));
  }
}

const is_record = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const text_of = (value: unknown): string => (typeof value === 'string' ? value : '');

const read_details = (value: unknown): problem_detail[] =>
  (Array.isArray(value) ? value : []).filter(is_record).map((detail) => ({
    field: typeof detail['field'] === 'string' ? detail['field'] : null,
    reason: text_of(detail['reason']),
    message: text_of(detail['message']),
  }));

/** What a response that is no success says; a proxy between may have answered with something else than JSON. */
export const read_problem = (response: Response, body: unknown): Problem => {
  const error = is_record(body) && is_record(body['error']) ? body['error'] : {};
  const wait = Number(response.headers.get('Retry-After'));
  return new Problem({
    status: response.status,
    code: text_of(error['code']) || (response.status >= 500 ? 'service_unavailable' : 'unknown'),
    message: text_of(error['message']),
    requestId: text_of(error['requestId']) || response.headers.get('X-Request-Id'),
    details: read_details(error['details']),
    retry_after: Number.isFinite(wait) && wait > 0 ? wait : null,
  });
};

export const as_problem = (cause: unknown): Problem => (cause instanceof Problem ? cause : new Problem({ code: 'unknown', message: String(cause) }));
