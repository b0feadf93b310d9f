// The secret of a new webhook, or its new secret: here once, and nowhere again.
import type { webhook } from '../../api/client';
import { use_format, use_text } from '../../i18n/language';
import { Button, CopyField, PageHead } from '../../ui/basics';
import { Icon } from '../../ui/icons';
import { use_leave_guard } from '../keys/secret';

export type with_secret = { webhook: webhook; secret: string };

export const SecretPage = ({ title, made: { webhook, secret }, stored }: { title: string; made: with_secret; stored: () => void }) => {
  const text = use_text();
  const format = use_format();
  use_leave_guard();
  const until = webhook.previousSecretExpiresAt;
  return (
    <>
      <PageHead title={title} />
      <div class="secret-panel">
        <p class="note warn"><Icon name="warning" />{text.create.once}</p>
        <CopyField label={text.create.secret} value={secret} secret lines={1} />
        <p class="hint">{text.webhooks.secret_hint}</p>
        {until && <p>{text.webhooks.previous_valid(format.minute(until))}</p>}
        <dl class="facts"><dt>{text.webhooks.url}</dt><dd><code>{webhook.url}</code></dd></dl>
        <div class="form-foot"><Button onClick={stored}>{text.create.stored}</Button></div>
      </div>
    </>
  );
};
