// What a test of booking runs against: PostgreSQL and Redis of its own, an organization that interviews, public-api and
// several auth-api whose workers book.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start_instance } from './instance.mjs';
import { start_postgres } from './postgres.mjs';
import { until } from './wait.mjs';
import { auth_api_settings, make_operator, make_secrets, programs } from './world.mjs';

const slug = 'interviews';
export const candidate_email = (i) => `c${String(i).padStart(6, '0')}@mail.example`;
/** As long as a candidate's, and nobody's. */
export const stranger_email = (i) => `s${String(i).padStart(6, '0')}@mail.example`;

export const start_redis = async (folder) => {
  const socket = join(folder, 'redis.sock');
  const output = openSync(join(folder, 'redis.log'), 'a');
  const child = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder],
    { env: { PATH: process.env.PATH }, stdio: ['ignore', output, output] });
  await until(() => new Promise((done) => {
    const probe = net.connect(socket).on('error', () => done(false)).on('connect', () => { probe.destroy(); done(true); });
  }), 'Redis answers');
  return {
    url: `unix://${socket}`,
    keys: () => execFileSync('redis-cli', ['-s', socket, '--scan'], { encoding: 'utf8' }).split('\n').filter(Boolean),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
};

/** One job with one bookable stage; candidates with active applications there; slots an hour apart, from tomorrow on. */
export const fill = async (postgres, recruitctl, { candidates, slots, interviewers }) => {
  await recruitctl('migrate');
  await recruitctl('organization', 'create', '--slug', slug, '--name', 'Interviews');
  for (let i = 0; i < interviewers; i += 1) {
    await recruitctl('member', 'add', '--organization', slug, '--email', `interviewer${i}@mail.example`,
      '--name', `Interviewer ${i}`, '--role', 'interviewer');
  }
  await postgres.sql(`
    insert into recruiting.jobs (id, organization_id, title, status, published)
    select gen_random_uuid(), id, 'Engineer', 'open', true from recruiting.organizations;
    insert into recruiting.stages (id, organization_id, job_id, name, kind, position, bookable, interview_duration_minutes)
    select gen_random_uuid(), organization_id, id, 'Interview', 'interview', 0, true, 45 from recruiting.jobs;
    insert into recruiting.candidates (id, organization_id, name, email, email_key)
    select gen_random_uuid(), o.id, 'Candidate ' || n, address, address
    from recruiting.organizations o, generate_series(0, ${candidates - 1}) n, concat('c', lpad(n::text, 6, '0'), '@mail.example') address;
    insert into recruiting.applications (id, organization_id, candidate_id, job_id, stage_id)
    select gen_random_uuid(), c.organization_id, c.id, s.job_id, s.id from recruiting.candidates c, recruiting.stages s;
    insert into recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at)
    select gen_random_uuid(), s.organization_id, s.job_id, s.id, m.id, t.at, t.at + interval '45 minutes'
    from recruiting.stages s, recruiting.memberships m,
         (select date_trunc('hour', now()) + interval '1 day' + n * interval '1 hour' as at
          from generate_series(0, ${slots - 1}) n) t
    where m.role = 'interviewer';
    analyze`);
};

/** Of public-api. */
export const limits_far_away = { RECRUITING_PUBLIC_API_BOOKINGS_PER_ADDRESS: '1000000', RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL: '1000000' };
/** Of auth-api's workers. */
export const booking_settings = { RECRUITING_BOOKING_LEASE: '1500ms' };

export const bookable_stage = async (postgres) =>
  (await postgres.rows("select replace(job_id::text, '-', '') job, replace(id::text, '-', '') stage from recruiting.stages where bookable"))[0];

/** A visitor of the job's careers page. */
export const connect = (port, { job, stage }) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const path = `/api/public/v1/scheduling/${job}/${stage}`;
  const send = (method, target, body, headers = {}) => new Promise((done, fail) => {
    const began = process.hrtime.bigint();
    const request = http.request({ host: '127.0.0.1', port, method, path: target, agent, timeout: 60_000,
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers } }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => done({
        ns: Number(process.hrtime.bigint() - began), status: response.statusCode, headers: response.headers,
        raw: response.rawHeaders, text: Buffer.concat(chunks).toString('utf8'),
      }));
    });
    request.on('timeout', () => request.destroy(new Error('no answer in 60 s')));
    request.on('error', fail);
    request.end(body);
  });
  return {
    book: (email, slot, client) => send('POST', `${path}/bookings`, JSON.stringify({ email, slotStart: slot }),
      client === undefined ? {} : { 'X-Forwarded-For': client }),
    send: (body, client, stage_of_job = path) => send('POST', `${stage_of_job}/bookings`, body, { 'X-Forwarded-For': client }),
    slots: () => send('GET', `${path}/slots`),
    close: () => agent.destroy(),
  };
};

/** limits: public-api's own, far away when not given; reach: its connection string. Everything ends with stop(). */
export const start_booking_world = async ({ instances, candidates, slots, interviewers = 1, limits = {}, booking = {}, reach = (postgres) => postgres.url('recruiting_public') }) => {
  const folder = mkdtempSync(join(tmpdir(), 'recruiting-booking-'));
  const world = { folder, instances: [] };
  const stops = [() => rmSync(folder, { recursive: true })];
  world.stop = async () => {
    for (const one of [...world.instances, world.public_api].filter(Boolean)) {
      one.signal('SIGCONT');
      await one.end('SIGKILL');
    }
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    make_secrets(folder);
    world.postgres = await start_postgres();
    stops.push(() => world.postgres.stop());
    const redis = await start_redis(folder);
    stops.push(() => redis.stop());
    world.redis_keys = () => redis.keys();
    await fill(world.postgres, make_operator(folder, world.postgres), { candidates, slots, interviewers });
    const settings = { ...auth_api_settings(folder, world.postgres), RECRUITING_AUTH_API_THREADS: '1', ...booking_settings, ...booking };
    const auth_api = { program: join(programs(), 'recruiting-auth-api'), settings, folder };
    for (let i = 0; i < instances; i += 1) world.instances.push(await start_instance(i, auth_api));
    world.public_api = await start_instance(0, { name: 'public-api', program: join(programs(), 'recruiting-public-api'), folder, settings: {
      RECRUITING_PUBLIC_API_DATABASE_URL: await reach(world.postgres),
      RECRUITING_CURSOR_SECRET_FILE: join(folder, 'cursor'),
      RECRUITING_REDIS_URL: 'redis://127.0.0.1:1', // the gateway's, which public-api then has no use for
      RECRUITING_PUBLIC_API_REDIS_URL: redis.url,
      RECRUITING_PUBLIC_API_TRUSTED_PROXIES: '127.0.0.0/8',
      RECRUITING_PUBLIC_API_THREADS: '1',
      ...limits_far_away,
      ...limits,
    } });
    Object.assign(world, await bookable_stage(world.postgres));
    world.visitor = connect(world.public_api.port, world);
    stops.push(() => world.visitor.close());
    await until(async () => (await world.visitor.slots()).status === 200, 'slots'); // a pooler's first answers are 503
    world.slots = JSON.parse((await world.visitor.slots()).text).data.map((slot) => slot.slotStart);
    world.count = async (what) => Number(await world.postgres.sql(`select count(*) from recruiting.${what}`));
    world.worked_off = () => until(async () => (await world.count('booking_requests')) === 0, 'every request is worked off', 300);
  } catch (error) {
    await world.stop();
    throw error;
  }
  return world;
};
