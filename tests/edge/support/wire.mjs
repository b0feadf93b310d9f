// Bytes to and from the gateway, without a client that would fix them: a raw connection, and a reader of answers.
import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';

const patience = 60_000; // nothing here takes this long; a test that waits so long has failed

/** The head and body lengths of one answer at the start of the bytes; undefined: not all there yet. */
const measure = (bytes, { to_head, at_end }) => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.subarray(0, end + 2).toString('latin1');
  const [line, ...rest] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
  if (!status) throw new Error(`no status line: ${JSON.stringify(line)}`);
  const fields = rest.filter(Boolean).map((one) => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 1).trim()]);
  const value = (name) => fields.find(([known]) => known.toLowerCase() === name)?.[1];
  const answer = { status, line, head, fields, value, body: '', size: end + 4 };
  if (to_head || status < 200 || status === 204 || status === 304) return answer;
  if (value('transfer-encoding') === 'chunked') return with_chunks(answer, bytes);
  const length = value('content-length');
  if (length === undefined) {
    answer.size = bytes.length;
    answer.body = bytes.subarray(end + 4).toString('latin1');
    return at_end ? answer : undefined;
  }
  answer.size += Number(length);
  answer.body = bytes.subarray(end + 4, answer.size).toString('latin1');
  return bytes.length < answer.size ? undefined : answer;
};

const with_chunks = (answer, bytes) => {
  for (let at = answer.size; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (bytes.length < end + 2 + size + 2) return undefined;
    answer.body += bytes.subarray(end + 2, end + 2 + size).toString('latin1');
    at = end + 2 + size + 2;
    if (size > 0) continue;
    answer.size = at;
    return answer;
  }
};

/** A connection to the gateway. from: the client's address; secure: over TLS, whoever signed. */
export const connect = async (port, { from, secure = false } = {}) => {
  const plain = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true, localAddress: from });
  const socket = secure ? tls.connect({ socket: plain, allowHalfOpen: true, rejectUnauthorized: false }) : plain;
  const wire = wire_on(socket, plain);
  await once(socket, secure ? 'secureConnect' : 'connect');
  return wire;
};

/** A connection that keeps what it receives. plain: the one below TLS. */
export const wire_on = (socket, plain = socket) => {
  let received = Buffer.alloc(0);
  let ended = false;
  let failure;
  let wake = () => {};
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    wake();
  });
  socket.on('end', () => {
    ended = true;
    wake();
  });
  socket.on('error', (error) => {
    failure = error;
    ended = true;
    wake();
  });

  const more = (what) =>
    new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`${what}: nothing came; received ${JSON.stringify(received.toString('latin1'))}`)), patience);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  return {
    socket,
    /** Each piece is written on its own. */
    async send(...pieces) {
      for (const piece of pieces) {
        if (!socket.writable) return;
        socket.write(Buffer.from(piece, 'latin1'));
        if (pieces.length > 1) await new Promise((done) => setImmediate(done));
      }
    },
    half_close: () => socket.end(),
    close: () => socket.destroy(),
    /** The client goes away without a word: RST. */
    reset: () => plain.resetAndDestroy(),
    /** The next answer; undefined: the gateway closed without one. how.interim: 1xx answers too. */
    async answer(how = {}) {
      for (;;) {
        const found = received.length > 0 ? measure(received, { ...how, at_end: ended }) : undefined;
        if (found) {
          received = received.subarray(found.size);
          if (found.status >= 200 || how.interim) return found;
        } else if (ended) {
          return undefined;
        } else {
          await more('an answer');
        }
      }
    },
    /** Waits until what is not yet taken ends so. */
    async received(end) {
      while (!received.toString('latin1').endsWith(end)) await more(JSON.stringify(end));
    },
    /** Waits for the end; what came before it. */
    async end() {
      while (!ended) await more('the end');
      return received.toString('latin1');
    },
    failure: () => failure,
  };
};
