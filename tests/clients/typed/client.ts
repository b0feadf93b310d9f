// A client as its author writes it with openapi-typescript and openapi-fetch. types.test.mjs compiles it against types made
// of the documents; each @ts-expect-error fails the compilation when the line below it is allowed.
import createClient from 'openapi-fetch';
import type { components as AuthApi, paths as AuthPaths } from './auth_api';
import type { components as PublicApi, paths as PublicPaths } from './public_api';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(yes: Equal<A, B>) => yes;

type Status = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 414 | 415 | 429 | 431 | 500 | 503;
type Responses<Paths> = { [P in keyof Paths]: { [M in keyof Paths[P]]: Paths[P][M] extends { responses: infer R } ? R : never }[keyof Paths[P]] }[keyof Paths];
type Refusals<R> = R extends unknown ? { [S in keyof R & Status]: R[S] extends { content: infer C } ? C : never }[keyof R & Status] : never;

// Every refusal of every operation has one type per media type, except that messages of MCP have JSON-RPC's errors.
type RestPaths = Omit<AuthPaths, '/mcp'>;
same<Refusals<Responses<RestPaths>>['application/json'], AuthApi['schemas']['ErrorEnvelope']>(true);
same<Refusals<Responses<RestPaths>>['application/problem+json'], AuthApi['schemas']['Problem']>(true);
same<Refusals<Responses<PublicPaths>>['application/json'], PublicApi['schemas']['ErrorEnvelope']>(true);
same<Refusals<Responses<PublicPaths>>['application/problem+json'], PublicApi['schemas']['Problem']>(true);

const api = createClient<AuthPaths, 'application/json'>({ baseUrl: 'http://127.0.0.1:8080/api/v1' });
const published = createClient<PublicPaths, 'application/json'>({ baseUrl: 'http://127.0.0.1:8080/api/public/v1' });
const problems = createClient<AuthPaths, 'application/problem+json'>({ headers: { Accept: 'application/problem+json' } });

export const departments = async (): Promise<(string | null)[]> => {
  const { data, error } = await api.GET('/jobs', { params: { query: { limit: 5 } } });
  if (error) throw new Error(`${error.error.code} ${error.error.requestId} ${error.error.details.map(({ field }) => field ?? '').join()}`);
  // @ts-expect-error department can be null
  data.data.map(({ department }): string => department);
  return data.data.map(({ department }) => department);
};

export const copy = async (token: string) => {
  const { data } = await api.GET('/candidates', { params: { query: { syncToken: token } } });
  if (!data) return undefined;
  same<typeof data.page.nextCursor, string | null>(true);
  same<typeof data.page.syncToken, string | undefined>(true);
  const gone = data.data.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id);
  return { gone, token: data.page.syncToken, more: data.page.hasMore };
};

// Without syncToken, a list is its records: no cast, no test of what may be gone.
export const names_of_all = async (): Promise<string[]> => {
  const [candidates, jobs, members] = await Promise.all([api.GET('/candidates'), api.GET('/jobs'), api.GET('/members')]);
  const of_job = await api.GET('/jobs/{id}/candidates', { params: { path: { id: jobs.data?.data[0]?.id ?? '' } } });
  return [
    ...(candidates.data?.data ?? []).map(({ name }): string => name),
    ...(jobs.data?.data ?? []).map(({ title }): string => title),
    ...(members.data?.data ?? []).map(({ name }): string => name),
    ...(of_job.data?.data ?? []).map(({ name, application }): string => `${name} ${application.stageName}`),
  ];
};

export const ask = async (prompt: string): Promise<string> => {
  const { data, error } = await api.POST('/agent/invoke', { params: { header: { 'Idempotency-Key': prompt } }, body: { prompt } });
  if (error) return error.error.message;
  same<typeof data.reply, string | null>(true);
  if (data.status === 'failed') return `${data.error ?? ''} ${data.failedCorrelationId ?? ''}`;
  const session = await api.GET('/agent/sessions/{id}', { params: { path: { id: data.sessionId } } });
  return session.data?.data.reply ?? data.reply ?? '';
};

export const next_interview = async (id: string): Promise<string | undefined> => {
  const { data } = await api.GET('/candidates/{id}', { params: { path: { id } } });
  // @ts-expect-error nextInterview can be null
  data?.data.applications[0]?.nextInterview.startsAt;
  return data?.data.applications[0]?.nextInterview?.startsAt;
};

export const as_problem = async (): Promise<string> => (await problems.GET('/me')).error?.title ?? '';

export const book = async (jobId: string, stageId: string, email: string, slotStart: string): Promise<boolean> => {
  const params = { path: { jobId, stageId } };
  const { data, error } = await published.POST('/scheduling/{jobId}/{stageId}/bookings', { params, body: { email, slotStart } });
  if (error) throw new Error(error.error.code);
  // @ts-expect-error a booking needs its slotStart
  await published.POST('/scheduling/{jobId}/{stageId}/bookings', { params, body: { email } });
  return data.data.confirmed;
};
