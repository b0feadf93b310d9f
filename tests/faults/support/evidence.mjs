// What a finished test finds besides the answers, in the form the checker takes: rows of the database, lines of the logs.

const epoch_ms = (column) => `(extract(epoch from ${column}) * 1000)::float8`;

const runs = (postgres) =>
  postgres.rows(`select r.id, r.idempotency_key as key, replace(r.credential_id::text, '-', '') as credential, replace(r.session_id::text, '-', '') as session, r.status,
      ${epoch_ms('r.finished_at')} as finished,
      (select count(*) from recruiting.agent_messages m where m.run_id = r.id and r.status = 'failed'
        and m.created_at > r.finished_at) as messages_after,
      (select count(*) from recruiting.usage_records u where u.subject_id = r.id) as metered,
      coalesce(e.actions, '') as recorded
    from recruiting.agent_runs r
    left join (select correlation_id, string_agg(action, ' ') as actions from recruiting.audit_log
      where action in ('agent.run_completed', 'agent.run_failed') group by correlation_id) e on e.correlation_id = r.id`);

const revoked = (postgres) =>
  postgres.rows(`select name, ${epoch_ms('revoked_at')} as at from recruiting.api_keys where revoked_at is not null`);

const audited = async (postgres) => {
  const rows = await postgres.rows(`select request_id, count(*) as times from recruiting.audit_log
    where action = 'api.request' group by request_id`);
  return Object.fromEntries(rows.map(({ request_id, times }) => [request_id, times]));
};

const recorded_as_failed = async (postgres) => {
  const rows = await postgres.rows(`select request_id from recruiting.audit_log
    where error_code = 'agent_run_failed' and not success and status_code = 200`);
  return rows.map(({ request_id }) => request_id);
};

// What an outage of PostgreSQL brings with it.
const expected_events = new Set(['audit_not_written']);

const errors_of = (instance) =>
  instance.log_lines().flatMap((line) => {
    let entry;
    try {
      entry = JSON.parse(line);
    } catch {
      return [`auth-api ${instance.number}, not a log line: ${line}`]; // what a dying process writes
    }
    return entry.level === 'error' && !expected_events.has(entry.event) ? [`auth-api ${instance.number}: ${line}`] : [];
  });

/** Moves what waits in the intake into the audit log, so that a test finds it there. */
export const seal = (postgres) => postgres.rows('select recruiting.seal_audit_rows(1000000)');

/** What is there once more or once less than the booking it belongs to; empty when nothing is. */
export const booking_problems = (postgres) => postgres.rows(`
    select 'overlap' as what, a.id from recruiting.bookings a join recruiting.bookings b
      on a.id < b.id and a.membership_id = b.membership_id and a.status = 'confirmed' and b.status = 'confirmed'
     and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
    union all
    select 'usage', b.id from recruiting.bookings b
     where (select count(*) from recruiting.usage_records u where u.subject_id = b.id)
           <> case b.status when 'confirmed' then 1 else 0 end
    union all
    select 'audit', b.id from recruiting.bookings b
     where (select count(*) from recruiting.audit_log l where l.target_id = replace(b.id::text, '-', '')) <> 1
    union all
    select 'mail', b.id from recruiting.bookings b
     where (select coalesce(string_agg(m.audience || ' ' || m.kind, ',' order by m.audience), '') from recruiting.mail_outbox m
            where m.booking_id = b.id)
           <> case b.status when 'confirmed' then 'candidate confirmed,interviewer confirmed' else 'candidate slot_taken' end`);

export const collect = async ({ postgres, model, instances }, requests) => {
  await seal(postgres);
  return {
    requests,
    model_calls: model.requests,
    runs: await runs(postgres),
    revoked: await revoked(postgres),
    audited: await audited(postgres),
    recorded_as_failed: await recorded_as_failed(postgres),
    errors: instances.flatMap(errors_of),
    exits: instances.flatMap((one) => one.exits),
  };
};
