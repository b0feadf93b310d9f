// Clients that keep something from an earlier answer, whichever version answers next: pages with a cursor, a copy of a list that
// syncs keep, a session of the console.
import { ask } from '../../faults/support/http.mjs';
import { pause } from '../../faults/support/wait.mjs';

const patience = 30_000; // ms

const sign_in = async (port, token) => {
  const body = JSON.stringify({ token });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), 'Sec-Fetch-Site': 'same-origin' };
  const answer = await ask({ port, method: 'POST', path: '/console/api/session', headers, body, timeout: patience });
  if (answer.status !== 201) throw new Error(`sign-in: ${answer.status} ${answer.text}`);
  return answer.headers['set-cookie'][0].split(';')[0];
};

/**
 * secret: of a key that reads all candidates; token: of a sign-in link. stop() answers {wrong: [text], done: {kind: number},
 * copy: Map of id to name, as the last sync left it}.
 */
export const start_watchers = async (port, { secret, token }) => {
  const [wrong, done, copy] = [[], { walks: 0, syncs: 0, sessions: 0 }, new Map()];
  let running = true;
  const get = async (path, headers) => {
    const answer = await ask({ port, path, headers, timeout: patience }).catch((error) => ({ status: 0, text: error.message }));
    if (answer.status === 200) return JSON.parse(answer.text);
    wrong.push(`${path.slice(0, 60)}: ${answer.status} ${answer.text}`);
    return undefined;
  };
  const page = (query) => get(`/api/v1/candidates?limit=20&${query}`, { Authorization: `Bearer ${secret}` });

  const walk = async () => {
    const seen = new Set();
    for (let answer = await page(''); answer; answer = await page(`cursor=${answer.page.nextCursor}`)) {
      for (const { id } of answer.data) seen.add(id);
      if (answer.page.hasMore) continue;
      if (copy.size > 0 && seen.size !== copy.size) wrong.push(`a walk saw ${seen.size} candidates of ${copy.size}`);
      done.walks += 1;
      return;
    }
  };
  let sync_token = '';
  const sync = async () => {
    for (;;) {
      const answer = await page(`syncToken=${sync_token}`);
      if (!answer) return;
      for (const { id, name } of answer.data) copy.set(id, name);
      sync_token = answer.page.syncToken;
      if (!answer.page.hasMore) break;
    }
    done.syncs += 1;
  };
  const cookie = await sign_in(port, token);
  const look = async () => {
    if (await get('/console/api/session', { Cookie: cookie })) done.sessions += 1;
  };
  await sync();
  const all = Promise.all([walk, sync, look].map(async (act) => {
    for (; running; await pause(100)) await act();
  }));
  return { async stop() {
    running = false;
    await all;
    await sync();
    return { wrong, done, copy };
  } };
};
