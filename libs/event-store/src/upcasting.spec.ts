import { describe, expect, it } from '@jest/globals';
import { NewerWriter, upcast, type UpcasterLadders } from './upcasting.js';

const ladders: UpcasterLadders = {
  Booked: [
    (data) => ({ ...(data as object), currency: 'EUR' }),
    (data) => {
      const { amount, ...rest } = data as { amount: string };
      return { ...rest, minor: amount };
    },
  ],
};

describe('an event type with two steps', () => {
  it.each([
    [1, { amount: '1' }, { currency: 'EUR', minor: '1' }],
    [2, { amount: '1', currency: 'USD' }, { currency: 'USD', minor: '1' }],
    [3, { currency: 'USD', minor: '1' }, { currency: 'USD', minor: '1' }],
  ])('is lifted from version %i', (version, data, today) => {
    expect(upcast(ladders, 'Booked', version, data)).toEqual({ schemaVersion: 3, data: today });
  });

  it('is refused in a version beyond them', () => {
    expect(() => upcast(ladders, 'Booked', 4, {})).toThrow(NewerWriter);
  });
});

describe('an event type without steps', () => {
  it('is as it was written', () => {
    const data = { a: 1 };
    expect(upcast(ladders, 'constructor', 1, data)).toEqual({ schemaVersion: 1, data });
    expect(() => upcast(ladders, 'constructor', 2, data)).toThrow(NewerWriter);
  });
});
