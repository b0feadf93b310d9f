// A port of loopback that nobody listens on now.
import { once } from 'node:events';
import net from 'node:net';

export const free_port = async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
};
