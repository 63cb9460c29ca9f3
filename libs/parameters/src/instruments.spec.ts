import { describe, expect, it } from '@jest/globals';
import { answeredInstrument } from './instruments.js';

describe('what an answer says of an account', () => {
  const order = { kind: 'bankAccount', paymentMethod: 'OT', brand: 'IDEAL' } as const;
  const bins = { fieldsOf: () => undefined };

  it('is what was told of it', () => {
    const personal = { 'bankAccount.country': 'NL' };
    expect(answeredInstrument(order, { personal, bins })).toEqual({
      bankAccount: { country: 'NL' },
    });
  });

  it('is nothing where the shopper tells the bank alone', () => {
    expect(answeredInstrument(order, { personal: {}, bins })).toBeUndefined();
  });
});
