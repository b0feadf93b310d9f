// Looks back on the run: every documented operation, its 2xx, 401, 403 and 404 answers (of members' APIs
// also 409; the public API's is a race of two candidates), and every query parameter were really seen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apis } from '../support/contract.mjs';
import { recorded_answers } from '../support/records.mjs';

const verbs = ['get', 'post', 'put', 'patch', 'delete', 'options'];
const operations = apis.flatMap(({ name, document }) =>
  Object.values(document.paths).flatMap((item) => verbs.filter((verb) => item[verb]).map((verb) => ({ api: name, document, ...item[verb] }))));
const answers = recorded_answers();
const seen = ({ api, operationId }) => answers.filter((answer) => answer.api === api && answer.operation === operationId);

for (const operation of operations) {
  test(`${operation.api} ${operation.operationId}`, () => {
    const statuses = new Set(seen(operation).map((answer) => String(answer.status)));
    const wanted = Object.keys(operation.responses).filter((status) => /^(2..|401|403|404)$/.test(status) || (status === '409' && operation.api !== 'public_api'));
    assert.deepEqual(wanted.filter((status) => !statuses.has(status)), [], 'documented, and never answered in this run');

    if (!('200' in operation.responses)) return; // sign-in by a provider: tests/browser/console_oidc.test.mjs
    const used = new Set(seen(operation).flatMap((answer) => answer.query));
    const documented = (operation.parameters ?? [])
      .map((p) => (p.$ref ? operation.document.components.parameters[p.$ref.split('/').pop()] : p))
      .filter((p) => p.in === 'query').map((p) => p.name);
    assert.deepEqual(documented.filter((name) => !used.has(name)), [], 'parameters never accepted in this run');
  });
}
