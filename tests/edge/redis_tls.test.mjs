// The gateway counts in a Redis over TLS, by an address in a file; a certificate that it does not trust is in the log.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import { test } from 'node:test';
import { make_authority } from './support/certificates.mjs';
import { ask, free_port, start_gateway, until } from './support/gateway.mjs';
import { start_recorder } from './support/recorder.mjs';

const listens = (port) =>
  new Promise((done) => {
    const socket = net.connect(port, '127.0.0.1', () => done(true));
    socket.on('error', () => done(false));
    socket.on('connect', () => socket.destroy());
  });

test('a rate limit is shared over TLS, and holds locally when the certificate is not trusted', { timeout: 240_000 }, async (t) => {
  const authority = make_authority();
  t.after(() => authority.stop());
  const service = await start_recorder();
  t.after(() => service.stop());
  const redis_port = await free_port();
  const start_redis = async (...names) => {
    const [certificate, key] = authority.issue('redis', ...names).split(':');
    const redis = spawn('redis-server', ['--port', '0', '--save', '', '--dir', authority.path(''), '--tls-port', String(redis_port), '--tls-cert-file', certificate,
      '--tls-key-file', key, '--tls-ca-cert-file', authority.file, '--tls-auth-clients', 'yes', '--requirepass', 'geheim'], { stdio: 'ignore' });
    const end = async () => {
      if (redis.exitCode !== null || redis.signalCode !== null) return;
      const ended = once(redis, 'exit');
      redis.kill('SIGKILL');
      await ended;
    };
    t.after(end);
    await until(() => listens(redis_port), 'Redis listens'); // a refused connection would be the reason in the log
    return end;
  };
  const end_redis = await start_redis('IP:127.0.0.1');
  writeFileSync(authority.path('url'), `rediss://:geheim@127.0.0.1:${redis_port}\n`, { mode: 0o600 });
  const gateway = await start_gateway(service.address, service.address, { RATE_LIMIT: '20', WINDOW: '86400', REDIS_TIMEOUT: '5s' }, {
    RECRUITING_REDIS_URL: '',
    RECRUITING_REDIS_URL_FILE: authority.path('url'),
    RECRUITING_REDIS_CA_FILE: authority.file,
    RECRUITING_REDIS_CERTIFICATE: authority.issue('gateway'),
  });
  t.after(() => gateway.stop());
  const connected = () => gateway.metric('recruiting_redis_connections');
  await until(async () => (await connected()) === 1, 'Redis is connected');
  const holds = async () => {
    const statuses = [];
    for (let i = 0; i < 25; i += 1) statuses.push((await ask({ host: '127.0.0.1', port: gateway.port, path: '/api/v1/x' })).status);
    assert.deepEqual([statuses.filter((one) => one === 429).length, statuses.slice(20).every((one) => one === 429)], [5, true]);
  };
  await holds();
  assert.equal(await gateway.metric('recruiting_rate_limit_local_total'), 0);

  await end_redis();
  await until(async () => (await connected()) === 0, 'Redis is gone');
  await start_redis('DNS:other.example');
  gateway.signal('SIGKILL'); // or it would answer some of the requests
  const second = await gateway.successor();
  await until(() => /"event":"redis_unavailable"[^\n]*TLS: IP address mismatch/.test(second.log()), 'the reason is logged');
  await holds();
  assert.ok(!`${gateway.log()}${second.log()}`.includes('geheim'));
});
