// HAProxy with one address in front of several servers, of which it uses those whose health check answers 200.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { free_port } from '../../support/free_port.mjs';
import { until } from '../../faults/support/wait.mjs';
import { status_of } from '../../faults/support/http.mjs';
import { start_process } from '../../faults/support/process.mjs';

/**
 * servers: [{port, health_port}]; path: of the health check; when_down: what happens to the connections of a server that
 * is marked down. stop() ends it.
 */
export const start_haproxy = async (folder, name, servers, path, when_down = '') => {
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
    http-request return status 200 if { path /any } { nbsrv(${name}) gt 0 }
    http-request return status 200 if { path /all } { nbsrv(${name}) ge ${servers.length} }
    http-request return status 503
listen ${name}
    bind 127.0.0.1:${port}
    option httpchk GET ${path}
    http-check expect status 200
    default-server inter 500ms fall 2 rise 1 ${when_down}
${servers.map(server).join('')}`);
  const haproxy = start_process(['haproxy', ['-f', settings]], { log: join(folder, `${name}.log`) });
  const has = (servers_of, what) => until(async () => {
    haproxy.check();
    return (await status_of(own_health, servers_of)) === 200;
  }, what);
  await has('/any', `HAProxy has a server for ${name}`);
  return { port, all_ready: () => has('/all', `HAProxy has all servers for ${name}`), stop: () => haproxy.end() };
};
