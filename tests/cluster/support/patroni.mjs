// PostgreSQL under Patroni: etcd and three nodes, strictly synchronous. Everything reaches a node's PostgreSQL, its Patroni
// and, from there, etcd through TCP gates, so that the node's network can be cut.
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { status_of } from '../../faults/support/http.mjs';
import { children_of, create_database, make_superuser, postgres_programs, runner, signal_if_there } from '../../faults/support/postgres.mjs';
import { start_process } from '../../faults/support/process.mjs';
import { start_relay } from '../../faults/support/relay.mjs';
import { until } from '../../faults/support/wait.mjs';
import { url_of_primary } from '../../faults/support/world.mjs';
import { free_port } from '../../support/free_port.mjs';

const execute = promisify(execFile);
const address = (port) => `127.0.0.1:${port}`;

// The shortest times that every version of Patroni takes: a node is given up after 20 s.
const times = { ttl: 20, loop_wait: 1, retry_timeout: 8 };
const cluster_settings = {
  ...times,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  postgresql: { use_pg_rewind: true, parameters: {
    wal_retrieve_retry_interval: '500ms', // what the other standby waits for after its first attempt at the new primary
    max_connections: 200, jit: 'off', log_parameter_max_length: 0, log_parameter_max_length_on_error: 0,
  } },
};

const node_settings = ({ name, folder, ports, gates }) => ({
  scope: 'recruiting',
  name,
  etcd3: { hosts: [address(gates.etcd.port)], use_proxies: true },
  restapi: { listen: address(ports.patroni), connect_address: address(gates.patroni.port) },
  bootstrap: { dcs: cluster_settings, initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'] },
  postgresql: {
    listen: address(ports.postgres),
    connect_address: address(gates.postgres.port),
    data_dir: join(folder, 'data'),
    bin_dir: postgres_programs(),
    pgpass: join(folder, 'pgpass'),
    use_unix_socket: true,
    authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
    parameters: { unix_socket_directories: folder },
    pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
  },
});

const start_etcd = async (folder) => {
  const [clients, peers] = [await free_port(), await free_port()];
  const [client_url, peer_url] = [`http://${address(clients)}`, `http://${address(peers)}`];
  const server = start_process(['etcd', ['--data-dir', join(folder, 'etcd'), '--listen-client-urls', client_url, '--advertise-client-urls', client_url,
    '--listen-peer-urls', peer_url, '--initial-advertise-peer-urls', peer_url, '--initial-cluster', `default=${peer_url}`]], { log: join(folder, 'etcd.log') });
  await until(async () => {
    server.check();
    return (await status_of(clients, '/health')) === 200;
  }, 'etcd answers');
  return { port: clients, stop: () => server.end() };
};

const start_node = async (name, cluster_folder, etcd) => {
  const as = runner();
  const folder = join(cluster_folder, name);
  mkdirSync(folder);
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const ports = { postgres: await free_port(), patroni: await free_port() };
  const gates = { postgres: await start_relay(ports.postgres, 0), patroni: await start_relay(ports.patroni, 0), etcd: await start_relay(etcd.port, 0) };
  const settings = join(folder, 'patroni.yml'); // JSON is YAML
  writeFileSync(settings, JSON.stringify(node_settings({ name, folder, ports, gates }), null, 2));
  const superuser = make_superuser(folder, ports.postgres);
  const pid_file = join(folder, 'data', 'postmaster.pid');
  let patroni;

  const signal_postgres = (signal) => {
    if (!existsSync(pid_file)) return;
    const pid = Number(readFileSync(pid_file, 'utf8').split('\n')[0]);
    for (const one of [pid, ...children_of(pid)]) signal_if_there(one, signal);
  };
  const node = {
    name,
    folder,
    log: join(folder, 'log'),
    settings,
    port: gates.postgres.port, // of PostgreSQL, as clients reach it
    health_port: gates.patroni.port,
    ...superuser,
    start() {
      patroni = start_process(['patroni', [settings]], { as, log: node.log, cwd: '/', env: { LC_ALL: 'C.UTF-8' } });
    },
    /** What Patroni answers, past the gate. */
    patroni: (path) => status_of(ports.patroni, path),
    /** Writes, and waits for the standbys. */
    write: () => superuser.sql("select pg_logical_emit_message(true, 'test', '')", 'postgres'),
    /** As a machine that loses power. */
    async kill() {
      await patroni.end();
      signal_postgres('SIGKILL');
    },
    freeze() {
      patroni.signal('SIGSTOP');
      signal_postgres('SIGSTOP');
    },
    /** PostgreSQL goes on, without its Patroni. */
    thaw_postgres: () => signal_postgres('SIGCONT'),
    cut: () => Object.values(gates).forEach((gate) => gate.set({ stopped: true })),
    mend: () => Object.values(gates).forEach((gate) => gate.set()),
    /** What PostgreSQL and Patroni have logged. */
    log_text: () => readFileSync(node.log, 'utf8'),
    async stop() {
      if (patroni) await node.kill();
      for (const gate of Object.values(gates)) gate.stop();
    },
  };
  node.start();
  return node;
};

/** Three nodes with an empty database. Everything ends with stop(). */
export const start_patroni = async (folder) => {
  const stops = [];
  const cluster = { nodes: [] };
  cluster.stop = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  const all_that_are = async (role) => {
    const found = await Promise.all(cluster.nodes.map(async (node) => ((await node.patroni(role)) === 200 ? node : undefined)));
    return found.filter(Boolean);
  };
  const primary = async () => {
    let found;
    await until(async () => ([found] = await all_that_are('/primary')).length > 0, 'a primary');
    return found;
  };
  cluster.primary = primary;
  cluster.url = (role) => url_of_primary(role, cluster.nodes);
  cluster.sql = async (text, database) => (await primary()).sql(text, database);
  cluster.rows = async (query) => (await primary()).rows(query);
  /** A primary with two standbys that stream, one of them synchronously. */
  cluster.settled = () => until(async () => {
    const [found, another] = await all_that_are('/primary');
    if (!found || another || (await all_that_are('/replica')).length !== 2) return false;
    const states = await found.sql("select sync_state from pg_stat_replication where state = 'streaming'", 'postgres').catch(() => '');
    return states.split('\n').sort().join() === 'async,sync';
  }, 'a primary with two standbys', 90);
  /** The first of the others that takes a write; when it was promoted, and when it took the write. */
  cluster.successor = (old) => Promise.any(cluster.nodes.filter((node) => node !== old).map(async (node) => {
    await until(() => node.sql('select pg_is_in_recovery()', 'postgres').then((text) => text === 'f', () => false), `${node.name} is promoted`, 60);
    const promoted = performance.now();
    await until(() => node.write().then(() => true, () => false), `${node.name} takes writes`, 60);
    return { node, promoted, writable: performance.now() };
  }));
  /** patronictl, from a node. */
  cluster.control = (node, ...args) => execute('patronictl', ['-c', node.settings, ...args], { env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } });
  try {
    const etcd = await start_etcd(folder);
    stops.push(() => etcd.stop());
    for (const name of ['a', 'b', 'c']) {
      const node = await start_node(name, folder, etcd);
      stops.push(() => node.stop());
      cluster.nodes.push(node);
    }
    await cluster.settled();
    await create_database((await primary()).sql);
  } catch (error) {
    const logs = cluster.nodes.map((node) => (existsSync(node.log) ? node.log_text().slice(-3000) : '')).join('\n');
    await cluster.stop();
    throw new Error(`${error.message}\n${logs}`);
  }
  return cluster;
};
