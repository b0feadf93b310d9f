// An OpenID Connect provider of somebody else's making (npm's oidc-provider), and a console that signs people in there: an auth-api
// and a gateway of the test's own beside the running ones.
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Provider from 'oidc-provider';
import { settings_of } from '../../e2e/support/environment.mjs';
import { behind_gateway, start_program } from '../../e2e/support/programs.mjs';
import { free_port } from '../../support/free_port.mjs';

const keys = () => ({
  keys: [
    { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), kid: 'rsa', use: 'sig', alg: 'RS256' },
    { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid: 'ec', use: 'sig', alg: 'ES256' },
  ],
});

/** people: e-mail address → { email_verified }. client and more are the provider's own settings. */
export const start_provider = async ({ callback, people, client = {}, more = {} }) => {
  const port = await free_port();
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    jwks: keys(),
    clients: [{ client_id: 'console', redirect_uris: [callback], response_types: ['code'], grant_types: ['authorization_code'], ...client }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: id, email_verified: false, ...people[id] }) }),
    cookies: { keys: ['a key of the test'] },
    pkce: { required: () => true, methods: ['S256'] },
    ...more,
  });
  const server = provider.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    issuer,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** The folder of pages that the running system serves; a page of the test's own where it serves none. */
const pages = (folder) => {
  const served = settings_of('auth-api').RECRUITING_AUTH_API_CONSOLE;
  if (served && existsSync(served)) return served;
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html lang="en"><meta charset="utf-8"><title>Console</title><h1>Console</h1></html>');
  return folder;
};

/** provider: as start_provider takes it, without the callback. secret: the client's, or "". settings: of auth-api, beyond these. */
export const start_console = async ({ secret = '', settings = {}, ...wanted }) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-oidc-'));
  const port = await free_port();
  const gateway = await start_program('gateway', { ...behind_gateway(null, null), RECRUITING_GATEWAY_AUTH_API: `127.0.0.1:${port}` }, { ready: false });
  const provider = await start_provider({ callback: new URL('/console/api/oidc/callback', gateway.url).href, ...wanted });
  writeFileSync(join(folder, 'secret'), secret || 'unused');
  const auth_api = await start_program('auth-api', {
    RECRUITING_AUTH_API_LISTEN: `127.0.0.1:${port}`,
    RECRUITING_AUTH_API_WORKERS: 'false',
    RECRUITING_AUTH_API_CONSOLE: pages(folder),
    RECRUITING_PUBLIC_URL: gateway.url.origin,
    RECRUITING_AUTH_API_CONSOLE_OIDC_ISSUER: provider.issuer,
    RECRUITING_AUTH_API_CONSOLE_OIDC_CLIENT_ID: 'console',
    RECRUITING_AUTH_API_CONSOLE_OIDC_NAME: 'Example ID',
    ...(secret && { RECRUITING_AUTH_API_CONSOLE_OIDC_CLIENT_SECRET_FILE: join(folder, 'secret') }),
    ...settings,
  });
  return {
    url: (path) => new URL(path, gateway.url).href,
    async stop() {
      await gateway.stop();
      await auth_api.stop();
      provider.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
