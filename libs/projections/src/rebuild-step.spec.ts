import { describe, expect, it } from '@jest/globals';
import { nextRebuildStep } from './rebuild-step.js';
import type { TableSet, TableSetState } from './table-set.js';

const LIFE = 'life 1';
const NEXT_LIFE = 'life 2';

function set(
  id: number,
  state: TableSetState,
  version: number,
  incarnation: string | null = LIFE,
): TableSet {
  const createdAt = new Date(0);
  return { id, projection: 'p', version, state, incarnation, filledTo: null, createdAt };
}

/** The step as one word and the number of the tables that it is about. */
function step(sets: readonly TableSet[], incarnation: string | undefined = LIFE): string {
  const next = nextRebuildStep(sets, 2, incarnation);
  switch (next.kind) {
    case 'none':
    case 'fill':
      return next.kind;
    case 'follow':
    case 'drop':
      return `${next.kind} ${next.tableSet.id}`;
  }
}

describe('live tables of this version and life', () => {
  it('are left alone, with what is kept or made beside them', () => {
    expect(step([])).toBe('none');
    expect(step([set(1, 'live', 2)])).toBe('none');
    expect(step([set(1, 'live', 2, null)])).toBe('none');
    expect(step([set(1, 'live', 2)], undefined)).toBe('none');
    expect(step([set(1, 'previous', 1), set(2, 'live', 2)])).toBe('none');
    expect(step([set(1, 'live', 2), set(2, 'following', 2), set(3, 'filling', 2)])).toBe('none');
  });

  it('outlive those of an earlier life, or of an earlier version that were never read', () => {
    expect(step([set(1, 'previous', 2, 'life 0'), set(2, 'live', 2)])).toBe('drop 1');
    expect(step([set(1, 'live', 2), set(2, 'following', 1)])).toBe('drop 2');
    expect(step([set(1, 'live', 2), set(2, 'following', 3)])).toBe('none');
  });
});

describe('live tables of an earlier version', () => {
  it('are replaced by new ones', () => {
    expect(step([set(1, 'live', 1)])).toBe('fill');
    expect(step([set(1, 'live', 1)], undefined)).toBe('fill');
    expect(step([set(1, 'live', 1), set(2, 'filling', 2)])).toBe('fill');
  });

  it('are replaced by those that are filled already', () => {
    expect(step([set(1, 'live', 1), set(2, 'following', 2)])).toBe('follow 2');
    expect(step([set(1, 'live', 1), set(2, 'previous', 2)])).toBe('follow 2');
    expect(step([set(1, 'previous', 2), set(2, 'live', 1), set(3, 'following', 2)])).toBe(
      'follow 3',
    );
  });
});

describe('live tables of a later version', () => {
  it("are the later release's business", () => {
    expect(step([set(1, 'previous', 2), set(2, 'live', 3)])).toBe('none');
    expect(step([set(2, 'live', 3)], NEXT_LIFE)).toBe('none');
  });
});

describe('live tables of a life that has ended (D-23)', () => {
  it('are replaced by new ones, once every other copy of that life is gone', () => {
    expect(step([set(1, 'live', 2)], NEXT_LIFE)).toBe('fill');
    expect(step([set(1, 'previous', 2), set(2, 'live', 2)], NEXT_LIFE)).toBe('drop 1');
    expect(step([set(1, 'live', 2), set(2, 'following', 2)], NEXT_LIFE)).toBe('drop 2');
    expect(step([set(1, 'live', 2), set(2, 'following', 2, NEXT_LIFE)], NEXT_LIFE)).toBe(
      'follow 2',
    );
  });
});
