// An organization with a job whose interviews can be booked, and candidates who wait for one.
import { get_public, public_prefix, send } from '../e2e/support/client.mjs';
import { application_record, candidate_record, id_of, job_record, make_organization } from '../e2e/support/organization.mjs';
import { recruitctl, sql, uuid } from '../e2e/support/recruitctl.mjs';

const job_number = 3;
const at_screen = (i) => 3 * i + 1; // these of candidate_record's wait at the stage "Screen"

const day_in = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Slots from 8 to 12 o'clock UTC, on so many days from the day after tomorrow on. They make the stage bookable. */
export const open_slots = (organization, job, stage, days, { duration = '30m', from = 8 } = {}) =>
  recruitctl('slots', 'open', '--organization', organization.slug, '--job', job, '--stage', stage, '--interviewer', organization.admin,
    '--from', `${day_in(2)}T${String(from).padStart(2, '0')}:00`, '--to', `${day_in(days + 1)}T${from + 4}:00`, '--duration', duration, '--time-zone', 'UTC', '--weekdays', 'mon-sun');

/** {organization, job, stage, emails}: everything the booking element needs. */
export const make_interview = async ({ days = 15, candidates = 1, name = 'Acme Robotics' } = {}) => {
  const organization = await make_organization(name);
  await organization.import('jobs', [{ ...job_record(job_number), status: 'open', published: true, title: 'Senior Backend Engineer' }]);
  const people = Array.from({ length: candidates }, (_, i) => candidate_record(at_screen(i), organization.slug));
  await organization.import('candidates', people);
  await organization.import('applications', people.map((_, i) => application_record(at_screen(i), job_number)));
  const job = await id_of(organization, 'jobs', `job-${job_number}`);
  const [stage] = await published_stages(job);
  if (days > 0) await open_slots(organization, job, stage.id, days);
  return { organization, job, stage: stage.id, emails: people.map(({ email }) => email) };
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

/** When a candidate may begin, once there is such a time: what is published is served from memory. */
export const free_times = async ({ job, stage }) => {
  for (const deadline = Date.now() + 30_000; ;) {
    const { json } = await get_public(`/scheduling/${job}/${stage}/slots`, { expect: undefined });
    if (json.data?.length > 0 || Date.now() > deadline) return json.data.map(({ slotStart }) => slotStart);
    await new Promise((done) => setTimeout(done, 200));
  }
};

export const book = ({ job, stage }, email, slotStart) =>
  send('POST', `${public_prefix}/scheduling/${job}/${stage}/bookings`, {
    headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email, slotStart, timeZone: 'Europe/Berlin' }), expect: 200,
  });

/** The status of an organization's bookings, as the worker has left them, once there are so many. */
export const bookings_of = async (organization, count) => {
  for (const deadline = Date.now() + 30_000; ;) {
    const rows = await sql(`select status, to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), time_zone
      from recruiting.bookings where organization_id = ${uuid(organization.id)} order by created_at`);
    if (rows.length >= count || Date.now() > deadline) return rows;
    await new Promise((done) => setTimeout(done, 50));
  }
};
