// A model server for tests: speaks the OpenAI chat-completions protocol with tools, answers as the test says, and
// keeps every request. It runs in the test's own process.
import { once } from 'node:events';
import http from 'node:http';

const body_of = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const text_of = (content) => (Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : (content ?? ''));

/** What the caller asked last, how often the model has been called for it before, and what its tools have said. */
const conversation = (messages = []) => {
  const last = messages.findLastIndex((message) => message.role === 'user');
  const since = messages.slice(last + 1);
  return {
    prompt: text_of(messages[last]?.content),
    round: since.filter((message) => message.role === 'assistant').length,
    results: since.filter((message) => message.role === 'tool').map((message) => text_of(message.content)),
  };
};

const ordinary_usage = { prompt_tokens: 10, completion_tokens: 5 };

const completion = (model, { text = null, calls = [], usage = ordinary_usage }, number) => ({
  id: `chatcmpl-${number}`,
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{
    index: 0,
    message: {
      role: 'assistant',
      content: text,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, arguments: given = {} }, i) => ({
          id: id ?? `call_${number}_${i}`,
          type: 'function',
          function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
        })),
      }),
    },
    finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
  }],
  ...(usage && { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }),
});

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const write_out = async (response, body, { drip, cut }) => {
  const bytes = Buffer.from(body);
  const wanted = cut === undefined ? bytes.length : Math.min(cut, bytes.length);
  const step = drip ? (drip.bytes ?? 1) : wanted;
  for (let at = 0; at < wanted && !response.destroyed; at += step) {
    response.write(bytes.subarray(at, Math.min(at + step, wanted)));
    if (drip) await pause(drip.every);
  }
  if (cut === undefined) response.end();
  else response.socket?.destroySoon();
};

/**
 * answer({prompt, round, results, body, headers}) says what is answered, or a promise of it: a text, or an object of
 *   text, calls [{name, arguments: object or text, id}], usage {prompt_tokens, completion_tokens} (null: none told)
 *   status, headers, raw (the body as it is)
 *   delay (ms), hang (never answers; ends with the connection), drip {every: ms, bytes}, cut (closes after so many bytes)
 * round 0 is the first call for a prompt. `answer` may be replaced while it runs.
 * Kept: requests [{prompt, round, body, headers, at}], calls(prompt), first_calls(prompt); hanging: how many hang now.
 */
export const start_model_double = async (answer = () => 'Fine.', { model = 'double', port = 0 } = {}) => {
  const double = {
    answer,
    model,
    requests: [],
    hanging: 0,
    calls: (prompt) => double.requests.filter((one) => one.prompt === prompt).length,
    first_calls: (prompt) => double.requests.filter((one) => one.prompt === prompt && one.round === 0).length,
    forget() {
      double.requests = [];
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };

  const complete = async (request, response) => {
    const body = JSON.parse(await body_of(request));
    const asked = { ...conversation(body.messages), body, headers: request.headers, at: Date.now() };
    double.requests.push(asked);
    const number = double.requests.length;
    const told = await double.answer(asked);
    const how = typeof told === 'string' ? { text: told } : told;
    if (how.hang) {
      double.hanging += 1;
      response.on('close', () => (double.hanging -= 1));
      return;
    }
    if (how.delay) await pause(how.delay);
    if (response.destroyed) return;
    response.writeHead(how.status ?? 200, { 'Content-Type': 'application/json', ...how.headers });
    await write_out(response, how.raw ?? JSON.stringify(completion(body.model, how, number)), how);
  };

  const server = http.createServer((request, response) => {
    response.on('error', () => {});
    const path = new URL(request.url, 'http://host').pathname;
    if (request.method === 'GET' && path === '/v1/models') {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: [{ id: model, object: 'model', created: 1, owned_by: 'tests' }] }));
    } else if (request.method === 'POST' && path === '/v1/chat/completions') {
      complete(request, response).catch((error) => response.destroy(error));
    } else {
      response.writeHead(404).end();
    }
  });
  // Runs paused or killed for long must not find their kept connection closed by the double.
  server.keepAliveTimeout = 600_000;
  server.requestTimeout = 0;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  double.url = `http://127.0.0.1:${server.address().port}/v1`;
  return double;
};
