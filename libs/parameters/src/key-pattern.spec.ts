import { describe, expect, it } from '@jest/globals';
import { meaningOf } from './catalogue.js';
import { keyPattern } from './key-pattern.js';

describe('the pattern of a name', () => {
  it.each([
    ['card.number', 'card.number', undefined],
    ['cart.items[0].name', 'cart.items[n].name', undefined],
    ['cart.items[999].name', 'cart.items[n].name', undefined],
    [
      'airline.passengers[98].legs[0].taxAmount',
      'airline.passengers[n].legs[n].taxAmount',
      undefined,
    ],
    ['registrations[0].id', 'registrations[n].id', undefined],
    ['customParameters[a.b_C9]', 'customParameters[name]', 'a.b_C9'],
    ['customParameters[]', 'customParameters[name]', ''],
    ['customParameters[a.b.c.d.e.f.g.h]', 'customParameters[name]', 'a.b.c.d.e.f.g.h'],
    ['risk.parameters[x]', 'risk.parameters[name]', 'x'],
  ])('%s is %s', (name, pattern, mapName) => {
    expect(keyPattern(name)).toEqual({ pattern, ...(mapName !== undefined && { mapName }) });
  });

  it.each([
    ...['[999999999]', '[1000]', '[-1]', '[1e3]', '[0x1]', '[01]', '[]', '[ 1]', '[1', '[+1]'].map(
      (index) => `cart.items${index}.name`,
    ),
    ...['cart.items[0][0]', 'cart.items[٣].name', 'cart.items]0[.name'],
    ...['airline.passengers[99].name', 'airline.passengers[0].legs[99].taxAmount'],
    ...[
      'customParameters[a][b]',
      'customParameters[a',
      'customParameters[a]b',
      'customParameters[[a]]',
    ],
    ...['a.b.c.d.e.f.g', 'a[0].b[0].c[0].d', `a${'[0]'.repeat(80)}`, `a${'.b'.repeat(120)}`],
  ])('%s has none that a table knows', (name) => {
    const found = keyPattern(name);
    expect(found === undefined || meaningOf(name).kind === 'unknown').toBe(true);
    expect(meaningOf(name)).toEqual({ kind: 'unknown' });
  });
});

describe('the meaning of a name', () => {
  it.each([
    ['cart.items[17].name', 'cart.items[n].name'],
    ['airline.passengers[0].legs[1].fareBasis', 'airline.passengers[n].legs[n].fareBasis'],
    ['threeDSecure.schemeData[CB-USECASE]', 'threeDSecure.schemeData[CB-USECASE]'],
    ['threeDSecure.v2.visa.requestorId', 'threeDSecure.v2.visa.requestorId'],
    ['merchant.shipping.street1', 'merchant.shipping.street1'],
    ['samsungPay.source', 'samsungPay.source'],
  ])('%s is the row %s', (name, key) => {
    expect(meaningOf(name)).toMatchObject({ kind: 'row', entry: { key } });
  });

  it.each(['threeDSecure.xid', 'registrations[0].id', 'recurringType'])(
    '%s is known, and no row',
    (name) => {
      expect(meaningOf(name)).toEqual({ kind: 'known' });
    },
  );

  it.each([
    ...[
      'card.expiryMonht',
      'Amount',
      'amount ',
      'card',
      'walletA.paymentToken',
      'cart.items[n].name',
    ],
    ...[
      'threeDSecure.schemeData[OTHER]',
      'threeDSecure.v2.<network>.requestorId',
      'cart.items.name',
    ],
    ...[
      'customParameters',
      'customParameters.a',
      '__proto__',
      'constructor',
      'toString',
      'valueOf',
    ],
    ...[
      'hasOwnProperty',
      '__proto__.x',
      'constructor.prototype',
      'card.__proto__',
      'registrations[n].id',
    ],
  ])('%s is unknown', (name) => {
    expect(meaningOf(name)).toEqual({ kind: 'unknown' });
  });

  it('a custom parameter is the row of all', () => {
    expect(meaningOf('customParameters[__proto__]')).toMatchObject({
      kind: 'row',
      entry: { key: 'customParameters[name]' },
      mapName: '__proto__',
    });
  });
});
