// A network of some milliseconds in front of a port of this machine.
import { once } from 'node:events';
import net from 'node:net';

/** ms: what each direction takes. What is under way when a client leaves arrives all the same. */
export const start_relay = async (port, ms) => {
  const sockets = new Set();
  const pass_on = (from, to) => {
    sockets.add(from);
    const later = (what) => setTimeout(() => to.destroyed || what(), ms);
    from.on('data', (bytes) => later(() => to.write(bytes))).on('end', () => later(() => to.end()));
    from.on('error', () => {}).on('close', () => sockets.delete(from) && later(() => to.destroy()));
  };
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const service = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    pass_on(client, service);
    pass_on(service, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
