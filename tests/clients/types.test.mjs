// Types of the OpenAPI documents work in openapi-typescript and openapi-fetch.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createConfig, lint } from '@redocly/openapi-core';

const tests = fileURLToPath(new URL('..', import.meta.url));
const documents = fileURLToPath(new URL('../../proto-docs/openapi/', import.meta.url));
const tool = (name) => join(tests, 'node_modules', '.bin', name);
const folder = mkdtempSync(join(tmpdir(), 'recruiting-types-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (program, given) => spawnSync(tool(program), given, { cwd: folder, encoding: 'utf8', timeout: 120_000 });
const names = ['auth_api', 'public_api'];

// The folder stands for the author's project: the client, the generated types and the packages.
const project = join(folder, 'clients');
mkdirSync(project);
cpSync(join(tests, 'clients', 'typed'), join(project, 'typed'), { recursive: true });
cpSync(join(tests, 'clients', 'tsconfig.json'), join(project, 'tsconfig.json'));
symlinkSync(join(tests, 'node_modules'), join(folder, 'node_modules'));
const said = names.map((name) => {
  const made = run('openapi-typescript', [join(documents, `${name}.json`), '-o', join(project, 'typed', `${name}.d.ts`)]);
  assert.equal(made.status, 0, made.stderr);
  return made.stderr + made.stdout;
});
const types = Object.fromEntries(names.map((name) => [name, readFileSync(join(project, 'typed', `${name}.d.ts`), 'utf8')]));
const check = () => run('tsc', ['-p', join(project, 'typed')]);

// What the examples of clients.md take from their reader's program.
const of_reader = `declare const apiKey: string;
declare let storedToken: string;
declare const remove: (id: string) => void;
declare const store: (...record: unknown[]) => Promise<void>;
`;
const page = readFileSync(new URL('../../proto-docs/clients.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);

describe('types of the OpenAPI documents', () => {
  test('openapi-typescript makes them without a warning', () => {
    for (const text of said) assert.doesNotMatch(text, /warn|error/i);
  });

  test('a client of openapi-fetch that reads data, refusals and nullable fields compiles', () => {
    const { status, stdout } = check();
    assert.equal(status, 0, stdout);
  });

  test('the examples of clients.md compile as they stand', () => {
    const typed = join(project, 'typed');
    assert.ok(examples.some((code) => code.includes('syncToken') && code.includes('deletedAt !== null')));
    cpSync(fileURLToPath(new URL('../../proto-docs/clients/recruiting.ts', import.meta.url)), join(typed, 'recruiting.ts'));
    const files = examples.map((code, i) => {
      writeFileSync(join(typed, `example_${i}.ts`), `${of_reader}${code}\nexport {};\n`);
      return `example_${i}.ts`;
    });
    writeFileSync(join(typed, 'examples.json'), JSON.stringify({ extends: './tsconfig.json', compilerOptions: { noUnusedLocals: false }, files }));
    const { status, stdout } = run('tsc', ['-p', join(typed, 'examples.json')]);
    assert.equal(status, 0, stdout);
  });

  test('the compiler finds a field that does not exist', () => {
    const wrong = join(project, 'typed', 'client.ts');
    const text = readFileSync(wrong, 'utf8');
    writeFileSync(wrong, text.replace('error.error.requestId', 'error.error.requestIdentifier'));
    try {
      assert.match(check().stdout, /client\.ts.*requestIdentifier/);
    } finally {
      writeFileSync(wrong, text);
    }
  });

  for (const name of names) {
    test(`no property of ${name} has a type that is only null`, () => {
      // openapi-fetch drops such a property from what a client reads, and one whose type is never as well.
      assert.deepEqual(types[name].split('\n').filter((line) => /^\s+"?[A-Za-z][\w-]*"?\??: null;/.test(line)), []);
    });
  }

  test('a linter with its own rules, as callers run it, has no warning', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    for (const name of names) assert.deepEqual(await lint({ ref: join(documents, `${name}.json`), config }), []);
  });
});
