// Each service's package alone on a clean Debian: installed, started without anything it depends on, upgraded while it
// runs, removed, installed again, purged.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { make_authority } from '../edge/support/certificates.mjs';
import { run, until } from './support/command.mjs';
import { Machine, deb, debs, renamed } from './support/machine.mjs';
import { inventory, look, property, services } from './support/services.mjs';

const older = '0.0.1~before';

for (const service of services) describe(`${service.program} alone`, () => {
  const { program, conf, admin } = service;
  const unit = `${program}.service`;
  const health = `http://127.0.0.1:${admin}`;
  const packages = () => [former, deb(program)].map((file) => path.basename(file));
  let machine, before_it, former;

  before(async () => {
    former = await renamed(deb(program), older);
    machine = await Machine.boot([former, deb(program)]);
  });
  after(async () => {
    await machine?.down();
    await rm(path.dirname(former), { recursive: true, force: true });
  });

  test('installs, and starts without anything it depends on', async () => {
    const about = await machine.must('dpkg-query -W -f "${Package}\n"');
    // What it depends on is Debian's, not its own: it may stay.
    await machine.must(`apt-get -q -y --no-download --no-install-recommends install $(dpkg-deb -f /debs/${packages()[0]} Depends | sed "s/([^)]*)//g; s/,//g")`);
    before_it = await inventory(machine);
    await machine.install(packages()[0]);
    if (service.needed) {
      await until('it refuses to start without them', async () => (await property(machine, unit, 'Result')) === 'exit-code');
      assert.match(await machine.must(`journalctl -q --no-pager -o cat -t ${program}`), service.refusal);
      await machine.edit(`/etc/recruiting/${conf}`, service.needed);
      await machine.must(`${program}-handover`);
    }
    assert.ok(!about.split('\n').includes(program));
    await until('it runs', async () => (await property(machine, unit, 'ActiveState')) === 'active');
    assert.equal((await machine.get(`${health}/healthz`)).status, 200);
    const ready = await until('readiness tells what is unavailable', async () => {
      const answer = await machine.get(`${health}/readyz`);
      return answer.status === service.ready && answer;
    });
    const told = JSON.parse(ready.body).checks;
    for (const [name, text] of Object.entries(service.unavailable)) assert.ok(told[name].startsWith(text), told[name]);
    assert.match(await machine.must(`systemctl is-enabled ${unit}`), /^enabled$/);
  });

  test('gives each file to whom it belongs', async () => {
    assert.equal(await look(machine, `/etc/recruiting/${conf}`), `640 root:${program}`);
    assert.equal(await look(machine, `/usr/bin/${program}`), '755 root:root');
    if (service.secrets.length > 0) assert.equal(await look(machine, '/etc/recruiting/secrets'), '700 root:root');
    for (const name of service.secrets) {
      assert.equal(await look(machine, `/etc/recruiting/secrets/${name}`), '600 root:root');
      assert.match(await machine.must(`cat /etc/recruiting/secrets/${name}`), /^[0-9a-f]{64}$/);
    }
    const pid = await property(machine, unit, 'MainPID');
    assert.equal(await machine.must(`stat -c %U /proc/${pid}`), program);
    const capabilities = await machine.must(`sed -n 's/^CapEff:\\s*//p' /proc/${pid}/status`);
    assert.equal(BigInt(`0x${capabilities}`), program === 'recruiting-gateway' ? 1n << 10n : 0n);
    assert.equal(await machine.must(`sed -n 's/^Seccomp:\\s*//p' /proc/${pid}/status`), '2');
  });

  test('checks its configuration file by the documented command, as root', async () => {
    assert.match(await machine.must(`${program} --config /etc/recruiting/${conf} --check`), /: the settings are valid$/m);
  });

  test('has a unit that systemd finds no fault with, and rates 2.0 or better', async () => {
    assert.equal((await machine.run(`systemd-analyze verify --man=no ${unit}`)).err, '');
    const rating = await machine.run(`systemd-analyze security --no-pager --threshold=20 ${unit}`);
    assert.equal(rating.code, 0, rating.out);
  });

  test('logs to the journal, a JSON object a line', async () => {
    const lines = (await machine.must(`journalctl -q --no-pager -o cat -t ${program} _PID=${await property(machine, unit, 'MainPID')}`)).split('\n');
    assert.ok(lines.map((line) => JSON.parse(line)).some(({ event }) => event === 'started'));
  });

  test('upgrades while it runs, and keeps what was configured', async () => {
    await machine.must(`echo RECRUITING_LOG_LEVEL=debug >>/etc/recruiting/${conf}`);
    const secrets = await machine.must('cat /etc/recruiting/secrets/* 2>/dev/null || true');
    const pid = await property(machine, unit, 'MainPID');
    const load = await machine.load(`${health}/healthz`);
    await machine.install(packages()[1]);
    assert.deepEqual((await load.end()).failed, {}, 'no request failed during the upgrade');
    assert.notEqual(await property(machine, unit, 'MainPID'), pid);
    assert.equal(await property(machine, unit, 'ActiveState'), 'active');
    assert.equal((await machine.run(`systemctl is-active ${program}-handover.service`)).code !== 0, true);
    assert.match(await machine.must(`tail -n 1 /etc/recruiting/${conf}`), /^RECRUITING_LOG_LEVEL=debug$/);
    assert.equal(await look(machine, `/etc/recruiting/${conf}`), `640 root:${program}`);
    assert.equal(await machine.must('cat /etc/recruiting/secrets/* 2>/dev/null || true'), secrets);
  });

  test('goes on as it was when its successor is configured wrongly, and is not tried again for ever', async () => {
    const pid = await property(machine, unit, 'MainPID');
    await machine.must(`echo RECRUITING_${service.prefix}_THREADS=none >>/etc/recruiting/${conf}`);
    assert.equal((await machine.run(`${program}-handover`)).code, 1);
    assert.equal(await property(machine, unit, 'MainPID'), pid);
    assert.notEqual((await machine.run(`systemctl restart ${unit}`)).code, 0);
    assert.equal(await property(machine, unit, 'Result'), 'exit-code');
    assert.equal(await property(machine, unit, 'ActiveState'), 'failed');
    await machine.must(`sed -i '$d' /etc/recruiting/${conf} && systemctl restart ${unit}`);
  });

  // As it is when a version serves as the stand-in, and then does not start as the unit.
  const leave_stand_in = () =>
    machine.must(`systemctl cat ${unit} >/run/systemd/system/${program}-handover.service && systemctl daemon-reload && systemctl start ${program}-handover && systemctl stop ${unit}`);

  test('a stand-in that went on gives way to the unit that starts again', async () => {
    await leave_stand_in();
    await machine.must(`${program}-handover`);
    assert.equal(await property(machine, unit, 'ActiveState'), 'active');
    assert.notEqual((await machine.run(`systemctl is-active ${program}-handover.service`)).code, 0);
    assert.equal((await machine.run(`ls /run/systemd/system/${program}-handover.service`)).out, '');
  });

  test('is started again when it hangs', async () => {
    await machine.must(`mkdir -p /run/systemd/system/${unit}.d && printf '[Service]\\nWatchdogSec=4s\\n' >/run/systemd/system/${unit}.d/t.conf`);
    await machine.must(`systemctl daemon-reload && systemctl restart ${unit}`);
    const pid = await property(machine, unit, 'MainPID');
    await machine.must(`kill -STOP ${pid}`);
    await until('another process has taken its place', async () => {
      const now = await property(machine, unit, 'MainPID');
      return now !== '0' && now !== pid && (await property(machine, unit, 'ActiveState')) === 'active';
    });
    await machine.must(`rm -r /run/systemd/system/${unit}.d && systemctl daemon-reload`);
  });

  if (program === 'recruiting-gateway') {
    test('reports an error on reload with a certificate that it can\'t use, and goes on with the old one', async () => {
      const authority = make_authority();
      const [chain, key] = authority.issue('jobs', 'DNS:localhost').split(':').map((file) => readFileSync(file, 'utf8'));
      authority.stop();
      const install = (name, content) => machine.must(`cat >/etc/recruiting/${name} && chgrp ${program} /etc/recruiting/${name} && chmod 0640 /etc/recruiting/${name}`, { input: content });
      await install('chain.pem', chain);
      await install('key.pem', key);
      await machine.must(`printf 'RECRUITING_GATEWAY_TLS_LISTEN=127.0.0.1:8443\\nRECRUITING_GATEWAY_TLS_CERTIFICATES=/etc/recruiting/chain.pem:/etc/recruiting/key.pem\\n' >>/etc/recruiting/${conf}`);
      await machine.must(`systemctl restart ${unit} && systemctl reload ${unit}`);
      const pid = await property(machine, unit, 'MainPID');
      await install('chain.pem', chain.slice(0, 400));
      assert.notEqual((await machine.run(`systemctl reload ${unit}`)).code, 0);
      assert.match(await machine.must(`journalctl -q --no-pager -o cat -t ${program}`), /can't use the certificate chain/);
      assert.equal(await property(machine, unit, 'ActiveState'), 'active');
      assert.equal(await property(machine, unit, 'MainPID'), pid);
      assert.notEqual((await machine.get('https://localhost:8443/', '-k', '-o', '/dev/null')).status, 0);
      await machine.must(`sed -i '/_TLS_/{/^#/!d}' /etc/recruiting/${conf} && rm /etc/recruiting/chain.pem /etc/recruiting/key.pem && systemctl restart ${unit}`);
    });

    test('reads its files again on reload', async () => {
      await machine.must(`systemctl reload ${unit}`);
      await until('it was told so', async () => (await machine.must(`journalctl -q --no-pager -o cat -u ${unit}`)).includes('"event":"reloading"'));
      assert.equal(await property(machine, unit, 'ActiveState'), 'active');
    });
  }

  test('is removed, installed again with the same configuration, and purged without a trace', async () => {
    const secrets = await machine.must('cat /etc/recruiting/secrets/* 2>/dev/null || true');
    await leave_stand_in();
    await machine.must(`apt-get -q -y remove ${program}`);
    assert.equal((await machine.run(`find /proc -maxdepth 1 -user ${program}; ls /usr/bin/${program} /run/systemd/system/${program}* 2>/dev/null`)).out, '');
    assert.match(await machine.must(`tail -n 1 /etc/recruiting/${conf}`), /LOG_LEVEL=debug/);
    await machine.install(packages()[1]);
    await until('it runs again', async () => (await property(machine, unit, 'ActiveState')) === 'active');
    assert.equal(await machine.must('cat /etc/recruiting/secrets/* 2>/dev/null || true'), secrets);
    await machine.must(`apt-get -q -y purge ${program}`);
    const left = [...(await inventory(machine))].filter((line) => !before_it.has(line));
    assert.deepEqual(left, []);
  });
});

describe('recruitctl alone', () => {
  let machine;
  before(async () => (machine = await Machine.boot([deb('recruitctl')])));
  after(() => machine?.down());

  test('installs, knows where its migrations are, reads its configuration, and is purged without a trace', async () => {
    const name = path.basename(deb('recruitctl'));
    await machine.must(`apt-get -q -y --no-download --no-install-recommends install $(dpkg-deb -f /debs/${name} Depends | sed "s/([^)]*)//g; s/,//g")`);
    const before_it = await inventory(machine);
    await machine.install(name);
    // Two commits are two versions, unless the commit is tagged as this version.
    const [, commit] = /^recruitctl \S+ \((\S+)\)$/.exec(await machine.must('recruitctl --version'));
    const version = await machine.must('dpkg-query -W -f \'${Version}\' recruitctl');
    assert.ok(version.includes(`.${commit}~deb`) || /^[\d.]+~deb\d+$/.test(version), `${version}, ${commit}`);
    await machine.must('cd /usr/share/recruiting && ls postgresql/hide_statistics.sql prometheus/rules.yaml grafana/recruiting.json');
    assert.equal(await look(machine, '/etc/recruiting/recruitctl.conf'), '600 root:root');
    assert.equal(await look(machine, '/etc/recruiting/secrets/key-pepper'), '600 root:root');
    // The database of the installed configuration is away (exit code 3), which is told before anything else is missed.
    const { code, err } = await machine.run('recruitctl migrate --wait 0s');
    assert.equal(code, 3, err);
    assert.match(err, /127\.0\.0\.1.*5432/);
    await machine.must('apt-get -q -y purge recruitctl');
    assert.deepEqual([...(await inventory(machine))].filter((line) => !before_it.has(line)), []);
  });
});

test('lintian finds nothing in any of them', async () => {
  const { code, out, err } = await run('lintian', ['--allow-root', '--fail-on', 'error,warning', '--tag-display-limit', '0', ...debs]);
  assert.equal(code, 0, out + err);
});
