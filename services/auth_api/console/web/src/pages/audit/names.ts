// What rows name by an id, in words: from lists that are read once, so that reading the log adds few rows to it.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { api, body_of } from '../../api/client';
import { use_load } from '../../api/load';
import { use_session } from '../../session/session';
import { read_stages } from '../interviews/stage_parts';
import type { people } from './filters';

/** By id: of members, keys, stages and jobs that are open, webhooks, and the organization. */
export type names = ReadonlyMap<string, string>;
export const Names = createContext<names>(new Map());
export const use_name = (id: string | null | undefined): string | undefined => {
  const names = useContext(Names);
  return id ? names.get(id) : undefined;
};

const read_subjects = async (signal: AbortSignal): Promise<[string, string][]> => {
  const [stages, webhooks] = await Promise.all([read_stages(signal), body_of(api.GET('/webhooks', { signal }))]);
  return [
    ...stages.data.flatMap(({ id, name, jobId, jobTitle }): [string, string][] => [[id, `${name} · ${jobTitle}`], [jobId, jobTitle]]),
    ...webhooks.data.map(({ id, url, description }): [string, string] => [id, description || url]),
  ];
};

export const use_names = (people: people | undefined): names => {
  const { organization } = use_session();
  const subjects = use_load('subjects', read_subjects);
  return new Map([
    [organization.id, organization.name],
    ...(people?.members ?? []).map(({ id, name }): [string, string] => [id, name]),
    ...(people?.keys ?? []).map(({ id, name }): [string, string] => [id, name]),
    ...(subjects.value ?? []),
  ]);
};
