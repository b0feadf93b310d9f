import { api, type api_key, body_of } from '../../api/client';

/** All of them, revoked ones too, page by page: none may be missing where keys are chosen. */
export const read_keys = async (signal: AbortSignal): Promise<api_key[]> => {
  const found: api_key[] = [];
  let cursor: string | null = null;
  do {
    const query: { includeRevoked: true; limit: number; cursor?: string } = { includeRevoked: true, limit: 200, ...(cursor && { cursor }) };
    const { data, page } = await body_of(api.GET('/api-keys', { params: { query }, signal }));
    found.push(...data);
    cursor = page.nextCursor;
  } while (cursor);
  return found;
};
