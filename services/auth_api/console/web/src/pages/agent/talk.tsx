// The parts of a conversation. People and tools write text, and the agent writes Markdown; none of it becomes HTML.
import { useEffect, useState } from 'preact/hooks';
import type { agent_message, agent_run, agent_status } from '../../api/client';
import { use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Badge, CopyButton, CopyField, Time } from '../../ui/basics';
import { Icon } from '../../ui/icons';
import { JsonText, parsed_json } from '../../ui/json';
import { Markdown } from '../../ui/markdown';
import type { item } from './conversation';

const tones = { in_progress: 'accent', completed: 'good', failed: 'bad' } as const;

export const StatusBadge = ({ status }: { status: agent_status }) => {
  const text = use_text();
  return <Badge tone={tones[status]}>{text.agent.statuses[status]}</Badge>;
};

const Said = ({ message, asker }: { message: agent_message; asker: string }) => {
  const text = use_text();
  const person = message.role === 'user';
  return (
    <li class={person ? 'turn person' : 'turn'}>
      <p class="turn-head"><strong><bdi>{person ? asker : text.agent.agent}</bdi></strong> <span class="small quiet"><Time at={message.createdAt} form="minute" /></span>{!person && <CopyButton label={text.agent.agent} value={message.content} />}</p>
      {person ? <p class="prose" dir="auto">{message.content}</p> : <Markdown text={message.content} />}
    </li>
  );
};

/** The code of a result that is an error: {"error":{"code":…}}. */
const error_of = (content: string): string | null => {
  const value = parsed_json(content);
  if (value === undefined || value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const error = value['error'];
  if (error === undefined || error === null) return null;
  const code = typeof error === 'object' && !Array.isArray(error) ? error['code'] : error;
  return typeof code === 'string' ? code.slice(0, 80) : 'error';
};

const Result = ({ content }: { content: string }) => {
  const text = use_text();
  return <><p class="part">{text.agent.result}</p><JsonText text={content} open /></>;
};

type call = Extract<item, { kind: 'call' }>;
const Outcome = ({ result, working }: { result: agent_message | null; working: boolean }) => {
  const text = use_text();
  if (!result) return working ? <Badge tone="accent">{text.agent.statuses.in_progress}</Badge> : <Badge tone="warn">{text.agent.no_result}</Badge>;
  const error = error_of(result.content);
  return error ? <Badge tone="bad">{error}</Badge> : <Badge tone="good">{text.agent.got_result}</Badge>;
};

const Call = ({ call: { call, result }, working }: { call: call; working: boolean }) => {
  const text = use_text();
  const [open, set_open] = useState(false);
  const plain = call.arguments.trim();
  const nothing = plain === '' || plain === '{}' || plain === 'null';
  return (
    <li class="turn tool-call">
      <details onToggle={(event) => set_open(event.currentTarget.open)}>
        <summary><Icon name="tool" /><span class="tool-name"><span class="unseen">{text.agent.tool}: </span><code>{call.name}</code></span>{!nothing && <span class="small quiet tool-given" dir="auto">{plain}</span>}<Outcome result={result} working={working} /></summary>
        {open && <div class="tool-body"><p class="part">{text.agent.arguments}</p>{nothing ? <p class="small quiet">{text.agent.no_arguments}</p> : <JsonText text={call.arguments} open />}{result && <Result content={result.content} />}</div>}
      </details>
    </li>
  );
};

const Failed = ({ run }: { run: agent_run }) => {
  const text = use_text();
  const { scopes } = use_session();
  return (
    <li class="turn failed-run">
      <div class="note bad"><Icon name="warning" />
        <div>
          <p><strong>{text.agent.failed_title}</strong> {run.finishedAt && <Time at={run.finishedAt} form="minute" />}</p>
          <p>{text.agent.failed}</p>
          {scopes.includes('audit:read') && <p><a href="/console/audit?action=agent.run_failed&period=all">{text.agent.failed_in_audit}</a></p>}
        </div>
      </div>
      <CopyField label={text.agent.run_id} value={run.correlationId} />
    </li>
  );
};

const Progress = ({ run, calls }: { run: agent_run | undefined; calls: number }) => {
  const text = use_text();
  const [now, set_now] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => set_now(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = run ? Math.max(0, Math.round((now - Date.parse(run.startedAt)) / 1000)) : 0;
  return (
    <li class="turn progress">
      <p><span class="spinner" aria-hidden="true" /> <strong>{text.agent.working}</strong> <span class="quiet tabular">{[text.agent.elapsed(seconds), calls > 0 && text.agent.tools_used(calls)].filter(Boolean).join(' · ')}</span></p>
      <p class="small quiet">{text.agent.working_hint}</p>
    </li>
  );
};

export const Talk = ({ items, runs, working, asker }: { items: item[]; runs: agent_run[]; working: boolean; asker: string }) => {
  const text = use_text();
  const last = runs.at(-1);
  const last_calls = last ? items.filter((one) => one.kind === 'call' && one.at >= last.startedAt).length : 0;
  return (
    <ol class="talk" aria-label={text.agent.conversation}>
      {items.map((one) => {
        switch (one.kind) {
          case 'said': return <Said key={one.id} message={one.message} asker={asker} />;
          case 'call': return <Call key={one.id} call={one} working={working && one.at >= (last?.startedAt ?? '')} />;
          case 'result': return <li key={one.id} class="turn tool-call"><details><summary><Icon name="tool" /><code>{one.message.toolName}</code></summary><div class="tool-body"><Result content={one.message.content} /></div></details></li>;
          case 'failed': return <Failed key={one.id} run={one.run} />;
        }
      })}
      {working && <Progress run={last} calls={last_calls} />}
    </ol>
  );
};
