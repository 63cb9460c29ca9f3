import { describe, expect, it } from '@jest/globals';
import { LoopDelay } from './loop-delay.js';

/** A loop whose time passes by hand, and when its looks were. */
function watched() {
  const at = { nowMs: 0, activeMs: 0 };
  const looks: number[] = [];
  const timers: { readonly dueMs: number; readonly look: () => void }[] = [];
  const delay = new LoopDelay({
    nowMs: () => at.nowMs,
    activeMs: () => at.activeMs,
    later: (look, afterMs) => timers.push({ dueMs: at.nowMs + afterMs, look }),
  });
  delay.start();
  /** Lets time pass; each look that is due happens at its time, or as late as said. */
  const pass = (ms: number, { active = 0, lateMs = 0 } = {}) => {
    const [fromMs, activeBeforeMs] = [at.nowMs, at.activeMs];
    const untilMs = fromMs + ms;
    for (;;) {
      const next = timers[0];
      if (next === undefined || next.dueMs + lateMs > untilMs) break;
      timers.shift();
      at.nowMs = next.dueMs + lateMs;
      at.activeMs = activeBeforeMs + (at.nowMs - fromMs) * active;
      looks.push(at.nowMs);
      next.look();
    }
    at.nowMs = untilMs;
    at.activeMs = activeBeforeMs + ms * active;
  };
  return { delay, looks, pass };
}

describe("the event loop's delay", () => {
  it('is looked at once a second at rest', () => {
    const { looks, pass } = watched();
    pass(5_000, { active: 0.01 });
    expect(looks).toEqual([1_000, 2_000, 3_000, 4_000, 5_000]);
  });

  it('is looked at ten times a second while the process works, and for a second after', () => {
    const { looks, pass } = watched();
    pass(1_000, { active: 0.06 });
    pass(1_000, { active: 0.06 });
    expect(looks).toHaveLength(11);
    pass(10_000);
    // Ten more, of which the last finds rest, and one each second then.
    expect(looks.filter((ms) => ms > 2_000 && ms <= 3_000)).toHaveLength(10);
    expect(looks.filter((ms) => ms > 4_000 && ms <= 9_000)).toHaveLength(5);
  });

  it('is looked at ten times a second once it was late, though the process does little', () => {
    const { looks, pass } = watched();
    pass(1_060, { lateMs: 60 });
    pass(500);
    expect(looks).toHaveLength(1 + 5);
  });

  it('says by how much the looks were late, and then begins anew', () => {
    const { delay, pass } = watched();
    expect(delay.take()).toBeUndefined();
    pass(3_000);
    pass(1_300, { lateMs: 300 });
    const figures = delay.take();
    expect(figures?.max).toBeCloseTo(0.3, 2);
    expect(figures?.p50).toBeLessThan(0.001);
    expect(delay.take()).toBeUndefined();
  });

  it('is that of this process: a loop that is blocked is late', async () => {
    const delay = new LoopDelay();
    delay.start();
    const untilMs = performance.now() + 1_300;
    while (performance.now() < untilMs);
    // The timers come after the first of them.
    for (let turns = 0; turns < 2; turns += 1) await new Promise(setImmediate);
    expect(delay.take()?.max).toBeGreaterThan(0.2);
  });
});
