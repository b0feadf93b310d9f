// Redis behind Sentinels: a master, a replica, and three Sentinels that notice within half a second that the master is gone.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../faults/support/wait.mjs';
import { free_port } from '../../support/free_port.mjs';
import { start_process } from '../../faults/support/process.mjs';

const execute = promisify(execFile);
const service = 'counts';
const say = async (port, ...words) => (await execute('redis-cli', ['-p', String(port), ...words], { timeout: 2_000 })).stdout.trim();

/** Everything ends with stop(). */
export const start_sentinels = async (folder) => {
  const started = [];
  const start = async (name, program, settings) => {
    const port = await free_port();
    const own = join(folder, name);
    mkdirSync(own);
    const file = join(own, 'settings');
    writeFileSync(file, `port ${port}\nbind 127.0.0.1\ndir ${own}\n${settings}\n`);
    const process = start_process([program, [file]], { log: join(own, 'log') });
    started.push(process);
    await until(() => say(port, 'ping').then((text) => text === 'PONG', () => false), `${name} answers`);
    return { port, ...process };
  };
  const group = { async stop() {
    for (const process of started) {
      process.signal('SIGCONT');
      await process.end();
    }
  } };
  try {
    const persistence = 'save ""\nrepl-diskless-sync-delay 0';
    const first = await start('master', 'redis-server', persistence);
    const second = await start('replica', 'redis-server', `${persistence}\nreplicaof 127.0.0.1 ${first.port}`);
    const watching = `sentinel monitor ${service} 127.0.0.1 ${first.port} 2\nsentinel down-after-milliseconds ${service} 500\nsentinel failover-timeout ${service} 3000`;
    const sentinels = await Promise.all([0, 1, 2].map((i) => start(`sentinel${i}`, 'redis-sentinel', watching)));
    const knows = async ({ port }) => {
      const text = await say(port, 'sentinel', 'master', service);
      return /num-slaves\n1\n/.test(text) && /num-other-sentinels\n2\n/.test(text);
    };
    await until(async () => (await Promise.all(sentinels.map(knows))).every(Boolean), 'the Sentinels know each other and the replica');
    const master_port = async () => Number((await say(sentinels[0].port, 'sentinel', 'get-master-addr-by-name', service)).split('\n')[1]);
    return Object.assign(group, {
      url: `sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${service}`,
      /** The server that is the master now. */
      master: async () => {
        const port = await master_port();
        return [first, second].find((one) => one.port === port);
      },
      /** Another master than this one, which takes writes. */
      moved: (from) => until(async () => {
        const port = await master_port();
        return port !== from.port && (await say(port, 'role')).startsWith('master');
      }, 'another master'),
    });
  } catch (error) {
    await group.stop();
    throw error;
  }
};
