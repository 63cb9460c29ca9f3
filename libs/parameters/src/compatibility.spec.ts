import { describe, expect, it } from '@jest/globals';
import {
  type Compatibility,
  type CompatibilitySwitchName,
  compatibilitySwitches,
  leniently,
  strictly,
} from '@sluice/contracts';
import { bodyOnly } from './body-only.js';
import { nameMeant, translated } from './compatibility.js';
import { compatibilityReference } from './compatibility-reference.js';
import { echo } from './echo.js';
import { checkQuery } from './query-checks.js';
import { read } from './read.js';
import { stored } from './stored.js';
import { checkForm } from './violations.js';
import { formOf } from './violations-fixture.js';

type Parameters = Readonly<Record<string, string>>;

const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
const byCard = {
  ...money,
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};
const bySepa = {
  ...money,
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE89370400440532013000',
};
const byVirtualAccount = {
  ...money,
  paymentBrand: 'PAYPAL',
  'virtualAccount.accountId': 'jane@example.com',
  shopperResultUrl: 'https://shop.example/result',
};
/** Every one but this: what it does must not come from another. */
const allBut = (name: CompatibilitySwitchName): Compatibility =>
  new Set([...leniently].filter((each) => each !== name));

const refusedNames = (parameters: Parameters, compatibility: Compatibility): readonly string[] => {
  const form = translated(formOf(parameters), compatibility);
  const { violations } = checkForm(form, 'payments', 'INTERNAL', compatibility);
  return violations.map(({ name }) => name);
};

/** What comes of a request under one switch alone, as a payment takes it. */
const taken = (parameters: Parameters, name: CompatibilitySwitchName) => {
  const compatibility = new Set([name]);
  const form = translated(formOf(parameters), compatibility);
  const { kind, violations } = checkForm(form, 'payments', 'INTERNAL', compatibility);
  expect(violations).toEqual([]);
  const { parameters: kept, personal } = stored(form, kind);
  return { form, kept: { ...kept, ...personal }, answered: echo(kept, personal) };
};

/** A payment that only the switch lets in, and the names that are refused without it. */
const cases: readonly (readonly [CompatibilitySwitchName, Parameters, readonly string[]])[] = [
  [
    'emailWithoutName',
    { ...byCard, 'customer.email': 'jane@example.com' },
    ['customer.givenName', 'customer.surname'],
  ],
  [
    'shortMerchantTransactionId',
    { ...byCard, merchantTransactionId: '1042' },
    ['merchantTransactionId'],
  ],
  ['ibanWithoutBic', bySepa, ['bankAccount.bankCode']],
  ['createRegistrationByDigit', { ...byCard, createRegistration: '1' }, ['createRegistration']],
  [
    'challengeIndicatorByDigit',
    { ...byCard, 'threeDSecure.challengeIndicator': '4' },
    ['threeDSecure.challengeIndicator'],
  ],
  [
    'shippingName',
    { ...byCard, 'shipping.givenName': 'Jane', 'shipping.surname': 'Jones' },
    ['shipping.givenName', 'shipping.surname'],
  ],
  [
    'customerIdentificationType',
    {
      ...byCard,
      ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
      'customer.identificationType': 'PASSPORT',
      'customer.identificationDocId': 'C01X00T478',
    },
    ['customer.identificationDocType', 'customer.identificationType'],
  ],
  [
    'threeDSecureFlow',
    { ...byCard, 'threeDSecure.eci': '07', 'threeDSecure.flow': 'CHALLENGE' },
    ['threeDSecure.flow'],
  ],
  [
    'virtualAccountPassword',
    { ...byVirtualAccount, 'virtualAccount.password': 'geheim' },
    ['virtualAccount.password'],
  ],
];

describe('every switch', () => {
  it('has a case here, or one of queries below, or is about no parameter', () => {
    const tried = [...cases.map(([name]) => name), 'limitBelow100', 'statusWithoutAccess'];
    expect(tried.sort()).toEqual(compatibilitySwitches.map(({ name }) => name).sort());
  });

  it.each(cases)(
    '%s: refused while it is off, accepted while it is on',
    (name, request, refused) => {
      expect(refusedNames(request, strictly)).toEqual(refused);
      expect(refusedNames(request, allBut(name))).toEqual(refused);
      expect(refusedNames(request, new Set([name]))).toEqual([]);
      expect(refusedNames(request, leniently)).toEqual([]);
    },
  );

  it('stands in the reference', () => {
    const page = compatibilityReference();
    for (const { name } of compatibilitySwitches) expect(page).toContain(`| \`${name}\` |`);
  });
});

describe('emailWithoutName', () => {
  it('asks for the name with anything else that goes with one', () => {
    const more = { ...byCard, 'customer.email': 'jane@example.com', 'customer.phone': '+49 30 1' };
    expect(refusedNames(more, leniently)).toEqual(['customer.givenName', 'customer.surname']);
  });
});

describe('shortMerchantTransactionId', () => {
  it('keeps and returns it as it was sent, and takes no longer one than before', () => {
    const request = { ...byCard, merchantTransactionId: '1' };
    const { kept, answered } = taken(request, 'shortMerchantTransactionId');
    expect(kept['merchantTransactionId']).toBe('1');
    expect(answered).toMatchObject({ merchantTransactionId: '1' });
    const long = { ...byCard, merchantTransactionId: 'x'.repeat(256) };
    expect(refusedNames(long, leniently)).toEqual(['merchantTransactionId']);
  });
});

describe('ibanWithoutBic', () => {
  it('still asks for the bank of an account number', () => {
    const { 'bankAccount.iban': _, ...byNumber } = bySepa;
    const request = { ...byNumber, 'bankAccount.number': '532013000' };
    expect(refusedNames(request, leniently)).toEqual(['bankAccount.bankCode']);
  });
});

describe('createRegistrationByDigit', () => {
  it.each([
    ['1', true],
    ['0', false],
    ['true', true],
    ['false', false],
  ])('%s is %s', (createRegistration, expected) => {
    const { form } = taken({ ...byCard, createRegistration }, 'createRegistrationByDigit');
    expect(read(form, 'createRegistration')).toBe(expected);
  });

  it.each(['2', '01', 'yes', 'TRUE'])('%s is neither', (createRegistration) => {
    expect(refusedNames({ ...byCard, createRegistration }, leniently)).toEqual([
      'createRegistration',
    ]);
  });
});

describe('challengeIndicatorByDigit', () => {
  it.each(['1', '4', '9', '04'])('%s is kept and returned in two digits', (given) => {
    const request = { ...byCard, 'threeDSecure.challengeIndicator': given };
    const { kept, answered } = taken(request, 'challengeIndicatorByDigit');
    const challengeIndicator = given.padStart(2, '0');
    expect(kept['threeDSecure.challengeIndicator']).toBe(challengeIndicator);
    expect(answered).toMatchObject({ threeDSecure: { challengeIndicator } });
  });

  it.each(['0', '10', '004'])('%s is none', (given) => {
    const request = { ...byCard, 'threeDSecure.challengeIndicator': given };
    expect(refusedNames(request, leniently)).toEqual(['threeDSecure.challengeIndicator']);
  });
});

describe('limitBelow100', () => {
  const asked = (limit: string, compatibility: Compatibility) => {
    const checked = checkQuery(
      formOf({ merchantTransactionId: 'order-1042', limit }),
      'INTERNAL',
      compatibility,
    );
    return checked.kind === 'query' ? checked.query.limit : 'refused';
  };

  it('is refused while it is off, and what is asked for while it is on', () => {
    const on = new Set(['limitBelow100'] as const);
    expect(asked('10', strictly)).toBe('refused');
    expect(asked('10', allBut('limitBelow100'))).toBe('refused');
    expect(asked('10', on)).toBe(10);
    expect(asked('1', on)).toBe(1);
    expect(asked('500', on)).toBe(500);
    for (const limit of ['0', '501', '-1', '1.5']) expect(asked(limit, on)).toBe('refused');
  });
});

describe('other names for a parameter', () => {
  it('are kept and returned under the name of the catalogue', () => {
    const request = { ...byCard, 'shipping.givenName': 'Jane', 'shipping.surname': 'Jones' };
    const { kept, answered } = taken(request, 'shippingName');
    expect(kept).toMatchObject({
      'shipping.customer.givenName': 'Jane',
      'shipping.customer.surname': 'Jones',
    });
    expect(answered).toMatchObject({
      shipping: { customer: { givenName: 'Jane', surname: 'Jones' } },
    });
    const [, identified = {}] = cases.find(([name]) => name === 'customerIdentificationType') ?? [];
    expect(taken(identified, 'customerIdentificationType').answered).toMatchObject({
      customer: { identificationDocType: 'PASSPORT', identificationDocId: 'C01X00T478' },
    });
  });

  it('are refused beside the right one, because nobody can say which is meant', () => {
    const both = {
      'shipping.givenName': 'Jane',
      'shipping.customer.givenName': 'Janet',
    };
    expect(refusedNames({ ...byCard, ...both }, leniently)).toEqual(['shipping.givenName']);
  });

  it('obey the rules of the right one', () => {
    const wrong = { ...byCard, 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
    const asked = { ...wrong, 'customer.identificationType': 'LIBRARYCARD' };
    expect(refusedNames(asked, leniently)).toEqual([
      'customer.identificationDocType',
      'customer.identificationDocId',
    ]);
  });

  it('hold personal data, so that no URL may have them', () => {
    const names = ['shipping.givenName', 'customer.identificationType', 'virtualAccount.password'];
    for (const name of names) expect(bodyOnly(formOf({ [name]: 'x' }))).toHaveLength(1);
    expect(nameMeant('shipping.city')).toBe('shipping.city');
  });
});

describe('threeDSecureFlow', () => {
  it('keeps what became of the authentication elsewhere, and returns it', () => {
    for (const flow of ['CHALLENGE', 'challenge']) {
      const { kept, answered } = taken(
        { ...byCard, 'threeDSecure.flow': flow },
        'threeDSecureFlow',
      );
      expect(kept['threeDSecure.flow']).toBe('challenge');
      expect(answered).toMatchObject({ threeDSecure: { flow: 'challenge' } });
    }
    const other = { ...byCard, 'threeDSecure.flow': 'swift' };
    expect(refusedNames(other, leniently)).toEqual(['threeDSecure.flow']);
  });
});

describe('virtualAccountPassword', () => {
  it('is never kept or returned, and never repeated in an error', () => {
    const request = { ...byVirtualAccount, 'virtualAccount.password': 'geheim' };
    const { kept, answered } = taken(request, 'virtualAccountPassword');
    expect(JSON.stringify([kept, answered])).not.toContain('geheim');
    const { violations } = checkForm(formOf(request), 'payments', 'INTERNAL');
    expect(JSON.stringify(violations)).not.toContain('geheim');
  });
});

describe('without a switch', () => {
  it('a form is not even copied', () => {
    const form = formOf({ ...byCard, 'shipping.givenName': 'Jane', createRegistration: '1' });
    expect(translated(form, strictly)).toBe(form);
    expect(translated(formOf(byCard), leniently)).toEqual(formOf(byCard));
  });
});
