// One conversation with the agent: its messages, what the tools were asked and gave, a run that goes on, the next question.
import { useEffect, useRef } from 'preact/hooks';
import type { agent_session_detail } from '../../api/client';
import { use_load } from '../../api/load';
import { use_format, use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Badge, Button, Crumb, LinkButton, Loaded, NotFound, PageHead, ProblemNote } from '../../ui/basics';
import { Icon } from '../../ui/icons';
import { read_members } from '../members/read_members';
import { Ask } from './ask';
import { shown_items, use_conversation } from './conversation';
import { StatusBadge, Talk } from './talk';

const Head = ({ session }: { session: agent_session_detail }) => {
  const text = use_text();
  const format = use_format();
  const { scopes } = use_session();
  return (
    <>
      <PageHead title={session.title}>
        {scopes.includes('audit:read') && <LinkButton icon="log" href={`/console/audit?sessionId=${session.id}&period=all&reads=true`}>{text.agent.in_audit}</LinkButton>}
      </PageHead>
      <p class="lead"><StatusBadge status={session.status} />{session.credentialId && <Badge tone="quiet">{text.agent.via_key}</Badge>}
        {session.usage.inputTokens > 0 && <span class="small quiet">{text.agent.usage(format.number(session.usage.inputTokens), format.number(session.usage.outputTokens))}</span>}</p>
    </>
  );
};

/** The member's name, for admins who look at another's. */
const use_asker = (session: agent_session_detail | undefined): string => {
  const text = use_text();
  const { member, scopes } = use_session();
  const other = session !== undefined && session.memberId !== member.id;
  const members = use_load(String(other), async (signal) => (other && scopes.includes('members:read') ? read_members(signal) : []));
  if (!other) return text.members.you;
  return members.value?.find(({ id }) => id === session.memberId)?.name ?? text.audit.member;
};

const Conversation = ({ id }: { id: string }) => {
  const text = use_text();
  const { member, scopes } = use_session();
  const { read, messages, has_more, earlier, working } = use_conversation(id);
  const asker = use_asker(read.value);
  const resumed = { id, messages, working, fresh: !read.loading && !read.problem, reload: read.reload };
  const end = useRef<HTMLDivElement>(null);
  const asked = useRef(false);
  useEffect(() => {
    if (working && asked.current) end.current?.scrollIntoView({ block: 'end' });
    if (!working) asked.current = false;
  }, [working, messages.length]);
  if (read.problem?.status === 404 || read.problem?.status === 400) {
    return <NotFound title={text.agent.not_found_title} href="/console/agent" to={text.agent.title}>{text.agent.not_found}</NotFound>;
  }
  return (
    <Loaded of={read}>{(session) => (
      <>
        <Head session={session} />
        {has_more && <p class="more"><Button busy={earlier.busy} onClick={() => void earlier.run()}>{text.agent.earlier}</Button></p>}
        <ProblemNote problem={earlier.problem} title={text.problems.load_title} />
        <Talk items={shown_items(messages, session.runs)} runs={session.runs} working={working} asker={asker} />
        <p class="unseen" role="status">{working ? text.agent.working : text.agent.statuses[session.status]}</p>
        {session.memberId !== member.id ? <p class="note"><Icon name="people" />{text.agent.of_other(asker)}</p>
          : scopes.includes('agents:invoke') && <section class="panel composer"><Ask resumed={resumed} done={() => { asked.current = true; read.reload(); }} /></section>}
        <div ref={end} />
      </>
    )}</Loaded>
  );
};

export const AgentSessionPage = ({ id }: { id: string }) => {
  const text = use_text();
  return <><Crumb href="/console/agent">{text.agent.title}</Crumb><Conversation id={id} /></>;
};
