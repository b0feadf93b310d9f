// Choosing a key's permissions: grouped by resource, with wildcards, and marks where the member's role gives them no effect.
import type { scope, scope_entry } from '../../api/client';
import { use_text } from '../../i18n/language';
import type { texts } from '../../i18n/texts';
import { Badge } from '../../ui/basics';
import { Icon } from '../../ui/icons';

/** Does the permission as written include the scope? As libs/auth/scope.cpp. */
const includes = (written: string, { resource, action, scope }: scope_entry): boolean =>
  written === '*' || written === scope || written === `${resource}:*` || written === `*:${action}`;

const effective_count = (chosen: string[], catalogue: scope_entry[]): number =>
  catalogue.filter((entry) => entry.effective && chosen.some((written) => includes(written, entry))).length;

type preset = { name: 'preset_warehouse' | 'preset_agent' | 'preset_assistant' | 'preset_careers' | 'preset_auditor' | 'preset_clear'; scopes: scope[] };
const presets: preset[] = [
  { name: 'preset_warehouse', scopes: ['organization:read', 'members:read', 'jobs:read', 'candidates:read', 'pipeline:read'] },
  { name: 'preset_agent', scopes: ['agents:read', 'agents:history', 'agents:invoke'] },
  { name: 'preset_assistant', scopes: ['jobs:read', 'candidates:read', 'pipeline:read'] },
  { name: 'preset_careers', scopes: ['organization:read', 'jobs:read'] },
  { name: 'preset_auditor', scopes: ['organization:read', 'members:read', 'audit:read'] },
  { name: 'preset_clear', scopes: [] },
];

type options = { chosen: string[]; change: (chosen: string[]) => void; catalogue: scope_entry[]; error: string | undefined };
type box_options = { chosen: string[]; change: (chosen: string[]) => void; written: string; hint: string; included?: string | undefined; no_effect?: boolean };

const Box = ({ chosen, change, written, hint, included, no_effect = false }: box_options) => {
  const text = use_text();
  const on = chosen.includes(written);
  const toggle = () => change(on ? chosen.filter((one) => one !== written) : [...chosen, written]);
  return (
    <label class={`scope ${no_effect ? 'without' : ''}`}>
      <input type="checkbox" name="scope" value={written} checked={on || included !== undefined} disabled={included !== undefined} onChange={toggle} />
      <span class="scope-text"><code>{written}</code><span class="quiet">{hint}</span></span>
      {included !== undefined && <span class="small quiet">{text.create.included(included)}</span>}
      {no_effect && <Badge tone="warn">{text.create.no_effect}</Badge>}
    </label>
  );
};

const resource_name = (text: texts, resource: string): string => text.resources[resource as keyof texts['resources']] ?? resource;

const Group = ({ resource, entries, chosen, change }: { resource: string; entries: scope_entry[]; chosen: string[]; change: (chosen: string[]) => void }) => {
  const text = use_text();
  const whole = `${resource}:*`;
  return (
    <fieldset class="scope-group">
      <legend>{resource_name(text, resource)}</legend>
      {entries.length > 1 && <Box chosen={chosen} change={change} written={whole} hint={text.create.all_of(resource_name(text, resource))} included={chosen.includes('*') ? '*' : undefined} />}
      {entries.map((entry) => (
        <Box key={entry.scope} chosen={chosen} change={change} written={entry.scope} hint={text.scopes[entry.scope] ?? entry.description} no_effect={!entry.effective}
          included={chosen.find((written) => written !== entry.scope && includes(written, entry))} />
      ))}
    </fieldset>
  );
};

const same = (one: string[], other: string[]): boolean => one.length === other.length && one.every((scope) => other.includes(scope));

const Presets = ({ chosen, change }: { chosen: string[]; change: (chosen: string[]) => void }) => {
  const text = use_text();
  return (
    <div class="presets" role="group" aria-label={text.create.presets}>
      <span class="quiet small">{text.create.presets}</span>
      {presets.map(({ name, scopes }) => (
        <button key={name} type="button" class="button small" aria-pressed={same(chosen, scopes)} onClick={() => change(scopes)}>{text.create[name]}</button>
      ))}
    </div>
  );
};

export const Permissions = ({ chosen, change, catalogue, error }: options) => {
  const text = use_text();
  const resources = [...new Set(catalogue.map(({ resource }) => resource))];
  return (
    <fieldset class={`permissions ${error ? 'wrong' : ''}`} aria-describedby={error ? 'permissions-error' : undefined}>
      <legend>{text.create.permissions}</legend>
      <p class="hint">{text.create.permissions_hint}</p>
      <Presets chosen={chosen} change={change} />
      {error && <p id="permissions-error" class="error" tabIndex={-1} aria-invalid="true"><Icon name="warning" />{error}</p>}
      <div class="scope-grid">
        {resources.map((resource) => <Group key={resource} resource={resource} entries={catalogue.filter((entry) => entry.resource === resource)} chosen={chosen} change={change} />)}
        <fieldset class="scope-group">
          <legend>{text.create.whole}</legend>
          <Box chosen={chosen} change={change} written="*:read" hint={text.create.reading_hint} included={chosen.includes('*') ? '*' : undefined} />
          <Box chosen={chosen} change={change} written="*" hint={text.create.everything_hint} />
        </fieldset>
      </div>
      <p class="small quiet" role="status">{text.create.summary_effective(effective_count(chosen, catalogue))}</p>
    </fieldset>
  );
};
