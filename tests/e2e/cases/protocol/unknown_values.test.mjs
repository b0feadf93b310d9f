// A value that a parameter does not know is refused alike, wherever it is given.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { close_connections, get, get_public } from '../../support/client.mjs';
import { apis } from '../../support/contract.mjs';
import { demo } from '../../support/environment.mjs';

const key = demo.key;
let job;
before(async () => {
  [job] = (await get('/jobs', { key, query: { limit: 1 } })).json.data;
});
after(close_connections);

const resolved = (document, node) => (node.$ref ? node.$ref.slice(2).split('/').reduce((at, part) => at[part], document) : node);
const words_of = (document, given) => {
  const schema = resolved(document, given);
  if (schema.type === 'boolean') return ['true', 'false'];
  return schema.enum ?? (schema.items ? words_of(document, schema.items) : schema.oneOf?.flatMap((one) => words_of(document, one) ?? []));
};

for (const { name, document } of apis.filter(({ name }) => name !== 'console')) {
  for (const [path, { get: operation }] of Object.entries(document.paths)) {
    const parameters = (operation?.parameters ?? []).map((one) => resolved(document, one)).filter((one) => one.in === 'query');
    for (const parameter of parameters.filter(({ schema }) => words_of(document, schema)?.length > 0)) {
      test(`${name} ${path}?${parameter.name}=`, async () => {
        const at = path.replace('{id}', job.id).replace('{slug}', demo.slug);
        const { error } = await (name === 'auth_api' ? get : get_public)(at, { key: name === 'auth_api' ? key : undefined, query: { [parameter.name]: 'nope', ...(path === '/jobs' && name === 'public_api' && { organization: demo.slug }) }, expect: 400 });
        assert.equal(error.code, 'invalid_request');
        assert.deepEqual(error.details.map(({ field, reason }) => [field, reason]), [[parameter.name, 'unknown_value']]);
        const words = words_of(document, parameter.schema);
        if (words.length <= 12) for (const word of words) assert.ok(error.details[0].message.includes(word.replace(/^-/, '')), word);
      });
    }
  }
}

test('of many known values, the refusal suggests the nearest', async () => {
  const { error } = await get('/audit', { key, query: { action: 'key.create' }, expect: 400 });
  assert.match(error.details[0].message, /Did you mean "key\.created"\?$/);
});

test('every action of the audit log is taken as a filter', async () => {
  const { enum: actions } = apis.find(({ name }) => name === 'auth_api').document.components.schemas.AuditAction;
  for (let i = 0; i < actions.length; i += 10) await get('/audit', { key, query: { action: actions.slice(i, i + 10).join(','), limit: 1 } });
});
