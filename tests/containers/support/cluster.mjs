// As much of Kubernetes as a rolling update needs: pods with addresses of their own, a headless Service's names, a
// Service's virtual address, and a Deployment that replaces its pods one after the other. The programs are the real ones.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { ask } from '../../faults/support/http.mjs';
import { pause, until } from '../../faults/support/wait.mjs';

/** What runs a command with mounts of its own, such as another /etc/hosts; undefined where that is not allowed. */
const private_mounts = [['unshare', '--mount'], ['unshare', '--map-root-user', '--mount']]
  .find(([command, ...args]) => spawnSync(command, [...args, 'true']).status === 0);
export const can_mount = private_mounts !== undefined;

/** The cluster's DNS: a file that is mounted over /etc/hosts where a program asks for names. */
export const make_dns = (folder) => {
  const file = join(folder, 'hosts');
  const descriptor = openSync(file, 'w');
  const services = new Map();
  const publish = () => {
    const lines = [...services].flatMap(([name, addresses]) => addresses.map((address) => `${address} ${name}\n`));
    // One write of one size: a reader sees the former names or the new ones.
    writeSync(descriptor, lines.join('').padEnd(4095) + '\n', 0);
  };
  publish();
  return {
    set(name, addresses) {
      services.set(name, addresses);
      publish();
    },
    around: (program) => [private_mounts[0], [...private_mounts.slice(1), 'sh', '-c', 'mount --bind "$1" /etc/hosts && exec "$2"', 'sh', file, program]],
    close: () => closeSync(descriptor),
  };
};

let last_pod = 0;

/** A process with an address of its own, as a pod has it. command: [program, arguments]. */
const start_pod = async ({ command, env, port, admin_port, prefix, folder, name }) => {
  last_pod += 1;
  const address = `127.77.${last_pod >> 8}.${last_pod & 255}`;
  const log = join(folder, `${name}-${last_pod}.log`);
  const output = openSync(log, 'a');
  const child = spawn(...command, { stdio: ['ignore', output, output], env: {
    PATH: process.env.PATH, ...env, [`${prefix}_LISTEN`]: `${address}:${port}`, [`${prefix}_ADMIN_LISTEN`]: `${address}:${admin_port}`,
  } });
  closeSync(output);
  const admin = (path) => ask({ host: address, port: admin_port, path, timeout: 2000 }).catch(() => ({ status: 0, text: '' }));
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const end = async () => {
    if (!ended()) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    return child.exitCode ?? child.signalCode;
  };
  const is_ready = async () => {
    if (ended()) throw new Error(`${name} ended: ${readFileSync(log, 'utf8').slice(-2000)}`);
    return (await admin('/readyz')).status === 200;
  };
  await until(is_ready, `${name} is ready`).catch(async (error) => {
    await end();
    throw error;
  });
  return { address, admin, end };
};

/**
 * A Deployment with maxSurge 1 and maxUnavailable 0. publish(addresses): tells whoever sends to the pods of their
 * addresses, as late as it likes; known(pod): has the last of them heard? (what minReadySeconds is for)
 */
export const make_deployment = (template, { publish, known = async () => true }) => {
  let pods = [];
  const exits = [];
  const tell = () => publish(pods.map((pod) => pod.address));
  const add = async () => {
    const pod = await start_pod(template);
    pods = [...pods, pod];
    tell();
    await until(() => known(pod), 'the new pod is known');
  };
  const remove = async (pod) => {
    // At the same moment: the endpoint is taken away, and the process is told to end.
    pods = pods.filter((one) => one !== pod);
    tell();
    exits.push(await pod.end());
  };
  return {
    exits,
    pods: () => pods,
    async scale(replicas) {
      while (pods.length < replicas) await add();
    },
    async roll() {
      for (const old of [...pods]) {
        await add();
        await remove(old);
      }
    },
    stop: () => Promise.all(pods.map((pod) => pod.end())),
  };
};

/** A Service's virtual address as kube-proxy makes it: a connection stays with its pod, endpoints change `lag` ms late. */
export const make_virtual_address = async (port, lag) => {
  let endpoints = [];
  let turn = 0;
  const server = net.createServer((client) => {
    const pod = net.connect(port, endpoints[(turn += 1) % endpoints.length]);
    for (const [from, to] of [[client, pod], [pod, client]]) {
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    publish: (addresses) => (endpoints.length === 0 ? (endpoints = addresses) : pause(lag).then(() => (endpoints = addresses))),
    knows: (address) => endpoints.includes(address),
    close: () => server.close(),
  };
};
