// HAProxy with one address in front of several servers, of which it uses those whose health check answers 200.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { free_port } from '../../support/free_port.mjs';
import { until } from '../../faults/support/wait.mjs';
import { start_process, status_of } from './process.mjs';

/** servers: [{port, health_port}]; path: of the health check. stop() ends it. */
export const start_haproxy = async (folder, name, servers, path) => {
  const [port, own_health] = [await free_port(), await free_port()];
  const settings = join(folder, `${name}.cfg`);
  const server = (one, i) => `    server server${i} 127.0.0.1:${one.port} check port ${one.health_port}\n`;
  writeFileSync(settings, `
defaults
    mode tcp
    timeout connect 2s
    timeout client 1h
    timeout server 1h
    timeout check 1s
frontend health
    mode http
    bind 127.0.0.1:${own_health}
    monitor-uri /
    acl nobody nbsrv(${name}) lt 1
    monitor fail if nobody
listen ${name}
    bind 127.0.0.1:${port}
    option httpchk GET ${path}
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map(server).join('')}`);
  const haproxy = start_process(['haproxy', ['-f', settings]], { log: join(folder, `${name}.log`) });
  await until(async () => {
    haproxy.check();
    return (await status_of(own_health, '/')) === 200;
  }, `HAProxy has a server for ${name}`);
  return { port, stop: () => haproxy.end() };
};
