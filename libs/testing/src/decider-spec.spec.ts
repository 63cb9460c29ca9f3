import { describe, expect, it } from '@jest/globals';
import { fixedClock } from './clock.js';
import { deciderSpec } from './decider-spec.js';

type Count = { readonly type: 'Add'; readonly by: number };
type Counted = { readonly type: 'Added'; readonly by: number };

const { given } = deciderSpec<Count, number, Counted>({
  initialState: 0,
  decide: (command, state) => {
    if (command.by < 0) throw new Error('only up');
    return state + command.by > 10 ? [] : [{ type: 'Added', by: command.by }];
  },
  evolve: (state, event) => state + event.by,
});
const nine: Counted[] = [
  { type: 'Added', by: 4 },
  { type: 'Added', by: 5 },
];

describe('a decider spec', () => {
  it('folds what is given and compares what follows', () => {
    given(nine)
      .when({ type: 'Add', by: 1 })
      .then([{ type: 'Added', by: 1 }]);
    given(nine).when({ type: 'Add', by: 2 }).thenNothingHappened();
    given([])
      .when({ type: 'Add', by: -1 })
      .thenThrows(/only up/);
    expect(given([]).when({ type: 'Add', by: 3 }).events).toHaveLength(1);
  });

  it('fails on other events', () => {
    const outcome = given(nine).when({ type: 'Add', by: 1 });
    expect(() => {
      outcome.then([{ type: 'Added', by: 2 }]);
    }).toThrow('deep');
    expect(() => {
      outcome.thenNothingHappened();
    }).toThrow('deep');
  });
});

describe('a fixed clock', () => {
  it('stands still until it is moved, and only forward', () => {
    const clock = fixedClock(1_000);
    expect([clock.now(), clock.now(), clock.monotonicMs()]).toEqual([1_000, 1_000, 0]);
    clock.advance(5);
    expect([clock.now(), clock.monotonicMs()]).toEqual([1_005, 5]);
    expect(() => {
      clock.advance(-1);
    }).toThrow(RangeError);
  });
});
