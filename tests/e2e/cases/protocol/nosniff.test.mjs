// X-Content-Type-Options: nosniff on every answer of every program. The contract check asks it of every answer of every
// test; here are those that no test of the API gets: admin ports, services asked directly, what is not HTTP.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { auth_prefix, close_connections, public_prefix, send_raw } from '../../support/client.mjs';
import { admin_of, demo, gateway_url, settings_of } from '../../support/environment.mjs';

after(close_connections);
const programs = ['gateway', 'auth-api', 'public-api'];
const listen_of = (name) => settings_of(name)[`RECRUITING_${name.toUpperCase().replace('-', '_')}_LISTEN`];
const check = async (text, base) => {
  const answer = await send_raw(text, { base });
  assert.match(answer, /^HTTP\/1\.1 \d{3} /);
  assert.equal(answer.split('\r\n\r\n')[0].match(/^x-content-type-options: nosniff$/gim)?.length, 1, answer.slice(0, 500));
};
const request = (method, path, more = '') => `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`;

for (const name of programs) {
  test(`${name}: its admin port, errors included`, async () => {
    const base = `http://${admin_of(name)}`;
    for (const path of ['/healthz', '/readyz', '/metrics', '/nowhere']) await check(request('GET', path), base);
    await check('HELLO\r\n\r\n', base);
  });
}

for (const name of ['auth-api', 'public-api'].filter((service) => /^[^/]*:\d+$/.test(listen_of(service) ?? ''))) {
  test(`${name} asked directly: answers, refusals, what is not HTTP`, async () => {
    const base = `http://${listen_of(name)}`;
    for (const path of [`${auth_prefix}/me`, `${public_prefix}/organizations/${demo.slug}`, '/nowhere']) await check(request('GET', path), base);
    await check(request('OPTIONS', `${public_prefix}/jobs/x`), base);
    await check('HELLO\r\n\r\n', base);
    await check(request('POST', `${auth_prefix}/agent/invoke`, `Content-Length: 9000000\r\n`), base);
  });
}

test("gateway: relayed answers, its own, and what is not HTTP; never twice", async () => {
  for (const path of [`${auth_prefix}/openapi.json`, `${public_prefix}/organizations/${demo.slug}`, `/careers/${demo.slug}`, '/widget/v1.js', '/nowhere', '/docs/'])
    await check(request('GET', path), gateway_url);
  await check(request('OPTIONS', '*'), gateway_url);
  await check(request('HEAD', `${auth_prefix}/me`), gateway_url);
  await check(request('BREW', `${auth_prefix}/me`), gateway_url);
  await check(request('GET', `${auth_prefix}/jobs?q=${'x'.repeat(100_000)}`), gateway_url);
  await check('HELLO\r\n\r\n', gateway_url);
});
