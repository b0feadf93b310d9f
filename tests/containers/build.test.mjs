// Each program can be configured and built without what only others need.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = process.env.RECRUITING_BUILD_DIR ?? join(root, 'build/release');
const folder = mkdtempSync(join(tmpdir(), 'recruiting-build-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const folders_of_pc = () => execFileSync('pkg-config', ['--variable', 'pc_path', 'pkg-config'], { encoding: 'utf8' }).trim().split(':').filter(existsSync);

/** pkg-config's files without those packages, as on a machine where they are not installed. */
const without = (hidden) => {
  const left = mkdtempSync(join(folder, 'pc-'));
  for (const from of folders_of_pc()) {
    for (const name of readdirSync(from)) {
      if (!name.endsWith('.pc') || hidden.includes(name.slice(0, -3))) continue;
      if (!existsSync(join(left, name))) symlinkSync(join(from, name), join(left, name));
    }
  }
  return left;
};

const cached = (name) => new RegExp(`^${name}:[^=]*=(.*)$`, 'm').exec(readFileSync(join(built, 'CMakeCache.txt'), 'utf8'))?.[1] ?? '';

const configure = (name, hidden, ...given) => {
  const into = join(folder, name);
  mkdirSync(into);
  const type = cached('CMAKE_BUILD_TYPE');
  const flags = `CMAKE_CXX_FLAGS_${type.toUpperCase()}`;
  const run = spawnSync('cmake', ['-G', 'Ninja', '-S', root, '-B', into, `-DCMAKE_BUILD_TYPE=${type}`, `-D${flags}=${cached(flags)}`,
    `-DCMAKE_CXX_COMPILER=${cached('CMAKE_CXX_COMPILER')}`, '-DCMAKE_DISABLE_FIND_PACKAGE_date=TRUE', ...given],
  { encoding: 'utf8', env: { ...process.env, PKG_CONFIG_LIBDIR: without(hidden), PKG_CONFIG_PATH: '' } });
  return { into, code: run.status, output: run.stdout + run.stderr };
};

const needed = (binary) => [...execFileSync('readelf', ['-d', binary], { encoding: 'utf8' }).matchAll(/\(NEEDED\)[^[]*\[(?:lib)?([^\].]+)/g)].map(([, name]) => name);
const database = ['libpq', 'libsodium', 'cjose', 'libxml-2.0', 'icu-i18n', 'icu-uc', 'zlib'];
const of_others = /^(pq|sodium|cjose|jansson|xml2|z|date|date-tz|icu.*)$/;
const of_curl = /^(curl.*|boost_json|nghttp2|ssh2|ldap|lber|idn2|psl|rtmp|krb5|gssapi.*|brotli.*)$/;

test('the gateway that is built links none of what only others need, and of tracing libcurl alone', () => {
  const libraries = needed(join(built, 'bin/recruiting-gateway'));
  assert.ok(libraries.includes('c'), libraries.join());
  assert.deepEqual(libraries.filter((name) => of_others.test(name)), []);
  assert.deepEqual(libraries.filter((name) => of_curl.test(name) && !['boost_json'].includes(name)), ['curl']);
});

test('the gateway alone is configured and built where nothing of the database is installed', () => {
  const { into, code, output } = configure('gateway', database, '-DRECRUITING_PROGRAMS=gateway');
  assert.equal(code, 0, output);
  assert.match(output, /The tests are not built: they need all programs/);
  // It yields to the tests that run beside it.
  const build = spawnSync('nice', ['cmake', '--build', into, '--target', 'recruiting-gateway'], { encoding: 'utf8', env: { ...process.env, CCACHE_NOHASHDIR: '1' } });
  assert.equal(build.status, 0, build.stdout.slice(-4000));
  const libraries = needed(join(into, 'bin/recruiting-gateway'));
  assert.deepEqual(libraries.filter((name) => of_others.test(name)), [], libraries.join());
});

test('all programs need what all of them need, and a name that is none is refused', () => {
  const all = configure('all', database);
  assert.notEqual(all.code, 0);
  assert.match(all.output, /libpq/);
  const typo = configure('typo', [], '-DRECRUITING_PROGRAMS=gatewya');
  assert.notEqual(typo.code, 0);
  assert.match(typo.output, /unknown\s+program\s+"gatewya";\s+the\s+programs\s+are\s+gateway;auth-api;public-api;recruitctl/);
});
