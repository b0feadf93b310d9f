// Host (RFC 9110 section 7.2): exactly one, and a valid one.
import { auth, declined, forwarded, passed, refused, run_cases } from './support/cases.mjs';

const with_hosts = (...lines) => `GET ${auth} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
const named = (name, value) => passed(name, with_hosts(`Host: ${value}`), forwarded(`GET ${auth}`, { name: value }));
const bad = (name, value) => refused(name, with_hosts(`Host: ${value}`));

run_cases([
  named('a name', 'api.example'),
  named('a name with a port', 'api.example:8443'),
  named('an IPv4 address', '127.0.0.1:80'),
  named('an IPv6 address', '[2001:db8::1]:8080'),
  named('an underscore', 'my_host'),
  named('a dot at the end', 'api.example.'),
  passed('blanks around it are not part of it', with_hosts('hOST:\t api.example \t'), forwarded(`GET ${auth}`)),

  refused('none', with_hosts('X: y')),
  refused('two that agree', with_hosts('Host: api.example', 'Host: api.example')),
  refused('two that differ', with_hosts('Host: api.example', 'host: other')),
  refused('two, apart', with_hosts('Host: api.example', 'X: y', 'HOST: api.example')),
  bad('an empty one', ''),
  bad('only blanks', '  '),
  bad('a list', 'api.example, other'),
  bad('a blank within', 'api example'),
  bad('user information', 'user@api.example'),
  bad('a path', 'api.example/x'),
  bad('a query', 'api.example?x'),
  bad('a scheme', 'http://api.example'),
  bad('an escape', 'api%2eexample'),
  bad('an empty port', 'api.example:'),
  bad('port 0', 'api.example:0'),
  bad('a port above 65535', 'api.example:65536'),
  bad('a port that is no number', 'api.example:80a'),
  bad('a port with a sign', 'api.example:+80'),
  bad('a port with a leading zero', 'api.example:080'),
  bad('two ports', 'api.example:80:80'),
  bad('only a port', ':80'),
  bad('an empty label', 'api..example'),
  bad('a leading dot', '.example'),
  bad('an IPv6 address without brackets', '2001:db8::1'),
  bad('an IPv6 address without its end', '[2001:db8::1'),
  bad('brackets around a name', '[api.example]'),
  bad('brackets around no address', '[1:2]'),
  bad('an IPv6 zone', '[fe80::1%25eth0]'),
  bad('a quote', '"api.example"'),
  bad('a byte above 7F', 'api\xe9.example'),
  bad('a backslash', 'api.example\\x'),
  bad('a name of 256 letters', 'a'.repeat(256)),
  refused('a Host folded onto a second line', with_hosts('Host:', ' api.example')),
  refused('a Host before which a blank stands', with_hosts(' Host: api.example')),
  refused('a Host in trailing position after an empty one', with_hosts('Host:', 'Host: api.example')),

  passed('HTTP/1.0 needs none', `GET ${auth} HTTP/1.0\r\n\r\n`, /^GET \/api\/v1\/x HTTP\/1\.1\r\nHost: [^\r]+\r\nX-Forwarded-For/, { closes: true }),
  passed('HTTP/1.0 with the absolute form alone', `GET http://api.example${auth} HTTP/1.0\r\n\r\n`, forwarded(`GET ${auth}`, { version: '1.0' }), { closes: true }),
  refused('HTTP/1.0 with two', `GET ${auth} HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n`),
  declined('any name is served: the path decides', 'GET /x HTTP/1.1\r\nHost: whatever\r\n\r\n', 404),
]);
