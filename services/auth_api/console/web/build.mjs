// Builds the console: node build.mjs FOLDER. Types from the OpenAPI document, tsc, one script, one stylesheet and a
// script per language by esbuild, index.html, each file compressed beside it. The same sources give the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import openapiTS, { astToString } from 'openapi-typescript';

const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, '../../../..');
const served_below = '/console/';
const script_limit = 130_000; // compressed, with the largest language

const write_types = async () => {
  const types = astToString(await openapiTS(pathToFileURL(join(repository, 'proto-docs/openapi/console.yaml'))));
  const path = join(here, 'src/generated/schema.d.ts');
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || readFileSync(path, 'utf8') !== types) writeFileSync(path, types);
};

const check_types = () =>
  execFileSync(process.execPath, [join(here, 'node_modules/typescript/bin/tsc'), '--noEmit', '--project', here], { stdio: ['ignore', 2, 2] });

/** The bytes of an entry point, bundled; a warning is an error. */
const bundle = async (entry, define = {}) => {
  const { outputFiles, warnings } = await build({
    entryPoints: [join(here, 'src', entry)], absWorkingDir: here, bundle: true, minify: true, write: false, format: 'esm',
    target: ['chrome109', 'firefox115', 'safari16.4'], charset: 'utf8', legalComments: 'none', logLevel: 'warning',
    jsx: 'automatic', jsxImportSource: 'preact', define: { 'process.env.NODE_ENV': '"production"', ...define },
  });
  if (warnings.length > 0) throw new Error(`${entry}: ${warnings.length} warnings`);
  return Buffer.from(outputFiles[0].contents);
};

const compressed_size = (bytes) => gzipSync(bytes, { level: 9 }).length;
const language_names = () =>
  readdirSync(join(here, 'src/i18n'))
    .filter((file) => /^[a-z]{2}\.ts$/.test(file))
    .map((file) => file.slice(0, 2));

const named = (files, stem, ending, bytes) => {
  const name = `${stem}.${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.${ending}`;
  files.set(name, bytes);
  return served_below + name;
};

const page = ({ script, style, icon }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Console</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p class="noscript">The console needs JavaScript. Allow it for this site, then reload the page.</p></noscript>
</body>
</html>
`;

const make_files = async () => {
  const files = new Map();
  const languages = await Promise.all(language_names().map(async (name) => [name, await bundle(`i18n/${name}.ts`)]));
  const addresses = Object.fromEntries(languages.map(([name, bytes]) => [name, named(files, name, 'js', bytes)]));
  const [script, style] = await Promise.all([bundle('main.tsx', { language_files: JSON.stringify(addresses) }), bundle('styles/main.css')]);
  const paths = {
    script: named(files, 'console', 'js', script),
    style: named(files, 'console', 'css', style),
    icon: named(files, 'icon', 'svg', readFileSync(join(here, 'src/icon.svg'))),
  };
  files.set('index.html', Buffer.from(page(paths)));
  return { files, script_size: compressed_size(script) + Math.max(...languages.map(([, bytes]) => compressed_size(bytes))) };
};

/** Nothing, an empty folder or a console of before: what else is there was named by mistake, and would be gone. */
const may_be_replaced = (folder) => {
  if (!existsSync(folder)) return true;
  const names = readdirSync(folder);
  return names.every((name) => /^(index\.html|(console|icon|[a-z]{2})\.[0-9a-f]{16}\.(js|css|svg))(\.gz)?$/.test(name));
};

const write_files = (files, folder) => {
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  for (const [name, bytes] of files) {
    writeFileSync(join(fresh, name), bytes);
    writeFileSync(join(fresh, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
};

const refuse = (why) => {
  console.error(why);
  process.exit(1);
};

const folder = process.argv[2]?.replace(/\/$/, '');
if (!folder) refuse('usage: node build.mjs FOLDER');
if (!may_be_replaced(folder)) refuse(`${folder} holds something else than the console: name another folder`);
await write_types();
try {
  check_types();
} catch {
  refuse('the types do not fit: see above');
}
const { files, script_size } = await make_files();
const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
if (script_size > script_limit) refuse(`the script has ${kib(script_size)} compressed, more than ${kib(script_limit)}`);
write_files(files, folder);
console.log(`${files.size} files, JavaScript ${kib(script_size)} compressed`);
