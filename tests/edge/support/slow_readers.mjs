// Clients with small segments and a small window, run by slow_reader.py.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { until } from './gateway.mjs';

export const start_slow_readers = (port) => {
  const child = spawn('python3', [fileURLToPath(new URL('slow_reader.py', import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });
  const clients = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { connection, ...state } = JSON.parse(line);
    clients[connection] = state;
  });
  const tell = (command) => child.stdin.write(`${JSON.stringify(command)}\n`);
  return {
    /** As they are: { received, ended }. */
    clients,
    /** Further connections that send this and read nothing. */
    async open(request, { from = '127.0.0.1', count = 1 } = {}) {
      const wanted = clients.length + count;
      tell({ open: port, from, count, send: request });
      await until(() => clients.length === wanted, 'the slow readers are connected');
    },
    /** What each reads from now on, of what there is. */
    read: (bytes, every = 0) => tell({ read: bytes, every }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
};
