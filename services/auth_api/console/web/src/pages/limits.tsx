// What the organization may have and do at most.
import { api, failed, type limits } from '../api/client';
import { use_load } from '../api/load';
import { read_problem } from '../api/problem';
import { use_format, use_text } from '../i18n/language';
import { Loaded, PageHead } from '../ui/basics';

/** The gateway's policy of requests, "ip";q=600;w=60: a count and seconds. */
const requests_of = (policy: string | null): number | null => {
  const found = /"ip";q=(\d+);w=60\b/.exec(policy ?? '');
  return found ? Number(found[1]) : null;
};

const read_limits = async (signal: AbortSignal): Promise<{ limits: limits; requests: number | null }> => {
  const { data, error, response } = await api.GET('/limits', { signal });
  if (!data) throw failed(read_problem(response, error));
  return { limits: data.data, requests: requests_of(response.headers.get('RateLimit-Policy')) };
};

const groups = {
  access: ['apiKeysPerMember', 'webhooks', 'invitationsPerHour'],
  agent: ['agentRunsAtOnce', 'agentPromptCharacters'],
  interviews: ['openSlots', 'openSlotsPerInterviewer', 'slotsOpenedPerHour'],
  kept: ['agentSessionsKeptDays', 'auditLogKeptDays'],
} as const satisfies Record<string, readonly (keyof limits)[]>;

const Group = ({ name, of, requests }: { name: keyof typeof groups; of: limits; requests: number | null }) => {
  const { limits: text } = use_text();
  const format = use_format();
  return (
    <section class="panel">
      <h2>{text.groups[name]}</h2>
      <dl class="facts">
        {requests && <><dt>{text.requests}</dt><dd>{format.number(requests)}</dd></>}
        {groups[name].map((limit) => <><dt>{text.names[limit]}</dt><dd>{format.number(of[limit])}</dd></>)}
      </dl>
    </section>
  );
};

export const LimitsPage = () => {
  const { limits: text } = use_text();
  const read = use_load('limits', read_limits);
  return (
    <>
      <PageHead title={text.title} intro={text.intro} />
      <Loaded of={read}>{({ limits, requests }) => (
        <div class="columns">
          {(Object.keys(groups) as (keyof typeof groups)[]).map((name) => <Group key={name} name={name} of={limits} requests={name === 'access' ? requests : null} />)}
        </div>
      )}</Loaded>
    </>
  );
};
