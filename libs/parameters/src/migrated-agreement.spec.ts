import { describe, expect, it } from '@jest/globals';
import { Form } from './form.js';
import { migratedFromTheFuture } from './migrated-agreement.js';

const NOW_MS = Date.UTC(2026, 0, 15, 12);
const name = 'recurringMigration.requestTimestamp';
const faults = (value: string) => migratedFromTheFuture(new Form(new Map([[name, value]])), NOW_MS);

describe('the time of a first payment from elsewhere', () => {
  it.each(['2024-06-01 09:30:00', '2026-01-15 12:00:00'])('is over: %s', (value) => {
    expect(faults(value)).toEqual([]);
  });

  it('may be told by the clock of the first zone that has a day', () => {
    expect(faults('2026-01-16 02:00:00')).toEqual([]);
    expect(faults('2026-01-16 02:00:01')).toHaveLength(1);
  });

  it('is refused where it is to come', () => {
    expect(faults('2034-01-01 00:00:00')).toEqual([
      {
        ...{ name, value: '2034-01-01 00:00:00' },
        message: 'lies in the future, and the first payment was made before',
      },
    ]);
  });

  it('need not be told', () => {
    expect(migratedFromTheFuture(new Form(new Map()), NOW_MS)).toEqual([]);
  });
});
