import { useState } from 'preact/hooks';
import { api, type api_key, body_of, csrf } from '../../api/client';
import { use_action } from '../../api/load';
import { use_format, use_text } from '../../i18n/language';
import { field_error, FormDialog, TextField } from '../../ui/forms';
import { Prefix } from './key_parts';

/** Revoking can't be undone, so its name is typed; the API compares it too. */
export const RevokeDialog = ({ api_key, close, done }: { api_key: api_key; close: () => void; done: (revoked: api_key) => void }) => {
  const text = use_text();
  const format = use_format();
  const [name, set_name] = useState('');
  const revoke = use_action(async () => {
    const { data } = await body_of(api.POST('/api-keys/{id}/revoke', { params: { path: { id: api_key.id }, header: csrf() }, body: { name } }));
    done(data);
  });
  return (
    <FormDialog title={text.revoke.title(api_key.name)} close={close} submit={text.revoke.submit} danger busy={revoke.busy} problem={revoke.problem}
      known_fields={['name']} blocked={name !== api_key.name} run={() => void revoke.run()}>
      <p>{text.revoke.intro}</p>
      <p class="facts-line"><Prefix of={api_key} /> <span>{api_key.lastUsedAt ? text.revoke.last_used(format.relative(api_key.lastUsedAt)) : text.revoke.never_used}</span></p>
      <TextField label={text.revoke.type_name} hint={<code>{api_key.name}</code>} name="name" autocomplete="off" spellcheck={false} value={name} change={set_name}
        error={field_error(text, revoke.problem, 'name')} />
    </FormDialog>
  );
};
