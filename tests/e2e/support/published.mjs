// The public API serves from memory what PostgreSQL tells of, within a second: tests wait for what they have changed.
import { public_prefix, send } from './client.mjs';
import { await_condition } from './programs.mjs';
import { sql, uuid } from './recruitctl.mjs';

const in_database = async (organization) => {
  const [[version]] = await sql(`
    select coalesce(string_agg(replace(id::text, '-', '') || to_char(updated_at at time zone 'UTC', ' YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), ','
                               order by published_at desc, id desc), 'none')
    from (select id, updated_at, published_at from recruiting.published_jobs where organization_id = ${uuid(organization.id)}
          order by published_at desc, id desc limit 100) listed`);
  return version;
};

const in_memory = async (organization) => {
  const { status, json } = await send('GET', `${public_prefix}/organizations/${organization.slug}/jobs`, { query: { limit: 100 } });
  if (status === 404) return 'none'; // an organization that has published nothing is unknown
  if (status !== 200) return '';
  return json.data.map(({ id, updatedAt }) => `${id} ${updatedAt}`).join(',') || 'none';
};

/** Until the organization's first hundred published jobs are shown as the database holds them. */
export const published = (organization) =>
  await_condition(async () => (await in_memory(organization)) === (await in_database(organization)), 'what is published is shown');
