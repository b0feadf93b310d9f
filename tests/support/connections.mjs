// How many connections a program opens at most with its settings, as --check prints it.
import { spawnSync } from 'node:child_process';

/** {postgres, redis}, of what --check printed. */
export const connections_in = (stdout) => {
  const found = /: at most (\d+) connections to PostgreSQL, (\d+) to Redis$/m.exec(stdout);
  if (found === null) throw new Error(`--check: ${stdout}`);
  return { postgres: Number(found[1]), redis: Number(found[2]) };
};

export const connections_at_most = (binary, env) => connections_in(spawnSync(binary, ['--check'], { encoding: 'utf8', env }).stdout);
