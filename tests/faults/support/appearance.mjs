// What a client can tell two responses apart by.

/** All of it, but for when and which request it was. */
export const appearance = ({ status, raw, headers, text }) => {
  const shown = [];
  for (let i = 0; i < raw.length; i += 2) {
    if (!['date', 'x-request-id'].includes(raw[i].toLowerCase())) shown.push(`${raw[i]}: ${raw[i + 1]}`);
  }
  return JSON.stringify([status, shown, text.replaceAll(headers['x-request-id'], 'REQUEST ID')]);
};

/** The same of a response to one of several sequences, which run beside each other: how long to wait stands apart. */
export const appearance_and_wait = (answer) => ({
  shown: appearance(answer).replace(/("(?:Retry-After: ))\d+/i, '$1SECONDS').replace(/;t=\d+/g, ';t=SECONDS'),
  wait: Number(answer.headers['retry-after'] ?? 0),
});
