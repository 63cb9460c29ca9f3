import { describe, expect, it } from '@jest/globals';
import { brandGroups, staysInPage } from './brand-groups.js';

describe('the brands of a page', () => {
  it('have one form for all cards, and one for each other brand, in the order of the page', () => {
    const named = ' PAYPAL VISA,directdebit_sepa  MASTER\nIDEAL KLARNA_INVOICE VISA PAYPAL';
    expect(brandGroups(named, 'payment')).toEqual({
      groups: [
        { kind: 'virtualAccount', brand: 'PAYPAL' },
        { kind: 'card', brands: ['VISA', 'MASTER'] },
        { kind: 'directDebit', brand: 'DIRECTDEBIT_SEPA' },
        { kind: 'onlineTransfer', brand: 'IDEAL' },
        { kind: 'virtualAccount', brand: 'KLARNA_INVOICE' },
      ],
      complaints: [],
    });
  });

  it('are left out where nothing serves them, and the page is told', () => {
    expect(brandGroups('SAMSUNGPAY VISA', 'payment')).toEqual({
      groups: [{ kind: 'card', brands: ['VISA'] }],
      complaints: ['the brand SAMSUNGPAY is not served yet.'],
    });
    expect(brandGroups('', 'payment')).toEqual({ groups: [], complaints: [] });
  });

  it('are wallets, each by its own form', () => {
    expect(brandGroups('applepay GOOGLEPAY', 'payment').groups).toEqual([
      ...[
        { kind: 'applePay', brand: 'APPLEPAY' },
        { kind: 'googlePay', brand: 'GOOGLEPAY' },
      ],
    ]);
  });

  it('are left out where they have nothing that could be stored', () => {
    const named = 'IDEAL DIRECTDEBIT_SEPA APPLEPAY PAYPAL';
    const { groups, complaints } = brandGroups(named, 'registration');
    expect(groups.map(({ kind }) => kind)).toEqual(['directDebit', 'virtualAccount']);
    expect(complaints).toEqual([
      expect.stringContaining('the brand IDEAL stores nothing'),
      expect.stringContaining('the brand APPLEPAY stores nothing by itself'),
    ]);
  });

  it('stay in the page, or send the shopper on', () => {
    const named = ['VISA', 'applepay', 'GOOGLEPAY', 'DIRECTDEBIT_SEPA', 'PAYPAL', 'IDEAL', 'OTHER'];
    expect(named.filter(staysInPage)).toEqual(named.slice(0, 4));
  });
});
