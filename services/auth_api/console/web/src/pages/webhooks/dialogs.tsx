// What admins do with webhooks after they were asked for it.
import { useState } from 'preact/hooks';
import { api, body_of, csrf, type webhook, type webhook_resource } from '../../api/client';
import { use_action } from '../../api/load';
import { use_text } from '../../i18n/language';
import { field_error, FormDialog, TextField } from '../../ui/forms';
import { Icon } from '../../ui/icons';
import type { with_secret } from './secret';
import { resource_name, resources } from './webhook_parts';

type chosen = { chosen: webhook_resource[]; change: (chosen: webhook_resource[]) => void; error: string | undefined };
const ResourceBoxes = ({ chosen, change, error }: chosen) => {
  const text = use_text();
  const toggle = (one: webhook_resource) => change(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]);
  return (
    <fieldset class="permissions" aria-describedby={error ? 'resources-error' : undefined}>
      <legend>{text.webhooks.column_resources}</legend>
      {error && <p id="resources-error" class="error" tabIndex={-1} aria-invalid="true"><Icon name="warning" />{error}</p>}
      <div class="check-grid">
        {resources.map((one) => (
          <label key={one} class="check"><input type="checkbox" name="resource" value={one} checked={chosen.includes(one)} onChange={() => toggle(one)} />{resource_name(text, one)}</label>
        ))}
      </div>
    </fieldset>
  );
};

type create_options = { close: () => void; done: (made: with_secret) => void };
export const CreateDialog = ({ close, done }: create_options) => {
  const text = use_text();
  const { webhooks } = text;
  const [draft, set_draft] = useState<{ url: string; description: string; resources: webhook_resource[] }>({ url: '', description: '', resources: [] });
  const [tried, set_tried] = useState(false);
  const change = (part: Partial<typeof draft>) => set_draft((now) => ({ ...now, ...part }));
  const [url, description] = [draft.url.trim(), draft.description.trim()];
  const create = use_action(async () => {
    const body = { url, resources: draft.resources, ...(description && { description }) };
    done((await body_of(api.POST('/webhooks', { params: { header: csrf() }, body }))).data);
  });
  const run = () => {
    set_tried(true);
    if (url && draft.resources.length > 0) void create.run();
  };
  const url_error = (): string | undefined => {
    if (tried && !url) return text.problems.reasons.missing;
    const reason = create.problem?.detail_of('url')?.reason;
    if (reason === undefined) return undefined;
    return reason === 'too_many' ? webhooks.too_many : webhooks.url_not_allowed;
  };
  const none = tried && draft.resources.length === 0 ? webhooks.no_resources : undefined;
  return (
    <FormDialog title={webhooks.create} close={close} submit={webhooks.create} busy={create.busy} problem={create.problem} known_fields={['url', 'description', 'resources']} run={run}>
      <TextField label={webhooks.url} hint={webhooks.url_hint} name="url" inputMode="url" autocomplete="off" spellcheck={false} maxLength={2000} value={draft.url} change={(value) => change({ url: value })} error={url_error()} />
      <TextField label={webhooks.description} name="description" autocomplete="off" optional maxLength={200} value={draft.description} change={(value) => change({ description: value })} error={field_error(text, create.problem, 'description')} />
      <ResourceBoxes chosen={draft.resources} change={(chosen) => change({ resources: chosen })} error={none ?? field_error(text, create.problem, 'resources')} />
    </FormDialog>
  );
};

export const RotateDialog = ({ webhook, close, done }: create_options & { webhook: webhook }) => {
  const text = use_text();
  const rotate = use_action(async () => {
    done((await body_of(api.POST('/webhooks/{id}/secret', { params: { path: { id: webhook.id }, header: csrf() } }))).data);
  });
  return (
    <FormDialog title={text.webhooks.rotate_title} close={close} submit={text.webhooks.rotate} busy={rotate.busy} problem={rotate.problem} run={() => void rotate.run()}>
      <p>{text.webhooks.rotate_intro}</p>
    </FormDialog>
  );
};

export const DeleteDialog = ({ webhook, close, done }: { webhook: webhook; close: () => void; done: () => void }) => {
  const text = use_text();
  const remove = use_action(async () => {
    await body_of(api.DELETE('/webhooks/{id}', { params: { path: { id: webhook.id }, header: csrf() } }));
    done();
  });
  return (
    <FormDialog title={text.webhooks.delete_title} close={close} submit={text.webhooks.delete} danger busy={remove.busy} problem={remove.problem} run={() => void remove.run()}>
      <p>{text.webhooks.delete_intro}</p>
      <p class="facts-line"><code>{webhook.url}</code></p>
    </FormDialog>
  );
};
