import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseForm } from './form-parser.js';
import { kinds } from './kinds.js';
import { MAP_NAMES_MAX, PARAMETER_ERRORS_MAX, UNKNOWN_NAMES_MAX } from './limits.js';
import { checkForm, violations } from './violations.js';
import { formOf, payment, violationsWith } from './violations-fixture.js';

const without = (...names: readonly string[]) =>
  formOf(Object.fromEntries(Object.entries(payment).filter(([name]) => !names.includes(name))));

describe('a payment by card', () => {
  it.each([
    ['PA', 'authorization'],
    ['DB', 'debit'],
    ['CD', 'credit'],
  ])('%s is an %s without violations', (paymentType, operation) => {
    expect(checkForm(formOf({ ...payment, paymentType }), 'payments', 'INTERNAL')).toEqual({
      kind: 'payment',
      operation,
      violations: [],
    });
  });

  it('needs no brand that can be detected, but one that cannot', () => {
    expect(checkForm(without('paymentBrand'), 'payments', 'INTERNAL').violations).toEqual([]);
    const unknown = formOf({
      ...Object.fromEntries(without('paymentBrand').entries()),
      'card.number': '0000000000000000',
    });
    expect(checkForm(unknown, 'payments', 'INTERNAL').violations).toEqual([
      { name: 'paymentBrand', message: 'may not be empty' },
    ]);
  });

  it('lists all that is missing in the order of the catalogue', () => {
    expect(
      checkForm(formOf({}), 'payments', 'INTERNAL').violations.map(({ name }) => name),
    ).toEqual([
      'amount',
      'currency',
      'paymentType',
      'card.number',
      'card.expiryMonth',
      'card.expiryYear',
    ]);
  });

  it('lists all that is wrong in the order of the catalogue, unknown names last', () => {
    const changes = { zebra: '1', 'card.cvv': '12', amount: '1,00', 'customParameters[a]': 'x' };
    expect(violationsWith(changes).map(({ name }) => name)).toEqual([
      'amount',
      'card.cvv',
      'customParameters[a]',
      'zebra',
    ]);
  });

  it.each([
    ['amount', '92.000', String.raw`must match ^[0-9]{1,10}(\.[0-9]{2})?$`],
    ['amount', '-1.00', String.raw`must match ^[0-9]{1,10}(\.[0-9]{2})?$`],
    ['currency', 'eur', 'must be an ISO 4217 currency code'],
    ['currency', 'XXX', 'must be an ISO 4217 currency code'],
    ['paymentBrand', 'VI SA', 'must match ^[a-zA-Z0-9_]{1,32}$'],
    ['paymentType', 'XX', 'must be one of PA, DB, CD'],
    ['paymentType', 'CP', 'must be one of PA, DB, CD'],
    ['merchantTransactionId', 'short', 'length must be between 8 and 255'],
    ['descriptor', 'x'.repeat(128), 'length must be between 1 and 127'],
    ['numberOfCaptures', '99', 'must be a whole number from 1 to 98'],
    ['numberOfCaptures', '0', 'must be a whole number from 1 to 98'],
    ['testMode', 'internal', 'must be one of INTERNAL, EXTERNAL'],
    ['standingInstruction.mode', 'FIRST', 'must be one of INITIAL, REPEATED'],
    [
      'shopperResultUrl',
      '/result',
      'must be an absolute URL of 6 to 2048 characters, without a user',
    ],
    [
      'shopperResultUrl',
      'javascript://x',
      'must be an absolute URL of 6 to 2048 characters, without a user',
    ],
    [
      'notificationUrl',
      'com.shop.app://told',
      'must be an absolute URL of the web, of 6 to 2048 characters, without a user',
    ],
    ['customParameters[ab]', 'x', 'must match ^[a-zA-Z0-9._]{3,64}$ in its brackets'],
    ['overridePaymentType[VISA]', 'DB', 'is not an allowed parameter'],
  ])('%s=%s: %s', (name, value, message) => {
    const found = violationsWith({ [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ name, message });
  });

  it('counts characters, not units', () => {
    expect(violationsWith({ merchantTransactionId: '😀'.repeat(255) })).toEqual([]);
    expect(violationsWith({ merchantTransactionId: '😀'.repeat(7) })).toHaveLength(1);
  });

  it.each([
    "Zoë O'Neill-Łukasz Jr.",
    '800.100.152',
    '山田太郎',
    'a'.repeat(128),
    'J. (Jane) Jones 3rd',
  ])('takes the holder %j', (holder) => {
    expect(violationsWith({ 'card.holder': holder })).toEqual([]);
  });

  it.each([
    'ab',
    'a'.repeat(129),
    '4200 0000 0000 0000',
    '4200, 0000, 0000, 0000',
    '4200 - 0000 - 0000',
    '%34%32%30%30 00000000',
    '123456789012',
    'Jane\nJones',
    'Jane\u2028J',
  ])('refuses the holder %j and does not repeat it', (holder) => {
    const message = 'must be 3 to 128 printable characters without a card number';
    expect(violationsWith({ 'card.holder': holder })).toEqual([{ name: 'card.holder', message }]);
  });

  it('takes an empty value for one that was not sent', () => {
    expect(violationsWith({ 'billing.street2': '', sequence: '', 'customer.email': '' })).toEqual(
      [],
    );
    expect(violationsWith({ amount: '' })).toEqual([
      { name: 'amount', message: 'may not be empty' },
    ]);
    expect(violationsWith({ 'unheard.of': '' })).toHaveLength(1);
  });

  it('demands no card beside a registration, and takes an empty one for none (D-50)', () => {
    const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
    const asked = (more: Readonly<Record<string, string>>) => {
      const { kind, violations: found } = checkForm(
        formOf({ ...money, ...more }),
        'payments',
        'INTERNAL',
      );
      return [kind, ...found.map(({ name }) => name)];
    };
    const card = ['card.number', 'card.expiryMonth', 'card.expiryYear'];
    const registrationId = '8ac7a4a0870f0a2d01870f1d0d4e1b2c';
    expect(asked({ registrationId })).toEqual(['payment']);
    expect(asked({ registrationId, 'card.cvv': '123' })).toEqual(['payment']);
    expect(asked({ registrationId, 'bankAccount.mandate.id': 'abc' })).toEqual(['payment']);
    expect(asked({ registrationId: '' })).toEqual(['payment', ...card]);
    expect(asked({ registrationId, 'card.number': '4200000000000000' })).toEqual([
      'payment',
      ...card.slice(1),
      'registrationId',
    ]);
  });

  it('accepts names that clients of the family send, whatever they say', () => {
    const codes = { 'registrations[0].id': 'none', createQRCode: 'x' };
    expect(violationsWith(codes)).toEqual([]);
  });

  it.each(['REPEATET', 'initial', 'toString', 'STANDING_ORDER'])(
    'refuses the legacy recurringType %s, which means nothing',
    (recurringType) => {
      const message = 'must be one of INITIAL, REPEATED, REGISTRATION_BASED';
      expect(violationsWith({ recurringType })).toEqual([{ name: 'recurringType', message }]);
      for (const kind of ['registration', 'refund'] as const) {
        const found = violations(formOf({ recurringType }), kind, 'INTERNAL');
        expect(found).toContainEqual({ name: 'recurringType', message });
      }
      for (const value of ['INITIAL', 'REPEATED', 'REGISTRATION_BASED', '']) {
        const found = violations(formOf({ recurringType: value }), 'refund', 'INTERNAL');
        expect(found.map(({ name }) => name)).not.toContain('recurringType');
      }
    },
  );

  it.each(['card.expiryMonht', 'constructor', '__proto__x', 'cart.items[01].name', '['])(
    'refuses %s, without its value',
    (name) => {
      const message = 'is not an allowed parameter';
      expect(violationsWith({ [name]: 'secret' })).toEqual([{ name, message }]);
    },
  );

  it('gives the value of what anybody may see, and of nothing else', () => {
    expect(violationsWith({ currency: 'eur' })[0]?.value).toBe('eur');
    const hidden = { 'card.number': '42x', 'card.cvv': '1', 'authentication.password': '' };
    for (const error of violationsWith(hidden)) expect(error).not.toHaveProperty('value');
  });

  it('never repeats a card number, in a name or a value', () => {
    const found = violationsWith({
      '4200000000000000': 'x',
      'customParameters[4200000000000000]': 'x',
      currency: '4200 0000 0000 0000',
      merchantTransactionId: 'order-4200000000000000',
      testMode: '5454545454545454',
    });
    expect(found).toHaveLength(5);
    expect(JSON.stringify(found)).not.toMatch(/[0-9]{7}/);
    expect(found.map(({ message }) => message)).toContain('must not contain the card number');
  });

  it.each([
    ['4200-0000-0000-0000'],
    ['order 4200.0000.0000.0000'],
    ['4200 0000 00-00 0000/1'],
    ['4_2_0_0_0_0_0_0_0_0_0_0_0_0_0_0'],
    ['%34%32%30%30000000000000'],
  ])('refuses a reference that holds the own card number as %j, and repeats none', (reference) => {
    const names = ['merchantTransactionId', 'merchantInvoiceId'];
    const found = violationsWith(Object.fromEntries(names.map((name) => [name, reference])));
    expect(found.map(({ name }) => name)).toEqual(names);
    expect(JSON.stringify(found)).not.toMatch(/4[^*]?2[^*]?0[^*]?0/);
    const foreign = { 'card.number': '5454545454545454', merchantTransactionId: reference };
    expect(violationsWith(foreign).map(({ message }) => message)).not.toContain(
      'must not contain the card number',
    );
  });

  it('repeats nothing of a number that lies across the cut', () => {
    const [error] = violationsWith({ currency: `${'x'.repeat(245)}4200000000000000` });
    expect(error?.value).toBe(`${'x'.repeat(245)}**********`);
  });

  const unknown = (count: number) =>
    Array.from({ length: count }, (_, at): [string, string] => [`foo${at}`, '']);
  const listOf = (...pairs: readonly (readonly [string, string])[]) =>
    violations(formOf(Object.fromEntries(pairs)), 'payment', 'INTERNAL');

  it('lists a hundred errors, and says how many more there are', () => {
    const found = violationsWith(Object.fromEntries(unknown(500)));
    expect(found).toHaveLength(PARAMETER_ERRORS_MAX + 1);
    expect(found.at(-1)).toEqual({ name: 'body', message: 'has 400 more errors' });
    expect(violationsWith(Object.fromEntries(unknown(101))).at(-1)?.message).toBe(
      'has 1 more error',
    );
    const hundred = violationsWith(Object.fromEntries(unknown(100)));
    expect(hundred.map(({ name }) => name)).toEqual(unknown(100).map(([name]) => name));
  });

  it('lists known parameters first, whatever stands before them in the request', () => {
    const wrong = [['amount', 'abc'] as const, ['customParameters[a]', 'x'] as const];
    const first = listOf(...wrong, ...unknown(350));
    expect(first.slice(0, 2).map(({ name }) => name)).toEqual(['amount', 'currency']);
    expect(first.map(({ name }) => name)).toContain('customParameters[a]');
    expect(listOf(...unknown(350), ...wrong)).toEqual(first);
    expect(listOf(...unknown(350).reverse(), ...wrong.toReversed())).toEqual(first);
  });

  it('lists the items of a cart by their index', () => {
    const prices = Array.from({ length: 150 }, (_, at): [string, string] => [
      `cart.items[${at}].price`,
      '1',
    ]);
    const basics = Object.entries(payment);
    const found = listOf(...basics, ...prices.toReversed());
    const names = prices.slice(0, PARAMETER_ERRORS_MAX).map(([name]) => name);
    expect(found.map(({ name }) => name)).toEqual([...names, 'body']);
    expect(found.at(-1)?.message).toBe('has 50 more errors');
  });

  it('takes a thousand names in brackets', () => {
    const names = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`customParameters[a${at}.b]`, '']),
      );
    expect(violationsWith(names(MAP_NAMES_MAX))).toEqual([]);
    const message = `must have at most ${MAP_NAMES_MAX} names in brackets`;
    const many = names(MAP_NAMES_MAX + 1);
    expect(violationsWith(many)).toEqual([{ name: 'body', message }]);
    expect(violationsWith({ ...many, 'customParameters[a]': '' })).toHaveLength(1);
  });

  it('names a thousand unknown parameters', () => {
    const few = violationsWith(Object.fromEntries(unknown(UNKNOWN_NAMES_MAX)));
    expect(few.map(({ name }) => name).slice(98)).toEqual(['foo98', 'foo99', 'body']);
    expect(few.at(-1)?.message).toBe('has 900 more errors');
  });

  const tooManyNames: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    ['has more than 1000 parameters that are not allowed', unknown(UNKNOWN_NAMES_MAX + 1)],
    [
      'must have at most 1000 names in brackets',
      unknown(MAP_NAMES_MAX + 1).map(([name]) => [`merchant.data[${name}]`, 'x'] as const),
    ],
  ];

  it.each(tooManyNames)('beside what %s, says what is wrong with plain names', (message, many) => {
    const wrong = [['currency', 'x'] as const, ['cart.items[0].price', 'x'] as const];
    const names = ['amount', 'currency', 'body'];
    const basics = Object.entries(payment).filter(
      ([name]) => !['amount', 'currency'].includes(name),
    );
    const first = listOf(...basics, ...wrong, ...many);
    expect(first.map(({ name }) => name)).toEqual(names);
    expect(first.at(-1)).toEqual({ name: 'body', message });
    expect(listOf(...many, ...wrong.toReversed(), ...basics)).toEqual(first);
    expect(listOf(...wrong, ...many.toReversed(), ...many, ...basics)).toEqual(first);
    expect(listOf(...Object.entries(payment), ...many)).toEqual(first.slice(-1));
  });
});

describe('a read', () => {
  it('demands nothing and refuses unknown names', () => {
    expect(violations(formOf({ entityId: payment.entityId }), 'read', 'INTERNAL')).toEqual([]);
    expect(violations(formOf({ entityID: '1' }), 'read', 'INTERNAL')).toEqual([
      { name: 'entityID', message: 'is not an allowed parameter' },
    ]);
  });
});

describe('any form', () => {
  it('never makes a check throw: 10,000 random names and values', () => {
    const names = fc.oneof(
      fc.constantFrom(...Object.keys(payment), 'customParameters[abc]', 'cart.items[1].name'),
      fc.string({ unit: 'binary', minLength: 1 }),
      fc
        .array(fc.constantFrom('card', '.', '[', ']', '0', 'customParameters', '__proto__'))
        .map((p) => p.join('')),
    );
    const pairs = fc.array(fc.tuple(names, fc.string({ unit: 'binary' })), { maxLength: 8 });
    const isChecked = (body: string): boolean => {
      const parsed = parseForm(body);
      if (parsed.kind === 'refused') return true;
      const lists = kinds.map((kind) => violations(parsed.form, kind, 'INTERNAL'));
      lists.push(checkForm(parsed.form, 'payments', 'INTERNAL').violations);
      lists.push(checkForm(parsed.form, 'transaction', 'INTERNAL').violations);
      return lists.flat().every(({ name, message }) => name.length <= 255 && message !== '');
    };
    fc.assert(
      fc.property(pairs, (list) => isChecked(new URLSearchParams(list).toString())),
      { numRuns: 10_000, seed: 20_260_105 },
    );
  }, 60_000);
});
