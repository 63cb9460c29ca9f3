import { describe, expect, it } from '@jest/globals';
import { askedAuthentication, type Asking } from './asked-authentication.js';
import { saidBySdk } from './device-info-fixture.js';
import { Form } from './form.js';

type Parameters = Readonly<Record<string, string>>;

function asked(parameters: Parameters, asking: Partial<Asking> = {}) {
  const form = new Form(
    new Map(
      Object.entries({ paymentType: 'DB', 'card.number': '4200000000000000', ...parameters }),
    ),
  );
  const kinds = { kind: 'payment', mode: 'INTERNAL', instrument: { kind: 'card' } } as const;
  return askedAuthentication(form, { ...kinds, ...asking });
}

const inApp = { 'threeDSecure.deviceInfo': JSON.stringify(saidBySdk) };
const challenge = { 'threeDSecure.challengeIndicator': '04' };
const testCard = { 'card.number': '4200000000000042' };
const demandedBy = 'threeDSecure.challengeIndicator 04';
/** As the merchant's own server has found out. */
const proof = {
  'threeDSecure.eci': '05',
  'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=',
  'threeDSecure.authenticationStatus': 'Y',
};

describe('a payment by card that a shopper makes', () => {
  it.each([{}, { paymentType: 'PA' }, { transactionCategory: 'EC' }])(
    'with %j may be authenticated, if the channel wants that',
    (parameters) => {
      expect(asked(parameters)).toEqual({ kind: 'possible' });
    },
  );

  it('says what demands it', () => {
    expect(asked(challenge)).toEqual({ kind: 'possible', demandedBy });
    expect(asked(testCard)).toEqual({ kind: 'possible', demandedBy: 'this test card' });
    expect(asked({ 'threeDSecure.npa': 'true' })).toEqual({
      ...{ kind: 'possible', demandedBy: 'threeDSecure.npa' },
    });
  });

  it.each([
    ['with what is stored', { kind: 'registration' }],
    ['out of a wallet', { kind: 'wallet' }],
    ['out of a wallet, by its own number', { kind: 'card', numberType: 'PAN' }],
  ] as const)('%s is one as well', (_, instrument) => {
    expect(asked(challenge, { instrument })).toEqual({ kind: 'possible', demandedBy });
  });

  it('by a wallet has the number of its card in the token, where a test card demands one as well', () => {
    const ofWallet = {
      ...({ kind: 'card', wallet: 'googlePay', bin: '420000', last4: '0042' } as const),
      ...({ brand: 'VISA', numberType: 'PAN' } as const),
    };
    const form = { 'card.number': '' };
    expect(asked(form, { instrument: ofWallet })).toEqual({
      ...{ kind: 'possible', demandedBy: 'this test card' },
    });
    expect(asked(form, { instrument: { ...ofWallet, last4: '0000' } })).toEqual({
      kind: 'possible',
    });
    expect(asked(form, { instrument: ofWallet, mode: 'LIVE' })).toEqual({ kind: 'possible' });
    const { wallet: _, ...stored } = ofWallet;
    expect(asked(form, { instrument: stored })).toEqual({ kind: 'possible' });
    // The device has authenticated its owner, and has a cryptogram for it.
    const ofDevice = { ...ofWallet, numberType: 'DPAN' } as const;
    expect(asked(form, { instrument: ofDevice })).toMatchObject({ kind: 'none' });
  });

  it('that says that the shopper comes back to a card is one as well', () => {
    const further = { 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'CIT' };
    expect(asked(further)).toEqual({ kind: 'possible' });
  });
});

describe('a payment in an app', () => {
  it('has its shopper authenticated by what the SDK said', () => {
    const demandedBy = 'threeDSecure.deviceInfo';
    expect(asked(inApp)).toEqual({ kind: 'possible', demandedBy });
  });
});

describe('an authentication that the merchant begins (3RI)', () => {
  it.each([{ 'threeDSecure.channel': '3' }, { 'threeDSecure.threeRIInd': 'RECURRING' }])(
    'is made without the shopper: %j',
    (parameters) => {
      const [demandedBy] = Object.keys(parameters);
      const without = { 'standingInstruction.source': 'MIT', transactionCategory: 'MOTO' };
      for (const more of [{}, without]) {
        expect(asked({ ...parameters, ...more })).toEqual({ kind: 'possible', demandedBy });
      }
      expect(asked({ ...parameters, paymentType: 'CD' })).toMatchObject({ kind: 'refused' });
    },
  );
});

describe('nobody is authenticated', () => {
  it.each([
    { 'threeDSecure.disable': 'true' },
    proof,
    { ...proof, 'threeDSecure.authenticationStatus': 'A' },
    { 'threeDSecure.dsTransactionId': 'c75f23af-9454-43f6-ba17-130ed529507e' },
  ])('where the merchant has done it or wants none: %j, whatever demands it', (parameters) => {
    expect(asked(parameters)).toMatchObject({ kind: 'none' });
    expect(asked({ ...challenge, ...testCard, ...parameters })).toMatchObject({ kind: 'none' });
  });

  it.each([
    [{ paymentType: 'CD' }, 'paid out'],
    [{ 'standingInstruction.source': 'MIT' }, 'without the shopper'],
    [{ recurringType: 'REPEATED' }, 'without the shopper'],
    [{ transactionCategory: 'MOTO' }, 'transactionCategory MOTO'],
    [{ transactionCategory: 'PO' }, 'no browser'],
    [{ 'card.numberType': 'DPAN' }, 'authenticated its owner itself'],
  ])('where nobody is there: %j; what demands it is refused then', (parameters, words) => {
    expect(asked(parameters)).toMatchObject({ kind: 'none' });
    expect(asked({ ...testCard, ...parameters })).toMatchObject({ kind: 'none' });
    const refused = asked({ ...challenge, ...parameters });
    expect(refused).toMatchObject({ kind: 'refused' });
    expect(refused).toHaveProperty('reason', expect.stringContaining(`${demandedBy} demands`));
    expect(refused).toHaveProperty('reason', expect.stringContaining(words));
  });

  it.each([
    ['an account', { instrument: { kind: 'bankAccount' } }],
    ['the number of a device', { instrument: { kind: 'card', numberType: 'DPAN' } }],
    ['a rebill', { kind: 'rebill' }],
  ] as const)('by %s', (_, asking) => {
    expect(asked({}, asking)).toMatchObject({ kind: 'none' });
    expect(asked(challenge, asking)).toMatchObject({ kind: 'refused' });
  });

  it.each<[string, Parameters]>([
    ['of whose SDK nothing can be read', { 'threeDSecure.deviceInfo': 'x' }],
    ['of a payment that the merchant begins', { ...inApp, 'threeDSecure.channel': '3' }],
  ])('in an app %s', (_, parameters) => {
    expect(asked(parameters)).toMatchObject({ kind: 'refused' });
    expect(asked({ ...parameters, 'threeDSecure.disable': 'true' })).toMatchObject({
      kind: 'none',
    });
  });

  it.each(['N', 'U'])('whom an external server has not: status %s', (status) => {
    const failed = { 'threeDSecure.authenticationStatus': status };
    for (const parameters of [failed, { ...proof, ...failed }]) {
      expect(asked(parameters)).toEqual({
        kind: 'refused',
        reason: `threeDSecure.authenticationStatus ${status} says that the shopper was not authenticated`,
      });
    }
    expect(asked({ ...failed, 'threeDSecure.disable': 'true' })).toMatchObject({ kind: 'refused' });
  });
});

describe('a rule that demands a challenge is told', () => {
  const complete = {
    ...{ ...proof, 'threeDSecure.version': '2.2.0' },
    'threeDSecure.dsTransactionId': '3e1b5a2c-0d7a-4a63-9f0e-8a1c5c3f2d10',
  };

  it('that an external server has authenticated the shopper, where all of its values are there', () => {
    expect(asked(complete)).toEqual({ kind: 'elsewhere', isProven: true });
    const { 'threeDSecure.authenticationStatus': _, ...withoutStatus } = complete;
    expect(asked(withoutStatus)).toEqual({ kind: 'elsewhere', isProven: true });
  });

  it.each<[string, string, boolean]>([
    ['VISA', '05', true],
    ['VISA', '06', false],
    ['MASTER', '02', true],
    ['MASTER', '07', false],
    ['MASTER', '01', false],
    ['UNIONPAY', '02', true],
    ['UNIONPAY', '05', true],
    ['UNIONPAY', '06', false],
  ])('whether it did or only tried, by the network: %s %s', (brand, eci, isProven) => {
    const said = { ...complete, 'threeDSecure.eci': eci, 'threeDSecure.authenticationStatus': '' };
    const { 'threeDSecure.authenticationStatus': _, ...proven } = said;
    expect(asked({ ...proven, paymentBrand: brand })).toEqual({ kind: 'elsewhere', isProven });
    // Of what is stored, its brand is not in the form.
    const stored = { kind: 'card', brand } as const;
    expect(asked({ ...proven, 'card.number': '' }, { instrument: stored })).toEqual({
      ...{ kind: 'elsewhere', isProven },
    });
  });

  it.each<[Parameters, boolean]>([
    [{ 'standingInstruction.type': 'RECURRING' }, true],
    [{ 'standingInstruction.type': 'INSTALLMENT' }, true],
    [{ recurringType: 'INITIAL' }, true],
    [{ 'standingInstruction.type': 'UNSCHEDULED' }, false],
    [{ recurringType: 'REGISTRATION_BASED' }, false],
    [{}, false],
  ])('that a series was authenticated, of a payment of one alone: %j', (series, isProven) => {
    const said = { ...complete, ...series, 'threeDSecure.eci': '07', paymentBrand: 'MASTER' };
    expect(asked(said)).toEqual({ kind: 'elsewhere', isProven });
  });

  it.each([{ 'threeDSecure.authenticationStatus': 'A' }, { 'threeDSecure.version': '1.0.2' }])(
    'that less is proven with %j',
    (changes) => {
      expect(asked({ ...complete, ...changes })).toEqual({ kind: 'elsewhere', isProven: false });
    },
  );

  it.each<[Parameters, string]>([
    [proof, 'threeDSecure.dsTransactionId, threeDSecure.version are missing'],
    [{ ...complete, 'threeDSecure.version': '' }, 'threeDSecure.version is missing'],
    [{ ...complete, 'threeDSecure.eci': '07' }, 'eci 07 says that the shopper was not'],
    [
      { ...complete, 'threeDSecure.eci': '02', paymentBrand: 'VISA' },
      'eci 02 says that the shopper was not',
    ],
    [{ 'threeDSecure.disable': 'true' }, 'threeDSecure.disable forbids it'],
    [{ transactionCategory: 'MOTO' }, 'transactionCategory MOTO says that there is no browser'],
    [{ transactionCategory: 'MO' }, 'transactionCategory MO says that there is no browser'],
    [{ paymentType: 'CD' }, 'a credit (CD) is paid out to the shopper'],
  ])('why nobody was: %j', (parameters, reason) => {
    expect(asked(parameters)).toEqual({ kind: 'none', reason: expect.stringContaining(reason) });
  });
});
