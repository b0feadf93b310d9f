// A door to the endpoint for clients that can send no Authorization field: it adds the key, and changes nothing else.
import { once } from 'node:events';
import http from 'node:http';
import { endpoint } from './clients.mjs';

export const open_door = async (key) => {
  const server = http.createServer((request, response) => {
    const { method, url: path, headers } = request;
    const onward = http.request({
      hostname: endpoint.hostname, port: endpoint.port, method, path, agent: false, setHost: false,
      headers: { ...headers, authorization: `Bearer ${key}` },
    }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(endpoint.pathname, `http://127.0.0.1:${server.address().port}`),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
