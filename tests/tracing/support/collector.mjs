// A collector: keeps what it is sent and answers as the test says.
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { until } from '../../faults/support/wait.mjs';
import { read_export } from './otlp.mjs';

const body_of = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

export const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };

/** tls: {key, cert}. answer({request, response, body, number}): writes the answer, or does not; the request then counts as refused. */
export const start_collector = async ({ tls, port = 0 } = {}) => {
  const collector = {
    requests: [], // {path, headers, body}
    spans: [], // of the exports that were answered 200
    wrong: [], // what OTLP does not allow
    answer: undefined,
    of_trace: (id) => collector.spans.filter((span) => span.traceId === id),
    /** Waits for a span that the condition picks. */
    async span(condition, what) {
      await until(() => collector.spans.some(condition), what ?? `a span ${condition}`);
      return collector.spans.find(condition);
    },
    everything: () => collector.requests.map(({ body }) => body).join('\n'),
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  const take = async (request, response) => {
    const body = await body_of(request);
    const number = collector.requests.push({ path: request.url, headers: request.headers, method: request.method, body });
    if (collector.answer) return collector.answer({ request, response, body, number });
    try {
      collector.spans.push(...read_export(body));
    } catch (error) {
      collector.wrong.push(error);
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  };
  const listener = (request, response) => {
    response.on('error', () => {});
    take(request, response).catch(() => response.destroy());
  };
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  collector.port = server.address().port;
  collector.url = `${tls ? 'https' : 'http'}://127.0.0.1:${collector.port}`;
  return collector;
};
