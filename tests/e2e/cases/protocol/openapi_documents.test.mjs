// The committed JSON is the YAML; each operation names its scope and role, and documents every status it can have.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { documents, json_of, json_path } from '../../support/openapi_json.mjs';

for (const name of documents) {
  test(`${name}.json is made from ${name}.yaml (npm run openapi:json)`, () => {
    assert.equal(readFileSync(json_path(name), 'utf8'), json_of(name));
  });
}

test('a parameter that orders a list is described as its values are written', () => {
  for (const name of documents) {
    const { paths, components } = JSON.parse(json_of(name));
    const of_lists = Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ parameters }) => parameters ?? []));
    const orders = [...of_lists, ...Object.values(components.parameters)].filter((one) => ['sort', 'order'].includes(one.name));
    assert.ok(name === 'public_api' || orders.length > 0, name);
    for (const { name: parameter, description, schema } of orders) {
      const descends_by_sign = schema.enum.some((value) => value.startsWith('-'));
      assert.equal(/`-`/.test(description), descends_by_sign, `${name} ${parameter}: ${description}`);
    }
  }
});

test('every operation of the console documents its refusals, and what a session needs', () => {
  const { paths } = JSON.parse(json_of('console'));
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item).filter(([name]) => name !== 'parameters')) {
      const name = `${method} ${path}`;
      assert.ok('x-required-scope' in operation && 'x-required-role' in operation, name);
      const of_a_session = operation.security === undefined;
      const changes = method !== 'get';
      const refusals = ['400', '429', '500', '503', ...(of_a_session ? ['401'] : []), ...(changes ? ['403'] : []), ...(operation.requestBody ? ['415'] : []), ...(path.includes('{') ? ['404'] : [])];
      assert.deepEqual(refusals.filter((status) => !(status in operation.responses)), [], name);
      const csrf = (operation.parameters ?? []).some(({ $ref }) => $ref?.endsWith('/CsrfToken'));
      assert.equal(csrf, of_a_session && changes, `${name}: X-CSRF-Token`);
    }
  }
});

test('every operation of the authenticated API names its scope and role, and documents its refusals', () => {
  const { paths } = JSON.parse(json_of('auth_api'));
  const names_what_may_not_exist = (path) => path.includes('{') || ['/pipeline', '/agent/invoke', '/mcp'].includes(path);
  for (const [path, { get, post }] of Object.entries(paths)) {
    const operation = get ?? post;
    assert.ok('x-required-scope' in operation && 'x-required-role' in operation, path);
    const open = path === '/openapi.json';
    const refusals = ['200', '400', '429', '500', '503', ...(open ? [] : ['401', '403']), ...(post ? ['415'] : [])];
    for (const status of refusals) assert.ok(status in operation.responses, `${path} ${status}`);
    assert.equal('404' in operation.responses, names_what_may_not_exist(path), path);
  }
});
