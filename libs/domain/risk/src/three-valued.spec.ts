import { describe, expect, it } from '@jest/globals';
import { isBuildable, expressionHolds } from './three-valued.js';

/** `nothing` is not there, as is what was sent empty. */
const FACTS = {
  ...{ amountMinor: 300, currency: 'EUR', isProxy: false, issuerCountry: 'DE' },
  parameters: { 'risk.parameters[tier]': '9', 'customer.email': '' },
};
const nothing = { var: 'billingCountry' };
const tier = { var: 'parameters.risk\\.parameters[tier]' };

describe('an expression that reads what is not there', () => {
  it.each<[object]>([
    [{ '<': [nothing, 5] }],
    [{ '<=': [nothing, 0] }],
    [{ '==': [nothing, 0] }],
    [{ '==': [nothing, { var: 'shippingCountry' }] }],
    [{ '!=': [{ var: 'issuerCountry' }, nothing] }],
    [{ '!==': [nothing, 'DE'] }],
    [{ '!': [nothing] }],
    [{ '!': nothing }],
    [{ '!': [{ '==': [nothing, 'DE'] }] }],
    [{ '!': [{ '!': [{ '<': [nothing, 5] }] }] }],
    [{ '!': [{ in: [nothing, ['DE']] }] }],
    [{ '<': [{ '+': [nothing, 1] }, 5] }],
    [{ '<': [{ var: 'parameters.risk\\.parameters[other]' }, 5] }],
    [{ '!=': [{ var: 'parameters.customer\\.email' }, 'x'] }],
    [{ and: [{ '==': [{ var: 'currency' }, 'EUR'] }, { '!=': [nothing, 'DE'] }] }],
    [{ '!': [{ and: [{ '==': [{ var: 'currency' }, 'EUR'] }, { '==': [nothing, 'DE'] }] }] }],
    [{ '!': [{ or: [{ '==': [{ var: 'currency' }, 'USD'] }, { '==': [nothing, 'DE'] }] }] }],
    [{ if: [{ '==': [nothing, 'DE'] }, false, true] }],
    [{ '!!': [{ '<': [nothing, 5] }] }],
  ])('does not hold: %j', (expression) => {
    expect(expressionHolds(expression, FACTS)).toBe(false);
  });

  it.each<[object]>([
    [{ '<': [{ var: 'amountMinor' }, 500] }],
    [{ '<': [tier, 10] }],
    [{ '!': [{ var: 'isProxy' }] }],
    [{ missing: ['billingCountry'] }],
    [{ '!': [{ missing: ['issuerCountry'] }] }],
    [{ '!': [{ '!!': [nothing] }] }],
    [{ '!': { '!!': nothing } }],
    [{ '!!': { var: 'issuerCountry' } }],
    [{ '<': [{ var: ['billingCountry', 1] }, 5] }],
    [{ or: [{ '==': [nothing, 'DE'] }, { '==': [{ var: 'currency' }, 'EUR'] }] }],
    [{ '!': [{ and: [{ '==': [nothing, 'DE'] }, { '==': [{ var: 'currency' }, 'USD'] }] }] }],
    [
      {
        if: [
          { '!!': [nothing] },
          { '==': [nothing, 'DE'] },
          { '==': [{ var: 'currency' }, 'EUR'] },
        ],
      },
    ],
  ])('holds where that decides nothing, or is asked for: %j', (expression) => {
    expect(expressionHolds(expression, FACTS)).toBe(true);
  });

  it('cannot name what stands for a fact inside', () => {
    expect(isBuildable({ '<': [{ map: ['a', 1] }, 5] })).toBe(false);
  });
});
