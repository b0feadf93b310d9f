// The TypeScript client behind the command line of recruiting.sh; waits are written down and pass on a clock of their own.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { env } = process;
const { Client, GaveUp, OutcomeUnknown, Refused, RunFailed, StartOver, verifyWebhook } = await import(pathToFileURL(join(env.COMPILED_DIR, 'recruiting.js')));

let elapsed = 0;
const client = new Client(env.RECRUITING_GATEWAY_URL, {
  apiKey: env.API_KEY,
  clock: () => elapsed,
  sleep: async (milliseconds) => {
    elapsed += milliseconds;
    appendFileSync(env.WAITS_FILE, `${milliseconds / 1000}\n`);
  },
  patience: Number(env.RECRUITING_PATIENCE ?? 600) * 1000,
  readTimeout: Number(env.RECRUITING_READ_TIMEOUT ?? 30) * 1000,
  runTimeout: Number(env.RECRUITING_RUN_TIMEOUT ?? 180) * 1000,
});

const print_records = (records) => records.forEach((record) => console.log(JSON.stringify(record)));
const commands = {
  get: async (path) => console.log(JSON.stringify(await client.get(path))),
  list: async (path) => {
    for await (const record of client.listAll(path)) print_records([record]);
  },
  sync: async (path, state) => {
    for await (const { records, token } of client.sync(path, existsSync(state) ? readFileSync(state, 'utf8') : '')) {
      print_records(records);
      writeFileSync(state, token);
    }
  },
  invoke: async (key, prompt) => console.log(await client.invoke(key, prompt)),
  resume: async (session, prompt) => console.log(await client.resume(session, prompt)),
  slots: async (job, stage) => print_records(await client.slots(job, stage)),
  book: (...given) => client.book(...given),
  verify: async (id, timestamp, signature) => {
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    print_records([await verifyWebhook(headers, readFileSync(0), ...env.WEBHOOK_SECRETS.split(' '))]);
  },
};

try {
  const [command, ...given] = process.argv.slice(2);
  await commands[command](...given);
} catch (error) {
  console.error(error.message);
  const kinds = [[RunFailed, 1], [Refused, 2], [GaveUp, 3], [OutcomeUnknown, 4], [StartOver, 5]];
  process.exitCode = kinds.find(([kind]) => error instanceof kind)?.[1] ?? 2;
}
