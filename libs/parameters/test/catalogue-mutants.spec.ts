import { describe, expect, it } from '@jest/globals';
import { catalogue } from '../src/catalogue.js';
import type { Parameter } from '../src/parameter.js';
import { faultsOfRow } from './catalogue-faults.js';
import { mutantsOf } from './catalogue-mutants.js';

/** How many rows were spoilt by one kind of change, and which of them nobody noticed. */
interface Tally {
  mutants: number;
  readonly survivors: string[];
}

const rows = Object.entries(catalogue as Readonly<Record<string, Parameter>>);

/** Spoils each row in each way and asks what `catalogue.spec.ts` asks of the real one. */
function mutationRun(): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const [key, row] of rows) {
    for (const { change, place, row: spoilt } of mutantsOf(row)) {
      const tally = tallies.get(change) ?? { mutants: 0, survivors: [] };
      tallies.set(change, tally);
      tally.mutants += 1;
      const isNoticed = faultsOfRow(key, spoilt).next().done !== true;
      if (!isNoticed) tally.survivors.push(place === undefined ? key : `${key} (${place})`);
    }
  }
  return tallies;
}

const tallies = mutationRun();
const all = [...tallies.values()];
const mutants = all.reduce((sum, tally) => sum + tally.mutants, 0);
const noticed = all.reduce((sum, { survivors }) => sum - survivors.length, mutants);

describe('a row of the catalogue that is spoilt', () => {
  it('was right before', () => {
    const faulty = rows.filter(([key, row]) => faultsOfRow(key, row).next().done !== true);
    expect(faulty.map(([key]) => key)).toEqual([]);
  });

  it.each([...tallies].map(([change, tally]) => [tally.mutants, change, tally.survivors] as const))(
    'is noticed %i times: %s',
    (_, __, survivors) => {
      expect(survivors).toEqual([]);
    },
  );

  // The title is the figure; `npm run test:sabotage -- table` prints it.
  it(`is noticed ${noticed} times of ${mutants}, over ${rows.length} rows`, () => {
    expect(noticed).toBe(mutants);
    // Fewer would mean that whoever spoils rows has stopped to.
    expect(mutants).toBeGreaterThan(50 * rows.length);
  });
});
