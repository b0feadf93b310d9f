// All packages on one host with Debian's PostgreSQL and Redis, installed by the steps of proto-docs/packages.md as its reader
// follows them: they become ready, and an upgrade of all of them loses no request.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { assert_prints, steps_of } from '../support/page_steps.mjs';
import { Machine, deb, debs, renamed } from './support/machine.mjs';
import { property, services } from './support/services.mjs';

const gateway = 'http://127.0.0.1:8080';
const version = '0.0.1~before';
const page = readFileSync(new URL('../../proto-docs/packages.md', import.meta.url), 'utf8');
const steps = steps_of(page);

/** The page's placeholders, replaced; the packages of this project stand for one version. */
const adapted = (text) => text
  .replace(/(OWNER|AUTH|PUBLIC)_PASSWORD/g, (_, role) => `password-of-${role.toLowerCase()}`)
  .replaceAll(/_VERSION_amd64/g, path.basename(deb('recruitctl')).replace(/^[^_]*_[^_]*/, `_${version}`).replace(/\.deb$/, ''));

describe('all packages together', () => {
  let machine, older;

  before(async () => {
    older = await Promise.all([...services.map(({ program }) => program), 'recruitctl'].map((program) => renamed(deb(program), version)));
    machine = await Machine.boot([...older, ...debs]);
    await machine.admit_deployer(older.map((file) => path.basename(file)));
  });
  after(async () => {
    await machine?.down();
    for (const file of older) await rm(path.dirname(file), { recursive: true, force: true });
  });

  assert.ok(steps.filter(({ script }) => script).length >= 7 && steps.filter(({ file }) => file).length === 3);
  steps.forEach(({ heading, script, prints, file, lines }, i) => {
    test(`packages.md, step ${i + 1}: ${heading}${file ? `, ${file}` : ''}`, async () => {
      if (file) return machine.edit(file, adapted(lines));
      const { code, out, err } = await machine.operate(adapted(script));
      assert.equal(code, 0, `${out}\n${err}`);
      if (prints) assert_prints(out, prints);
    });
  });

  test('are in order, as doctor finds them', async () => {
    const { checks } = JSON.parse((await machine.run('recruitctl doctor --timeout 30s --json')).out);
    const verdicts = Object.fromEntries(checks.map(({ check, verdict }) => [check, verdict]));
    assert.deepEqual(checks.filter(({ verdict }) => verdict === 'problem'), []);
    for (const name of ['settings.gateway', 'settings.auth-api', 'settings.public-api', 'reach.postgres-auth-api',
      'reach.redis', 'reach.through-to-auth-api', 'migrations.schema', 'sealer.lag'])
      assert.equal(verdicts[name], 'ok', name);
  });

  test('are reached by doctor where PostgreSQL has lost its time zones, which it names', async () => {
    await machine.must('mv /usr/share/zoneinfo /usr/share/zoneinfo.away');
    const { checks } = JSON.parse((await machine.run('recruitctl doctor --timeout 30s --json')).out);
    await machine.must('mv /usr/share/zoneinfo.away /usr/share/zoneinfo');
    const found = Object.fromEntries(checks.map((one) => [one.check, one]));
    assert.equal(found['reach.postgres'].verdict, 'ok', found['reach.postgres'].text);
    assert.equal(found['database.time-zones'].verdict, 'problem', found['database.time-zones'].text);
    assert.match(found['database.time-zones'].fix, /tzdata/);
  });

  test('are upgraded without a request lost', async () => {
    // More than a client is allowed: the load is one client.
    await machine.must('printf "RECRUITING_GATEWAY_RATE_LIMIT=1000000\\nRECRUITING_GATEWAY_PUBLIC_RATE_LIMIT=1000000\\n" >>/etc/recruiting/gateway.conf');
    const pids = async () => Promise.all(services.map(({ program }) => property(machine, program, 'MainPID')));
    const former = await pids();
    const load = await machine.load(`${gateway}/api/v1/me`, `${gateway}/api/public/v1/organizations/acme/jobs`);
    await machine.install(...services.map(({ program }) => path.basename(deb(program))));
    const { answered, failed } = await load.end();
    assert.deepEqual(failed, {}, `of ${answered} requests`);
    const now = await pids();
    former.forEach((pid, i) => assert.notEqual(now[i], pid, services[i].program));
  });

  test('a handover to what can serve loses no request, and one to what can\'t keeps the process that serves', async () => {
    const conf = '/etc/recruiting/auth-api.conf';
    const pid = () => property(machine, 'recruiting-auth-api', 'MainPID');
    const load = await machine.load(`${gateway}/api/v1/me`, 'http://127.0.0.1:8081/api/v1/me');
    for (let i = 0; i < 3; i += 1) {
      const former = await pid();
      await machine.must('recruiting-auth-api-handover');
      assert.notEqual(await pid(), former);
    }
    const former = await pid();
    for (const wrong of ['recruiting_auth:wrong@', 'recruiting_public:password-of-public@']) {
      await machine.must(`cp -p ${conf} /tmp/right.conf && sed -i 's/recruiting_auth:password-of-auth@/${wrong}/' ${conf}`);
      assert.notEqual((await machine.run(`cmp ${conf} /tmp/right.conf`)).code, 0);
      const { code, err } = await machine.run('recruiting-auth-api-handover');
      await machine.must(`cp -p /tmp/right.conf ${conf}`);
      assert.equal(code, 1, err);
      assert.match(err, /can't serve; the old one keeps running/);
      assert.equal(await pid(), former);
      assert.notEqual((await machine.run('systemctl is-active recruiting-auth-api-handover.service')).code, 0);
    }
    const { answered, failed } = await load.end();
    assert.deepEqual(failed, {}, `of ${answered} requests`);
  });

  test('are purged one after the other; the secrets go with the last that uses them', async () => {
    const secrets = async () => (await machine.run('ls /etc/recruiting/secrets 2>/dev/null')).out.trim().split('\n').filter(Boolean);
    await machine.must('apt-get -q -y purge recruiting-auth-api');
    assert.deepEqual(await secrets(), ['cursor-secret', 'key-pepper']);
    await machine.must('apt-get -q -y purge recruitctl');
    assert.deepEqual(await secrets(), ['cursor-secret']);
    await machine.must('apt-get -q -y purge recruiting-public-api recruiting-gateway');
    assert.equal((await machine.run('ls -d /etc/recruiting')).code !== 0, true);
  });
});
