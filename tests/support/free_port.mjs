// A port of loopback for a program that is started, stopped and started again.
import dgram from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';

/** Fails when somebody listens on it, or another test process was given it and lives: each keeps the UDP port of that number. */
const take = async (port) => {
  const held = dgram.createSocket('udp4').unref();
  held.bind({ port, address: '127.0.0.1', exclusive: true });
  await once(held, 'listening');
  try {
    const server = net.createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    await new Promise((done) => server.close(done));
  } catch (error) {
    held.close();
    throw error;
  }
};

/** Nobody listens on it, and no outgoing connection is given it while its program is down: below the kernel's own range. */
export const free_port = async () => {
  const above = Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/)[0]);
  for (let tries = 0; tries < 200; tries += 1) {
    const wanted = above - 1 - Math.floor(Math.random() * Math.min(10_000, above - 1025));
    try {
      await take(wanted);
      return wanted;
    } catch (error) {
      if (!['EADDRINUSE', 'EACCES'].includes(error.code)) throw error;
    }
  }
  throw new Error('no port below the range of outgoing connections is free');
};
