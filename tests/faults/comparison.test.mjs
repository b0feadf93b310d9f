// The measure of booking_privacy itself: it sees a difference, and sees none where there is none.
import assert from 'node:assert/strict';
import test from 'node:test';
import { compare, mann_whitney, paired, within } from './support/comparison.mjs';
import { make_random } from '../support/random.mjs';

test('by hand', () => {
  assert.equal(paired([[2, 1], [1, 2], [3, 3], [5, 1]]), 0.625);
  assert.equal(mann_whitney([[2, 1], [3, 1]]), 1);
  assert.equal(mann_whitney([[1, 2], [1, 3]]), 0);
  assert.equal(mann_whitney([[1, 1], [1, 1]]), 0.5);
  assert.equal(mann_whitney([[1, 2], [4, 3]]), 0.5);
});

// Answers of 1 ms with a long tail, the machine's pace wandering slowly.
const measured = (count, seed, more) => {
  const random = make_random(seed);
  const unit = () => random.between(1, 1_000_000) / 1_000_000;
  return Array.from({ length: count }, (_, i) => {
    const pace = 1 + 0.5 * Math.sin(i / 100);
    const one = () => pace * (1_000 - 200 * Math.log(unit()));
    return [one() + more, one()];
  });
};

test('no difference stays within 0.03 in 2,000 pairs', () => {
  for (let seed = 1; seed <= 5; seed += 1) assert.ok(within(compare(measured(2_000, seed, 0)), 0.03), JSON.stringify(compare(measured(2_000, seed, 0))));
});

test('thirty microseconds in a millisecond are seen', () => {
  for (let seed = 1; seed <= 5; seed += 1) assert.ok(!within(compare(measured(2_000, seed, 30)), 0.03), JSON.stringify(compare(measured(2_000, seed, 30))));
});
