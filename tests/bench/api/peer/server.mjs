// What auth-api is measured beside: Fastify and pg as packaged. Key, live role and record in one statement; the audit rows of
// concurrent requests in one INSERT, and each answer after its commit. PORT and PGHOST (a socket's folder) say where.
import { createHash, randomUUID } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ user: 'postgres', database: 'peer', max: 16, min: 4, idleTimeoutMillis: 600_000 });
const run = (statement, values) => pool.query({ ...statement, values });

const principal = `SELECT k.id AS key_id, m.id AS member_id, m.role, m.org_id FROM api_keys k JOIN members m ON m.id = k.member_id
  WHERE k.hash = $1 AND k.revoked_at IS NULL AND m.active`;
const job_columns = 'j.id, j.slug, j.title, j.location, j.description, j.status, j.published_at, j.updated_at';
const candidate_columns = 'c.id, c.job_id, c.full_name, c.email, c.phone, c.stage, c.score, c.created_at';
const job_statement = {
  name: 'job',
  text: `SELECT a.*, ${job_columns} FROM (${principal}) a LEFT JOIN jobs j ON j.org_id = a.org_id AND j.id = $2`,
};
const page_statement = {
  name: 'page',
  text: `SELECT a.*, ${candidate_columns} FROM (${principal}) a LEFT JOIN LATERAL (SELECT * FROM candidates c
    WHERE c.org_id = a.org_id AND (c.created_at, c.id) < (to_timestamp($2::float8), $3::bigint)
    ORDER BY c.created_at DESC, c.id DESC LIMIT 50) c ON true`,
};
const audit_statement = {
  name: 'audit',
  text: `INSERT INTO audit_log (org_id, member_id, key_id, action, target_type, target_id, ip, request_id)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::inet[], $8::uuid[])`,
};

const waiting = [];
let writing = false;

function audit(row) {
  return new Promise((resolve, reject) => {
    waiting.push({ row, resolve, reject });
    if (!writing) write_batches();
  });
}

async function write_batches() {
  writing = true;
  await new Promise((resolve) => setImmediate(resolve)); // requests of the same turn of the loop still join
  while (waiting.length) {
    const batch = waiting.splice(0, 128);
    const columns = batch[0].row.map((_, column) => batch.map(({ row }) => row[column]));
    try {
      await run(audit_statement, columns);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  writing = false;
}

const roles = new Set(['owner', 'admin', 'recruiter', 'viewer']);
const text = { type: 'string' };
const integer = { type: 'integer' };
const record = (integers, texts) => ({
  type: 'object',
  properties: Object.fromEntries([...integers.map((name) => [name, integer]), ...texts.map((name) => [name, text])]),
});
const job = record(['id'], ['slug', 'title', 'location', 'description', 'status', 'published_at', 'updated_at']);
const candidate = record(['id', 'job_id', 'score'], ['full_name', 'email', 'phone', 'stage', 'created_at']);

// The statement's rows, once the request's audit row is durable; undefined: it was refused.
async function read(request, reply, statement, values, action, target, target_id) {
  const [scheme, key] = (request.headers.authorization ?? '').split(' ');
  if (scheme !== 'Bearer') return void reply.code(401).send({ error: 401 });
  const { rows } = await run(statement, [createHash('sha256').update(key).digest(), ...values]);
  if (!rows.length) return void reply.code(401).send({ error: 401 });
  const { org_id, member_id, key_id, role } = rows[0];
  if (!roles.has(role)) return void reply.code(403).send({ error: 403 });
  await audit([org_id, member_id, key_id, action, target, target_id, request.ip, randomUUID()]);
  return rows;
}

const app = fastify({ logger: false });
app.get('/v1/jobs/:id', { schema: { params: record(['id'], []), response: { 200: job } } }, async (request, reply) => {
  const rows = await read(request, reply, job_statement, [request.params.id], 'job.read', 'job', request.params.id);
  if (!rows) return reply;
  return rows[0].id === null ? reply.code(404).send({ error: 404 }) : rows[0];
});
const page = { type: 'object', properties: { data: { type: 'array', items: candidate }, next: text } };
app.get('/v1/candidates', { schema: { response: { 200: page } } }, async (request, reply) => {
  const { at, id } = request.query;
  const rows = await read(request, reply, page_statement, [at, id], 'candidate.list', 'candidate', null);
  if (!rows) return reply;
  const last = rows.at(-1);
  return { data: rows, next: `${Math.floor(last.created_at / 1000)}.${last.id}` };
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4096 });
