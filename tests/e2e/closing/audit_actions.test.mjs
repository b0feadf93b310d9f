// Every action that this run has written to the audit log is one that GET /audit documents and takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apis } from '../support/contract.mjs';
import { audit_sql } from '../support/recruitctl.mjs';

test('the audit log has no action that is not in the catalogue', async () => {
  const { enum: actions } = apis.find(({ name }) => name === 'auth_api').document.components.schemas.AuditAction;
  const written = (await audit_sql('select distinct action from recruiting.audit_log')).flat();
  assert.ok(written.length > 15, `${written}`);
  assert.deepEqual(written.filter((action) => !actions.includes(action)), []);
});
