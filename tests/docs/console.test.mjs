// console.yaml: what every operation that acts for an organization has in common.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const { paths } = JSON.parse(readFileSync(new URL('../../proto-docs/openapi/console.json', import.meta.url), 'utf8'));

/** Each operation with the names of its shared parameters and its responses. */
const operations = Object.entries(paths).flatMap(([path, { parameters = [], ...item }]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method} ${path}`,
    path,
    parameters: [...parameters, ...(operation.parameters ?? [])].map(({ $ref }) => $ref?.split('/').at(-1)),
    responses: operation.responses,
  })));

test('an operation that needs an organization takes its id, and documents that another one is refused', () => {
  const acting = operations.filter(({ responses }) => '409' in responses);
  assert.ok(acting.length > 25, `${acting.length} operations`);
  for (const { name, parameters, responses } of acting) {
    assert.equal(parameters.filter((one) => one === 'ServiceOrganization').length, 1, name);
    assert.ok('403' in responses, name);
  }
});

test('sign-in, the session itself and the limits take no organization', () => {
  const others = operations.filter(({ responses }) => !('409' in responses));
  for (const { name, path, parameters } of others) {
    assert.match(path, /^\/(settings|limits|sign-in-links|oidc|sessions?)(\/|$)/, name);
    assert.ok(!parameters.includes('ServiceOrganization'), name);
  }
});
