// The Redis pods of deploy/kubernetes as processes: each container's command with its configuration, and loopback addresses
// in place of the pods'. A pod's name is a short form of its address (127.9.300 of 127.9.1.44), which resolves without DNS.
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { start_process } from '../../faults/support/process.mjs';

const execute = promisify(execFile);
const text_of = (name) => readFileSync(new URL(`../../../deploy/kubernetes/components/redis-sentinel/${name}`, import.meta.url), 'utf8');
const { spec: { replicas, template: { spec } } } = parse(text_of('redis.yaml'));
const [{ files }] = parse(text_of('kustomization.yaml')).configMapGenerator;
const passwords = { gateway: 'of-the-gateway', public: 'of-public-api', node: 'of-the-nodes' };

/** {pods, url, stop()}; a pod: {name, ip, running: its processes by container, and what is below}. */
export const make_redis_pods = (folder) => {
  const configuration = join(folder, 'configuration');
  const secrets = join(folder, 'secrets');
  for (const one of [configuration, secrets]) mkdirSync(one);
  for (const name of files) writeFileSync(join(configuration, name), text_of(name));
  for (const [name, text] of Object.entries(passwords)) writeFileSync(join(secrets, `${name}-password`), text);
  const network = randomInt(100, 250);
  const first = randomInt(300, 60_000);
  const pods = Array.from({ length: replicas }, (_, i) => {
    const host = first + i;
    return { name: `127.${network}.${host}`, ip: `127.${network}.${host >> 8}.${host & 255}`, data: join(folder, `data${i}`), running: new Map() };
  });
  for (const pod of pods) {
    const own = { POD_IP: pod.ip, OWN: pod.name, NODES: pods.map((one) => one.name).join(' '), SECRETS: secrets, DATA: pod.data };
    const command_of = (words) => words.map((word) => word.replace('/etc/redis/', `${configuration}/`));
    const start = ({ name, command, env }) => {
      const known = new Set(env.map((one) => one.name));
      for (const variable of Object.keys(own)) if (!known.has(variable)) throw new Error(`the manifest has no ${variable}`);
      const [program, ...words] = command_of(command);
      pod.running.set(name, start_process([program, words], { log: join(folder, `${pod.ip}.${name}.log`), env: own }));
    };
    Object.assign(pod, {
      /** With an empty volume, as Kubernetes starts a new pod. */
      start() {
        mkdirSync(pod.data);
        spec.containers.forEach(start);
      },
      async end() {
        for (const process of pod.running.values()) await process.end();
        rmSync(pod.data, { recursive: true, force: true });
      },
      /** One container ends and starts again in the same pod. */
      async restart(name) {
        await pod.running.get(name).end();
        start(spec.containers.find((one) => one.name === name));
      },
      async ready() {
        const [program, ...words] = command_of(spec.containers[0].readinessProbe.exec.command);
        return execute(program, words, { env: { PATH: process.env.PATH, ...own } }).then(() => true, () => false);
      },
      async ask(port, ...words) {
        const { stdout } = await execute('redis-cli', ['-h', pod.ip, '-p', String(port), '--no-auth-warning', ...words], { timeout: 2_000 });
        return stdout.trim();
      },
      as: (user, ...words) => pod.ask(6379, '--user', user, '--pass', passwords[user], ...words),
      sentinel: (...words) => pod.ask(26379, 'sentinel', ...words),
      sentinel_as_node: (...words) => pod.ask(26379, '--user', 'node', '--pass', passwords.node, 'sentinel', ...words),
    });
  }
  return {
    pods,
    url: `sentinel://gateway:${passwords.gateway}@${pods.map((pod) => pod.name).join(',')}/counts`,
    async stop() { for (const pod of pods) await pod.end(); },
  };
};
