// How webhooks are read, and how a webhook is shown, wherever it is.
import { api, body_of, type webhook, type webhook_resource } from '../../api/client';
import { use_text } from '../../i18n/language';
import type { texts } from '../../i18n/texts';
import { Badge, Time } from '../../ui/basics';

/** All of them, the newest first: an organization has twenty at most. */
export const read_webhooks = async (signal: AbortSignal): Promise<webhook[]> => (await body_of(api.GET('/webhooks', { signal }))).data;

export const host_of = ({ url }: webhook): string => url.replace(/^https?:\/\/([^/?#]+).*$/, '$1');

export const resources: webhook_resource[] = ['jobs', 'candidates', 'members', 'pipeline', 'interviews', 'agent_runs', 'audit'];

export const resource_name = (text: texts, resource: webhook_resource): string => {
  if (resource === 'interviews') return text.nav.interviews;
  return resource === 'agent_runs' ? text.billing.agent_runs : text.resources[resource];
};

const tones = { active: 'good', paused: 'quiet', failed: 'bad', gone: 'quiet' } as const;

export const StateBadge = ({ webhook: { status } }: { webhook: webhook }) => <Badge tone={tones[status]}>{use_text().webhooks.states[status]}</Badge>;

export const Resources = ({ webhook }: { webhook: webhook }) => {
  const text = use_text();
  return <span class="chips">{webhook.resources.map((resource) => <span key={resource} class="chip">{resource_name(text, resource)}</span>)}</span>;
};

export const FailingSince = ({ webhook: { failingSince } }: { webhook: webhook }) =>
  (failingSince ? <span class="warn-text"><Time at={failingSince} /></span> : <span class="quiet">–</span>);
