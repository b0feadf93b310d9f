// Holds every answer of the run to the OpenAPI documents: operation, status, headers, media type, body.
// Called by client.mjs for each answer; what was seen goes to records.mjs for the coverage test.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import add_formats from 'ajv-formats';
import { json_path } from './openapi_json.mjs';
import { record_answer } from './records.mjs';

const ajv = add_formats(new Ajv2020.default({ strict: false, allErrors: true }));

const load = (name, prefix) => {
  const document = JSON.parse(readFileSync(json_path(name), 'utf8'));
  ajv.addSchema(document, name);
  return { name, prefix, document };
};
// The longer prefix first: both are matched by their beginning.
export const apis = [load('public_api', '/api/public/v1'), load('auth_api', '/api/v1'), load('console', '/console/api')];

const escaped = (segment) => segment.replaceAll('~', '~0').replaceAll('/', '~1');
const pointer = (...segments) => '#/' + segments.map(escaped).join('/');
const at = (document, ref) =>
  ref.slice(2).split('/').reduce((node, part) => node?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);

/** Follows references to the node itself; the pointer of where it really stands comes with it. */
const resolve = (api, ref) => {
  let node = at(api.document, ref);
  while (node?.$ref) [ref, node] = [node.$ref, at(api.document, node.$ref)];
  return { ref, node };
};

const validators = new Map();
const validator = (api, ref) => {
  const id = api.name + ref;
  if (!validators.has(id)) validators.set(id, ajv.compile({ $ref: id }));
  return validators.get(id);
};

const problems = (api, ref, value, what) => {
  const validate = validator(api, ref);
  return validate(value) ? [] : validate.errors.map((e) => `${what}${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
};

const matches = (template, path) => {
  const [wanted, given] = [template.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, i) => (part.startsWith('{') ? given[i] !== '' : part === given[i]));
};

/** The operation of a request, or what there is of it: api, template, method. */
export const operation_of = (method, spelled) => {
  // Dot segments are resolved before anything else, by the edge as by this.
  const path = new URL(spelled, 'http://host').pathname;
  const api = apis.find(({ prefix }) => path === prefix || path.startsWith(prefix + '/'));
  if (!api) return {};
  // Of two that match, the one with fewer parameters is meant (OpenAPI 3.1, Paths Object).
  const fitting = Object.keys(api.document.paths).filter((key) => matches(key, path.slice(api.prefix.length)));
  const template = fitting.sort((a, b) => a.split('{').length - b.split('{').length)[0];
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  return { api, template, verb, operation: template && api.document.paths[template][verb] };
};

const response_of = ({ api, template, verb, operation }, status) => {
  const own = operation && resolve(api, pointer('paths', template, verb, 'responses', String(status)));
  if (own?.node || operation) return own;
  const unmatched = resolve(api, pointer('x-unmatched', String(status)));
  // What is answered before a route is looked for (401, 429, 503, …) has the form it has everywhere.
  return unmatched.node ? unmatched : resolve(api, pointer('paths', Object.keys(api.document.paths)[0], 'get', 'responses', String(status)));
};

// Fields of HTTP itself (RFC 9110, 9111, 9112); anything else must be documented.
const ordinary_fields = new Set([
  'date', 'content-type', 'content-length', 'transfer-encoding', 'connection', 'keep-alive',
  'cache-control', 'content-encoding', 'vary', 'etag', 'last-modified', 'content-disposition', 'x-content-type-options', 'referrer-policy',
]);

const header_problems = (api, response, headers, direct) => {
  const documented = Object.keys(response.node.headers ?? {});
  const wrong = documented.flatMap((name) => {
    const { ref, node } = resolve(api, `${response.ref}/headers/${escaped(name)}`);
    const value = headers[name.toLowerCase()]?.toString(); // Node has Set-Cookie as a list
    // The edge adds these; a service asked directly does not have them.
    if (value === undefined) return node.required && !(direct && name.startsWith('RateLimit')) ? [`header ${name} is missing`] : [];
    return problems(api, `${ref}/schema`, value, `header ${name}`);
  });
  const known = new Set(documented.map((name) => name.toLowerCase()));
  const strangers = Object.keys(headers).filter((name) => !known.has(name) && !ordinary_fields.has(name));
  return [...wrong, ...strangers.map((name) => `header ${name} is not documented`)];
};

const body_problems = (api, response, { method, query, status, headers, text }) => {
  const content = response.node.content;
  if (!content || method === 'HEAD') return text === '' ? [] : ['there must be no body'];
  const type = (headers['content-type'] ?? '').split(';')[0];
  if (!content[type]) return [`content type "${type}" is not documented (${Object.keys(content).join(', ')})`];
  if (!/json$/.test(type) || type === 'application/x-ndjson') {
    const line_ref = pointer('components', 'schemas', 'AuditRow');
    return type === 'application/x-ndjson'
      ? text.split('\n').filter(Boolean).slice(0, 1000).flatMap((line) => problems(api, line_ref, JSON.parse(line), 'line'))
      : [];
  }
  const body = JSON.parse(text);
  // A list that is synchronized also has records that are gone.
  const schema = status === 200 && query.includes('syncToken') ? 'x-schema-with-syncToken' : 'schema';
  const wrong = problems(api, `${response.ref}/content/${escaped(type)}/${schema}`, body, 'body');
  const id = body.error?.requestId ?? (type === 'application/problem+json' ? body.requestId : undefined);
  if (id !== undefined && id !== headers['x-request-id']) wrong.push(`requestId ${id} is not the X-Request-Id header`);
  return wrong;
};

/** Problems of an answer outside the prefixes: pages, else the edge's own error form. */
const outside_problems = ({ method, headers, text }) => {
  const wrong = headers['x-request-id'] ? [] : ['header X-Request-Id is missing'];
  if (headers['set-cookie']) wrong.push('header Set-Cookie: only the console has sessions');
  const is_page = /^text\/(html|javascript|calendar|css)/.test(headers['content-type'] ?? ''); // for people, and the widget
  if (method === 'HEAD' || is_page || text === '') return wrong;
  const api = apis[0];
  return [...wrong, ...problems(api, pointer('components', 'schemas', 'ErrorEnvelope'), JSON.parse(text), 'body')];
};

/** A parameter that was accepted must be a documented one. */
const parameter_problems = ({ api, template, verb, operation }, names) => {
  const documented = (operation.parameters ?? []).map((_, i) =>
    resolve(api, pointer('paths', template, verb, 'parameters', String(i))).node.name);
  return api.name === 'public_api' ? [] : names.filter((name) => !documented.includes(name)).map((name) => `query parameter ${name} is not documented`);
};

/** answer: {method, path, query: [names], status, headers, text}. direct: asked of a service, not through the edge. */
export const check_answer = (answer, { direct = false } = {}) => {
  const { method, path, status } = answer;
  const found = operation_of(method, path);
  let wrong;
  if (!found.api) {
    wrong = outside_problems(answer);
  } else {
    const response = response_of(found, status);
    wrong = !response?.node
      ? [`status ${status} is not documented`]
      : [...header_problems(found.api, response, answer.headers, direct), ...body_problems(found.api, response, answer)];
    if (found.operation && status === 200) wrong.push(...parameter_problems(found, answer.query));
  }
  // On every answer of every program, and once: two fields would read "nosniff, nosniff".
  if (answer.headers['x-content-type-options'] !== 'nosniff') wrong.push('X-Content-Type-Options is not nosniff');
  assert.deepEqual(wrong, [], `${method} ${path} answered ${status} against its document:\n${wrong.join('\n')}\n${answer.text.slice(0, 2000)}`);
  if (found.operation) {
    record_answer({ api: found.api.name, operation: found.operation.operationId, status, query: status === 200 ? answer.query : [] });
  }
};
