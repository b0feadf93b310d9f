// An OpenAPI document as the reference needs it: operations with all that holds for them, references followed.
import { readFileSync } from 'node:fs';
import { try_lines } from './try_it.mjs';

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'];

const follow = (document, value) => {
  if (!value?.$ref) return value;
  const found = value.$ref.slice(2).split('/').reduce((at, name) => at?.[name.replace(/~1/g, '/').replace(/~0/g, '~')], document);
  if (!found) throw new Error(`${value.$ref} is not in the document`);
  return follow(document, found);
};

// Examples may be shared: their references are followed here.
const with_examples = (document, one) => {
  if (!one?.content) return one;
  const followed = ([type, media]) => [type, media.examples
    ? { ...media, examples: Object.fromEntries(Object.entries(media.examples).map(([name, example]) => [name, follow(document, example)])) } : media];
  return { ...one, content: Object.fromEntries(Object.entries(one.content).map(followed)) };
};

const all_followed = (document, values) => Object.entries(values ?? {}).map(([name, value]) => ({ name, ...with_examples(document, follow(document, value)) }));

// Its pages call it with a session's cookie: no curl line does.
const is_for_pages = ({ components }) => Object.values(components.securitySchemes ?? {}).some((scheme) => scheme.in === 'cookie');

const operation_of = (document, base, path, method) => {
  const item = document.paths[path];
  const own = item[method];
  const parameters = [...(item.parameters ?? []), ...(own.parameters ?? [])].map((one) => follow(document, one));
  const operation = {
    ...own, method: method.toUpperCase(), path: base + path, id: own.operationId, tag: own.tags[0], parameters,
    needs_credential: (own.security ?? document.security ?? []).length > 0, by_session: is_for_pages(document),
    request: with_examples(document, follow(document, own.requestBody)),
    answers: all_followed(document, own.responses).map((answer) => ({ ...answer, headers: all_followed(document, answer.headers) })),
  };
  return operation.by_session ? operation : { ...operation, attempt: try_lines(operation) };
};

/** The document's operations in its order. */
const operations_of = (document) => {
  const base = document.servers[0].url;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => operation_of(document, base, path, method)));
};

export const read_document = (file) => {
  const document = JSON.parse(readFileSync(file, 'utf8'));
  const unmatched = all_followed(document, document['x-unmatched']).map((answer) => ({ ...answer, headers: all_followed(document, answer.headers) }));
  const [an_error] = all_followed(document, document.components.responses).filter(({ content }) => content?.['application/problem+json']);
  return { document, operations: operations_of(document), tags: document.tags, schemas: document.components.schemas, unmatched, an_error };
};
