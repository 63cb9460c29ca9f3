import { expect, it } from '@jest/globals';
import { Breaker } from './breaker.js';

/** A clock in the hand of a test. */
function started() {
  let nowMs = 1_000;
  const breaker = new Breaker(() => nowMs);
  const fails = (times: number) => {
    for (let at = 0; at < times; at += 1) {
      expect(breaker.begin()).toBe(true);
      breaker.failed();
    }
  };
  return { breaker, fails, pass: (ms: number) => (nowMs += ms) };
}

it('lets calls through as long as one of five succeeds', () => {
  const { breaker, fails } = started();
  fails(4);
  expect(breaker.begin()).toBe(true);
  breaker.succeeded();
  fails(4);
  expect(breaker.begin()).toBe(true);
});

it('lets none through for five seconds after five failures in a row, then one', () => {
  const { breaker, fails, pass } = started();
  fails(5);
  expect(breaker.begin()).toBe(false);
  pass(4_999);
  expect(breaker.begin()).toBe(false);
  pass(1);
  expect([breaker.begin(), breaker.begin()]).toEqual([true, false]);
  breaker.failed();
  pass(4_999);
  expect(breaker.begin()).toBe(false);
  pass(1);
  expect(breaker.begin()).toBe(true);
  breaker.succeeded();
  expect([breaker.begin(), breaker.begin()]).toEqual([true, true]);
});

it('counts no call that was not made, and lets another one try', () => {
  const { breaker, fails, pass } = started();
  fails(4);
  for (let at = 0; at < 10; at += 1) {
    expect(breaker.begin()).toBe(true);
    breaker.notAsked();
  }
  fails(1);
  pass(5_000);
  expect(breaker.begin()).toBe(true);
  breaker.notAsked();
  expect([breaker.begin(), breaker.begin()]).toEqual([true, false]);
});
