// Is one of two kinds of answers slower? From pairs measured one right after the other, in random order, so that a busy
// machine disturbs both kinds alike.

/** P(the first of a pair took longer); ties count half. 0.5: no difference. */
export const paired = (pairs) =>
  pairs.reduce((sum, [a, b]) => sum + (a > b ? 1 : a === b ? 0.5 : 0), 0) / pairs.length;

/** P(any first took longer than any second): the Mann-Whitney statistic, U / (n m). */
export const mann_whitney = (pairs) => {
  const all = pairs.flatMap(([a, b]) => [{ time: a, first: true }, { time: b, first: false }]).sort((a, b) => a.time - b.time);
  let ranks = 0;
  for (let begin = 0, end = 0; begin < all.length; begin = end) {
    while (end < all.length && all[end].time === all[begin].time) end += 1;
    const rank = (begin + 1 + end) / 2; // of all that are equal
    for (let i = begin; i < end; i += 1) if (all[i].first) ranks += rank;
  }
  const n = pairs.length;
  return (ranks - (n * (n + 1)) / 2) / (n * n);
};

export const compare = (pairs) => ({ paired: paired(pairs), mann_whitney: mann_whitney(pairs) });
export const within = ({ paired: p, mann_whitney: u }, distance) => Math.abs(p - 0.5) <= distance && Math.abs(u - 0.5) <= distance;
