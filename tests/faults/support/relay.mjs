// A network in front of a port of this machine: of some milliseconds, and one that can be cut.
import { once } from 'node:events';
import net from 'node:net';

/** ms: what each direction takes. What is under way when a client leaves arrives all the same. */
export const start_relay = async (port, ms) => {
  const sockets = new Set();
  let when_mended; // of a cut network: what happens at its end
  const pass_on = (from, to) => {
    sockets.add(from);
    const later = (what) => setTimeout(() => to.destroyed || what(), ms);
    from.on('data', (bytes) => later(() => to.write(bytes))).on('end', () => later(() => to.end()));
    from.on('error', () => {}).on('close', () => sockets.delete(from) && later(() => to.destroy()));
  };
  const join = (client) => {
    const service = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    pass_on(client, service);
    pass_on(service, client);
  };
  const server = net.createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    const begin = () => {
      join(client);
      client.resume();
    };
    if (when_mended) when_mended.push(begin);
    else begin();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    /** Nothing passes any more and nobody is told, as if packets were dropped; what was sent meanwhile arrives after mend(). */
    cut() {
      when_mended ??= [];
      for (const socket of sockets) socket.pause();
    },
    mend() {
      for (const socket of sockets) socket.resume();
      for (const begin of when_mended ?? []) begin();
      when_mended = undefined;
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
