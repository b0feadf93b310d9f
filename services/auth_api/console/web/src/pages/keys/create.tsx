// A new key, or one that replaces another: its settings, then its secret, once.
import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, type api_key, body_of, csrf, type scope_entry } from '../../api/client';
import { use_action, use_load } from '../../api/load';
import { use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Button, Crumb, Empty, LinkButton, Loaded, PageHead, ProblemNote } from '../../ui/basics';
import { Field, field_error, first_wrong, TextField } from '../../ui/forms';
import { Expiry, type expiry, expiry_in, is_allowed, time_of } from './expiry';
import { read_keys } from './key_parts';
import { Permissions } from './permissions';
import { type created, SecretPage } from './secret';

const day = 24 * 3600 * 1000;

/** A name that the old one leaves free: "Warehouse", "Warehouse 2", "Warehouse 3". */
const next_name = (name: string): string => {
  const [, stem = name, number] = /^(.*?)(?: (\d{1,3}))?$/.exec(name) ?? [];
  return `${stem} ${Number(number ?? 1) + 1}`.slice(0, 120);
};
const same_length = ({ createdAt, expiresAt }: api_key): expiry => {
  const days = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / day);
  return expiry_in([7, 30, 90, 180, 365].find((one) => one >= days) ?? 365);
};

type draft = { name: string; scopes: string[]; expiry: expiry; addresses: string };
const draft_of = (old_key: api_key | undefined): draft => ({
  name: old_key ? next_name(old_key.name) : '',
  scopes: old_key?.scopes ?? [],
  expiry: old_key ? same_length(old_key) : expiry_in(90),
  addresses: old_key?.allowedIps.join('\n') ?? '',
});

const create_key = async ({ name, scopes, expiry, addresses }: draft): Promise<{ key: api_key; secret: string }> => {
  const allowedIps = addresses.split(/[\s,;]+/).filter(Boolean);
  const expiresAt = (time_of(expiry) ?? new Date()).toISOString();
  const body = { name: name.trim(), scopes: scopes as api_key['scopes'], expiresAt, ...(allowedIps.length > 0 && { allowedIps }) };
  return (await body_of(api.POST('/api-keys', { params: { header: csrf() }, body }))).data;
};

type form_options = { catalogue: scope_entry[]; old_key: api_key | undefined; done: (created: created) => void };
const CreateForm = ({ catalogue, old_key, done }: form_options) => {
  const text = use_text();
  const form = useRef<HTMLFormElement>(null);
  const [draft, set_draft] = useState<draft>(() => draft_of(old_key));
  const [tried, set_tried] = useState(false);
  const change = (part: Partial<draft>) => set_draft((now) => ({ ...now, ...part }));
  const create = use_action(async () => done({ ...(await create_key(draft)), old_key }));
  const wrong = {
    name: tried && !draft.name.trim() ? text.create.no_name : field_error(text, create.problem, 'name'),
    expiry: tried && !is_allowed(time_of(draft.expiry)) ? text.create.bad_expiry : field_error(text, create.problem, 'expiresAt'),
    scopes: tried && draft.scopes.length === 0 ? text.create.no_permissions : field_error(text, create.problem, 'scopes'),
  };
  useEffect(() => {
    if (create.problem) first_wrong(form.current);
  }, [create.problem]);
  const submit = (event: Event) => {
    event.preventDefault();
    set_tried(true);
    if (!draft.name.trim() || draft.scopes.length === 0 || !is_allowed(time_of(draft.expiry))) return first_wrong(form.current);
    void create.run();
  };
  return (
    <form ref={form} class="wide-form" noValidate onSubmit={submit}>
      <TextField label={text.create.name} hint={text.create.name_hint} name="name" autocomplete="off" maxLength={120} value={draft.name} change={(name) => change({ name })} error={wrong.name} />
      <Expiry value={draft.expiry} change={(expiry) => change({ expiry })} error={wrong.expiry} />
      <Permissions chosen={draft.scopes} change={(scopes) => change({ scopes })} catalogue={catalogue} error={wrong.scopes} />
      <Field label={text.create.addresses} hint={text.create.addresses_hint} optional error={field_error(text, create.problem, 'allowedIps')}>
        {(ids) => <textarea {...ids} rows={2} name="allowedIps" spellcheck={false} value={draft.addresses} onInput={(event) => change({ addresses: event.currentTarget.value })} />}
      </Field>
      <ProblemNote problem={create.problem} known_fields={['name', 'expiresAt', 'scopes', 'allowedIps']} />
      <div class="form-foot"><Button type="submit" kind="primary" busy={create.busy}>{create.busy ? text.create.busy : text.create.submit}</Button><LinkButton href="/console/api-access">{text.common.cancel}</LinkButton></div>
    </form>
  );
};

export const CreateKeyPage = () => {
  const text = use_text();
  const { mayCreateKeys } = use_session();
  const replaced = useLocation().query['replace'];
  const [created, set_created] = useState<created | null>(null);
  const read = use_load(replaced ?? 'new', async (signal) => {
    const [scopes, [old_key]] = await Promise.all([body_of(api.GET('/scopes', { signal })), replaced ? read_keys([replaced], signal) : []]);
    return { catalogue: scopes.data, old_key };
  });
  if (created) return <SecretPage created={created} />;
  if (!mayCreateKeys) {
    return <><PageHead title={text.create.title} /><Empty title={text.create.not_allowed_title} action={<LinkButton href="/console/api-access">{text.keys.title}</LinkButton>}>{text.create.not_allowed}</Empty></>;
  }
  const old_key = read.value?.old_key;
  return (
    <>
      <Crumb href="/console/api-access">{text.keys.title}</Crumb>
      <PageHead title={old_key ? text.create.replace_title(old_key.name) : text.create.title} {...(old_key && { intro: text.create.replace_intro })} />
      <Loaded of={read}>{({ catalogue }) => <CreateForm catalogue={catalogue} old_key={old_key} done={set_created} />}</Loaded>
    </>
  );
};
