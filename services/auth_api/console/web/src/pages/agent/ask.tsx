// The question to the agent: of a new conversation, or the next one of the same.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type agent_message, api, body_of, csrf } from '../../api/client';
import { use_action } from '../../api/load';
import { Problem } from '../../api/problem';
import { use_text } from '../../i18n/language';
import { Button, ProblemNote } from '../../ui/basics';
import { Field, field_error } from '../../ui/forms';
import { Icon } from '../../ui/icons';

const longest_prompt = 32_000;

/** randomUUID() is there under TLS only. */
const new_key = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The conversation that the question continues. fresh is false while it is read again, or when it could not be. */
type resumed = { id: string; messages: agent_message[]; working: boolean; fresh: boolean; reload: () => void };
type options = { resumed?: resumed; done: (session_id: string) => void };

/** begun is called when the answer was lost and the conversation shows that the question arrived. */
const use_ask = ({ resumed, done }: options, begun: (prompt: string) => void) => {
  // The same words sent again after a failure are the same question, and the agent is not asked twice: the key says so for
  // a new conversation; one that is continued takes no key, and is read again.
  const sent = useRef<{ prompt: string; key: string; after: string | undefined } | null>(null);
  const ask = use_action(async (prompt: string) => {
    if (sent.current?.prompt !== prompt) sent.current = { prompt, key: new_key(), after: resumed?.messages.at(-1)?.id };
    const header = { ...csrf(), ...(!resumed && { 'Idempotency-Key': sent.current.key }) };
    const body = { prompt, ...(resumed && { sessionId: resumed.id }) };
    const { data } = await body_of(api.POST('/agent/invocations', { params: { header }, body })).catch((cause: unknown) => {
      resumed?.reload();
      throw cause;
    });
    sent.current = null;
    done(data.sessionId);
  });
  const messages = resumed?.messages;
  useEffect(() => {
    const refused = ask.problem !== undefined && ask.problem.status >= 400 && ask.problem.status < 500;
    if (!messages || !ask.problem || refused || !sent.current) return;
    const { prompt, after } = sent.current;
    const later = messages.slice(messages.findIndex(({ id }) => id === after) + 1);
    if (!later.some(({ role, content }) => role === 'user' && content === prompt)) return;
    sent.current = null;
    ask.clear();
    begun(prompt);
  }, [messages, ask.problem]);
  return ask;
};

/** What a refusal means here, where the usual sentence would say too little. */
const AskProblem = ({ problem, resumed }: { problem: Problem | undefined; resumed: boolean }) => {
  const text = use_text();
  if (resumed && problem?.code === 'insufficient_role') {
    return <div class="note bad" role="alert"><Icon name="warning" /><div><p><strong>{text.agent.reach_title}</strong> {text.agent.reach}</p><p><a href="/console/agent">{text.agent.new_question}</a></p></div></div>;
  }
  return <ProblemNote problem={problem} known_fields={['prompt']} />;
};

const Examples = ({ choose }: { choose: (example: string) => void }) => {
  const { agent } = use_text();
  return (
    <div class="presets"><span class="small quiet">{agent.examples}</span>
      {[agent.example_jobs, agent.example_candidates, agent.example_keys].map((example) => <Button key={example} kind="plain" onClick={() => choose(example)}>{example}</Button>)}
    </div>
  );
};

export const Ask = ({ resumed, done }: options) => {
  const text = use_text();
  const form = useRef<HTMLFormElement>(null);
  const [prompt, set_prompt] = useState('');
  const [empty, set_empty] = useState(false);
  const asked = (session_id: string) => {
    set_prompt('');
    done(session_id);
  };
  const ask = use_ask({ ...(resumed && { resumed }), done: asked }, (begun) => set_prompt((now) => (now === begun ? '' : now)));
  const blocked = resumed !== undefined && (resumed.working || !resumed.fresh);
  const submit = (event: Event) => {
    event.preventDefault();
    const nothing = prompt.trim() === '';
    set_empty(nothing);
    if (nothing) form.current?.querySelector('textarea')?.focus();
    else if (!blocked) void ask.run(prompt);
  };
  const use_example = (example: string) => {
    set_prompt(example);
    form.current?.querySelector('textarea')?.focus();
  };
  const send_by_keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !ask.busy) form.current?.requestSubmit();
  };
  const error = empty && !prompt.trim() ? text.agent.no_prompt : field_error(text, ask.problem, 'prompt');
  return (
    <form ref={form} class="ask" noValidate onSubmit={submit}>
      <Field label={resumed ? text.agent.continue : text.agent.prompt} hint={resumed?.working ? text.agent.busy : text.agent.prompt_hint} error={error}>
        {(ids) => <textarea {...ids} name="prompt" rows={resumed ? 1 : 3} maxLength={longest_prompt} dir="auto" value={prompt} onInput={(event) => set_prompt(event.currentTarget.value)} onKeyDown={send_by_keys} />}
      </Field>
      {!resumed && <Examples choose={use_example} />}
      <AskProblem problem={ask.problem} resumed={resumed !== undefined} />
      <div class="form-foot"><Button type="submit" kind="primary" busy={ask.busy} disabled={blocked}>{text.agent.send}</Button></div>
    </form>
  );
};
