// PgBouncer in front of a test's PostgreSQL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { free_port } from '../../support/free_port.mjs';
import { roles, runner } from './postgres.mjs';
import { until } from './wait.mjs';

const accepts = (port) =>
  new Promise((done) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.destroy() && done(true));
    socket.on('error', () => done(false));
  });

/** mode: session or transaction. */
export const start_pgbouncer = async (postgres, mode) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-pgbouncer-'));
  chmodSync(folder, 0o755); // it runs as another user when the test is root
  const port = await free_port();
  writeFileSync(join(folder, 'users'), [...roles, 'postgres'].map((role) => `"${role}" ""\n`).join(''));
  writeFileSync(join(folder, 'settings'), `
[databases]
* = host=${postgres.folder} port=${postgres.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
default_pool_size = 50
`);
  const output = openSync(join(folder, 'log'), 'a');
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const server = spawn('pgbouncer', [join(folder, 'settings')], { ...runner(), env, stdio: ['ignore', output, output] });
  await until(() => accepts(port), 'PgBouncer listens');
  return {
    url: (role) => `postgresql://${role}@127.0.0.1:${port}/recruiting`,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
};
