// Connections with TLS, by Node's own client: another implementation's view of ours.
import net from 'node:net';
import tls from 'node:tls';
import { wire_on } from './wire.mjs';

/** Resolves with a wire when the handshake is done, rejects with OpenSSL's error when it fails. before: bytes in the
 * clear, ahead of it. */
export const connect_tls = (port, { before = '', ...options } = {}) =>
  new Promise((done, fail) => {
    const raw = net.connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      if (before) raw.write(before);
      const socket = tls.connect({ socket: raw, servername: 'api.example', ...options });
      const tickets = [];
      socket.on('session', (ticket) => tickets.push(ticket));
      const wire = wire_on(socket, raw);
      socket.once('error', fail);
      socket.once('secureConnect', () => done(Object.assign(wire, { tickets })));
      socket.once('close', () => fail(new Error('closed during the handshake')));
    });
    raw.once('error', fail);
  });

/** One request on a new connection, which ends: the answer, and what the connection was. */
export const get_once = async (port, options = {}) => {
  const wire = await connect_tls(port, options);
  try {
    await wire.send(`GET ${options.path ?? '/api/v1/x'} HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\n\r\n`);
    const answer = await wire.answer();
    const { socket } = wire;
    return {
      answer,
      version: socket.getProtocol(),
      suite: socket.getCipher().standardName,
      reused: socket.isSessionReused(),
      subject: socket.getPeerCertificate().subject?.CN,
      ticket: wire.tickets.at(-1),
    };
  } finally {
    wire.close();
  }
};

/** The code of the error a handshake ends with. */
export const refusal = (port, options) => connect_tls(port, options).then((wire) => {
  wire.close();
  return 'accepted';
}, (error) => error.code ?? error.message);
