import { describe, expect, it } from '@jest/globals';
import { eventSchemas, eventTable, NewerWriter, upcast } from './event-table.js';
import { closed, text } from './schema.js';

const events = eventTable({
  Opened: { version: 1, description: 'It began.', data: closed({ name: text }) },
  Booked: {
    version: 3,
    description: 'Money moved.',
    data: closed({ currency: text, minor: text }),
    upcasters: [
      (data) => ({ ...data, currency: 'EUR' }),
      ({ amount, ...rest }) => ({ ...rest, minor: amount }),
    ],
  },
});

describe('an event with two upcasters', () => {
  it.each([
    [1, { amount: '1' }, { currency: 'EUR', minor: '1' }],
    [2, { amount: '1', currency: 'USD' }, { currency: 'USD', minor: '1' }],
    [3, { currency: 'USD', minor: '1' }, { currency: 'USD', minor: '1' }],
  ])('is lifted from version %i', (schemaVersion, data, today) => {
    expect(upcast(events, { type: 'Booked', schemaVersion, data })).toEqual(today);
  });
});

describe('an event that this release does not know', () => {
  it.each([
    ['Booked', 4],
    ['Booked', 0],
    ['Opened', 2],
    ['Forgotten', 1],
    ['constructor', 1],
  ])('%s in version %i is of a newer writer (D-18)', (type, schemaVersion) => {
    expect(() => upcast(events, { type, schemaVersion, data: {} })).toThrow(NewerWriter);
  });
});

describe('a table of events', () => {
  it('is refused if a version has no upcaster that leads to it', () => {
    const data = closed({});
    expect(() => eventTable({ Booked: { version: 2, description: '', data } })).toThrow(
      'Booked in schema version 2 needs 1 upcasters, and has 0.',
    );
  });

  it('is its own reference, sorted by name', () => {
    expect(eventSchemas(events).map(({ type, schemaVersion }) => [type, schemaVersion])).toEqual([
      ['Booked', 3],
      ['Opened', 1],
    ]);
  });
});
