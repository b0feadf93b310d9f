// The OpenAPI documents hold what a reader needs: they parse strictly, everything has a description, every response has
// an example of its own, and each example is what its schema, its status and the programs' own messages say.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import add_formats from 'ajv-formats';
import { parseStringPromise } from 'xml2js';
import { isCollection, isScalar, parseDocument, visit } from 'yaml';

const text_of = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const names = ['auth_api', 'public_api', 'console'];
const documents = names.map((name) => ({ name, document: JSON.parse(text_of(`proto-docs/openapi/${name}.json`)) }));

const ajv = add_formats(new Ajv2020.default({ strict: false, allErrors: true }));
for (const { name, document } of documents) ajv.addSchema(document, name);

const escaped = (segment) => String(segment).replaceAll('~', '~0').replaceAll('/', '~1');
/** The node that references lead to, and where it stands. */
const follow = (document, node, at) => {
  if (!node.$ref) return { node, at };
  const found = node.$ref.slice(2).split('/').reduce((inner, part) => inner?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  assert.ok(found, `${node.$ref} is not in the document`);
  return follow(document, found, node.$ref);
};

/** Every response and request body with content: { name, what, status, description, content, at }. */
const bodies_of = ({ name, document }) => {
  const operations = ['paths', 'webhooks'].flatMap((kind) => Object.entries(document[kind] ?? {}).flatMap(([path, item]) =>
    Object.entries(item).filter(([verb]) => verb !== 'parameters').map(([verb, operation]) => ({ path, verb, operation, at: `#/${kind}/${escaped(path)}/${verb}` }))));
  const responses = [
    ...operations.flatMap(({ path, verb, operation, at }) => Object.entries(operation.responses).map(([status, response]) => ({ what: `${verb} ${path} ${status}`, status, response, at: `${at}/responses/${status}` }))),
    ...Object.entries(document['x-unmatched']).map(([status, response]) => ({ what: `unmatched ${status}`, status, response, at: `#/x-unmatched/${status}` })),
  ].map(({ what, status, response, at }) => ({ what: `${name} ${what}`, status: Number(status), ...follow(document, response, at) }));
  const requests = operations.filter(({ operation }) => operation.requestBody)
    .map(({ path, verb, operation, at }) => ({ what: `${name} ${verb} ${path} request`, status: 0, ...follow(document, operation.requestBody, `${at}/requestBody`) }));
  return [...responses, ...requests].map(({ node, ...rest }) => ({ ...rest, description: node.description ?? '', content: node.content ?? {} }));
};

const examples_of = (document, media) =>
  media.example !== undefined ? [['', media.example]] : Object.entries(media.examples ?? {}).map(([key, one]) => [key, follow(document, one, key).node.value]);

const all_examples = documents.flatMap((of) => bodies_of(of).flatMap((body) => Object.entries(body.content).flatMap(([type, media]) =>
  examples_of(of.document, media).map(([key, value]) => ({ of, body, type, key, value, at: `${body.at}/content/${escaped(type)}` })))));

test('the documents are strict YAML 1.2, and mean the same to parsers of YAML 1.1', () => {
  for (const name of names) {
    const document = parseDocument(text_of(`proto-docs/openapi/${name}.yaml`), { version: '1.2', strict: true, uniqueKeys: true, stringKeys: true });
    assert.deepEqual([...document.errors, ...document.warnings].map(({ message }) => message), [], name);
    const wrong = [];
    visit(document, {
      Scalar: (_, node, path) => {
        if (node.type !== 'PLAIN' || typeof node.value !== 'string') return;
        const in_flow = path.some((one) => isCollection(one) && one.flow);
        if (in_flow && node.value.includes('?')) wrong.push(node.value); // ends the scalar in other parsers
        if (/^(\d{4}-\d\d?-\d\d?([Tt ].*)?|[-+]?\d+(:[0-5]?\d)+|y|n|yes|no|on|off)$/i.test(node.value)) wrong.push(node.value); // no text there
      },
    });
    assert.deepEqual(wrong, [], `${name}: quote these`);
    assert.ok(isScalar(document.get('openapi', true)), name);
  }
});

/** Where a description is missing: parameters, headers, responses, schemas and their properties. */
const undescribed = ({ name, document }) => {
  const missing = [];
  const walk = (node, path) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach((one, at) => walk(one, `${path}/${at}`));
    for (const [key, inner] of Object.entries(node)) {
      if (['example', 'examples', 'value', 'default', 'enum', 'const'].includes(key)) continue;
      const at = `${path}/${key}`;
      if (key === 'properties') {
        for (const [property, schema] of Object.entries(inner)) {
          if (!schema.description) missing.push(`${at}/${property}`);
          walk(schema, `${at}/${property}`);
        }
        continue;
      }
      if (key === 'parameters' && Array.isArray(inner)) inner.forEach((one) => one.$ref || one.description || missing.push(`${at} ${one.name}`));
      if (key === 'headers') Object.entries(inner).forEach(([header, one]) => one.$ref || one.description || missing.push(`${at}/${header}`));
      walk(inner, at);
    }
  };
  walk(document, name);
  for (const kind of ['parameters', 'headers', 'responses', 'schemas', 'securitySchemes'])
    for (const [key, one] of Object.entries(document.components[kind] ?? {})) if (!one.description) missing.push(`${name} ${kind}/${key}`);
  return missing;
};

test('every parameter, header, response, schema and property has a description', () => {
  for (const of of documents) assert.deepEqual(undescribed(of), []);
});

test('every response and every body has an example, and each is valid by its schema', () => {
  const without = documents.flatMap((of) => bodies_of(of).flatMap(({ what, content }) =>
    Object.entries(content).filter(([, media]) => examples_of(of.document, media).length === 0).map(([type]) => `${what} ${type}`)));
  assert.deepEqual(without, []);
  assert.ok(all_examples.length > 1000);
  const wrong = new Set();
  for (const { of, body, type, key, value, at } of all_examples) {
    const validate = ajv.getSchema(`${of.name}${at}/schema`) ?? ajv.compile({ $ref: `${of.name}${at}/schema` });
    if (!validate(value)) wrong.add(`${body.what} ${type} ${key}: ${ajv.errorsText(validate.errors)}`);
  }
  assert.deepEqual([...wrong], []);
});

test('examples of text are what their media type says', async () => {
  const texts = all_examples.filter(({ value }) => typeof value === 'string');
  const types = new Set(texts.map(({ type }) => type));
  assert.deepEqual([...types].sort(), ['application/rss+xml', 'application/x-ndjson', 'application/xml', 'text/calendar', 'text/csv', 'text/event-stream']);
  for (const { of, body, type, value } of texts) {
    const { AuditRow } = of.document.components.schemas;
    if (type.endsWith('xml')) await parseStringPromise(value);
    if (type === 'text/calendar') assert.match(value, /^BEGIN:VCALENDAR\r\n([A-Z][^\r\n]*\r\n)+END:VCALENDAR\r\n$/, body.what);
    if (type === 'application/x-ndjson') for (const line of value.trimEnd().split('\n')) assert.ok(ajv.validate({ $ref: `${of.name}#/components/schemas/AuditRow` }, JSON.parse(line)), ajv.errorsText());
    if (type === 'text/event-stream') {
      const data = /^event: message\ndata: (.+)\n\n$/.exec(value)?.[1];
      assert.ok(ajv.validate({ $ref: `${of.name}#/components/schemas/McpResponse` }, JSON.parse(data)), ajv.errorsText());
    }
    if (type === 'text/csv') {
      const columns = Object.entries(AuditRow.properties).flatMap(([name, { properties }]) => (properties ? Object.keys(properties).map((inner) => `${name}.${inner}`) : [name]));
      const [header, ...rows] = value.split('\r\n').map((line) => line.split(','));
      assert.deepEqual(header, columns, body.what);
      for (const row of rows.slice(0, -1)) assert.equal(row.length, columns.length, body.what);
    }
  }
});

/** code → [status, message], as libs/core/error.cpp has them. */
const codes = new Map([...text_of('libs/core/error.cpp').matchAll(/\{error_code::(\w+),\s*(\d{3}),\s*"\w+",\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\}/g)]
  .map(([, code, status, literals]) => [code, [Number(status), joined(literals)]]));
function joined(literals) {
  return [...literals.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => part.replaceAll('\\"', '"')).join('');
}

// An error of JSON-RPC (/mcp) has one form. Its number is the protocol's, its data has the code.
const is_rpc = (value) => value?.jsonrpc !== undefined;
const is_error = (type, value) => (type === 'application/problem+json' ? value : is_rpc(value) ? value.error?.data : value?.error);
const errors = all_examples.filter(({ body, type, value }) => body.status >= 400 && is_error(type, value))
  .map((one) => ({ ...one, error: is_error(one.type, one.value), is_problem: one.type === 'application/problem+json' }));

test('each error has an example for each code that its description names, in both forms', () => {
  assert.ok(codes.size > 25);
  for (const of of documents) {
    for (const body of bodies_of(of).filter(({ status }) => status >= 400)) {
      const described = new Set([...body.description.matchAll(/`(\w+)`/g)].map(([, word]) => word).filter((word) => codes.has(word)));
      assert.ok(described.size > 0, `${body.what}: its description names no code`);
      const examples = (type) => examples_of(of.document, body.content[type] ?? {});
      const codes_of = (type, shown) => [...new Set(shown.map(([, value]) => is_error(type, value).code))].sort();
      const json = examples('application/json');
      assert.deepEqual(codes_of('application/json', json), [...described].sort(), body.what);
      const [enveloped, problems] = [json.filter(([, value]) => !is_rpc(value)), examples('application/problem+json')];
      assert.deepEqual(codes_of('application/problem+json', problems), codes_of('application/json', enveloped), `${body.what}: the problems`);
      assert.deepEqual(enveloped.map(([key]) => key), problems.map(([key]) => key), body.what);
    }
  }
});

// The sentences of the programs, adjacent literals joined.
const folders = ['gateway', 'libs/auth', 'libs/http', 'libs/core', 'libs/directory', 'libs/interviews', 'services/auth_api', 'services/public_api'];
const sentences = folders.flatMap((folder) => readdirSync(new URL(`../../${folder}/`, import.meta.url), { recursive: true })
  .filter((name) => name.endsWith('.cpp')).flatMap((name) => [...text_of(`${folder}/${name}`).matchAll(/"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*/g)].map(([literals]) => joined(literals))))
  .filter((text) => text.length >= 9);

test('an error’s example has the status of its code, and the words of the programs', () => {
  for (const { body, key, value, error, is_problem } of errors) {
    const what = `${body.what} ${key}`;
    const [status, message] = codes.get(error.code);
    assert.equal(status, body.status, what);
    if (is_problem) assert.deepEqual([error.status, error.title], [status, message], what);
    const texts = is_rpc(value) ? [value.error.message] : [is_problem ? error.detail : error.message, ...error.details.map((detail) => detail.message)];
    for (const text of texts) assert.ok(sentences.some((one) => text.startsWith(one)), `${what}: no program says "${text}"`);
  }
});

test('no 503 says that nothing was done', () => {
  const messages = errors.filter(({ body }) => body.status === 503).map(({ error, is_problem }) => (is_problem ? error.detail : error.message));
  assert.ok(messages.length > 100);
  for (const message of messages) assert.doesNotMatch(message, /nothing was/i);
});
