// What the pods' images bring: which program, and the settings that the Dockerfile gives it. What uses PostgreSQL beside them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './manifests.mjs';

export const binary_of = { gateway: 'recruiting-gateway', 'auth-api': 'recruiting-auth-api', workers: 'recruiting-auth-api', 'public-api': 'recruiting-public-api' };

/** RECRUITING_… of the image's ENV, by the name of its program. */
export const image_settings = (binary) => {
  const stages = readFileSync(join(root, 'deploy', 'docker', 'Dockerfile'), 'utf8').split(/^FROM /m);
  const stage = stages.find((text) => new RegExp(`^ENTRYPOINT .*${binary}"`, 'm').test(text));
  return Object.fromEntries([...stage.matchAll(/(RECRUITING_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
};

/** Of a duration as the settings have it. */
export const seconds = (text) => {
  const [, number, unit] = /^(\d+)(ms|s|m|h)$/.exec(text);
  return Number(number) * { ms: 0.001, s: 1, m: 60, h: 3600 }[unit];
};

const of_migration = 1;
const of_operators = 10; // recruitctl's commands, monitoring
const of_superusers = 3; // PostgreSQL's superuser_reserved_connections
/** The connections to PostgreSQL beside those of the programs. */
export const beside_pods = of_migration + of_operators + of_superusers;
