// How keys are read, and how a key is shown, wherever it is.
import { api, type api_key, body_of, type key_state } from '../../api/client';
import { use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Badge, Time } from '../../ui/basics';
import { Icon } from '../../ui/icons';

/** These keys, whatever their state; undefined for one that the member may not see. */
export const read_keys = (ids: string[], signal: AbortSignal): Promise<(api_key | undefined)[]> =>
  Promise.all(ids.map(async (id) => (await body_of(api.GET('/api-keys', { params: { query: { id } }, signal }))).data[0]));

const tones = { active: 'good', expired: 'quiet', revoked: 'quiet', inactive: 'warn' } as const;

export const StateBadge = ({ state }: { state: key_state }) => {
  const text = use_text();
  return <Badge tone={tones[state]} {...(state === 'inactive' && { title: text.keys.inactive_hint })}>{text.keys.states[state]}</Badge>;
};

/** "sp_live_aB3x" of a secret that nobody can show any more. */
export const Prefix = ({ of }: { of: { displayedPrefix: string } }) => <code class="prefix">{of.displayedPrefix}…</code>;

const two_weeks = 14 * 24 * 3600 * 1000;
export const Expiry = ({ api_key }: { api_key: api_key }) => {
  const text = use_text();
  const left = new Date(api_key.expiresAt).getTime() - Date.now();
  if (api_key.state === 'revoked' && api_key.revokedAt) return <span class="quiet">{text.keys.states.revoked} <Time at={api_key.revokedAt} /></span>;
  const soon = left > 0 && left < two_weeks && api_key.state === 'active';
  return (
    <>
      <span class={soon ? 'soon' : ''}>{soon && <><Icon name="warning" /><span class="unseen">{text.keys.expires_soon}: </span></>}<Time at={api_key.expiresAt} form="date" /></span>
      <span class="small quiet sub"><Time at={api_key.expiresAt} /></span>
    </>
  );
};

export const LastUse = ({ api_key }: { api_key: api_key }) => {
  const text = use_text();
  if (!api_key.lastUsedAt) return <span class="quiet">{text.common.never}</span>;
  return <><Time at={api_key.lastUsedAt} />{api_key.lastUsedIp && <code class="small quiet sub">{api_key.lastUsedIp}</code>}</>;
};

export const ScopeChips = ({ api_key, most = 3 }: { api_key: api_key; most?: number }) => {
  const text = use_text();
  const without = api_key.expandedScopes.length - api_key.effectiveScopes.length;
  return (
    <span class="chips">
      {api_key.scopes.slice(0, most).map((scope) => <code key={scope} class="chip">{scope}</code>)}
      {api_key.scopes.length > most && <span class="small quiet">{text.keys.more_permissions(api_key.scopes.length - most)}</span>}
      {without > 0 && api_key.state === 'active' && <span class="small warn-text">{text.keys.limited(without)}</span>}
    </span>
  );
};

export const Owner = ({ api_key }: { api_key: api_key }) => {
  const text = use_text();
  const { member } = use_session();
  const mine = api_key.owner.memberId === member.id;
  return (
    <>
      <span>{api_key.owner.name}{mine && <span class="quiet"> ({text.members.you})</span>}</span>
      <span class="small quiet sub">{api_key.owner.active ? text.roles[api_key.owner.role] : text.members.statuses.removed}</span>
    </>
  );
};

/** What is there to be revoked. */
export const is_live = ({ state }: api_key): boolean => state === 'active' || state === 'inactive';
