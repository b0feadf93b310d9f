// The secret of a new key: here once, and nowhere again.
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import type { api_key } from '../../api/client';
import { use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Button, CopyField, PageHead } from '../../ui/basics';
import { Icon } from '../../ui/icons';
import { Expiry, Prefix, ScopeChips } from './key_parts';

export type created = { key: api_key; secret: string; old_key: api_key | undefined };

/** Two commands and not one text: what is pasted behind `read` would be its input. */
const write_header = `(umask 077 && read -rs key && printf 'Authorization: Bearer %s\\n' "$key" >authorization)`;

/** Closing or reloading the page loses the secret: the browser asks first. */
export const use_leave_guard = (): void => {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
};

export const SecretPage = ({ created: { key, secret, old_key } }: { created: created }) => {
  const text = use_text();
  const { publicUrl } = use_session();
  const { route } = useLocation();
  use_leave_guard();
  const curl = `curl -H @authorization '${publicUrl.replace(/\/$/, '')}/api/v1/me'`;
  return (
    <>
      <PageHead title={text.create.done_title} />
      <div class="secret-panel">
        <p class="note warn"><Icon name="warning" />{text.create.once}</p>
        <CopyField label={text.create.secret} value={secret} secret lines={1} />
        <CopyField label={text.create.key_file} value={write_header} lines={2} />
        <p class="hint">{text.create.key_file_hint}</p>
        <CopyField label={text.create.try_it} value={curl} lines={2} />
        <p class="hint">{text.create.try_hint}</p>
        <dl class="facts">
          <dt>{text.common.name}</dt><dd>{key.name} <Prefix of={key} /></dd>
          <dt>{text.keys.column_permissions}</dt><dd><ScopeChips api_key={key} most={12} /></dd>
          <dt>{text.keys.column_expires}</dt><dd><Expiry api_key={key} /></dd>
        </dl>
        <div class="form-foot">
          <Button onClick={() => route(old_key ? `/console/api-access/replace?old=${old_key.id}&new=${key.id}` : `/console/api-access/${key.id}`)}>{text.create.stored}</Button>
        </div>
      </div>
    </>
  );
};
