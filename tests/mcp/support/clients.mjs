// The protocol's official TypeScript clients, each speaking one of the revisions the endpoint has.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { gateway_url } from '../../e2e/support/environment.mjs';

export const endpoint = new URL('/api/v1/mcp', gateway_url);
const identity = { name: 'recruiting-tests', version: '1.0.0' };

/** name → {version: the revision it speaks, make: a client that is not connected}. */
export const clients = {
  'client 2.x, pinned': { version: '2026-07-28', make: () => new Client(identity, { versionNegotiation: { mode: { pin: '2026-07-28' } } }) },
  'client 2.x, which asks first': { version: '2026-07-28', make: () => new Client(identity, { versionNegotiation: { mode: 'auto' } }) },
  'client 2.x, as it comes': { version: '2025-11-25', make: () => new Client(identity) },
  'client 2.x of the oldest revision': { version: '2025-06-18', make: () => new Client(identity, { supportedProtocolVersions: ['2025-06-18'] }) },
  'sdk 1.x': { version: '2025-11-25', make: () => new Client1(identity), Transport: Transport1 },
};

/** A connected client. url: where, if not through the gateway. */
export const connect = async ({ make, Transport = StreamableHTTPClientTransport }, key, url = endpoint) => {
  const client = make();
  await client.connect(new Transport(url, { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
  return client;
};
