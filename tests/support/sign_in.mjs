// Links that sign in to the console: from a mail, or as an operator prints them.
import { gateway_url } from '../e2e/support/environment.mjs';
import { recruitctl } from '../e2e/support/recruitctl.mjs';
import { record_secret } from '../e2e/support/records.mjs';

/** The token of a link; no log may hold it. */
export const token_of = (link) => {
  const token = link.split('#token=')[1];
  record_secret(token);
  return token;
};

/** The link in a mail, to the gateway of this run. */
export const link_in = (mail) => {
  const unfolded = mail.replace(/=\r?\n/g, '').replace(/=3D/g, '=').replace(/=23/g, '#');
  const [, path, token] = /(\/console\/sign-in)#token=([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/.exec(unfolded);
  record_secret(token);
  return String(new URL(`${path}#token=${token}`, gateway_url));
};

/** A link that an operator prints; works once, as the mailed one. */
export const operator_link = async ({ slug }, email) => {
  const { url } = await recruitctl('member', 'sign-in-link', '--organization', slug, '--email', email, '--url', gateway_url.origin, '--expires-in', '15m');
  token_of(url);
  return url;
};
