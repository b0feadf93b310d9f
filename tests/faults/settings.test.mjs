// Wrong settings end a program at its start, and --check, with exit code 2 and a line for each; never with an abort.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, after, test } from 'node:test';
import { make_secrets, programs } from './support/world.mjs';

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'recruiting-settings-'));
  make_secrets(folder);
  writeFileSync(join(folder, 'text'), 'no certificate\n');
});
after(() => rmSync(folder, { recursive: true }));

const run = (name, args, settings) =>
  new Promise((done) => {
    const env = { PATH: process.env.PATH, ...settings };
    execFile(join(programs(), name), args, { env, timeout: 60_000 }, (error, stdout, stderr) =>
      done({ code: error ? error.code ?? error.signal : 0, stdout, stderr }));
  });

const right = () => ({
  'recruiting-auth-api': {
    RECRUITING_KEY_PEPPER_FILE: join(folder, 'pepper'),
    RECRUITING_CURSOR_SECRET_FILE: join(folder, 'cursor'),
    RECRUITING_AUTH_API_DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/db',
  },
  'recruiting-public-api': {
    RECRUITING_CURSOR_SECRET_FILE: join(folder, 'cursor'),
    RECRUITING_PUBLIC_API_DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/db',
  },
  'recruiting-gateway': {},
});

const files = {
  'recruiting-auth-api': [
    'RECRUITING_KEY_PEPPER_FILE', 'RECRUITING_KEY_PEPPER_PREVIOUS_FILE', 'RECRUITING_CURSOR_SECRET_FILE',
    'RECRUITING_CURSOR_SECRET_PREVIOUS_FILE', 'RECRUITING_AGENT_MODEL_API_KEY_FILE', 'RECRUITING_MAIL_PASSWORD_FILE',
    'RECRUITING_AGENT_MODEL_CA_FILE', 'RECRUITING_MAIL_CA_FILE', 'RECRUITING_TRACE_HEADERS_FILE', 'RECRUITING_TRACE_CA_FILE',
    'RECRUITING_AUTH_API_STANDBY_URL_FILE', 'RECRUITING_MAIL_URL_FILE', 'RECRUITING_AGENT_MODEL_PROXY_FILE',
  ],
  'recruiting-public-api': [
    'RECRUITING_CURSOR_SECRET_FILE', 'RECRUITING_CURSOR_SECRET_PREVIOUS_FILE', 'RECRUITING_TRACE_HEADERS_FILE', 'RECRUITING_TRACE_CA_FILE',
    'RECRUITING_REDIS_CA_FILE',
    'RECRUITING_PUBLIC_API_STANDBY_URL_FILE', 'RECRUITING_PUBLIC_API_REDIS_URL_FILE',
  ],
  'recruiting-gateway': ['RECRUITING_TRACE_HEADERS_FILE', 'RECRUITING_TRACE_CA_FILE', 'RECRUITING_REDIS_URL_FILE', 'RECRUITING_REDIS_CA_FILE'],
};

const one_line = ({ code, stderr }, pattern, what) => {
  assert.equal(code, 2, `${what}: ${stderr}`);
  assert.match(stderr, /^[^\n]+\n$/, what);
  assert.match(stderr, pattern, what);
};

test('right settings pass --check', async () => {
  for (const [name, settings] of Object.entries(right())) {
    const { code, stdout, stderr } = await run(name, ['--check'], settings);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /the settings are valid\n.*: at most \d+ connections to PostgreSQL, \d+ to Redis\n$/);
  }
});

test('a file that a setting names and that is a folder, missing or a device is exit code 2 with one clear line, at --check and at the start', async () => {
  for (const [name, settings] of Object.entries(right())) {
    for (const setting of files[name]) {
      for (const [path, why] of [[folder, /it is a folder/], [join(folder, 'none'), /No such file/], ['/dev/zero', /it is not a file/]]) {
        for (const args of [['--check'], []]) {
          one_line(await run(name, args, { ...settings, [setting]: path }), new RegExp(`${setting} can't read .*${why.source}`), `${name} ${setting}=${path}`);
        }
      }
    }
    one_line(await run(name, ['--check', '--config', folder], settings), /can't read .* it is a folder/, `${name} --config`);
  }
});

test('the previous secret must not be the current one', async () => {
  for (const [name, secret] of [['recruiting-auth-api', 'KEY_PEPPER'], ['recruiting-auth-api', 'CURSOR_SECRET'], ['recruiting-public-api', 'CURSOR_SECRET']]) {
    const settings = right()[name];
    const same = { ...settings, [`RECRUITING_${secret}_PREVIOUS_FILE`]: settings[`RECRUITING_${secret}_FILE`] };
    one_line(await run(name, ['--check'], same), new RegExp(`RECRUITING_${secret}_PREVIOUS_FILE must hold another secret than RECRUITING_${secret}_FILE`), name);
  }
});

test('--check opens certificates and keys', async () => {
  const tls = { RECRUITING_GATEWAY_TLS_LISTEN: '127.0.0.1:1' };
  for (const pair of [`${folder}:${folder}`, `${folder}/none:${folder}/none`, `${folder}/text:${folder}/text`]) {
    one_line(await run('recruiting-gateway', ['--check'], { ...tls, RECRUITING_GATEWAY_TLS_CERTIFICATES: pair }), /can't use the certificate chain/, pair);
  }
  const upstream = { RECRUITING_GATEWAY_UPSTREAM_CA_FILE: join(folder, 'text') };
  one_line(await run('recruiting-gateway', ['--check'], upstream), /can't use the CA certificates/, 'upstream');
  for (const setting of ['RECRUITING_MAIL_CA_FILE', 'RECRUITING_AGENT_MODEL_CA_FILE', 'RECRUITING_TRACE_CA_FILE']) {
    const settings = { ...right()['recruiting-auth-api'], [setting]: join(folder, 'text') };
    one_line(await run('recruiting-auth-api', ['--check'], settings), /holds no certificate in PEM form/, setting);
  }
});

test('database URLs are parsed at --check, and no part of a password reaches a message', async () => {
  const part = 'Pq7wXz';
  for (const url of [`postgresql://u:${part}`, `postgresql://u:a/${part}@h/db`, `postgresql://u:a%zz${part}@h/db`, `host=h port=${part}`, part, '']) {
    for (const [name, setting] of [['recruiting-auth-api', 'RECRUITING_AUTH_API_DATABASE_URL'], ['recruiting-public-api', 'RECRUITING_PUBLIC_API_DATABASE_URL']]) {
      const outcome = await run(name, ['--check'], { ...right()[name], [setting]: url });
      one_line(outcome, new RegExp(`${setting} is not a connection string: `), url);
      assert.ok(!outcome.stderr.includes(part), outcome.stderr);
    }
  }
});

test('other URLs are parsed at --check, and no part of a password reaches a message', async () => {
  const part = 'Pq7wXz';
  for (const [name, setting] of [
    ['recruiting-gateway', 'RECRUITING_REDIS_URL'], ['recruiting-public-api', 'RECRUITING_PUBLIC_API_REDIS_URL'],
    ['recruiting-auth-api', 'RECRUITING_MAIL_URL'], ['recruiting-auth-api', 'RECRUITING_AGENT_MODEL_BASE_URL'],
    ['recruiting-auth-api', 'RECRUITING_TRACE_ENDPOINT'],
  ]) {
    for (const scheme of ['redis', 'smtp', 'https', 'odd']) {
      for (const rest of [`u:${part}@`, `u:${part}@h:port`, `u:a%zz${part}@h`, `u:a b${part}@h:1:2`, `:${part}`, `u:${part}@h/${part}?db=${part}`]) {
        const outcome = await run(name, ['--check'], { ...right()[name], [setting]: `${scheme}://${rest}` });
        one_line(outcome, new RegExp(`${setting} `), `${setting}=${scheme}://${rest}`);
        assert.ok(!outcome.stderr.includes(part), outcome.stderr);
      }
    }
  }
});

test('recruitctl: a folder for a secret or --config, or a wrong URL, is exit code 2 without an abort', async () => {
  const settings = { RECRUITING_DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/db', RECRUITING_KEY_PEPPER_FILE: folder };
  const create = ['key', 'create', '--organization', 'a', '--owner', 'a@b.example', '--name', 'k', '--scope', '*', '--expires-in', '30d'];
  const secret = await run('recruitctl', create, settings);
  assert.equal(secret.code, 2, secret.stderr);
  assert.match(secret.stderr, /RECRUITING_KEY_PEPPER_FILE can't read .* it is a folder/);
  const config = await run('recruitctl', ['--config', folder, 'migrate'], settings);
  assert.equal(config.code, 2, config.stderr);
  assert.match(config.stderr, /can't read .* it is a folder/);
  for (const command of [['migrate', '--wait', '0s'], ['organization', 'list']]) {
    const wrong = await run('recruitctl', command, { RECRUITING_DATABASE_URL: 'postgresql://u:Pq7wXz' });
    assert.equal(wrong.code, 2, wrong.stderr);
    assert.match(wrong.stderr, /RECRUITING_DATABASE_URL is wrong: its port/);
    assert.ok(!wrong.stderr.includes('Pq7wXz'));
  }
});
