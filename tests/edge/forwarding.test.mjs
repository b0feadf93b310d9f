// What the services are told of a client and a request: the edge's own fields, ids, and no credentials where none belong.
import assert from 'node:assert/strict';
import { key_of } from '../support/api_key.mjs';
import { auth, declined, forwarded, forwarded_get, get, open, passed, post, request, run_cases } from './support/cases.mjs';

const key = key_of('forwarding');
const replaced = (name, line) => passed(name, get(auth, `${line}\r\n`), forwarded_get());
const to_public = (row) => ({ ...row, to_public: true });
const cors = (answer) => assert.equal(answer.value('access-control-allow-origin'), '*');
const exposed = (name, send) => to_public({ ...declined(name, send, 400), code: 'credential_not_allowed', check: cors });
const kept_id = (name, id) => passed(name, get(auth, `X-Request-Id: ${id}\r\n`), forwarded_get().replace('X-Request-Id: *', `X-Request-Id: ${id}`),
  { check: (answer) => assert.equal(answer.value('x-request-id'), id) });
const new_id = (name, id) => passed(name, get(auth, `X-Request-Id: ${id}\r\n`), forwarded_get(), { check: (answer) => assert.match(answer.value('x-request-id'), /^[0-9a-f]{32}$/) });

run_cases([
  ...['X-Forwarded-For: 1.2.3.4', 'x-forwarded-for: 1.2.3.4, 5.6.7.8', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Port: 1', 'X-Forwarded-Server: x', 'X-Forwarded-Prefix: /x',
    'Forwarded: for=1.2.3.4;proto=https;host=evil.example', 'X-Real-IP: 1.2.3.4', 'x-real-ip: ::1',
    'X-Client-IP: 1.2.3.4', 'True-Client-IP: 1.2.3.4', 'CF-Connecting-IP: 1.2.3.4', 'X-Originating-IP: 1.2.3.4', 'X-Original-URL: /api/v1/me', 'x-rewrite-url: /api/v1/me'].map((line) => replaced(`a client's ${line} is the edge's to say`, line)),
  replaced('the same field twice', 'X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-For: 5.6.7.8'),
  passed("a client's Via stays, the edge's follows", get(auth, 'Via: 1.0 fred\r\n'), forwarded_get(auth, 'Via: 1.0 fred\r\n')),
  passed('fields that only sound alike stay', get(auth, 'X-Forwarded: a\r\nX-Real-IPs: b\r\nForwarded-For: c\r\n'), forwarded_get(auth, 'X-Forwarded: a\r\nX-Real-IPs: b\r\nForwarded-For: c\r\n')),
  passed('the host is told as it was sent', `GET ${auth} HTTP/1.1\r\nHost: API.example:8443\r\n\r\n`, forwarded(`GET ${auth}`, { name: 'API.example:8443' })),

  kept_id('a request id of 8 characters is kept', 'aA0_-zZ9'),
  kept_id('a request id of 64 characters is kept', 'x'.repeat(64)),
  new_id('a request id of 7 characters is replaced', 'abcdefg'),
  new_id('a request id of 65 characters is replaced', 'x'.repeat(65)),
  new_id('a request id with a blank is replaced', 'abcd efgh'),
  new_id('a request id with a quote is replaced', 'abcd"efgh'),
  new_id('an empty request id is replaced', ''),
  new_id('two request ids are replaced', 'abcdefgh\r\nX-Request-Id: ijklmnop'),
  declined('a request id is kept in answers of the edge', get('/elsewhere', 'X-Request-Id: client-id-1\r\n'), 404, { check: (answer) => assert.equal(answer.value('x-request-id'), 'client-id-1') }),
  passed("a service's request id is not the client's", get(auth, 'X-Request-Id: client-id-1\r\n'), /X-Request-Id: client-id-1/, {
    answer: 'HTTP/1.1 200 OK\r\nX-Request-Id: service-id\r\nContent-Length: 2\r\n\r\nok', check: (answer) => assert.equal(answer.value('x-request-id'), 'client-id-1'),
  }),

  passed('Authorization and Cookie reach the authenticated API', get(auth, 'Authorization: Bearer sp_test_x\r\nCookie: a=1\r\n'), forwarded_get(auth, 'Authorization: Bearer sp_test_x\r\nCookie: a=1\r\n')),
  to_public(passed('Cookie does not reach the public API', get(open, 'Cookie: sp_session=x\r\nX: y\r\n'), forwarded_get(open, 'X: y\r\n'))),
  to_public(passed('Basic credentials do not reach the public API', get(open, 'Authorization: Basic YTpi\r\n'), forwarded_get(open))),
  to_public(passed('a JWT of the embedding site is ignored, and does not reach the public API', get(open, 'Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln\r\n'), forwarded_get(open))),
  to_public(passed('text that merely contains sp_test_ is no key', get(`${open}?q=sp_test_`, 'Referer: https://a.example/sp_test_ideas\r\n'), forwarded_get(`${open}?q=sp_test_`, 'Referer: https://a.example/sp_test_ideas\r\n'))),
  to_public(passed('a key with a wrong checksum is none', get(open, `X-Api-Key: ${key.slice(0, -1)}-\r\n`), forwarded_get(open, `X-Api-Key: ${key.slice(0, -1)}-\r\n`))),
  exposed('a key as bearer token is refused by the public API', get(open, `Authorization: Bearer ${key}\r\n`)),
  exposed('a key in another field', get(open, `X-Api-Key: ${key}\r\n`)),
  exposed('a key in a cookie', get(open, `Cookie: k=${key}\r\n`)),
  exposed('a key in the query', get(`${open}?key=${key}`)),
  exposed('an escaped key in the query', get(`${open}?key=${key.replace('sp_live_', 'sp%5flive%5F')}`)),
  exposed('a key in the path', get(`${open}/${key}`)),
  exposed('a key in Basic credentials', get(open, `Authorization: Basic ${Buffer.from(`${key}:`).toString('base64')}\r\n`)),
  exposed('a key in the fragment of a referrer', get(open, `Referer: https://a.example/#${key}\r\n`)),
  to_public(passed('a preflight is forwarded', request(`OPTIONS ${open}`, 'Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n'),
    forwarded(`OPTIONS ${open}`, { kept: 'Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n' }))),
  to_public(passed('a booking is forwarded', post('Content-Type: application/json\r\nContent-Length: 2\r\n', '{}', open), forwarded(`POST ${open}`, { kept: 'Content-Type: application/json\r\n', framing: 'Content-Length: 2\r\n', body: '{}' }))),
  passed('Idempotency-Key and Service-Organization reach the authenticated API', post('Idempotency-Key: a\r\nService-Organization: b\r\n'), forwarded(`POST ${auth}`, { kept: 'Idempotency-Key: a\r\nService-Organization: b\r\n' })),
]);
