// Files that browsers may keep for good: their names change with their contents.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

const folder = 'assets';

const hashed_name = (name, bytes) => {
  const { name: stem, ext } = posix.parse(name);
  return `${folder}/${stem}.${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}${ext}`;
};

/** Collects the files; add() gives the path each gets in the site. */
export class assets {
  files = new Map();
  paths = {};

  add(name, content) {
    const bytes = Buffer.from(content);
    const path = hashed_name(name, bytes);
    this.files.set(path, bytes);
    this.paths[name] = path;
    return path;
  }

  add_file(file) {
    return this.add(posix.basename(file), readFileSync(file));
  }

  /** A script whose imports are scripts that were added before. */
  add_script(file) {
    const text = readFileSync(file, 'utf8').replace(/from '\.\/([\w.]+)'/g, (_, name) => {
      if (!this.paths[name]) throw new Error(`${file} imports ${name}, which is not there yet`);
      return `from './${posix.basename(this.paths[name])}'`;
    });
    return this.add(posix.basename(file), text);
  }
}

/** MiniSearch as its package has it, with its licence: it is passed on here. */
export const search_library = (modules) => {
  const licence = readFileSync(posix.join(modules, 'minisearch/LICENSE.txt'), 'utf8').trim();
  const code = readFileSync(posix.join(modules, 'minisearch/dist/es/index.js'), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
  return `/*! MiniSearch\n${licence}\n*/\n${code}`;
};
