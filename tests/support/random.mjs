// Random choices that a seed repeats. Each actor has its own, so that one's choices don't depend on the others' pace.

/** mulberry32: 32 bits of state are plenty for choosing what a test does. */
export const make_random = (seed) => {
  let state = seed >>> 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low, high) => low + Math.floor(unit() * (high - low + 1));
  return {
    between,
    chance: (part) => unit() < part,
    pick: (list) => list[between(0, list.length - 1)],
    /** choices: [[weight, value], …] */
    weighted(choices) {
      let left = unit() * choices.reduce((sum, [weight]) => sum + weight, 0);
      return choices.find(([weight]) => (left -= weight) < 0)[1];
    },
  };
};
