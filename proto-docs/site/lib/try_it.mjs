// The curl lines of the reference. They work as they stand after `scripts/up` and `. .run/env`: the tests run each one
// of the built site and compare its status.
const key = '-H "Authorization: Bearer $RECRUITING_DEMO_KEY"';
const json = "-H 'Content-Type: application/json'";
const at = (path) => `"$RECRUITING_GATEWAY_URL${path}"`;
// As many words a line as fit.
const wrapped = (words) => words.reduce((rows, word) => {
  const last = rows.at(-1);
  return !last || last.length + word.length > 88 ? [...rows, last ? `  ${word}` : word] : [...rows.slice(0, -1), `${last} ${word}`];
}, []).join(' \\\n');
const from = (name, path, query, fields = []) => [`${name}=$(${wrapped(['curl -s', ...fields, at(path), `| jq -r '${query}')`])}`];

const api = '/api/v1';
const open = '/api/public/v1';
const first_of = (list) => from('id', `${api}/${list}?limit=1`, '.data[0].id', [key]);
const session = [
  `id=$(${wrapped(['curl -s', key, json, `-d '{"prompt":"How many open jobs are there?"}'`, at(`${api}/agent/invoke`), '| jq -r .sessionId)'])}`,
];
const public_job = from('job', `${open}/organizations/acme/jobs?limit=1`, '.data[0].id');
const bookable = [
  "slot=$(recruitctl slots list --organization acme --limit 1 --json | jq '.data[0]')",
  'job=$(jq -r .jobId <<<"$slot") stage=$(jq -r .stageId <<<"$slot")',
];
// Nobody but its candidate has a link's token: the documents show what any other is answered.
const unknown_link = { before: ['token=the-43-characters-of-the-link-in-a-mail-000'], values: { token: '$token' }, status: 404 };

/** By operationId: lines before, what path parameters become, query, body, further fields, the status if not a 2xx. */
const recipes = {
  getJob: { before: [first_of('jobs')], values: { id: '$id' } },
  listJobCandidates: { before: [first_of('jobs')], values: { id: '$id' }, query: 'limit=2' },
  getCandidate: { before: [first_of('candidates')], values: { id: '$id' } },
  getPipeline: { before: [first_of('jobs')], query: 'jobId=$id' },
  getAgentSession: { before: session, values: { id: '$id' } },
  invokeAgent: { fields: ["-H 'Idempotency-Key: try-1'"], body: '{"prompt":"How many open jobs are there?"}' },
  listPublicJobsOfOrganization: { query: 'organization=acme&limit=2' },
  getPublicJob: { before: [public_job], values: { jobId: '$job' } },
  getJobPosting: { before: [public_job], values: { jobId: '$job' } },
  listInterviewSlots: { before: bookable, values: { jobId: '$job', stageId: '$stage' } },
  bookInterview: {
    before: [...bookable, 'start=$(jq -r .startsAt <<<"$slot")'],
    values: { jobId: '$job', stageId: '$stage' }, body: `{"email":"somebody@mail.example","slotStart":"'"$start"'"}`,
  },
  getBooking: unknown_link,
  listFreeSlots: unknown_link,
  rescheduleBooking: { ...unknown_link, body: '{"slotStart":"2030-01-14T09:00:00Z"}' },
  cancelBooking: unknown_link,
  getInvitation: unknown_link,
};

const some_values = { slug: 'acme', jobId: '0199c1a1c3d87f02b5a6e4d17c930f58', stageId: '0199c1a1c3d97a10894fb2c6d5e07315', token: 'token' };

const preflight = ({ path }, asked) => [
  '-X OPTIONS -H "Origin: https://www.acme.example"', `-H "Access-Control-Request-Method: ${asked}"`, at(fill(path, some_values)),
];

const fill = (path, values) => path.replace(/\{(\w+)\}/g, (_, name) => {
  const value = values[name] ?? (name === 'slug' ? some_values.slug : undefined);
  if (value === undefined) throw new Error(`no curl line for ${path}: try_it.mjs has no value of ${name}`);
  return value;
});

const words_of = (operation, recipe) => {
  if (operation.method === 'OPTIONS') return preflight(operation, /bookings$|reschedule$|cancel$/.test(operation.path) ? 'POST' : 'GET');
  const limited = operation.parameters.some(({ name }) => name === 'limit');
  const query = recipe.query ?? (limited && !recipe.before ? 'limit=2' : '');
  return [
    operation.method === 'POST' && !recipe.body && '-X POST',
    operation.needs_credential && key,
    ...(recipe.fields ?? []),
    recipe.body && json,
    recipe.body && `-d '${recipe.body}'`,
    at(fill(operation.path, recipe.values ?? {}) + (query && `?${query}`)),
  ].filter(Boolean);
};

/** { text, status }: what to paste into a shell, and what is answered. */
export const try_lines = (operation) => {
  const recipe = recipes[operation.id] ?? {};
  const success = operation.answers.map(({ name }) => name).find((name) => name.startsWith('2'));
  const status = String(recipe.status ?? success);
  if (!operation.answers.some(({ name }) => name === status)) throw new Error(`${operation.id}: ${status} is not documented`);
  return { text: [...(recipe.before ?? []).flat(), wrapped(['curl', ...words_of(operation, recipe)])].join('\n'), status };
};
