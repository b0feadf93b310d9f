// The receiver of webhooks for tests: answers as the test says, and keeps every request with its bytes. It checks signatures
// with the official package standardwebhooks.
import { once } from 'node:events';
import http from 'node:http';
import { Webhook } from 'standardwebhooks';

const body_of = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/** Ways to answer, for `answer` below; a number is a status. */
export const answers = {
  hang: () => {},
  /** 200, and a body that never ends. */
  endless(response) {
    const block = 'x'.repeat(1 << 16);
    const write = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', write);
    response.writeHead(200);
    write();
  },
  redirect: (url) => (response) => response.writeHead(307, { Location: url }).end(),
  text: (status, text) => (response) => response.writeHead(status, { 'Content-Type': 'text/html' }).end(text),
  after: (ms, status = 200) => (response) => setTimeout(() => response.writeHead(status).end(), ms),
};

/**
 * {url, messages: [{id, path, headers, body, json, at}], answer, …}. `answer` may be set at any time: a status, or one of the above.
 */
export const start_receiver = async ({ answer = 204 } = {}) => {
  const receiver = { answer, messages: [] };
  const serve = async (request, response) => {
    const body = await body_of(request);
    const message = { id: request.headers['webhook-id'], method: request.method, path: request.url, headers: request.headers, body, json: JSON.parse(body), at: Date.now() };
    receiver.messages.push(message);
    const { answer: given } = receiver;
    if (typeof given === 'number') response.writeHead(given).end();
    else given(response, message);
  };
  const server = http.createServer((request, response) => {
    response.on('error', () => {}); // its client was killed
    serve(request, response).catch(() => response.destroy());
  });
  const listen = async (port) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address();
  receiver.url = `http://127.0.0.1:${port}/hook`;
  /** Those of a type, in the order of their coming. */
  receiver.of = (type) => receiver.messages.filter(({ json }) => json.type === type);
  receiver.stop = async () => {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  };
  /** Listens again after stop(), on the same port. */
  receiver.start = () => listen(port);
  return receiver;
};

/** The message as standardwebhooks reads it; it throws when none of the signatures is by the secret. */
export const verified = (secret, { body, headers }) => new Webhook(secret).verify(body, headers);
