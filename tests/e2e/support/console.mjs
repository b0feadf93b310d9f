// The console as its pages use it: people who sign in, the session's cookie and CSRF token on every request.
import { console_prefix, get, send } from './client.mjs';
import { record_secret } from './records.mjs';
import { await_mails, mails_to } from '../../support/mails.mjs';
import { link_in, operator_link, token_of } from '../../support/sign_in.mjs';

const fields_of = (method, text) => ({
  ...(text !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  ...(method !== 'GET' && { 'Sec-Fetch-Site': 'same-origin' }),
});

/** One request below /console/api, as its own pages send it; body: an object, sent as JSON. */
export const call = (method, path, { body, headers, ...options } = {}) => {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return send(method, console_prefix + path, { headers: { ...fields_of(method, text), ...headers }, body: text, ...options });
};

/** The cookie of an answer that opened a session, as the browser sends it back. */
export const cookie_of = ({ headers }) => {
  const [cookie] = headers['set-cookie'][0].split(';');
  record_secret(cookie.split('=')[1]);
  return cookie;
};

/**
 * A session that this token opens: {data, cookie, csrf, get(path, options), change(method, path, body, options)}.
 * 2xx unless `expect` says otherwise.
 */
export const open_session = async (token, options = {}) => {
  const answer = await call('POST', '/session', { body: { token }, expect: 201, ...options });
  const { data } = answer.json;
  const [cookie, csrf] = [cookie_of(answer), data.csrfToken];
  record_secret(csrf);
  const on = (headers) => ({ Cookie: cookie, ...headers });
  return {
    data, cookie, csrf, answer,
    get: (path, { headers, ...more } = {}) => call('GET', path, { headers: on(headers), expect: 200, ...more }),
    change: (method, path, body, { headers, ...more } = {}) =>
      call(method, path, { body, headers: on({ 'X-CSRF-Token': csrf, ...headers }), expect: 200, ...more }),
  };
};

/** A person's session, by a link that an operator prints. */
export const sign_in = async (organization, email = organization.admin, options) =>
  open_session(token_of(await operator_link(organization, email)), options);

/** A person's session by a link that they get by mail, as a person of several organizations has it: none is chosen yet. */
export const sign_in_by_mail = async (email, options = {}) => {
  const already = mails_to(email).length;
  await call('POST', '/sign-in-links', { body: { email }, address: fresh_address(), expect: 202 });
  return open_session(token_of(link_in((await await_mails(email, already + 1)).at(-1))), options);
};

/** What the API answers to a key now. */
export const me = async (secret) => (await get('/me', { key: secret })).json;

/** In how long a key may expire at the latest is a year. */
export const in_days = (days) => new Date(Date.now() + days * 86_400_000).toISOString();

/** A key that the session's member creates: {key, secret}. */
export const create_key = async (session, name, scopes = ['*'], more = {}) => {
  const { data } = (await session.change('POST', '/api-keys', { name, scopes, expiresAt: in_days(30), ...more }, { expect: 201 })).json;
  record_secret(data.secret);
  return data;
};

/** An address of its own for what is limited by client network. */
export const fresh_address = () => `127.${20 + Math.floor(Math.random() * 200)}.${Math.floor(Math.random() * 256)}.${1 + Math.floor(Math.random() * 254)}`;
