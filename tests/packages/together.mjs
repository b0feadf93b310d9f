// All packages on one host with Debian's PostgreSQL and Redis, configured as proto-docs/packages.md tells: they become
// ready, and an upgrade of all of them loses no request.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { until } from './support/command.mjs';
import { Machine, deb, debs, renamed } from './support/machine.mjs';
import { property, services } from './support/services.mjs';

const password = 'of-a-test';
const roles = ['owner', 'auth', 'public'];
const gateway = 'http://127.0.0.1:8080';

describe('all packages together', () => {
  let machine, older, key, slug;

  before(async () => {
    older = await Promise.all(services.map(({ program }) => renamed(deb(program), '0.0.1~before')));
    machine = await Machine.boot([...older, ...debs]);
    await machine.install(...older.map((file) => path.basename(file)), path.basename(deb('recruitctl')), 'postgresql', 'redis-server');
  });
  after(async () => {
    await machine?.down();
    for (const file of older) await rm(path.dirname(file), { recursive: true, force: true });
  });

  test('become ready when the database and its roles are there', async () => {
    await until('PostgreSQL accepts connections', async () => (await machine.run('su postgres -c "psql -c \'select 1\'"')).code === 0);
    const statements = roles.map((role) => `create role recruiting_${role} login password '${password}';`);
    await machine.must('su postgres -c "psql -v ON_ERROR_STOP=1"', {
      input: `${statements.join('\n')}\ncreate database recruiting owner recruiting_owner;\n`,
    });
    for (const conf of ['recruitctl', 'auth-api', 'public-api'])
      await machine.must(`sed -i -E 's/^#?(RECRUITING_.*DATABASE_URL=postgresql:..recruiting_[a-z]+)@/\\1:${password}@/' /etc/recruiting/${conf}.conf`);
    // With a thread a core of a large machine they would open more connections than Debian's PostgreSQL takes.
    await machine.must('for program in AUTH_API:auth-api PUBLIC_API:public-api; do echo RECRUITING_${program%:*}_THREADS=2 >>/etc/recruiting/${program#*:}.conf; done');
    await machine.must('recruitctl migrate --wait 30s');
    for (const { program, admin } of services) {
      await machine.must(`${program}-handover`);
      await until(`${program} is ready`, async () => (await machine.get(`http://127.0.0.1:${admin}/readyz`)).status === 200);
    }
  });

  test('answer through the gateway', async () => {
    const demo = JSON.parse(await machine.must('recruitctl demo load --jobs 3 --candidates 5 --json'));
    slug = demo.organization;
    key = JSON.parse(
      await machine.must(`recruitctl key create --organization ${slug} --owner ${demo.adminEmail} --name t --scope '*' --expires-in 30d --json`),
    ).secret;
    assert.match(key, /^sp_live_/);
    const me = await until('the key is taken', async () => {
      const answer = await machine.get(`${gateway}/api/v1/me`, '-H', `Authorization: Bearer ${key}`);
      return answer.status === 200 && answer;
    });
    assert.equal(JSON.parse(me.body).organization.slug, slug);
    await until('the jobs are published', async () =>
      (await machine.get(`${gateway}/api/public/v1/organizations/${slug}/jobs`)).body.includes('"id"'));
  });

  test('are in order, as doctor finds them', async () => {
    const told = async () => JSON.parse((await machine.run('recruitctl doctor --timeout 30s --json')).out).checks;
    const verdicts_of = (checks) => Object.fromEntries(checks.map(({ check, verdict }) => [check, verdict]));
    await until('audit rows are sealed', async () => verdicts_of(await told())['sealer.chains'] === 'ok');
    const checks = await told();
    assert.deepEqual(checks.filter(({ verdict }) => verdict === 'problem'), []);
    const verdicts = verdicts_of(checks);
    for (const name of ['settings.gateway', 'settings.auth-api', 'settings.public-api', 'secrets.pepper', 'secrets.recruitctl',
      'reach.postgres-auth-api', 'reach.redis', 'reach.through-to-auth-api', 'migrations.schema', 'sealer.chains'])
      assert.equal(verdicts[name], 'ok', name);
  });

  test('are upgraded without a request lost', async () => {
    // More than a client is allowed: the load is one client.
    await machine.must('printf "RECRUITING_GATEWAY_RATE_LIMIT=1000000\\nRECRUITING_GATEWAY_PUBLIC_RATE_LIMIT=1000000\\n" >>/etc/recruiting/gateway.conf');
    const pids = async () => Promise.all(services.map(({ program }) => property(machine, program, 'MainPID')));
    const former = await pids();
    const load = await machine.load(`${gateway}/api/v1/me`, `${gateway}/api/public/v1/organizations/${slug}/jobs`);
    await machine.install(...services.map(({ program }) => path.basename(deb(program))));
    const { answered, failed } = await load.end();
    assert.deepEqual(failed, {}, `of ${answered} requests`);
    const now = await pids();
    former.forEach((pid, i) => assert.notEqual(now[i], pid, services[i].program));
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
