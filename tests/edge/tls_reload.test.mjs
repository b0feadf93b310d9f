// SIGHUP under open connections, and tickets that several processes share through a file.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { make_authority } from './support/certificates.mjs';
import { free_port, start_gateway, until } from './support/gateway.mjs';
import { start_recorder } from './support/recorder.mjs';
import { connect_tls, get_once } from './support/secure.mjs';

const [old_key, new_key] = [randomBytes(80), randomBytes(80)];
const gateways = [];
let authority, service, ca, tickets;

const start = async (certificates, more = {}) => {
  const port = await free_port();
  const gateway = await start_gateway(service.address, service.address, {
    TLS_LISTEN: `127.0.0.1:${port}`, TLS_CERTIFICATES: certificates, ...more,
  });
  gateways.push(gateway);
  return Object.assign(gateway, { secure: port });
};
const failed_reloads = (gateway) => gateway.metric('recruiting_gateway_tls_reloads_failed_total');
const request = 'GET /api/v1/x HTTP/1.1\r\nHost: a\r\n\r\n';

before(async () => {
  authority = make_authority();
  ca = authority.pem;
  tickets = authority.path('tickets');
  service = await start_recorder();
});
after(async () => {
  for (const one of gateways) await one.stop();
  await service?.stop();
  authority?.stop();
});

test('a new certificate is shown after SIGHUP, and open connections go on', async () => {
  const gateway = await start(authority.issue('first', 'DNS:api.example'));
  const open = await connect_tls(gateway.secure, { ca });
  await open.send(request);
  assert.equal((await open.answer()).status, 200);
  const serial = open.socket.getPeerCertificate().serialNumber;
  const serial_now = async () => {
    const wire = await connect_tls(gateway.secure, { ca });
    const { serialNumber } = wire.socket.getPeerCertificate();
    wire.close();
    return serialNumber;
  };

  authority.issue('first', 'DNS:api.example');
  gateway.signal('SIGHUP');
  await until(async () => (await serial_now()) !== serial, 'the new certificate is shown');
  await open.send(request);
  assert.equal((await open.answer()).status, 200);

  const renewed = await serial_now();
  writeFileSync(authority.path('first.pem'), 'nothing of use');
  gateway.signal('SIGHUP');
  await until(async () => (await failed_reloads(gateway)) >= 1, 'the failure is counted');
  assert.equal(await serial_now(), renewed);
  await until(() => /"level":"error".*"tls_reload_failed".*first\.pem/.test(gateway.log()), 'the log tells');
  await open.send(request);
  assert.equal((await open.answer()).status, 200);
  open.close();
});

// Kubernetes mounts a secret as links into ..data, itself a link that is swapped.
test('files that are replaced without a signal are noticed, as a mounted secret swaps them', async () => {
  const mount = authority.path('mount');
  const publish = (version) => {
    authority.issue('renewed', 'DNS:api.example');
    mkdirSync(`${mount}/${version}`, { recursive: true });
    for (const part of ['pem', 'key']) writeFileSync(`${mount}/${version}/tls.${part}`, readFileSync(authority.path(`renewed.${part}`)));
    symlinkSync(version, `${mount}/..data_tmp`);
    renameSync(`${mount}/..data_tmp`, `${mount}/..data`);
  };
  publish('first');
  for (const part of ['pem', 'key']) symlinkSync(`..data/tls.${part}`, `${mount}/tls.${part}`);
  const gateway = await start(`${mount}/tls.pem:${mount}/tls.key`);
  const serial_now = async () => {
    const wire = await connect_tls(gateway.secure, { ca });
    const { serialNumber } = wire.socket.getPeerCertificate();
    wire.close();
    return serialNumber;
  };
  const first = await serial_now();
  publish('second');
  await until(async () => (await serial_now()) !== first, 'the renewed certificate is shown');
  assert.equal(await failed_reloads(gateway), 0);
});

for (const version of ['TLSv1.2', 'TLSv1.3']) {
  test(`${version}: processes with one file of ticket keys take up each other's connections, also while keys change`, async () => {
    writeFileSync(tickets, old_key);
    const certificates = authority.issue('shared', 'DNS:api.example');
    const [one, two, alone] = [
      await start(certificates, { TLS_TICKET_KEYS_FILE: tickets }),
      await start(certificates, { TLS_TICKET_KEYS_FILE: tickets }),
      await start(certificates),
    ];
    const only = { ca, minVersion: version, maxVersion: version };
    const reused = async (gateway, session) => (await get_once(gateway.secure, { ...only, session })).reused;

    const { ticket } = await get_once(one.secure, only);
    assert.equal(await reused(two, ticket), true);
    assert.equal(await reused(alone, ticket), false);

    writeFileSync(tickets, Buffer.concat([new_key, old_key]));
    two.signal('SIGHUP');
    await until(async () => {
      const fresh = (await get_once(two.secure, only)).ticket;
      return fresh && !(await reused(one, fresh)); // made with a key that one does not know yet
    }, 'the new key is used');
    assert.equal(await reused(two, ticket), true);

    one.signal('SIGHUP');
    await until(async () => reused(one, (await get_once(two.secure, only)).ticket), 'the new key is known');
    assert.equal(await reused(one, ticket), true);

    writeFileSync(tickets, new_key);
    two.signal('SIGHUP');
    await until(async () => !(await reused(two, ticket)), 'the old key is forgotten');

    writeFileSync(tickets, 'too short');
    two.signal('SIGHUP');
    await until(async () => (await failed_reloads(two)) >= 1, 'the failure is counted');
    assert.equal(await reused(two, (await get_once(two.secure, only)).ticket), true);
  });
}

test('a gateway whose files can\'t be used does not start, and says why', async () => {
  await assert.rejects(start(`/nowhere.pem:${authority.path('first.key')}`), /can't use the certificate chain \/nowhere\.pem: No such file/);
});
