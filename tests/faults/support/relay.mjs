// A network in front of a port of this machine: some milliseconds long, and it can be cut, stopped or slowed.
import { once } from 'node:events';
import net from 'node:net';

const sliced = 256; // bytes of each piece that are written one by one

/** ms: what each direction takes. What is under way when a client leaves arrives all the same. */
export const start_relay = async (port, ms = 0) => {
  const usual = { ms, slice: false, stopped: false, refused: false };
  let way = { ...usual };
  const sockets = new Set();
  const directions = new Set(); // a function each, that moves what is due

  const write = (to, bytes) => {
    const single = way.slice ? Math.min(sliced, bytes.length) : 0;
    for (let at = 0; at < single; at += 1) to.write(bytes.subarray(at, at + 1));
    if (bytes.length > single) to.write(bytes.subarray(single));
  };
  const pass_on = (from, to) => {
    const waiting = []; // [due, what], in order
    const move = () => {
      while (!way.stopped && waiting.length > 0 && waiting[0][0] <= performance.now()) {
        const [, what] = waiting.shift();
        if (!to.destroyed) what();
      }
    };
    const later = (what) => {
      waiting.push([performance.now() + way.ms, what]);
      if (way.ms === 0) move();
      else setTimeout(move, way.ms + 1);
    };
    sockets.add(from);
    directions.add(move);
    from.on('data', (bytes) => later(() => write(to, bytes))).on('end', () => later(() => to.end()));
    from.on('error', () => {}).on('close', () => {
      sockets.delete(from);
      later(() => to.destroy());
      setTimeout(() => directions.delete(move), 60_000).unref();
    });
  };
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (way.refused) {
      client.resetAndDestroy();
      return;
    }
    const service = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    pass_on(client, service);
    pass_on(service, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    /**
     * ms; slice: small writes; stopped: nothing passes, as with a cable pulled out, and arrives later; refused: connections
     * are reset. Without any of them the way is as at the start.
     */
    set(changes = {}) {
      way = { ...usual, ...changes };
      if (way.refused) for (const socket of sockets) socket.resetAndDestroy();
      for (const move of directions) move();
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
