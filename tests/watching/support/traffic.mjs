// Some of everything, so that every panel has something to show. Small and steady.
import { demo, gateway_url } from '../../e2e/support/environment.mjs';

const authorization = { Authorization: `Bearer ${demo.key}` };
const ask = async (path, options = {}) => {
  const answer = await fetch(new URL(path, gateway_url), options);
  await answer.arrayBuffer();
  return answer.status;
};

const round = () => Promise.all([
  ask('/api/v1/me', { headers: authorization }),
  ask('/api/v1/jobs?limit=2', { headers: authorization }),
  ask('/api/v1/me', { headers: { Authorization: 'Bearer nothing' } }),
  ask(`/api/public/v1/organizations/${demo.slug}/jobs?limit=2`),
  ask(`/careers/${demo.slug}`),
  ask('/nowhere'),
]);

const invocation = () => ask('/api/v1/agent/invoke', {
  method: 'POST', headers: { ...authorization, 'Content-Type': 'application/json' }, body: '{"prompt":"How many open jobs are there?"}',
});

/** Begins, and returns what ends it. */
export const start_traffic = () => {
  let going = true;
  const work = (async () => {
    for (let i = 0; going; ++i) {
      await round();
      if (i % 5 === 0) await invocation();
      await new Promise((done) => setTimeout(done, 200));
    }
  })();
  return async () => {
    going = false;
    await work;
  };
};
