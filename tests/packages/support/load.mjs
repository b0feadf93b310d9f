// Asks for the addresses again and again, each time on a new connection, until its standard input ends; then prints how
// many answers there were and what failed. Runs in a machine's network.
import http from 'node:http';

const addresses = process.argv.slice(2);
const tally = { answered: 0, failed: {} };
let done = false;
process.stdin.on('end', () => (done = true)).resume();

function ask(address) {
  return new Promise((resolve) => {
    const request = http.get(address, { agent: false, timeout: 60_000 }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode < 500 ? undefined : `${address}: ${answer.statusCode}`));
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', (error) => resolve(`${address}: ${error.code ?? error.message}`));
  });
}

while (!done) {
  for (const problem of await Promise.all(addresses.map(ask))) {
    tally.answered += 1;
    if (problem) tally.failed[problem] = (tally.failed[problem] ?? 0) + 1;
  }
  if (tally.answered === addresses.length) console.log('answered');
  await new Promise((resolve) => setTimeout(resolve, 5));
}
console.log(JSON.stringify(tally));
