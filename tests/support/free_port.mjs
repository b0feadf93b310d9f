// A port of loopback for a program that is started, stopped and started again.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';

const listening_on = async (wanted) => {
  const server = net.createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
};

/** Nobody listens on it, and no outgoing connection is given it while its program is down: below the kernel's own range. */
export const free_port = async () => {
  const above = Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/)[0]);
  for (let tries = 0; tries < 200; tries += 1) {
    const wanted = above - 1 - Math.floor(Math.random() * Math.min(10_000, above - 1025));
    try {
      return await listening_on(wanted);
    } catch (error) {
      if (!['EADDRINUSE', 'EACCES'].includes(error.code)) throw error;
    }
  }
  throw new Error('no port below the range of outgoing connections is free');
};
