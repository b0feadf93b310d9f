// A conversation as the page holds it: the messages that were read, and what is shown of them, in order.
import { useEffect, useState } from 'preact/hooks';
import { api, type agent_message, type agent_run, type agent_session_detail, type agent_tool_call, body_of } from '../../api/client';
import { use_action, use_load, use_poll } from '../../api/load';

const messages_at_once = 100;
const pause = 2_000;

/** The newest messages that were read, behind what is known from before; alone when there is a gap between. */
const joined = (known: agent_message[], latest: agent_message[]): agent_message[] => {
  const ids = new Set(latest.map(({ id }) => id));
  const from = known.findIndex(({ id }) => ids.has(id));
  return from < 0 ? latest : [...known.slice(0, from), ...latest];
};

export type item =
  | { kind: 'said'; id: string; message: agent_message }
  | { kind: 'call'; id: string; call: agent_tool_call; result: agent_message | null; at: string }
  | { kind: 'result'; id: string; message: agent_message } // its call stands before the first message that was read
  | { kind: 'failed'; id: string; run: agent_run };

type spoken = Exclude<item, { kind: 'failed' }>;

const items_of = (messages: agent_message[]): { at: string; item: spoken }[] => {
  const found: { at: string; item: spoken }[] = [];
  let open: Extract<item, { kind: 'call' }>[] = [];
  for (const message of messages) {
    const at = message.createdAt;
    const call = message.role === 'tool' ? open.shift() : undefined;
    if (call) call.result = message;
    else if (message.role === 'tool') found.push({ at, item: { kind: 'result', id: message.id, message } });
    else {
      open = (message.toolCalls ?? []).map((one, i) => ({ kind: 'call', id: `${message.id}-${i}`, call: one, result: null, at }));
      if (message.content.trim() !== '') found.push({ at, item: { kind: 'said', id: message.id, message } });
      found.push(...open.map((one) => ({ at, item: one })));
    }
  }
  return found;
};

/** What is shown, in order: a run that failed stands where the next one begins, or at the end. */
export const shown_items = (messages: agent_message[], runs: agent_run[]): item[] => {
  const found = items_of(messages);
  const first = messages[0]?.createdAt ?? '';
  // Where the next run begins before the first message that was read, the failed one belongs to messages that were not.
  const ends = runs
    .map((run, i) => ({ run, before: runs[i + 1]?.startedAt ?? null }))
    .filter(({ run, before }) => run.status === 'failed' && (before === null || before > first));
  const out: item[] = [];
  for (const { at, item } of found) {
    while (ends[0]?.before && at >= ends[0].before) out.push({ kind: 'failed', id: ends[0].run.correlationId, run: ends.shift()!.run });
    out.push(item);
  }
  return [...out, ...ends.map(({ run }): item => ({ kind: 'failed', id: run.correlationId, run }))];
};

const read_session = async (id: string, signal: AbortSignal | undefined, messagesBefore?: string): Promise<agent_session_detail> => {
  const query = { messagesLimit: messages_at_once, ...(messagesBefore && { messagesBefore }) };
  return (await body_of(api.GET('/agent/sessions/{id}', { params: { path: { id }, query }, ...(signal && { signal }) }))).data;
};

type held = { messages: agent_message[]; more: boolean };

/** Reads the session, and again while a run of it goes on and the page can be seen. */
export const use_conversation = (id: string) => {
  const read = use_load(id, (signal) => read_session(id, signal));
  const [held, set_held] = useState<held>({ messages: [], more: false });
  const session = read.value;
  useEffect(() => {
    if (!session) return;
    set_held((now) => {
      const messages = joined(now.messages, session.messages);
      return { messages, more: messages.length > session.messages.length ? now.more : session.hasMoreMessages };
    });
  }, [session]);
  const earlier = use_action(async () => {
    const found = await read_session(id, undefined, held.messages[0]?.id);
    set_held((now) => ({ messages: [...found.messages, ...now.messages], more: found.hasMoreMessages }));
  });
  const working = session?.status === 'in_progress';
  use_poll(working ? pause : null, () => !read.loading && read.reload());
  return { read, messages: held.messages, has_more: held.more, earlier, working };
};
