// JSON to be read: folded, one line per member. What is folded is not drawn, so that a long result costs nothing until it is opened.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { use_text } from '../i18n/language';

type json = string | number | boolean | null | json[] | { [name: string]: json };
const first_shown = 50;
/** Of an open value with so many members at most, each one is open too. */
const few = 3;

/** undefined: the text is no JSON. */
export const parsed_json = (text: string): json | undefined => {
  try {
    return JSON.parse(text) as json;
  } catch {
    return undefined;
  }
};

const Name = ({ children }: { children: ComponentChildren }) => (children === null ? null : <span class="json-name"><bdi>{children}</bdi></span>);

const Leaf = ({ name, value }: { name: string | null; value: string | number | boolean | null }) => (
  <div class="json-line"><Name>{name}</Name><span class={typeof value === 'string' ? 'json-text' : 'json-word'} dir="auto">{typeof value === 'string' ? value : String(value)}</span></div>
);

const Members = ({ entries, open }: { entries: [string, json][]; open: boolean }) => {
  const text = use_text();
  const [shown, show] = useState(first_shown);
  return (
    <div class="json-body">
      {entries.slice(0, shown).map(([name, value]) => <Json key={name} name={name} value={value} open={open} />)}
      {entries.length > shown && <button type="button" class="button small" onClick={() => show(shown + 10 * first_shown)}>{text.agent.more_entries(entries.length - shown)}</button>}
    </div>
  );
};

const Folded = ({ name, value, open: open_at_first }: { name: string | null; value: json[] | { [name: string]: json }; open: boolean }) => {
  const text = use_text();
  const [open, set_open] = useState(open_at_first);
  const entries: [string, json][] = Array.isArray(value) ? value.map((one, i) => [String(i + 1), one]) : Object.entries(value);
  return (
    <details class="json-fold" open={open} onToggle={(event) => set_open(event.currentTarget.open)}>
      <summary><Name>{name}</Name><span class="quiet small">{Array.isArray(value) ? text.agent.entries(entries.length) : text.agent.fields(entries.length)}</span></summary>
      {open && <Members entries={entries} open={open_at_first && entries.length <= few} />}
    </details>
  );
};

const Json = ({ name = null, value, open = false }: { name?: string | null; value: json; open?: boolean }) =>
  value === null || typeof value !== 'object' ? <Leaf name={name} value={value} /> : <Folded name={name} value={value} open={open} />;

/** A text that is JSON as such, any other as it is. */
export const JsonText = ({ text, open = false }: { text: string; open?: boolean }) => {
  const value = parsed_json(text);
  return value === undefined ? <p class="prose small" dir="auto">{text}</p> : <div class="json"><Json value={value} open={open} /></div>;
};
