import { api, body_of, type member, type member_status } from '../../api/client';

/** All of them, page by page: an organization has hundreds of members at most, and people search by any part of a name. */
export const read_members = async (signal: AbortSignal, status: member_status[] = ['active', 'invited', 'removed']): Promise<member[]> => {
  const found: member[] = [];
  let cursor: string | null = null;
  do {
    const query: { limit: number; sort: 'name'; status: member_status[]; cursor?: string } = { limit: 200, sort: 'name', status, ...(cursor && { cursor }) };
    const { data, page } = await body_of(api.GET('/members', { params: { query }, signal }));
    found.push(...data);
    cursor = page.nextCursor;
  } while (cursor);
  return found;
};
