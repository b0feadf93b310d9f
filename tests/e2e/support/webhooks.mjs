// Webhooks as an admin's page makes them, and what their receivers got.
import { await_condition } from './programs.mjs';
import { record_secret } from './records.mjs';
import { sql, uuid } from './recruitctl.mjs';

export const resources = ['jobs', 'candidates', 'members', 'pipeline', 'interviews', 'agent_runs', 'audit'];

/** {webhook, secret} of a request that makes a secret. */
const with_secret = (answer) => {
  const { data } = answer.json;
  record_secret(data.secret.slice('whsec_'.length));
  return data;
};
export const create_webhook = async (session, url, wanted, more = {}) =>
  with_secret(await session.change('POST', '/webhooks', { url, resources: wanted, ...more }, { expect: 201 }));
export const rotate_secret = async (session, { id }) =>
  with_secret(await session.change('POST', `/webhooks/${id}/secret`, undefined, { expect: 201 }));
export const change_status = async (session, { id }, status) => (await session.change('PATCH', `/webhooks/${id}`, { status })).json.data;
export const delete_webhook = async (session, { id }) => (await session.change('DELETE', `/webhooks/${id}`)).json.data;
export const send_test = (session, { id }, options = { expect: 202 }) => session.change('POST', `/webhooks/${id}/test`, undefined, options);
export const webhooks_of = async (session) => (await session.get('/webhooks')).json.data;
export const webhook_of = async (session, { id }) => (await webhooks_of(session)).find((one) => one.id === id);
export const deliveries_of = async (session, { id }) => (await session.get(`/webhooks/${id}/deliveries`)).json.data;

/** Waits until the receiver has so many messages of the type; all of them. */
export const await_messages = async (receiver, type, count = 1) => {
  await await_condition(() => receiver.of(type).length >= count, `${count} of ${type}`);
  return receiver.of(type);
};

/** A change of a candidate that no audit row reports, as a statement of the programs is. */
export const touch_candidate = (organization) =>
  sql(`update recruiting.candidates set current_title = 'Director ' || clock_timestamp()
    where organization_id = ${uuid(organization.id)} and external_id = 'candidate-0'`);
