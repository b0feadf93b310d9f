// A mail server for tests: takes every mail and writes down when, in the order of its answers. Plain, without login.
import { once } from 'node:events';
import net from 'node:net';

const greeting = '220 double.example ESMTP';
const replies = { EHLO: '250 8BITMIME', MAIL: '250 ok', RCPT: '250 ok', DATA: '354 go on', QUIT: '221 bye' };

/** delay(): milliseconds before a mail is taken, and again before that is said; taken(mail): called in between. */
export const start_smtp_double = async ({ delay = () => 0, port = 0, taken = () => {} } = {}) => {
  const mails = []; // {id, to, content}
  const pause = () => new Promise((done) => setTimeout(done, delay()));
  const sockets = new Set();

  const talk = async (socket) => {
    let unread = '';
    let mail = null;
    const say = (line) => socket.writable && socket.write(`${line}\r\n`);
    const take = async (content) => {
      await pause();
      const id = /^Message-ID: <(.*)>\r$/m.exec(content)?.[1];
      mails.push({ ...mail, id, content });
      taken(mails.at(-1));
      mail = null;
      await pause();
      say('250 taken');
    };
    say(greeting);
    for await (const chunk of socket) {
      unread += chunk;
      for (let end; (end = unread.indexOf(mail?.whole ? '\r\n.\r\n' : '\r\n')) >= 0;) {
        const text = unread.slice(0, end + 2);
        unread = unread.slice(end + (mail?.whole ? 5 : 2));
        if (mail?.whole) {
          await take(text);
          continue;
        }
        const command = text.slice(0, 4).toUpperCase();
        if (command === 'RCPT') mail = { to: /<(.*)>/.exec(text)[1] };
        if (command === 'DATA') mail.whole = true;
        say(replies[command] ?? '500 what?');
        if (command === 'QUIT') socket.end();
      }
    }
  };
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}); // its client was killed
    socket.on('close', () => sockets.delete(socket));
    talk(socket).catch(() => {});
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${server.address().port}`,
    mails,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
};
