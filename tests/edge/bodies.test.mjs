// Large bodies stream through in bounded memory: 1 GiB each way in under 20 MiB of RSS, and a side that does not read
// stops the other.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { chunked, get, post } from './support/cases.mjs';
import { start_gateway, until } from './support/gateway.mjs';

const [mib, gib] = [1024 * 1024, 1024 * 1024 * 1024];
const most_memory = 20 * 1024; // KiB, of all there is: what the release build needs
const in_kernels_buffers = 64 * mib; // what sockets may hold that nobody reads
const piece = Buffer.alloc(mib, 'x');
const chunk = Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')]);
const pieces = { 'with a length': [piece], 'in chunks': [chunk, Buffer.from('0\r\n\r\n')] };
const framing_line = { 'with a length': `Content-Length: ${gib}\r\n`, 'in chunks': 'Transfer-Encoding: chunked\r\n' };

/** 1 GiB; sent: what the socket took so far. */
const pour = async (socket, framing, sent = { bytes: 0 }) => {
  const [one, last] = pieces[framing];
  for (let i = 0; i < 1024 && socket.writable; i += 1, sent.bytes += mib) {
    await new Promise((done) => socket.write(one, done));
  }
  if (last && socket.writable) socket.write(last);
};

let service, gateway, on_request;
before(async () => {
  service = net.createServer((socket) => {
    let head = '';
    socket.on('error', () => {});
    socket.on('data', function read_head(bytes) {
      head += bytes.toString('latin1');
      const end = head.indexOf('\r\n\r\n') + 4;
      if (end < 4) return;
      if (head.startsWith('GET /readyz ')) return socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      socket.off('data', read_head);
      on_request(socket, head.length - end);
    });
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const address = `127.0.0.1:${service.address().port}`;
  gateway = await start_gateway(address, address, { BODY_LIMIT: 2 * gib, BODY_TIMEOUT: '5m', RESPONSE_TIMEOUT: '5m', RUN_TIMEOUT: '5m', WRITE_TIMEOUT: '5m' });
});
after(async () => {
  await gateway?.stop();
  service?.close();
});

const open_client = async (text) => {
  const socket = net.connect({ port: gateway.port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};

/** Counts what comes until it ends as the framing says. */
const drink = (socket, framing, before = 0) =>
  new Promise((done, fail) => {
    let [count, tail] = [before, ''];
    socket.on('data', (bytes) => {
      count += bytes.length;
      tail = (tail + bytes.subarray(-8).toString('latin1')).slice(-8);
      if (framing === 'with a length' ? count >= gib : tail.endsWith('\r\n0\r\n\r\n')) done(count);
    });
    socket.resume();
    socket.on('close', () => fail(new Error(`closed after ${count} bytes`)));
  });

const check_memory = (t) => {
  const most = gateway.memory('VmHWM');
  t.diagnostic(`at most ${most} KiB of RSS`);
  assert.ok(most < most_memory, `${most} KiB`);
};

/** Nothing moves any more: what was sent stays as it is. */
const stands_still = async (sent) => {
  for (let last = -1; last !== sent.bytes; ) {
    last = sent.bytes;
    await new Promise((done) => setTimeout(done, 300));
  }
};

for (const framing of Object.keys(pieces)) {
  test(`an answer of 1 GiB ${framing}, first not read at all`, async (t) => {
    const sent = { bytes: 0 };
    on_request = (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\n${framing_line[framing]}\r\n`);
      pour(socket, framing, sent);
    };
    const client = await open_client(get());
    await until(() => sent.bytes > 0, 'the service answers');
    await stands_still(sent);
    assert.ok(sent.bytes < in_kernels_buffers, `the service could send ${sent.bytes} bytes to a client that read none`);
    assert.ok((await drink(client, framing)) >= gib);
    check_memory(t);
    client.destroy();
  });

  test(`a request of 1 GiB ${framing}, first not read at all`, async (t) => {
    const sent = { bytes: 0 };
    let reading;
    on_request = (socket, read) => {
      socket.pause();
      reading = () => drink(socket, framing, read).then((count) => {
        socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok');
        return count;
      });
    };
    const client = await open_client(framing === 'in chunks' ? chunked('') : post(framing_line[framing]));
    const answered = once(client, 'data');
    pour(client, framing, sent);
    await until(() => reading, 'the service has the head');
    await stands_still(sent);
    assert.ok(sent.bytes < in_kernels_buffers, `the client could send ${sent.bytes} bytes to a service that read none`);
    assert.ok((await reading()) >= gib);
    assert.match(String((await answered)[0]), /^HTTP\/1\.1 200 OK\r\n/);
    check_memory(t);
    client.destroy();
  });
}
