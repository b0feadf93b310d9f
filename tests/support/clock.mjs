// Windows that limits are counted in turn with the clock.

/** Returns where that many seconds are left of the present minute (60), hour (3600) or day: so that a burst fits into one window. */
export const early_in = async (window, needed) => {
  const left = () => window - (Date.now() / 1000) % window;
  if (left() < needed) await new Promise((done) => setTimeout(done, left() * 1000 + 50));
};
