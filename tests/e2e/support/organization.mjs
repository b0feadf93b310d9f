// An organization of a test's own, with members, jobs, candidates and applications, made the way an operator makes them.
import { randomBytes } from 'node:crypto';
import { create_key, import_records, recruitctl, sql, uuid } from './recruitctl.mjs';
import { record_secret } from './records.mjs';

/** A new organization with an admin; key() makes a key of one of its members. */
export const make_organization = async (name = 'End-to-end') => {
  const slug = `e2e-${randomBytes(5).toString('hex')}`;
  const created = await recruitctl('organization', 'create', '--slug', slug, '--name', name);
  const roles = new Map();
  const organization = {
    slug,
    id: created.id,
    admin: `admin@${slug}.example`,
    async add_member(role, email = `${role.replace('_', '-')}@${slug}.example`) {
      const member = await recruitctl('member', 'add', '--organization', slug, '--email', email,
        '--name', `${role} of ${slug}`, '--role', role);
      roles.set(email, role);
      return { ...member, email };
    },
    member: (verb, email, ...more) => recruitctl('member', verb, '--organization', slug, '--email', email, ...more),
    async key(scopes = '*', owner = organization.admin, more = {}) {
      // Viewers and interviewers may not create keys: theirs are from the time before they were demoted.
      const demoted = ['viewer', 'interviewer'].includes(roles.get(owner));
      if (demoted) await organization.member('set-role', owner, '--role', 'recruiter');
      const key = await create_key({ organization: slug, owner, scopes, ...more });
      if (demoted) await organization.member('set-role', owner, '--role', roles.get(owner));
      return key;
    },
    remove: (kind, external_id) =>
      import_records(kind, slug, [{ externalId: external_id, deletedAt: new Date().toISOString() }]),
    import: (kind, records) => import_records(kind, slug, records),
  };
  organization.admin_member = await organization.add_member('admin', organization.admin);
  return organization;
};

const kinds = ['applied', 'screen', 'interview', 'offer', 'hired'];
const stages = [
  { name: 'Applied', kind: 'applied' },
  { name: 'Screen', kind: 'screen', bookable: true, interviewDurationMinutes: 30 },
  { name: 'Interview', kind: 'interview', bookable: true, interviewDurationMinutes: 60 },
  { name: 'Offer', kind: 'offer' },
  { name: 'Hired', kind: 'hired' },
];
export const stage_names = stages.map((stage) => stage.name);
export const stage_kinds = kinds;

const statuses = ['open', 'open', 'open', 'draft', 'on_hold', 'closed', 'archived'];
const departments = ['Engineering', 'Sales', 'People & Culture'];
const workplaces = ['on_site', 'hybrid', 'remote'];
const employments = ['full_time', 'part_time', 'contract', 'temporary', 'internship', 'other'];

/** Job number i, as an import record: some published, some without a salary, one title with quotes and umlauts. */
export const job_record = (i) => ({
  externalId: `job-${i}`,
  title: i === 0 ? 'Köchin „Süd“ <& mehr>' : `Engineer ${String(i).padStart(3, '0')}`,
  status: statuses[i % statuses.length],
  requisitionId: i % 2 ? `REQ-${i}` : null,
  department: departments[i % departments.length],
  location: { name: 'Berlin', city: 'Berlin', region: null, countryCode: 'DE' },
  workplaceType: workplaces[i % workplaces.length],
  employmentType: employments[i % employments.length],
  openings: 1 + (i % 3),
  salary: i % 3 ? { min: 50000 + i, max: 70000 + i, currency: 'EUR', period: 'year' } : null,
  salaryPublished: i % 2 === 1,
  published: i % 3 !== 2,
  descriptionHtml: `<p>Work number ${i}</p>`,
  stages,
});

const sources = ['referral', 'careers page', 'agency'];
const names = ['Åsa Öberg', 'Bruno Díaz', 'Chloë Martin', 'Dmitri Ivanov', 'Eun-ji Park'];

/** Candidate number i, as an import record. Its e-mail is one of the texts no log may hold. */
export const candidate_record = (i, marker) => {
  const email = `person.${marker}.${i}@mail.example`;
  record_secret(email);
  return {
    externalId: `candidate-${i}`,
    name: `${names[i % names.length]} ${String(i).padStart(3, '0')}`,
    email,
    phone: i % 2 ? `+49 30 555 ${String(1000 + i)}` : null,
    currentTitle: i % 4 ? 'Accountant' : null,
    currentCompany: `Company ${i % 7}`,
    location: i % 5 ? { name: 'Lyon, France', city: 'Lyon', region: null, countryCode: 'FR' } : null,
    links: i % 3 ? [{ type: 'website', url: `https://people.example/${marker}/${i}` }] : [],
    source: sources[i % sources.length],
    tags: i % 2 ? ['backend', 'remote'] : ['sales'],
  };
};

export const application_record = (candidate, job, more = {}) => ({
  externalId: `application-${candidate}-${job}`,
  candidateExternalId: `candidate-${candidate}`,
  jobExternalId: `job-${job}`,
  stageName: stage_names[candidate % 3],
  status: candidate % 6 === 5 ? 'rejected' : 'active',
  source: sources[candidate % sources.length],
  ...more,
});

const range = (n) => Array.from({ length: n }, (_, i) => i);

/** Fills an organization: each candidate applies to job (i mod 3), and every fourth also to job 3. */
export const fill = async (organization, { jobs = 21, candidates = 61 } = {}) => {
  await organization.import('jobs', range(jobs).map(job_record));
  await organization.import('candidates', range(candidates).map((i) => candidate_record(i, organization.slug)));
  await organization.import('applications', range(candidates).flatMap((i) => [
    application_record(i, i % Math.min(jobs, 3)),
    ...(i % 4 === 0 && jobs > 3 ? [application_record(i, 3)] : []),
  ]));
};

/** The API id of an imported record. table: jobs or candidates. */
export const id_of = async (organization, table, external_id) => {
  const [[id]] = await sql(`select replace(id::text, '-', '') from recruiting.${table}
    where organization_id = ${uuid(organization.id)} and external_id = '${external_id}'`);
  return id;
};

/** Makes these members the whole hiring team of job number i. */
export const set_hiring_team = (organization, i, emails) =>
  organization.import('jobs', [{ ...job_record(i), hiringTeam: emails.map((email) => ({ email, role: 'hiring_manager' })) }]);
