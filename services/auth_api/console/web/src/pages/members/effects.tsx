// What a change of a member does to that member's keys, told before it is done.
import { api, body_of, type key_effect, type role } from '../../api/client';
import { use_load } from '../../api/load';
import { use_text } from '../../i18n/language';
import { Badge, Loaded } from '../../ui/basics';
import { Prefix } from '../keys/key_parts';

const Change = ({ effect }: { effect: key_effect }) => {
  const text = use_text();
  const { members } = text;
  if (effect.stops) return <Badge tone="bad">{members.effect_stops}</Badge>;
  if (effect.scopesLost.length + effect.scopesGained.length === 0) return <span class="quiet">{members.effect_same}</span>;
  const part = (label: string, scopes: string[]) => scopes.length > 0 && <span class="chips"><span class="small quiet">{label}</span>{scopes.map((scope) => <code key={scope} class="chip">{scope}</code>)}</span>;
  return <>{part(members.effect_loses, effect.scopesLost)}{part(members.effect_gains, effect.scopesGained)}</>;
};

export const KeyEffects = ({ member_id, change }: { member_id: string; change: { role: role } | { removed: true } }) => {
  const text = use_text();
  const key = JSON.stringify(change);
  const effects = use_load(key, (signal) => body_of(api.GET('/members/{id}/key-effects', { params: { path: { id: member_id }, query: change }, signal })));
  return (
    <section class="effects" aria-live="polite" aria-busy={effects.loading}>
      <h3>{text.members.effects}</h3>
      <Loaded of={effects}>{({ data }) => (data.length === 0 ? <p class="quiet">{text.members.effects_no_keys}</p> : (
        <ul>{data.map((effect) => <li key={effect.id}><span><strong>{effect.name}</strong> <Prefix of={effect} /></span><span><Change effect={effect} /></span></li>)}</ul>
      ))}</Loaded>
    </section>
  );
};
