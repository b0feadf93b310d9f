// An organization with a job whose interviews can be booked, and candidates who wait for one.
import { get_public } from '../../e2e/support/client.mjs';
import { application_record, candidate_record, id_of, job_record, make_organization } from '../../e2e/support/organization.mjs';
import { sql, uuid } from '../../e2e/support/recruitctl.mjs';

const job_number = 3;
const at_screen = (i) => 3 * i + 1; // these of candidate_record's wait at the stage "Screen"

/** Half hours from 8 to 12 o'clock UTC, on so many days from the day after tomorrow on. */
const open_slots = (organization, job, stage, days) => sql(`
  insert into recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at)
  select gen_random_uuid(), m.organization_id, ${uuid(job)}, ${uuid(stage)}, m.id, at, at + interval '30 minutes'
  from recruiting.memberships m,
       generate_series(1, ${days}) day, generate_series(0, 7) half_hour,
       lateral (select (date_trunc('day', now() at time zone 'UTC') + (day + 1) * interval '1 day'
                        + interval '8 hours' + half_hour * interval '30 minutes') at time zone 'UTC') as s (at)
  where m.organization_id = ${uuid(organization.id)} limit 1000`);

/** {organization, job, stage, emails}: everything the booking element needs. */
export const make_interview = async ({ days = 15, candidates = 1, name = 'Acme Robotics' } = {}) => {
  const organization = await make_organization(name);
  await organization.import('jobs', [{ ...job_record(job_number), status: 'open', published: true, title: 'Senior Backend Engineer' }]);
  const people = Array.from({ length: candidates }, (_, i) => candidate_record(at_screen(i), organization.slug));
  await organization.import('candidates', people);
  await organization.import('applications', people.map((_, i) => application_record(at_screen(i), job_number)));
  const job = await id_of(organization, 'jobs', `job-${job_number}`);
  const [stage] = await published_stages(job);
  await open_slots(organization, job, stage.stageId, days);
  return { organization, job, stage: stage.stageId, emails: people.map(({ email }) => email) };
};

// What is published is served from memory, which hears of changes a moment later.
const published_stages = async (job) => {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
    const { status, json } = await get_public(`/jobs/${job}`, { expect: undefined });
    if (status === 200) return json.data.bookableStages;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`job ${job} is not shown`);
};

/** The status of an organization's bookings, as the worker has left them, once there are so many. */
export const bookings_of = async (organization, count) => {
  for (const deadline = Date.now() + 30_000; ;) {
    const rows = await sql(`select status, to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), time_zone
      from recruiting.bookings where organization_id = ${uuid(organization.id)} order by created_at`);
    if (rows.length >= count || Date.now() > deadline) return rows;
    await new Promise((done) => setTimeout(done, 50));
  }
};
