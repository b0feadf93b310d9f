// An authority of the test's own and certificates it signs, made by openssl in a folder that goes with stop().
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const make_authority = () => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-certificates-'));
  const path = (name) => join(folder, name);
  const openssl = (...args) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const new_key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...new_key, '-days', '2', '-subj', '/CN=Test authority', '-keyout', path('ca.key'), '-out', path('ca.pem'));
  return {
    path,
    file: path('ca.pem'),
    pem: readFileSync(path('ca.pem'), 'utf8'),
    /** NAME.pem and NAME.key; names: "DNS:localhost", "IP:127.0.0.1". Again: new ones in their place, each at once. */
    issue(name, ...names) {
      writeFileSync(path('extensions'), `basicConstraints=CA:FALSE\n${names.length > 0 ? `subjectAltName=${names.join(',')}\n` : ''}`);
      openssl('req', ...new_key, '-subj', `/CN=${name}`, '-keyout', path('new.key'), '-out', path('new.csr'));
      openssl('x509', '-req', '-in', path('new.csr'), '-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-CAcreateserial',
        '-days', '2', '-extfile', path('extensions'), '-out', path('new.pem'));
      renameSync(path('new.key'), path(`${name}.key`));
      renameSync(path('new.pem'), path(`${name}.pem`));
      return `${path(`${name}.pem`)}:${path(`${name}.key`)}`;
    },
    stop: () => rmSync(folder, { recursive: true }),
  };
};
