// One HTTP request on a connection of its own; it fails as a client sees it fail (no answer, half an answer, timeout).
import http from 'node:http';

export const ask = ({ host = '127.0.0.1', port, method = 'GET', path, headers = {}, body, timeout }) =>
  new Promise((done, fail) => {
    const request = http.request({ host, port, method, path, headers, agent: false }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(timer);
        done({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    const timer = setTimeout(() => request.destroy(new Error('timed out')), timeout);
    request.on('error', (error) => {
      clearTimeout(timer);
      fail(error);
    });
    request.end(body);
  });

/** The status of GET path; 0 without an answer. */
export const status_of = (port, path, timeout = 1_000) => ask({ port, path, timeout }).then(({ status }) => status, () => 0);
