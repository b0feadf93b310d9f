// Faults at random moments: one actor an instance, one for PostgreSQL, until so many have been done together.
import { pause } from './wait.mjs';

const instance_faults = (instance, lease, random) => ({
  async killed() {
    await instance.end('SIGKILL');
    if (random.chance(0.3)) await pause(random.between(0, lease * 1.5));
    await instance.start();
  },
  async paused_past_its_lease() {
    instance.signal('SIGSTOP');
    await pause(random.between(lease * 1.1, lease * 2));
    instance.signal('SIGCONT');
  },
  async paused_shortly() {
    instance.signal('SIGSTOP');
    await pause(random.between(10, lease * 0.7));
    instance.signal('SIGCONT');
  },
  async paused_and_killed() {
    instance.signal('SIGSTOP');
    await pause(random.between(10, lease * 1.5));
    await instance.end('SIGKILL');
    await instance.start();
  },
  async terminated() {
    await instance.end('SIGTERM');
    await instance.start();
  },
});

const postgres_faults = (postgres, lease, random) => ({
  connections_ended: () => postgres.end_connections(),
  postgres_stalled: () => postgres.stall(random.between(10, lease * 1.5)),
  backend_stalled: () => postgres.stall_backend(random.between(10, lease * 1.5)),
  backend_crashed: () => postgres.crash_backend(),
  async postgres_crashed() {
    await postgres.crash();
    await pause(random.between(0, lease * 1.5));
    await postgres.start();
  },
});

const instance_weights = [[35, 'killed'], [20, 'paused_past_its_lease'], [25, 'paused_shortly'], [5, 'paused_and_killed'], [15, 'terminated']];
const postgres_weights = [
  [25, 'connections_ended'], [15, 'backend_crashed'], [15, 'postgres_crashed'], [25, 'postgres_stalled'], [20, 'backend_stalled'],
];

/** Resolves when `count` faults have been done; the answer tells how many of each. random_for(name): an actor's own. */
export const inject = async ({ count, instances, postgres, lease, random_for, on_fault = () => {} }) => {
  const done = {};
  let left = count;
  const act = async (name, faults_of, weights, most_quiet) => {
    const random = random_for(name);
    const faults = faults_of(random);
    while (left > 0) {
      await pause(random.between(0, most_quiet));
      if (left <= 0) return;
      left -= 1;
      const kind = random.weighted(weights);
      done[kind] = (done[kind] ?? 0) + 1;
      on_fault(name, kind);
      await faults[kind]();
    }
  };
  await Promise.all([
    ...instances.map((one) => act(`auth-api ${one.number}`, (random) => instance_faults(one, lease, random), instance_weights, 700)),
    act('PostgreSQL', (random) => postgres_faults(postgres, lease, random), postgres_weights, 4_000),
  ]);
  return done;
};
