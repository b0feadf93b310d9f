// recruitctl top beside the running system: as text, as JSON, and live in a terminal (tmux).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { environment } from '../../support/environment.mjs';
import { await_condition } from '../../support/programs.mjs';
import { run_recruitctl } from '../../support/recruitctl.mjs';

test('--json: every program, with its figures', async () => {
  const { code, stdout, stderr } = await run_recruitctl('top', '--json', '--interval', '3s');
  assert.equal(code, 0, stderr);
  const { rateLimit, instances } = JSON.parse(stdout);
  assert.equal(rateLimit, 'shared');
  assert.deepEqual(instances.map(({ program }) => program), ['gateway', 'auth-api', 'public-api']);
  for (const one of instances) {
    assert.equal(one.state, 'ready', one.program);
    assert.equal(typeof one.requestsPerSecond, 'number', one.program);
  }
  assert.deepEqual(instances[0].upstreams.map(({ name, up }) => [name, up]), [['auth-api', true], ['public-api', true]]);
});

test('in a pipe: one frame as text; one that is away is told', async () => {
  // A program has the interval to answer in, 5 s at most.
  const { code, stdout } = await run_recruitctl('top', '--once', '--interval', '3s');
  assert.equal(code, 0);
  assert.match(stdout, /3 of 3 ready/);
  assert.doesNotMatch(stdout, /\x1b/);
  const away = await run_recruitctl('top', '--once', '--interval', '200ms', '--gateway', '127.0.0.1:9');
  assert.equal(away.code, 1);
  assert.match(away.stdout, /0 of 1 ready/);
  assert.equal((await run_recruitctl('top', '--interval', 'often')).code, 2);
});

// A terminal of our own: a tmux server on a socket of its own.
const folder = mkdtempSync(join(tmpdir(), 'recruiting-top-'));
const tmux = (...args) =>
  execFileSync('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', ...args], {
    env: { ...environment, TMUX: '', LANG: 'C.UTF-8', TERM: 'xterm-256color' },
    encoding: 'utf8',
  });
const screen = () => tmux('capture-pane', '-p', '-t', 'top');
const shows = async (pattern) => {
  const told = (error) => assert.fail(`${error.message}; it shows:\n${screen()}`);
  await await_condition(() => pattern.test(screen()), `the screen shows ${pattern}`, 60).catch(told);
};
const press = (...keys) => tmux('send-keys', '-t', 'top', ...keys);

before(() => {
  tmux('new-session', '-d', '-s', 'top', '-x', '80', '-y', '24', 'env PS1=ready$ bash --norc --noprofile');
});
after(() => {
  tmux('kill-server');
  rmSync(folder, { recursive: true });
});

test('live: keys work, a resize is followed, and the terminal is left as it was', async () => {
  await shows(/ready\$/);
  press('recruitctl top --interval 200ms', 'Enter');
  await shows(/3 of 3 ready/);
  await shows(/s sort: rate/);
  press('s');
  await shows(/s sort: errors/);
  press('p');
  await shows(/PAUSED/);
  press('p');
  await await_condition(() => !/PAUSED/.test(screen()), 'it goes on', 60);
  press('?');
  await shows(/ctrl-C\s+quit/);
  press('?');
  assert.doesNotMatch(screen(), /VERSION/);
  tmux('resize-window', '-t', 'top', '-x', '140', '-y', '40');
  await shows(/VERSION/);
  tmux('resize-window', '-t', 'top', '-x', '30', '-y', '8');
  await await_condition(() => !/VERSION/.test(screen()), 'it fits the small screen', 60);
  tmux('resize-window', '-t', 'top', '-x', '80', '-y', '24');
  press('q');
  await shows(/ready\$\s*$/);
  // In a line of its own, for the shell draws its prompt's line again when it notices the new size.
  press("stty -a | grep -o -w -e '-*icanon' -e '-*echo' | xargs", 'Enter');
  await shows(/^icanon echo$/m); // without a minus: on
});

const told = (pid, what) => readFileSync(`/proc/${pid}/${what}`, 'utf8').trim();
const running_top = (pid = tmux('display-message', '-p', '-t', 'top', '#{pane_pid}').trim()) =>
  told(pid, 'comm') === 'recruitctl' ? Number(pid)
    : told(pid, `task/${pid}/children`).split(' ').filter(Boolean).map((child) => running_top(child)).find(Boolean);

test('live: ctrl-C, SIGTERM and ctrl-Z give the terminal back', async () => {
  for (const end of [() => press('C-c'), () => process.kill(running_top(), 'SIGTERM'), () => press('C-z')]) {
    press('clear; recruitctl top --interval 200ms; echo over', 'Enter');
    await shows(/3 of 3 ready/);
    end();
    await shows(/over|Stopped/);
    assert.doesNotMatch(screen(), /PROGRAM/);
  }
  press('fg', 'Enter');
  await shows(/3 of 3 ready/);
  press('q');
  await shows(/ready\$\s*$/);
});
