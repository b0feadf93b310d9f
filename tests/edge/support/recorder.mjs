// A service that writes down, byte by byte, what the gateway sends it, and answers as the test says.
import { once } from 'node:events';
import net from 'node:net';

export const plain_answer = 'HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 2\r\n\r\nok';

/** How long the request at the start of the bytes is; 0: not all there yet. */
const request_size = (text) => {
  const end = text.indexOf('\r\n\r\n') + 4;
  if (end < 4) return 0;
  const head = text.slice(0, end);
  if (/\r\ntransfer-encoding: chunked\r\n/i.test(head)) {
    const last = /(^|\r\n)0\r\n\r\n/.exec(text.slice(end));
    return last ? end + last.index + last[0].length : 0;
  }
  const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0);
  return text.length < end + length ? 0 : end + length;
};

export const start_recorder = async () => {
  const recorder = {
    recorded: '', // since reset()
    requests: 0,
    connections: new Set(),
    round: 0,
    /** Called with the connection once a request is complete. */
    reply: undefined,
    on_head: undefined, // called when a head is there, the body may not be
    on_connect: undefined,
    reset() {
      this.recorded = '';
      this.requests = 0;
      this.round += 1;
      this.reply = (socket) => socket.write(plain_answer, 'latin1');
      this.on_head = this.on_connect = undefined;
    },
    /** Ids are random: their places are kept, their values are not. */
    text() {
      return this.recorded
        .replace(/\r\nX-Request-Id: [0-9a-f]{32}\r\n/g, '\r\nX-Request-Id: *\r\n')
        .replace(/\r\ntraceparent: 00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]\r\n/g, '\r\ntraceparent: *\r\n');
    },
    drop_connections() {
      for (const socket of this.connections) socket.destroy();
    },
    async stop() {
      this.drop_connections();
      await new Promise((done) => server.close(done));
    },
  };
  recorder.reset();

  const server = net.createServer({ noDelay: true, allowHalfOpen: false }, (socket) => {
    recorder.connections.add(socket);
    let pending = '';
    let head_told = false;
    let round; // in which the request under way began: the end of an older one is not this round's
    socket.on('close', () => recorder.connections.delete(socket));
    socket.on('error', () => {});
    recorder.on_connect?.(socket);
    socket.on('data', (bytes) => {
      if (pending === '') round = recorder.round;
      if (round !== recorder.round) return;
      pending += bytes.toString('latin1');
      if (pending.startsWith('GET /readyz ')) { // a health check is nobody's request
        pending = '';
        socket.write(plain_answer);
        return;
      }
      recorder.recorded += bytes.toString('latin1');
      if (!head_told && pending.includes('\r\n\r\n')) {
        head_told = true;
        recorder.on_head?.(socket);
      }
      for (let size = request_size(pending); size > 0; size = request_size(pending)) {
        pending = pending.slice(size);
        head_told = false;
        recorder.requests += 1;
        recorder.reply(socket, recorder.requests);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  recorder.address = `127.0.0.1:${server.address().port}`;
  return recorder;
};
