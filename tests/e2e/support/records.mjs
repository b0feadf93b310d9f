// What every test process leaves for the closing tests: which operations were answered how, and every secret used.
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { record_dir } from './environment.mjs';

const own = (kind) => join(record_dir, `${kind}.${process.pid}`);
const append = (kind, line) => appendFileSync(own(kind), line + '\n', { mode: 0o600 });

const seen = new Set();
const once = (kind, line) => {
  if (seen.has(kind + line)) return;
  seen.add(kind + line);
  append(kind, line);
};

export const record_answer = (entry) => once('answers', JSON.stringify(entry));

/** A text that no log may hold: key secrets, Authorization values, candidates' data. */
export const record_secret = (text) => text && once('secrets', text);

const all_lines = (kind) =>
  existsSync(record_dir)
    ? readdirSync(record_dir)
        .filter((name) => name.startsWith(`${kind}.`))
        .flatMap((name) => readFileSync(join(record_dir, name), 'utf8').split('\n').filter(Boolean))
    : [];

export const recorded_answers = () => all_lines('answers').map((line) => JSON.parse(line));
export const recorded_secrets = () => [...new Set(all_lines('secrets'))];
