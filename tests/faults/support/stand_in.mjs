// A mail or model server in a process of its own, so that it can be killed and paused: stand_in.mjs smtp|model PORT JOURNAL.
// What it has taken is a line each of the journal, written before the answer.
import { appendFileSync } from 'node:fs';
import { start_model_double } from '../../support/model_double.mjs';
import { start_smtp_double } from '../../support/smtp_double.mjs';

const [kind, port, journal] = process.argv.slice(2);
const write_down = (line) => appendFileSync(journal, `${line}\n`);

if (kind === 'smtp') {
  await start_smtp_double({ port: Number(port), delay: () => 5, taken: ({ id }) => write_down(id) });
} else {
  let calls = 0;
  const answer = ({ prompt }) => {
    write_down(prompt);
    calls += 1;
    return { text: `Done: ${prompt}`, delay: 20 + ((calls * 37) % 100) };
  };
  await start_model_double(answer, { port: Number(port) });
}
