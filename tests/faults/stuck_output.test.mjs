// Nobody reads a program's standard output: the program serves all the same, and what could not be logged is counted.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { ask } from './support/http.mjs';
import { start_instance } from './support/instance.mjs';
import { start_postgres } from './support/postgres.mjs';
import { until } from './support/wait.mjs';
import { auth_api_settings, make_operator, make_secrets, programs } from './support/world.mjs';

const settings_of = {
  'auth-api': (folder, postgres) => ({ ...auth_api_settings(folder, postgres), RECRUITING_MAIL_URL: '' }),
  'public-api': (folder, postgres) => ({
    RECRUITING_CURSOR_SECRET_FILE: join(folder, 'cursor'),
    RECRUITING_PUBLIC_API_DATABASE_URL: postgres.url('recruiting_public'),
    RECRUITING_PUBLIC_API_THREADS: '2',
    RECRUITING_PUBLIC_API_DRAIN_DELAY: '0ms',
  }),
  gateway: () => ({
    RECRUITING_REDIS_URL: 'redis://127.0.0.1:9',
    RECRUITING_GATEWAY_RATE_LIMIT_MODE: 'off',
    RECRUITING_GATEWAY_ACCESS_LOG_REJECTED: '1000000000', // each of these requests is refused
    RECRUITING_GATEWAY_THREADS: '2',
    RECRUITING_GATEWAY_DRAIN_DELAY: '0ms',
  }),
};

/** Requests over kept connections, each answered and logged, until the condition holds. */
const flood = async (port, condition) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  let done = false;
  const worker = async () => {
    while (!done) {
      await new Promise((answered, fail) => {
        const request = http.get({ port, agent, path: `/${'x'.repeat(200)}` }, (answer) => answer.resume().on('end', answered));
        request.on('error', fail);
      });
    }
  };
  const workers = Array.from({ length: 16 }, worker);
  try {
    await until(condition, 'lines are dropped', 180);
  } finally {
    done = true;
    await Promise.all(workers);
    agent.destroy();
  }
};

for (const name of Object.keys(settings_of)) {
  test(`${name} serves, tells its metrics and its health, and ends in time while its standard output is stuck`, { timeout: 400_000 }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'recruiting-stuck-'));
    t.after(() => rmSync(folder, { recursive: true }));
    make_secrets(folder);
    let postgres;
    if (name !== 'gateway') {
      postgres = await start_postgres();
      t.after(() => postgres.stop());
      await make_operator(folder, postgres)('migrate');
    }
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const ends = openSync(pipe, 'r+'); // both: a write finds a reader, which never reads
    t.after(() => closeSync(ends));
    const instance = await start_instance(1, {
      name,
      program: join(programs(), `recruiting-${name}`),
      settings: settings_of[name](folder, postgres),
      folder,
      output: ends,
    });
    t.after(() => instance.end('SIGKILL'));
    const dropped = () => instance.metric('recruiting_log_lines_dropped_total');
    assert.equal(await dropped(), 0);
    await flood(instance.port, async () => (await dropped()) > 0);
    assert.match(await instance.admin('/healthz'), /ok/);
    assert.ok((await ask({ port: instance.port, path: '/', timeout: 5_000 })).status > 0);

    // The reader comes back: every line is whole, the gap is told, and the log goes on.
    let told = 0;
    const reader = createReadStream(pipe);
    const lines = createInterface({ input: reader });
    lines.on('line', (line) => {
      const { event, lines: gap } = JSON.parse(line);
      if (event === 'log_lines_dropped') told += gap;
    });
    await until(async () => told > 0 && told === (await dropped()), 'the gap is told');
    lines.close();
    reader.destroy();

    // Stuck once more, at the end: what can't be written is waited for no longer than a second.
    const lost = await dropped();
    await flood(instance.port, async () => (await dropped()) > lost);
    await instance.end('SIGTERM');
    assert.deepEqual(instance.exits, [{ asked: 'SIGTERM', got: 0 }]);
  });
}
