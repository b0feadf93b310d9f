// What must hold of a system at rest, whatever happened: nothing acknowledged is lost, nothing happened twice, nothing is stuck.
import { seal } from './evidence.mjs';
import { until } from './wait.mjs';

const longest_rest = 20; // seconds

const left_sql = `select (select count(*) from recruiting.booking_requests) bookings,
  (select count(*) from recruiting.mail_outbox where status = 'waiting') mails,
  (select count(*) from recruiting.agent_runs where status = 'in_progress') runs`;

const doubled_sql = `
  select 'audit row of ' || request_id as what from recruiting.audit_log where action = 'api.request' group by request_id having count(*) > 1
  union all select 'interview of ' || candidate_id from recruiting.bookings group by candidate_id having count(*) > 1
  union all select 'slot ' || a.slot_id from recruiting.bookings a join recruiting.bookings b
    on a.id < b.id and a.membership_id = b.membership_id and a.status = 'confirmed' and b.status = 'confirmed'
   and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
  union all select 'run of ' || idempotency_key from recruiting.agent_runs group by credential_id, idempotency_key having count(*) > 1
  union all select 'end of run ' || correlation_id from recruiting.audit_log
    where action in ('agent.run_completed', 'agent.run_failed') group by correlation_id having count(*) > 1
  union all select 'usage of ' || subject_id from recruiting.usage_records group by subject_id having count(*) > 1
  union all select 'mail to ' || booking_id || ' ' || audience from recruiting.mail_outbox group by booking_id, audience, kind having count(*) > 1`;

const names = async (postgres, query) => new Set((await postgres.rows(query)).map(({ name }) => name));

/** What the ledger of a load has and the system has not. */
const find_lost = async (system, ledger) => {
  const { postgres } = system;
  const audited = await names(postgres, "select request_id as name from recruiting.audit_log where action = 'api.request'");
  const booked = await names(postgres, 'select c.email as name from recruiting.bookings b join recruiting.candidates c on c.id = b.candidate_id');
  const ends = await postgres.rows("select idempotency_key as name, status, replace(session_id::text, '-', '') as session from recruiting.agent_runs");
  const runs = new Map(ends.map((run) => [run.name, `${run.status} ${run.session}`]));
  const mails = await names(postgres, "select replace(id::text, '-', '') || '@example.com' as name from recruiting.mail_outbox where status = 'sent'");
  const dead = await names(postgres, "select id::text as name from recruiting.mail_outbox where status not in ('waiting', 'sent')");
  const arrived = new Set(system.journal('smtp'));
  return [
    ...ledger.reads.filter((id) => !audited.has(id)).map((id) => `audit row of ${id}`),
    ...ledger.bookings.filter((email) => !booked.has(email)).map((email) => `booking of ${email}`),
    ...ledger.invokes.filter(({ name, status, sessionId }) => runs.get(name) !== `${status} ${sessionId}`).map(({ name }) => `run ${name}, or its end`),
    ...[...mails].filter((id) => !arrived.has(id)).map((id) => `mail ${id}`),
    ...[...dead].map((id) => `mail ${id}, given up`),
  ];
};

/** Runs that called the model more than once; each of the load's needs one call. */
export const repeated_calls = (system) => {
  const seen = new Set();
  return system.journal('model').filter((prompt) => seen.size === seen.add(prompt).size);
};

/** {lost, doubled, stuck}: lists of what is wrong. The load must rest. */
export const check_system = async (system, ledger) => {
  const stuck = [];
  await until(async () => {
    const [left] = await system.postgres.rows(left_sql);
    stuck.splice(0, stuck.length, ...Object.entries(left).filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`));
    return stuck.length === 0;
  }, 'queues are empty', longest_rest).catch(() => {});
  await seal(system.postgres);
  const doubled = (await system.postgres.rows(doubled_sql)).map(({ what }) => what);
  return { lost: await find_lost(system, ledger), doubled, stuck };
};
