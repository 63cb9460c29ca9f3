import { describe, expect, it } from '@jest/globals';
import { formOfParameters } from './form.js';
import { standaloneFaults, standaloneRejection } from './standalone-checks.js';

const CHECK = {
  ...{ amount: '92.00', currency: 'EUR', paymentBrand: 'VISA', 'card.number': '4200000000000000' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const asked = { mode: 'INTERNAL', nowMs: Date.UTC(2026, 10, 27) } as const;

describe('a risk check alone', () => {
  it.each(['DB', 'PA', 'CD', 'RE', 'ri'])('is of no other type: %s', (paymentType) => {
    const form = formOfParameters({ ...CHECK, paymentType });
    expect(standaloneFaults(form, 'risk')).toEqual([
      { name: 'paymentType', message: expect.stringContaining('is RI') },
    ]);
  });

  it.each([{}, { paymentType: 'RI' }, { paymentType: '' }])('may say so: %j', (type) => {
    expect(standaloneFaults(formOfParameters({ ...CHECK, ...type }), 'risk')).toEqual([]);
  });

  it('needs no security code, as no issuer is asked; an authentication does as before', () => {
    const form = formOfParameters(CHECK);
    expect(standaloneRejection(form, { kind: 'risk', ...asked })).toBeUndefined();
    const wrong = formOfParameters({ ...CHECK, 'card.number': '4200000000000001' });
    expect(standaloneRejection(wrong, { kind: 'risk', ...asked })).toEqual({ code: '100.100.101' });
    expect(standaloneRejection(form, { kind: 'threeDSecure', ...asked })).toEqual({
      code: '100.100.600',
    });
  });
});
