// When a request may be sent again, and after how long. Pure.

export const most_attempts = 5;
const longest_pause = 90 * 1000; // nobody watches a countdown for longer; the visitor then decides
const first_pause = 1000;
const longest_backoff = 30 * 1000;

/** Retry-After (RFC 9110 section 10.2.3: seconds or a date) in milliseconds; 0 when there is none. */
export const retry_after = (value, now) => {
  if (!value) return 0;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return wait > 0 ? wait : 0;
};

/**
 * Milliseconds until the next attempt, or null: don't. 429 and 503 only; status 0 is a lost connection, which says
 * nothing of what became of the request, so that only a read may be repeated.
 * attempt: how many were made.
 */
export const pause_before_retry = ({ status, attempt, after, read, random }) => {
  const may = status === 429 || status === 503 || (status === 0 && read && attempt < 3);
  if (!may || attempt >= most_attempts) return null;
  const backoff = Math.min(longest_backoff, first_pause * 2 ** (attempt - 1));
  // All who were stopped hear the same Retry-After: the jitter keeps them from coming back together.
  const pause = Math.max(after, backoff / 2) + random * (backoff / 2);
  return pause > longest_pause ? null : pause;
};

/** What an answer that is no success means to a visitor. */
export const kind_of = ({ status, read }) => {
  if (status === 429) return 'limited';
  if (status === 503) return 'unavailable';
  if (status === 404 || status === 409 || status === 410) return 'missing';
  if (status >= 400 && status < 500) return 'refused';
  return read ? 'failed' : 'unknown';
};
