// A clean Debian that boots its own systemd in namespaces: packages are installed, run and removed there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, readFile, readdir, rm, copyFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { must, run, until } from './command.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = process.env.RECRUITING_TEST_PACKAGES_DIR;
export const workplace = process.env.RECRUITING_TEST_PACKAGES_ROOTS ?? `${folder}/roots`; // where Debians are made and kept
const environment = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive'];
const spaces = ['--pid', '--mount', '--uts', '--ipc', '--net', '--cgroup'];

export const debs = folder
  ? (await readdir(folder)).filter((name) => name.endsWith('.deb')).map((name) => path.join(folder, name))
  : [];
export const deb = (program) => debs.find((file) => path.basename(file).startsWith(`${program}_`));

/** Why machines can't be made here, or nothing. */
export async function obstacle() {
  if (!folder || debs.length !== 4) return 'RECRUITING_TEST_PACKAGES_DIR holds no packages (scripts/test --only packages builds them)';
  return obstacle_to_debians();
}

/** Why no Debian can be made here, or nothing. */
export async function obstacle_to_debians() {
  if (process.getuid() !== 0) return 'root is needed to make a Debian and boot it';
  // What debootstrap and a booting systemd will do, tried where nobody sees it.
  await mkdir(workplace, { recursive: true });
  const place = await mkdtemp(path.join(workplace, 'probe-'));
  await must('mount', ['-t', 'tmpfs', 'tmpfs', place]).catch(() => {});
  const wanted = 'mount --make-private "$1" && cd "$1" && mknod null c 1 3 && : >null && mkdir c p && mount -t cgroup2 cgroup2 c && mount -t proc proc p && ip link set lo up';
  const probe = await run('unshare', [...spaces, '--fork', '--propagation', 'unchanged', 'sh', '-c', wanted, 'sh', place]);
  await run('umount', [place]);
  await rm(place, { recursive: true, force: true });
  return probe.code === 0 ? undefined : `this machine lets nobody boot a system in namespaces: ${probe.err.trim()}`;
}

let made;
/** The Debian all machines begin as; made once. */
export function base() {
  made ??= must('bash', [path.join(here, 'base.sh'), workplace, ...debs], { timeout: 900_000 }).then(
    async () => path.join(workplace, (await readFile('/etc/os-release', 'utf8')).match(/^VERSION_CODENAME=(\w+)/m)[1]),
  );
  return made;
}

export class Machine {
  /** A booted one with `files` (packages) in /debs. */
  static async boot(files) {
    const machine = new Machine();
    const lower = await base();
    await mkdir(workplace, { recursive: true });
    machine.place = await mkdtemp(path.join(workplace, 'machine-'));
    machine.root = path.join(machine.place, 'root');
    for (const name of ['root', 'upper', 'work']) await mkdir(path.join(machine.place, name));
    const layers = `lowerdir=${lower},upperdir=${machine.place}/upper,workdir=${machine.place}/work`;
    const mounted = await run('mount', ['-t', 'overlay', 'overlay', '-o', layers, machine.root]);
    if (mounted.code !== 0) {
      // An overlay on an overlay is not allowed everywhere: a copy then.
      await must('cp', ['-a', `${lower}/.`, machine.root]);
      await must('mount', ['--bind', machine.root, machine.root]);
    }
    await must('mount', ['--make-private', machine.root]);
    await mkdir(path.join(machine.root, 'debs'), { recursive: true });
    for (const file of files) await copyFile(file, path.join(machine.root, 'debs', path.basename(file)));
    try {
      await machine.#start();
    } catch (error) {
      await machine.down();
      throw error;
    }
    return machine;
  }

  async #start() {
    const args = [...spaces, '--fork', '--kill-child', '--propagation', 'unchanged', 'bash', path.join(here, 'boot.sh'), this.root];
    this.console = '';
    this.outer = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.outer.stdout, this.outer.stderr]) stream.on('data', (data) => (this.console += data));
    const children = `/proc/${this.outer.pid}/task/${this.outer.pid}/children`;
    const runs = async () => {
      this.pid = Number((await readFile(children, 'utf8').catch(() => '')).trim().split(' ')[0]);
      if (!this.pid) return false;
      const { out } = await this.run('systemctl is-system-running');
      return /running|degraded/.test(out);
    };
    await until('systemd runs', runs).catch((error) => {
      throw new Error(`${error.message}; it said:\n${this.console}`);
    });
  }

  /** A shell command inside, as root. */
  run(command, options) {
    const enter = ['-t', String(this.pid), '--pid', '--mount', '--uts', '--ipc', '--net', '--cgroup', `--root=/proc/${this.pid}/root`, `--wd=/proc/${this.pid}/root`];
    return run('nsenter', [...enter, 'env', '-i', ...environment, 'sh', '-c', command], options);
  }

  async must(command, options) {
    const { code, out, err } = await this.run(command, options);
    if (code !== 0) throw new Error(`"${command}" ended with ${code}:\n${out}\n${err}\n${await this.journal()}`);
    return out.trim();
  }

  async journal() {
    return (await this.run('journalctl --no-pager -q -n 60')).out;
  }

  /** Creates the user deployer, who may use sudo and has these packages of /debs in the home folder. */
  async admit_deployer(files) {
    await this.install('sudo');
    await this.must('useradd -m deployer && echo "deployer ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/deployer');
    await this.must(`cd /debs && cp ${files.join(' ')} /home/deployer/`);
    // apt's questions are answered with yes, and packages come from the cache only.
    await this.must(`printf 'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\n' >/etc/apt/apt.conf.d/01deployer`);
  }

  /** Commands in a shell of the deployer. */
  async operate(script) {
    await this.must('cat >/tmp/step.sh', { input: script });
    return this.run('cd /home/deployer && exec runuser -u deployer -- env HOME=/home/deployer bash -euo pipefail /tmp/step.sh');
  }

  /** Changes `lines` (NAME=value) of a settings file, which must have each name once, as a setting or as a comment. */
  async edit(file, lines) {
    let text = await this.must(`cat ${file}`);
    for (const line of lines.trim().split('\n')) {
      const setting = new RegExp(`^#?${line.slice(0, line.indexOf('='))}=.*$`, 'gm');
      if (text.match(setting)?.length !== 1) throw new Error(`${file} has no line for ${line}`);
      text = text.replace(setting, () => line);
    }
    await this.must(`cat >${file}`, { input: `${text}\n` });
  }

  /** Begins to ask for these addresses, by a program of the outside in the machine's network; its end tells how it went. */
  async load(...addresses) {
    const args = ['-t', String(this.pid), '--net', process.execPath, path.join(here, 'load.mjs'), ...addresses];
    const child = spawn('nsenter', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    child.stdin.on('error', () => {}); // it is gone: what it told says why
    let told = '';
    child.stdout.on('data', (data) => (told += data));
    await until('requests are answered', () => told.includes('answered'));
    return {
      async end() {
        child.stdin.end();
        await closed;
        return JSON.parse(told.trim().split('\n').at(-1));
      },
    };
  }

  /** GET by curl from outside, in its network: { status, body }. */
  async get(url, ...more) {
    const args = ['-t', String(this.pid), '--net', 'curl', '--noproxy', '*', '-sS', '-m', '20', '-w', '\n%{http_code}', ...more, url];
    const { out } = await run('nsenter', args);
    const at = out.lastIndexOf('\n');
    return { status: Number(out.slice(at + 1)), body: out.slice(0, at) };
  }

  /** Packages of /debs by their files' names, Debian's by their own. */
  install(...files) {
    const names = files.map((file) => (file.endsWith('.deb') ? `/debs/${file}` : file)).join(' ');
    return this.must(`apt-get -q -y --no-install-recommends --allow-downgrades -o Dpkg::Options::=--force-confold install ${names} 2>&1`);
  }

  async down() {
    this.outer.kill('SIGKILL'); // --kill-child: process 1 goes, and everything with it
    await new Promise((resolve) => (this.outer.exitCode !== null || this.outer.signalCode ? resolve() : this.outer.on('close', resolve)));
    await until('nothing uses its files any more', async () => (await run('umount', [this.root])).code === 0);
    await rm(this.place, { recursive: true, force: true });
  }
}

/** The same package under another version, as a former release was. */
export async function renamed(file, version) {
  await mkdir(workplace, { recursive: true });
  const place = await mkdtemp(path.join(workplace, 'older-'));
  const name = path.basename(file).replace(/_[^_]*_/, `_${version}_`);
  await must('dpkg-deb', ['-R', file, path.join(place, 'package')]);
  await must('sed', ['-i', `s/^Version: .*/Version: ${version}/`, path.join(place, 'package/DEBIAN/control')]);
  await must('dpkg-deb', ['-Znone', '--root-owner-group', '-b', path.join(place, 'package'), path.join(place, name)]);
  await rm(path.join(place, 'package'), { recursive: true });
  return path.join(place, name);
}
