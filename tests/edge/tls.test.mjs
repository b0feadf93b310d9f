// TLS at the edge, seen by another implementation: what is spoken, which certificate is shown, how bodies pass.
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { make_authority } from './support/certificates.mjs';
import { free_port, start_gateway, until } from './support/gateway.mjs';
import { start_recorder } from './support/recorder.mjs';
import { connect_tls, get_once, refusal } from './support/secure.mjs';
import { connect } from './support/wire.mjs';

let authority, service, gateway, secure, redirecting, ca;

before(async () => {
  authority = make_authority();
  ca = authority.pem;
  const certificates = [authority.issue('api', 'DNS:api.example', 'IP:127.0.0.1'), authority.issue('jobs', 'DNS:*.jobs.example')];
  [secure, redirecting] = [await free_port(), await free_port()];
  service = await start_recorder();
  gateway = await start_gateway(service.address, service.address, {
    THREADS: 2,
    TLS_LISTEN: `127.0.0.1:${secure}`,
    TLS_CERTIFICATES: certificates.join(','),
    REDIRECT_LISTEN: `127.0.0.1:${redirecting}`,
    REDIRECT_PORT: 443,
    HEADERS_TIMEOUT: '500ms',
    HSTS: '300; includeSubDomains',
  });
});
after(async () => {
  await gateway?.stop();
  await service?.stop();
  authority?.stop();
});
beforeEach(() => service.reset());

for (const version of ['TLSv1.2', 'TLSv1.3']) {
  const only = { minVersion: version, maxVersion: version };

  test(`${version}: a request reaches the service as one made over https`, async () => {
    const got = await get_once(secure, { ca, ...only });
    assert.equal(got.answer.status, 200);
    assert.equal(got.version, version);
    assert.match(got.suite, /AES_128_GCM_SHA256$/);
    assert.equal(got.answer.value('strict-transport-security'), 'max-age=300; includeSubDomains');
    assert.match(service.text(), /\r\nX-Forwarded-Proto: https\r\n/);
    assert.match(service.text(), /;proto=https\r\n/);
  });

  test(`${version}: the service's own Strict-Transport-Security gives way`, async () => {
    service.reply = (socket) => socket.write('HTTP/1.1 200 OK\r\nStrict-Transport-Security: max-age=0\r\nContent-Length: 0\r\n\r\n');
    const { answer } = await get_once(secure, { ca, ...only });
    assert.deepEqual(answer.fields.filter(([name]) => /^strict/i.test(name)), [['Strict-Transport-Security', 'max-age=300; includeSubDomains']]);
  });

  test(`${version}: bodies of megabytes pass unharmed both ways`, async () => {
    const body = Buffer.alloc(700_000, 'abcdefghijklmnopqrstuvw').toString();
    const long = body.repeat(5);
    service.reply = (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${long.length}\r\n\r\n${long}`);
    const wire = await connect_tls(secure, { ca, ...only });
    for (let i = 0; i < 2; i += 1) {
      await wire.send(`POST /api/v1/x HTTP/1.1\r\nHost: api.example\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      wire.socket.pause();
      await until(() => service.requests === i + 1, 'the request is there');
      wire.socket.resume();
      const answer = await wire.answer();
      assert.equal(answer.status, 200);
      assert.ok(answer.body === long, 'the answer changed on its way');
    }
    assert.ok(service.recorded.endsWith(body), 'the request changed on its way');
    wire.close();
  });

  test(`${version}: pipelined requests are answered in turn`, async () => {
    const wire = await connect_tls(secure, { ca, ...only });
    await wire.send('GET /api/v1/1 HTTP/1.1\r\nHost: a\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\n\r\nGET /api/v1/2 HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.equal((await wire.answer()).status, 200);
    assert.equal((await wire.answer()).status, 404);
    assert.equal((await wire.answer()).status, 200);
    wire.close();
  });

  test(`${version}: every thread takes up a connection again`, async () => {
    const first = await get_once(secure, { ca, ...only });
    assert.equal(first.reused, false);
    assert.ok(first.ticket);
    const again = await Promise.all(Array.from({ length: 24 }, () => get_once(secure, { ca, ...only, session: first.ticket })));
    assert.deepEqual(again.map((one) => one.reused), again.map(() => true));
    const kind = version.slice(-3);
    assert.ok((await gateway.metric(`recruiting_gateway_tls_handshakes_total{version="${kind}",kind="resumed"}`)) >= 24);
    assert.ok((await gateway.metric(`recruiting_gateway_tls_handshakes_total{version="${kind}",kind="full"}`)) >= 1);
  });
}

test('nothing older than TLS 1.2 is spoken', async () => {
  for (const version of ['TLSv1', 'TLSv1.1'])
    assert.equal(await refusal(secure, { ca, minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }),
      'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
});

test('no suite without forward secrecy or AEAD is spoken', async () => {
  for (const ciphers of ['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA', 'AES128-GCM-SHA256', 'ECDHE-ECDSA-AES128-CCM'])
    // OpenSSL 3.2 and later name the alert otherwise.
    assert.match(await refusal(secure, { ca, maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` }),
      /^ERR_SSL_SSL(V3|\/TLS)_ALERT_HANDSHAKE_FAILURE$/);
});

test('ALPN: http/1.1, and nothing else', async () => {
  const wire = await connect_tls(secure, { ca, ALPNProtocols: ['h2', 'http/1.1'] });
  assert.equal(wire.socket.alpnProtocol, 'http/1.1');
  wire.close();
  assert.match(await refusal(secure, { ca, ALPNProtocols: ['h2'] }), /NO_APPLICATION_PROTOCOL/i);
});

test('clients get the certificate of the name they ask for, else the first', async () => {
  for (const [servername, subject] of [['api.example', 'api'], ['acme.jobs.example', 'jobs'], ['a.b.jobs.example', 'api'], ['other.example', 'api']])
    assert.equal((await get_once(secure, { ca, servername, rejectUnauthorized: false })).subject, subject);
});

test('a client that is slow with its handshake is let go', async () => {
  for (const beginning of ['', '\x16', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']) {
    const wire = await connect(secure);
    await wire.send(beginning);
    assert.equal(await wire.end(), '');
    wire.close();
  }
});

test('plain HTTP where TLS is spoken is closed, and reaches nothing', async () => {
  const failed = await gateway.metric('recruiting_gateway_tls_handshakes_failed_total');
  const wire = await connect(secure);
  await wire.send('GET /api/v1/x HTTP/1.1\r\nHost: api.example\r\n\r\n');
  assert.doesNotMatch(await wire.end(), /HTTP/);
  assert.equal(service.requests, 0);
  assert.equal(await gateway.metric('recruiting_gateway_tls_handshakes_failed_total'), failed + 1);
  wire.close();
});

test('the last answer of a connection is followed by its end in order', async () => {
  const wire = await connect_tls(secure, { ca });
  await wire.send('GET /api/v1/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.equal((await wire.answer()).body, 'ok');
  assert.equal(await wire.end(), '');
  assert.equal(wire.failure(), undefined, 'no close_notify came');
});

test('the plain listener says nothing of HSTS and is no https', async () => {
  const wire = await connect(gateway.port);
  await wire.send('GET /api/v1/x HTTP/1.1\r\nHost: a\r\n\r\n');
  assert.equal((await wire.answer()).value('strict-transport-security'), undefined);
  assert.match(service.text(), /\r\nX-Forwarded-Proto: http\r\n/);
  wire.close();
});

const redirected = async (text) => {
  const wire = await connect(redirecting);
  await wire.send(text);
  const answer = await wire.answer();
  wire.close();
  return answer;
};

test('the redirecting listener leads to the same resource with TLS', async () => {
  const answer = await redirected('GET /api/v1/x?y=1 HTTP/1.1\r\nHost: api.example:80\r\n\r\n');
  assert.equal(answer.status, 308);
  assert.equal(answer.value('location'), 'https://api.example/api/v1/x?y=1');
  assert.equal(answer.value('strict-transport-security'), undefined);
  const post = await redirected('POST /api/v1/x HTTP/1.1\r\nHost: acme.jobs.example\r\nContent-Length: 2\r\n\r\n{}');
  assert.equal(post.value('location'), 'https://acme.jobs.example/api/v1/x');
  assert.equal((await redirected('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')).value('location'), 'https://127.0.0.1/');
  for (const [path, origins] of [['/api/v1/me', undefined], ['/api/public/v1/jobs', '*'], ['/careers/acme', undefined], ['/console', undefined]])
    assert.equal((await redirected(`GET ${path} HTTP/1.1\r\nHost: api.example\r\n\r\n`)).value('access-control-allow-origin'), origins, path);
});

test('the redirecting listener leads nowhere else, and to no service', async () => {
  for (const fields of ['Host: evil.example\r\n', '', 'Host: \r\n', 'Host: api.example\r\nHost: evil.example\r\n', 'Host: api.example@evil.example\r\n'])
    assert.equal((await redirected(`GET /api/v1/x HTTP/1.1\r\n${fields}\r\n`)).status, 400, fields);
  assert.equal((await redirected('GET /api/v1/x HTTP/1.0\r\n\r\n')).status, 400);
  assert.equal((await redirected('GET https://evil.example/ HTTP/1.1\r\nHost: api.example\r\n\r\n')).status, 400);
  assert.equal(service.requests, 0);
});

test('clients that break off harm nobody', async () => {
  for (let i = 0; i < 20; i += 1) {
    const raw = net.connect(secure, '127.0.0.1');
    raw.on('error', () => {});
    raw.write('\x16\x03\x01');
    raw.destroy();
    const wire = await connect_tls(secure, { ca });
    await wire.send('GET /api/v1/x HTTP/1.1\r\nHost: a\r\n\r\n');
    wire.close();
  }
  assert.equal((await get_once(secure, { ca })).answer.status, 200);
  assert.ok(gateway.alive());
});
