// Behind a trusted proxy: it may say who the client is, and which trace the request belongs to.
import { auth, forwarded_get, get, passed, run_cases } from './support/cases.mjs';

const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const up = (client, scheme = 'http') => {
  const quoted = client.includes(':') ? `"[${client}]"` : client;
  return forwarded_get().replace('X-Forwarded-For: 127.0.0.1', `X-Forwarded-For: ${client}`).replace('for=127.0.0.1', `for=${quoted}`)
    .replace('X-Forwarded-Proto: http', `X-Forwarded-Proto: ${scheme}`).replace('proto=http', `proto=${scheme}`);
};
const said = (name, fields, client, scheme) => passed(name, get(auth, fields), up(client, scheme));

run_cases([
  said('the client it names', 'X-Forwarded-For: 203.0.113.7\r\n', '203.0.113.7'),
  said('the last that is not trusted', 'X-Forwarded-For: 1.1.1.1, 203.0.113.7, 10.0.0.1\r\n', '203.0.113.7'),
  said('the last of several fields', 'X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 203.0.113.7\r\n', '203.0.113.7'),
  said('an IPv6 client is quoted in Forwarded', 'X-Forwarded-For: 2001:db8::1\r\n', '2001:db8::1'),
  said('an IPv4 client in its mapped form', 'X-Forwarded-For: ::ffff:203.0.113.7\r\n', '203.0.113.7'),
  said('a client with a port', 'X-Forwarded-For: 203.0.113.7:5555\r\n', '203.0.113.7'),
  said('nonsense names nobody', 'X-Forwarded-For: unknown\r\n', '127.0.0.1'),
  said('no field names nobody', '', '127.0.0.1'),
  said('Forwarded is not read', 'Forwarded: for=203.0.113.7\r\n', '127.0.0.1'),
  said('the scheme it names', 'X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Proto: https\r\n', '203.0.113.7', 'https'),
  said('another scheme is http', 'X-Forwarded-Proto: gopher\r\n', '127.0.0.1', 'http'),
  passed('its traceparent goes on, with its state', get(auth, `traceparent: ${trace}\r\ntracestate: a=1\r\n`), undefined,
    { recorded: /\r\ntraceparent: 00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01\r\ntracestate: a=1\r\nVia/ }),
  passed('a malformed tracestate is dropped', get(auth, `traceparent: ${trace}\r\ntracestate: A=1\r\n`), undefined, { recorded: /\r\ntraceparent: 00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01\r\nVia/ }),
  ...['nonsense', trace.toUpperCase(), trace.replace('00-', 'ff-'), `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`, `${trace}-x`, '']
    .map((value) => passed(`a traceparent "${value}" begins a new trace, its state is dropped`, get(auth, `traceparent: ${value}\r\ntracestate: a=1\r\n`), forwarded_get())),
  passed('two traceparents begin a new trace', get(auth, `traceparent: ${trace}\r\ntraceparent: ${trace}\r\n`), forwarded_get()),
], { TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8' });
