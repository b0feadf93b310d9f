// What the pages point at is there: the tests that the threat model rests on, and the settings that pages name.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary_of, environment } from '../e2e/support/environment.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const docs = join(root, 'proto-docs');
const pages = ['../SECURITY.md', ...readdirSync(docs).filter((name) => name.endsWith('.md'))];
const text_of = (name) => readFileSync(join(docs, name), 'utf8');

test('the threat model names tests that exist', () => {
  const named = [...text_of('threat_model.md').matchAll(/`((?:integration|unit|e2e|edge|faults|fuzz)\/[^`]*)`/g)].map(([, path]) => path);
  assert.ok(named.length > 15);
  for (const path of named) assert.ok(existsSync(join(root, 'tests', path)), path);
});

test('paths of the project that pages name exist', () => {
  for (const page of pages) {
    for (const [, path] of text_of(page).matchAll(/`((?:deploy|tests|scripts)\/[a-z0-9_./-]+)`/g)) {
      assert.ok(existsSync(join(root, path)), `${page}: ${path}`);
    }
  }
});

/** The names of all settings, as the programs' --help lists them. */
const settings = () => {
  const help = ['gateway', 'auth-api', 'public-api'].map((name) => execFileSync(binary_of(name), ['--help'], { encoding: 'utf8' }));
  help.push(execFileSync('recruitctl', ['--help'], { env: { ...process.env, PATH: environment.PATH }, encoding: 'utf8' }));
  const blocks = help.flatMap((text) => text.split('\n\n')).filter((block) => /^RECRUITING_[A-Z0-9_]+\n/.test(block));
  return blocks.flatMap((block) => [block.split('\n')[0], ...[...block.matchAll(/\(or (RECRUITING_\w+_FILE): a path\)/g)].map(([, name]) => name)]);
};

test('settings that pages name are settings of a program', () => {
  const known = new Set(settings());
  // Of scripts, tests and the clients, not of a program.
  const others = /^RECRUITING_(UP_|TEST_|RUN_DIR$|PROGRAMS$|GATEWAY_URL$|DEMO_KEY$|API_KEY$|PATIENCE$|READ_TIMEOUT$|RUN_TIMEOUT$|SOURCE_DIR$|BUILD_DIR$|E2E_)/;
  for (const page of pages) {
    for (const [name] of text_of(page).matchAll(/RECRUITING_[A-Z0-9_]*[A-Z0-9]/g)) {
      if (!others.test(name)) assert.ok(known.has(name) || [...known].some((one) => one.startsWith(`${name}_`)), `${page}: ${name}`);
    }
  }
});
