// A small double of the API that is unkind as it is told, and remembers every request. It runs in the test's process.
//   faults: what happens to the next requests, one each; then all is well. An object {status, headers, body} is answered
//   and nothing is done; 'refuse' ends the connection and nothing is done; 'lose' does it and says nothing; 'half' does it
//   and says half of it; 'hold' does nothing and never answers.
import { once } from 'node:events';
import http from 'node:http';

const body_of = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};
const error = (status, code) => ({ status, body: { error: { code, message: 'No.', requestId: 'r', details: [] } } });

export const start_unkind = async () => {
  const double = { faults: [], requests: [], records: 0, changed: [], runs: new Map(), polls: 0, bookings: 0, next: {} };

  const page = (query) => {
    const [from, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit'))];
    const to = Math.min(from + limit, double.records);
    const more = to < double.records;
    return {
      data: Array.from({ length: to - from }, (_, i) => ({ id: `r${from + i}` })),
      page: { limit, hasMore: more, nextCursor: double.stuck ? '0' : more ? String(to) : null },
    };
  };
  const changes = (token, limit) => {
    const to = Math.min(Number(token) + limit, double.changed.length);
    const told = { limit, hasMore: to < double.changed.length, nextCursor: null, syncToken: `${to}` };
    return { data: double.changed.slice(Number(token), to), page: told };
  };
  const told = (run, replay) => ({
    sessionId: run.session, status: run.status, reply: run.status === 'completed' ? `You said: ${run.prompt}` : null, idempotentReplay: replay,
    ...(run.status === 'failed' && { error: 'The agent run did not complete.', failedCorrelationId: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
  });
  const invoke = ({ prompt }, key) => {
    const known = double.runs.get(key);
    const run = known ?? { session: `s${double.runs.size}`, correlation: `c${double.runs.size}`, prompt, status: 'completed', polls: 0, ...double.next };
    if (!known) double.runs.set(key ?? Symbol('no key'), run);
    const headers = { 'Correlation-Id': run.correlation, ...(run.status === 'in_progress' && { 'Retry-After': '3' }), ...(known && known.prompt !== prompt && { 'Idempotency-Mismatch': 'true' }) };
    return { headers, body: told(run, Boolean(known)) };
  };
  // Somebody has resumed the session meanwhile: without correlationId the last run is another one.
  const poll = (session, correlation) => {
    const run = [...double.runs.values()].find((one) => one.session === session && one.correlation === correlation);
    if (!run) return { body: { data: { id: session, correlationId: 'another', status: 'completed', reply: 'To another question.' } } };
    if (run.polls-- <= 0 && run.status === 'in_progress') run.status = run.ends ?? 'completed';
    return { body: { data: { id: session, ...told(run, false) } } };
  };

  /** What the API would do and say. */
  const act = (method, path, query, headers, body) => {
    const authenticated = path.startsWith('/api/v1/');
    if (Boolean(headers.authorization) !== authenticated) return error(400, 'credential_not_allowed');
    if (method === 'POST' && path === '/api/v1/agent/invoke') return invoke(body, headers['idempotency-key']);
    if (path.startsWith('/api/v1/agent/sessions/')) return poll(path.split('/').pop(), query.get('correlationId'));
    if (query.has('syncToken')) return { body: changes(query.get('syncToken') || '0', Number(query.get('limit'))) };
    if (path === '/api/v1/candidates') return { body: page(query) };
    if (path === '/api/v1/me') return { body: { role: 'admin' } };
    if (path.endsWith('/bookings')) {
      double.bookings += 1;
      return { body: { data: { confirmed: true } } };
    }
    return error(404, 'not_found');
  };

  const serve = async (request, response) => {
    const text = await body_of(request);
    const url = new URL(request.url, 'http://host');
    const { method, headers } = request;
    double.requests.push({ method, path: url.pathname, headers, body: text ? JSON.parse(text) : undefined });
    const fault = double.faults.shift();
    if (fault === 'hold') return;
    if (fault === 'refuse') return void request.socket.destroy();
    const { status = 200, headers: more = {}, body } =
      fault instanceof Object ? fault : act(method, url.pathname, url.searchParams, headers, text && JSON.parse(text));
    if (fault === 'lose') return void request.socket.destroy();
    const bytes = Buffer.from(JSON.stringify(body ?? error(status, 'a_code').body));
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length, 'X-Request-Id': 'req-1', ...more });
    if (fault !== 'half') return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroySoon());
  };

  const server = http.createServer((request, response) => {
    response.on('error', () => {});
    serve(request, response).catch((cause) => response.destroy(cause));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  double.url = `http://127.0.0.1:${server.address().port}`;
  double.reset = () => Object.assign(double, { faults: [], requests: [], records: 0, changed: [], runs: new Map(), bookings: 0, next: {}, stuck: false });
  double.stop = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return double;
};
