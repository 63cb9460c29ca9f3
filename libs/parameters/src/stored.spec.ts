import { describe, expect, it } from '@jest/globals';
import { catalogue } from './catalogue.js';
import { echo } from './echo.js';
import type { Form } from './form.js';
import { parseForm } from './form-parser.js';
import { kinds } from './kinds.js';
import type { Parameter } from './parameter.js';
import { stored } from './stored.js';
import { violations } from './violations.js';

const formOf = (parameters: readonly (readonly [string, string])[]): Form => {
  const parsed = parseForm(
    new URLSearchParams(parameters.map((pair): [string, string] => [...pair])).toString(),
  );
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return parsed.form;
};

const form = formOf([
  ['entityId', '0123456789abcdef0123456789abcdef'],
  ['amount', '92.00'],
  ['card.number', '4200000000000000'],
  ['card.cvv', '123'],
  ['card.holder', 'Jane Jones'],
  ['authentication.password', 'hunter2'],
  ['merchantTransactionId', 'order-0001'],
  ['merchantMemo', 'paid with 4200 0000 0000 0000'],
  ['customParameters[note]', '5454545454545454'],
  ['customParameters[__proto__]', 'data'],
  ['customParameters[a.b]', 'dots'],
  ['standingInstruction.mode', 'INITIAL'],
  ['standingInstruction.source', 'CIT'],
  ['customer.email', 'jane@example.com'],
  ['unheard.of', '4200000000000000'],
]);

describe('what commands carry', () => {
  const { parameters, personal } = stored(form, 'payment');

  it('is what may be kept, by wire name', () => {
    expect({ ...parameters }).toEqual({
      merchantTransactionId: 'order-0001',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.source': 'CIT',
    });
    expect({ ...personal }).toEqual({
      'card.holder': 'Jane Jones',
      merchantMemo: 'paid with **** **** **** 0000',
      'customParameters[note]': '************5454',
      'customParameters[__proto__]': 'data',
      'customParameters[a.b]': 'dots',
      'customer.email': 'jane@example.com',
    });
  });

  it('survives the way through JSON', () => {
    expect(JSON.parse(JSON.stringify(parameters))).toEqual({ ...parameters });
    expect(JSON.parse(JSON.stringify({ ...personal }))).toEqual({ ...personal });
  });

  it('depends on the kind', () => {
    const ofCapture = stored(form, 'capture');
    expect(ofCapture.personal).not.toHaveProperty(['customer.email']);
    expect(ofCapture.personal).toHaveProperty(['merchantMemo']);
    expect(ofCapture.parameters).not.toHaveProperty(['standingInstruction.mode']);
    const ofRead = stored(form, 'read');
    expect(Object.keys({ ...ofRead.parameters, ...ofRead.personal })).toEqual([]);
  });
});

describe('card numbers in other spellings', () => {
  const spellings = [
    ...['4200 - 0000 - 0000 - 0000', '4200, 0000, 0000, 0000', '4200/0000/0000/0000'],
    ...['4200\r\n0000\r\n0000\r\n0000', '%34%32%30%30000000000000', '4200%200000%200000%200000'],
    ...['４２００－００００－００００－００００', '4 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0'],
  ];

  it.each(spellings)('are masked in what is kept and echoed: %j', (spelling) => {
    const { parameters, personal } = stored(
      formOf([
        ['card.number', '4200000000000000'],
        ['merchantMemo', `paid with ${spelling}`],
        ['descriptor', spelling],
        ['customParameters[note]', spelling],
      ]),
      'payment',
    );
    const kept = JSON.stringify([parameters, personal, echo(parameters, personal)]);
    expect(Object.keys(personal)).toHaveLength(3);
    // All but the last four digits are stars, so three zeros of the first twelve stand nowhere.
    expect(Object.values(personal).join()).not.toMatch(/[4４].{0,4}[2２]/);
    expect(kept.match(/\*/g)?.length).toBeGreaterThanOrEqual(3 * 12);
  });
});

describe('what an answer returns', () => {
  it('is nested by wire name', () => {
    const { parameters, personal } = stored(form, 'payment');
    expect(JSON.parse(JSON.stringify(echo(parameters, personal)))).toEqual({
      merchantTransactionId: 'order-0001',
      customer: { email: 'jane@example.com' },
      customParameters: JSON.parse(
        '{"note":"************5454","__proto__":"data","a.b":"dots"}',
      ) as unknown,
      standingInstruction: { mode: 'INITIAL', source: 'CIT' },
    });
  });

  it('has one order, whatever the order of what was kept', () => {
    const { personal } = stored(form, 'payment');
    const reversed = Object.fromEntries(Object.entries(personal).reverse());
    expect(JSON.stringify(echo(reversed))).toBe(JSON.stringify(echo(personal)));
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])(
    'has a custom parameter named %s as data',
    (name) => {
      const { personal } = stored(formOf([[`customParameters[${name}]`, 'x']]), 'payment');
      expect(JSON.stringify(echo(personal))).toBe(`{"customParameters":{"${name}":"x"}}`);
      expect(Object.prototype).not.toHaveProperty('x');
    },
  );

  it('ignores what is no parameter', () => {
    const record = JSON.parse('{"__proto__":"x","constructor.y":"x","card.cvv":"123"}') as object;
    expect(JSON.stringify(echo(record as Record<string, string>))).toBe('{}');
  });
});

describe('ids and codes that look like a card number (D-43)', () => {
  // The number of an article from Germany that passes Luhn and lies in a range of cards.
  const EAN = '4006381330060';
  const names = [
    ...['merchantTransactionId', 'merchantInvoiceId', 'cart.items[0].merchantItemId'],
    ...['cart.items[0].sku', 'cart.items[0].sellerId', 'cart.items[0].productCode'],
    ...['cart.items[0].partNumber', 'cart.items[0].shippingTrackingNumber'],
    ...['cart.items[0].recipient.phone', 'cart.items[0].productUrl'],
    ...['customer.identificationDocId', 'customer.merchantReference', 'customer.phone'],
    ...['customer.workPhone', 'shipping.phone', 'shipping.trackingNumber', 'corporate.vatId'],
    ...['marketPlace.sellers[0].id', 'merchant.submerchantId', 'merchant.taxId'],
    ...['airline.passengers[0].ticketNumber', 'airline.passengers[0].frequentFlyerNumber'],
    ...['airline.bookingRefNum', 'risk.accountToken', 'risk.channelId', 'sender.phone'],
    ...['sender.identificationValue', 'threeDSecure.v2.visa.requestorId', 'promotionCode'],
  ];

  it.each(names)('are never altered: %s', (name) => {
    const value = name.endsWith('Url') ? `https://shop.example/${EAN}` : EAN;
    const sent = formOf([
      ['card.number', '4200000000000000'],
      [name, value],
    ]);
    expect(violations(sent, 'payment', 'INTERNAL').map((error) => error.name)).not.toContain(name);
    const { parameters, personal } = stored(sent, 'payment');
    expect({ ...parameters, ...personal }).toEqual({ [name]: value });
  });

  it.each(names)('are refused if they are the own one: %s', (name) => {
    const value = name.endsWith('Url') ? `https://shop.example/${EAN}` : EAN;
    const sent = formOf([
      ['card.number', EAN],
      [name, value],
    ]);
    expect(violations(sent, 'payment', 'INTERNAL')).toContainEqual(
      expect.objectContaining({ name, message: 'must not contain the card number' }),
    );
  });
});

describe('sensitivity, row by row', () => {
  const rows = Object.entries(catalogue as Readonly<Record<string, Parameter>>);
  const nameOf = (key: string): string => key.replace(/\[[a-z]+\]/, '[abc]');

  it.each(rows)('%s', (key, { sensitivity }) => {
    const marker = `marker-of-${sensitivity}`;
    const sent = formOf([[nameOf(key), marker]]);
    for (const kind of kinds) {
      const { parameters, personal } = stored(sent, kind);
      const isOpen = sensitivity === 'none';
      if (!isOpen) expect(JSON.stringify(parameters)).not.toContain(marker);
      if (sensitivity !== 'personal') expect(JSON.stringify(personal)).not.toContain(marker);
    }
    if (sensitivity === 'accountData' || sensitivity === 'secret') {
      expect(JSON.stringify(echo({ [nameOf(key)]: marker }))).toBe('{}');
    }
  });

  it('a row that can hold a card number says what becomes of it', () => {
    const numbers = [
      ...['4200000000000000', '377777777777770', '676100000000', '12345678'],
      ...['4200 0000 0000 0000', '4200-0000-0000-0000', '4200.0000.0000.0000'],
      ...['4200, 0000, 0000, 0000', '4200/0000/0000/0000', '%34200000000000000'],
    ];
    const open = rows.filter(
      ([, row]) => row.kept && numbers.some((number) => row.format.accepts(number)),
    );
    expect(open.length).toBeGreaterThan(10);
    const silent = open.filter(([, { cardNumbers }]) => cardNumbers === undefined);
    // Shapes of at most ten digits before the dot hold no card number but a very short one.
    expect(silent.map(([key]) => key)).toEqual([
      'taxAmount',
      'discountAmount',
      'forex.amount',
      'forex.tax',
    ]);
  });
});
