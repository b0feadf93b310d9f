// A JSON schema as a table: a row a property, nested ones with their path, other records as links.
import { escape, lines } from './html.mjs';
import { render_inline } from './markdown.mjs';

const name_of = (ref) => ref.split('/').at(-1);
const code = (text) => `<code>${escape(text)}</code>`;
const or = (parts) => parts.join(' or ');

/** [number, null] and the like; null is told last. */
const types_of = ({ type, enum: values, properties, const: value }) => {
  if (type) return [type].flat();
  if (properties) return ['object'];
  return value !== undefined || values ? [] : ['any'];
};

/** What kind of value this is, as HTML. to(name) is where a record is described. */
export const kind_of = (schema, to) => {
  if (schema.$ref) return `<a href="${escape(to(name_of(schema.$ref)))}">${escape(name_of(schema.$ref))}</a>`;
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return or(choices.map((one) => kind_of(one, to)));
  if (schema.allOf && !schema.properties) return schema.allOf.map((one) => kind_of(one, to)).join(' and ');
  return or(types_of(schema).map((type) => (type === 'array' && schema.items ? `list of ${kind_of(schema.items, to)}` : type)));
};

const bounds = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }) => {
  if (minLength === 1 && maxLength === undefined) return ['not empty'];
  const range = (from, up_to, of) => {
    if (from === undefined && up_to === undefined) return '';
    if (up_to === undefined) return `at least ${from}${of}`;
    return from === undefined ? `at most ${up_to}${of}` : `${from} to ${up_to}${of}`;
  };
  return [range(minimum, maximum, ''), range(minLength, maxLength, ' characters'), range(minItems, maxItems, ' entries')];
};

/** What may stand there, beyond its kind. */
export const notes_of = (schema) => [
  schema.description && render_inline(schema.description),
  schema.enum && `One of ${schema.enum.map((value) => code(value === null ? 'null' : value)).join(', ')}.`,
  schema.items?.enum && `Each one of ${schema.items.enum.map(code).join(', ')}.`,
  ...bounds(schema).filter(Boolean).map((text) => `${text[0].toUpperCase()}${text.slice(1)}.`),
  schema.format && !['uri', 'date-time', 'email', 'date'].includes(schema.format) && `Format ${code(schema.format)}.`,
  schema.pattern && !schema.format && `Matches ${code(schema.pattern)}.`,
  schema.default !== undefined && `Default ${code(schema.default)}.`,
].filter(Boolean).map((text) => (/[.>]$/.test(text) ? text : `${text}.`)).join(' ');

const row = (path, schema, required, to) =>
  `<tr><th scope="row">${code(path)}${required ? '' : ' <span class="optional">optional</span>'}</th><td>${kind_of(schema, to)}</td><td>${notes_of(schema)}</td></tr>`;

const rows_of = (schema, path, to) => {
  const required = new Set(schema.required ?? []);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    [row(`${path}${name}`, inner, required.has(name), to), ...inner_rows(inner, `${path}${name}`, to)]);
  const parts = (schema.allOf ?? []).flatMap((one) => (one.$ref ? [] : rows_of(one, path, to)));
  return [...own, ...parts];
};
const inner_rows = (schema, path, to) => {
  if (schema.$ref) return [];
  if (schema.properties || schema.allOf?.some(({ properties }) => properties)) return rows_of(schema, `${path}.`, to);
  return schema.items && !schema.items.$ref ? inner_rows(schema.items, `${path}[]`, to) : [];
};

const bases = (schema, to) => {
  const refs = (schema.allOf ?? []).filter(({ $ref }) => $ref);
  return refs.length === 0 ? '' : `<p>All of ${refs.map((one) => kind_of(one, to)).join(', ')}, and:</p>`;
};

const table_of = (rows, heading) => rows.length === 0 ? '' : lines(
  '<div class="table" tabindex="0"><table class="fields">',
  `<thead><tr><th scope="col">${heading}</th><th scope="col">Kind</th><th scope="col">What it is</th></tr></thead>`,
  '<tbody>', rows, '</tbody></table></div>',
);

const choice_tables = (schema, to) => (schema.oneOf ?? []).map((one, at) =>
  one.properties ? lines(`<p>Form ${at + 1}:</p>`, table_of(rows_of(one, '', to), 'Field')) : '');

/** A schema's whole description. */
export const render_schema = (schema, to) => {
  const rows = rows_of(schema, '', to);
  const tables = lines(bases(schema, to), table_of(rows, 'Field'), choice_tables(schema, to));
  const plain_kind = rows.length === 0 && !tables ? `<p class="kind">${kind_of(schema, to)}. ${notes_of({ ...schema, description: undefined })}</p>` : '';
  return lines(plain_kind, tables);
};

/** Parameters or headers: [{ name, required, description, schema, in }]. */
export const render_parameters = (parameters, to, heading) => table_of(parameters.map((one) => {
  const notes = notes_of({ ...one.schema, description: one.description ?? one.schema.description });
  const optional = one.required ? '' : ' <span class="optional">optional</span>';
  return `<tr><th scope="row">${code(one.name)}${optional}</th><td>${kind_of(one.schema, to)}</td><td>${notes}</td></tr>`;
}), heading);
