// One key with everything that is known of it.
import { useState } from 'preact/hooks';
import type { api_key } from '../../api/client';
import { use_load } from '../../api/load';
import { use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Badge, Button, CopyButton, Crumb, Done, LinkButton, Loaded, NotFound, PageHead, Time } from '../../ui/basics';
import { read_members } from '../members/read_members';
import { Expiry, is_live, LastUse, Owner, Prefix, read_keys, StateBadge } from './key_parts';
import { RevokeDialog } from './revoke';

/** What the key allows; before it the wildcards by which it does. */
const Permissions = ({ api_key }: { api_key: api_key }) => {
  const text = use_text();
  const wildcards = api_key.scopes.filter((scope) => scope.includes('*'));
  return (
    <section class="panel">
      <h2>{text.create.permissions}</h2>
      {wildcards.length > 0 && <p class="chips">{wildcards.map((scope) => <code key={scope} class="chip">{scope}</code>)}</p>}
      <ul class="plain-list">
        {api_key.expandedScopes.map((scope) => {
          const effective = api_key.effectiveScopes.includes(scope);
          return (
            <li key={scope} class={effective ? '' : 'without'}>
              <code>{scope}</code> <span>{text.scopes[scope]}</span>
              {!effective && <Badge tone="warn">{text.keys.no_effect_for_role(text.roles[api_key.owner.role])}</Badge>}
            </li>
          );
        })}
      </ul>
    </section>
  );
};

/** Who revoked the key, where the member may see members. */
const use_revoker = ({ revokedBy, owner }: api_key): string | undefined => {
  const { scopes } = use_session();
  const other = revokedBy !== null && revokedBy !== owner.memberId && scopes.includes('members:read');
  const members = use_load(String(other), async (signal) => (other ? read_members(signal) : []));
  return revokedBy === owner.memberId ? owner.name : members.value?.find(({ id }) => id === revokedBy)?.name;
};

const Facts = ({ api_key }: { api_key: api_key }) => {
  const text = use_text();
  const revoker = use_revoker(api_key);
  return (
    <section class="panel">
      <dl class="facts">
        <dt>{text.keys.prefix}</dt><dd><Prefix of={api_key} /></dd>
        <dt>{text.keys.column_owner}</dt><dd><Owner api_key={api_key} /></dd>
        <dt>{text.keys.column_created}</dt><dd><Time at={api_key.createdAt} form="minute" /></dd>
        <dt>{text.keys.column_used}</dt><dd><LastUse api_key={api_key} /></dd>
        {api_key.revokedAt ? <><dt>{text.keys.revoked}</dt><dd><Time at={api_key.revokedAt} form="minute" />{revoker && <span class="sub">{text.keys.revoked_by(revoker)}</span>}</dd></>
          : <><dt>{text.keys.column_expires}</dt><dd><Expiry api_key={api_key} /></dd></>}
        <dt>{text.keys.allowed_ips}</dt><dd>{api_key.allowedIps.length > 0 ? api_key.allowedIps.map((one) => <code key={one} class="chip">{one}</code>) : text.keys.any_address}</dd>
        <dt>{text.keys.id}</dt><dd><code>{api_key.id}</code> <CopyButton label={text.keys.id} value={api_key.id} /></dd>
      </dl>
    </section>
  );
};

const Key = ({ api_key, changed }: { api_key: api_key; changed: () => void }) => {
  const text = use_text();
  const { scopes, mayCreateKeys } = use_session();
  const [revoking, set_revoking] = useState(false);
  const [said, say] = useState<string | null>(null);
  return (
    <>
      <PageHead title={api_key.name}>
        {scopes.includes('audit:read') && <LinkButton icon="log" href={`/console/audit?credentialId=${api_key.id}&period=all&reads=true`}>{text.keys.show_calls}</LinkButton>}
        {mayCreateKeys && <LinkButton icon="swap" href={`/console/api-access/new?replace=${api_key.id}`}>{text.keys.replace}</LinkButton>}
        {is_live(api_key) && <Button kind="danger" onClick={() => set_revoking(true)}>{text.keys.revoke}</Button>}
      </PageHead>
      <p class="lead"><StateBadge state={api_key.state} /> {api_key.state === 'inactive' && <span class="quiet">{text.keys.inactive_hint}</span>}</p>
      <Done>{said}</Done>
      <div class="columns"><Permissions api_key={api_key} /><Facts api_key={api_key} /></div>
      {revoking && <RevokeDialog api_key={api_key} close={() => set_revoking(false)} done={({ name }) => { set_revoking(false); say(text.revoke.done(name)); changed(); }} />}
    </>
  );
};

export const KeyNotFound = () => {
  const text = use_text();
  return <NotFound title={text.keys.not_found_title} href="/console/api-access" to={text.keys.title}>{text.keys.not_found}</NotFound>;
};

export const KeyPage = ({ id }: { id: string }) => {
  const text = use_text();
  const key = use_load(id, async (signal) => ({ found: (await read_keys([id], signal))[0] }));
  return (
    <>
      <Crumb href="/console/api-access">{text.keys.title}</Crumb>
      <Loaded of={key}>{({ found }) => (found ? <Key api_key={found} changed={key.reload} /> : <KeyNotFound />)}</Loaded>
    </>
  );
};
