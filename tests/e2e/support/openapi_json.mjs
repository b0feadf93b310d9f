// Writes proto-docs/openapi/*.json from the YAML beside it: `npm run openapi:json`. The services embed the APIs' JSON, so that
// building them needs no Node; openapi_documents.test.mjs fails when the two differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const folder = new URL('../../../proto-docs/openapi/', import.meta.url);
export const documents = ['auth_api', 'public_api', 'console'];

export const json_path = (name) => fileURLToPath(new URL(`${name}.json`, folder));

/** The document as the services serve it: one line, keys in the order of the YAML. */
export const json_of = (name) =>
  JSON.stringify(parse(readFileSync(new URL(`${name}.yaml`, folder), 'utf8'), { maxAliasCount: -1 })) + '\n';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of documents) writeFileSync(json_path(name), json_of(name));
}
