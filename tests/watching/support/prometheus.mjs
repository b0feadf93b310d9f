// A Prometheus of the suite's own, with the project's configuration and rules: only targets, paths and pace are changed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { log_dir, run_dir } from '../../e2e/support/environment.mjs';
import { await_condition } from '../../e2e/support/programs.mjs';
import { free_port } from '../../support/free_port.mjs';
import { root, text_of } from './files.mjs';

const has_ended = (child) => child.exitCode !== null || child.signalCode !== null;

export const start_prometheus = async (targets) => {
  const folder = mkdtempSync(join(run_dir, 'prometheus-'));
  const [log, port] = [join(log_dir, 'prometheus.log'), await free_port()];
  let config = text_of('deploy/prometheus/prometheus.yml').replaceAll(': 15s', ': 1s').replace('- rules.yaml', `- ${join(root, 'deploy/prometheus/rules.yaml')}`);
  for (const [written, real] of Object.entries(targets)) config = config.replace(`'${written}'`, `'${real}'`);
  writeFileSync(join(folder, 'prometheus.yml'), config);
  const output = openSync(log, 'a');
  const child = spawn('prometheus', [`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`, '--log.level=warn'], { stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = once(child, 'exit').catch(() => {}); // it was never there
  const failed = once(child, 'error').then(([error]) => { throw error; });
  const url = `http://127.0.0.1:${port}`;
  const api = async (path, query = {}) => {
    const answer = await (await fetch(`${url}/api/v1/${path}?${new URLSearchParams(query)}`)).json();
    if (answer.status !== 'success') throw new Error(`${path} ${JSON.stringify(query)}: ${answer.error}`);
    return answer.data;
  };
  const is_ready = async () => {
    if (has_ended(child)) throw new Error(`prometheus ended with ${child.exitCode ?? child.signalCode}; its log is ${log}`);
    try {
      return (await fetch(`${url}/-/ready`)).ok;
    } catch {
      return false;
    }
  };
  const stop = async () => {
    if (!has_ended(child) && child.kill('SIGTERM')) await ended;
    rmSync(folder, { recursive: true });
  };
  try {
    await Promise.race([await_condition(is_ready, 'Prometheus is ready'), failed]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    rules: async () => (await api('rules')).groups,
    targets: async () => (await api('targets')).activeTargets,
    /** Values of an instant query, as numbers. */
    values: async (query) => {
      const { resultType, result } = await api('query', { query });
      return resultType === 'scalar' ? [Number(result[1])] : result.map(({ value }) => Number(value[1]));
    },
    stop,
  };
};
