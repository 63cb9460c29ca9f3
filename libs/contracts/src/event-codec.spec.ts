import { describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import { amount, eventCodec } from './event-codec.js';
import { eventTable } from './event-table.js';
import { byName, closed, described, listOf, text, texts } from './schema.js';

const data = closed({ name: text, amount }, { fee: described(amount, 'Of the bank.') });
const events = eventTable({
  Booked: {
    version: 2,
    description: 'Money moved.',
    data,
    upcasters: [({ sum, ...rest }) => ({ ...rest, amount: sum })],
  },
});
const codec = eventCodec<typeof events, { readonly at: number }>(events);
const eur = (minor: bigint) => ({ minor, currency: currency('EUR') });

describe('the codec of a table', () => {
  const event = {
    type: 'Booked',
    data: { name: 'a', amount: eur(99_999_999_999_999_999_999n), fee: eur(1n) },
    metadata: { at: 7 },
  } as const;
  const stored = {
    type: 'Booked',
    schemaVersion: 2,
    data: {
      name: 'a',
      amount: { minor: '99999999999999999999', currency: 'EUR' },
      fee: { minor: '1', currency: 'EUR' },
    },
    metadata: { at: 7 },
  };

  it('writes amounts as text in minor units, which no number could hold', () => {
    const { data: json, metadata, ...rest } = codec.encode(event);
    expect({ ...rest, data: JSON.parse(json), metadata: JSON.parse(metadata) }).toEqual(stored);
  });

  it('reads what it wrote, and what was written in an earlier version', () => {
    expect(codec.decode(stored)).toEqual(event);
    const { amount: sum, ...others } = stored.data;
    expect(codec.decode({ ...stored, schemaVersion: 1, data: { ...others, sum } })).toEqual(event);
  });

  it('is refused for an amount where it would not find it', () => {
    for (const line of [closed({ amount }), listOf(amount), byName(amount)]) {
      const hidden = closed({ line });
      expect(() =>
        eventCodec(eventTable({ Billed: { version: 1, description: '', data: hidden } })),
      ).toThrow('Billed.line: an amount is a field of the event itself.');
    }
    expect(() =>
      eventCodec(eventTable({ Noted: { version: 1, description: '', data: texts } })),
    ).not.toThrow();
  });
});
