// A host with the PostgreSQL of Debian 12 and of Debian 13, as an upgraded Debian has them. It shares the test's network.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { free_port } from '../../support/free_port.mjs';
import { must, run, until } from './command.mjs';
import { workplace } from './machine.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const scripts = fileURLToPath(new URL('../../../deploy/postgresql', import.meta.url));
const environment = ['PATH=/usr/lib/postgresql/17/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C.UTF-8'];
const roles = ['recruiting_owner', 'recruiting_auth', 'recruiting_public'];

let made;
const base = () => (made ??= must('bash', [path.join(here, 'postgres_base.sh'), workplace], { timeout: 900_000 }));

export class PostgresHost {
  /** Running, with the cluster 15/main and in it the database with its roles, before the migrations. */
  static async start() {
    await base();
    const host = new PostgresHost();
    host.place = await mkdtemp(path.join(workplace, 'postgres-'));
    host.root = path.join(host.place, 'root');
    host.port = await free_port();
    try {
      await host.#hold();
      await host.must(`pg_createcluster --locale C.UTF-8 --port ${host.port} --start 15 main`);
      for (const role of roles) await host.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'password-of-${role}'`, 'postgres');
      await host.sql('CREATE DATABASE recruiting OWNER recruiting_owner', 'postgres');
      await cp(scripts, path.join(`/proc/${host.pid}/root`, host.root, 'usr/share/recruiting/postgresql'), { recursive: true });
    } catch (error) {
      await host.stop();
      throw error;
    }
    return host;
  }

  async #hold() {
    const args = ['--pid', '--mount', '--fork', '--kill-child', 'bash', path.join(here, 'postgres_host.sh'), path.join(workplace, 'trixie-with-postgresql'), this.place];
    this.outer = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let told = '';
    this.outer.stdout.on('data', (data) => (told += data));
    await until('the host is there', () => {
      if (this.outer.exitCode !== null) throw new Error(`unshare ended with ${this.outer.exitCode}`);
      return told.includes('ready');
    });
    this.pid = Number(await readFile(`/proc/${this.outer.pid}/task/${this.outer.pid}/children`, 'utf8'));
  }

  url(role) {
    return `postgresql://${role}:password-of-${role}@127.0.0.1:${this.port}/recruiting`;
  }

  /** Commands in a shell on the host. as: its user; more: variables, NAME=value. */
  run(script, { as = 'root', more = [] } = {}) {
    const enter = ['-t', String(this.pid), '--pid', '--mount', 'chroot', this.root];
    return run('nsenter', [...enter, 'runuser', '-u', as, '--', 'env', '-i', ...environment, ...more, 'bash', '-euo', 'pipefail', '-c', `cd /tmp\n${script}`]);
  }

  async must(script, options) {
    const { code, out, err } = await this.run(script, options);
    if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${out}\n${err}`);
    return out.trim();
  }

  /** A statement as superuser. */
  sql(text, database = 'recruiting') {
    return this.must(`psql -XAtq -v ON_ERROR_STOP=1 -p ${this.port} -d ${database} -c "$TEXT"`, { as: 'postgres', more: [`TEXT=${text}`] });
  }

  async stop() {
    if (this.outer.exitCode === null) {
      const closed = once(this.outer, 'close');
      this.outer.stdin.end(); // its first process ends, and all others with it
      await closed;
    }
    await rm(this.place, { recursive: true, force: true });
  }
}
