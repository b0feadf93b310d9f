// Waiting: for a while, and for a condition.
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Polls until the condition holds; the deadline is far beyond what it may take. */
export const until = async (condition, what, seconds = 60) => {
  for (const end = Date.now() + seconds * 1000; !(await condition()); await pause(20)) {
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
  }
};
