import { describe, expect, it } from '@jest/globals';
import { SrcShopper } from './src-shopper.js';
import { reasonOf, type SrcSdk, srcSdkAt } from './src-system.js';

const identity = { identityProvider: 'SRC', identityType: 'EMAIL_ADDRESS' };
const visa = {
  ...{ srcDigitalCardId: '1', panBin: '420000', panLastFour: '0000' },
  digitalCardData: { presentationName: 'Visa' },
};

/** A system that answers so, and what it was asked. */
function system(answers: Partial<Record<keyof SrcSdk, unknown>> = {}) {
  const asked: [name: string, ...words: unknown[]][] = [];
  const method = (name: keyof SrcSdk, usual: unknown) => (words?: unknown) => {
    asked.push([name, words]);
    const answer = Object.hasOwn(answers, name) ? answers[name] : usual;
    // Some systems refuse by what is no error.
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    return isRefusal(answer) ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const sdk: SrcSdk = {
    init: method('init', undefined),
    identityLookup: method('identityLookup', { consumerPresent: true }),
    initiateIdentityValidation: method('initiateIdentityValidation', {
      maskedValidationChannel: 'j***@example.org',
    }),
    completeIdentityValidation: method('completeIdentityValidation', { idToken: 'token' }),
    getSrcProfile: method('getSrcProfile', {
      ...{ srcCorrelationId: 'correlation', profiles: [{ maskedCards: [visa] }] },
    }),
    checkout: method('checkout', { dcfActionCode: 'COMPLETE', checkoutResponse: 'signed' }),
  };
  return { sdk, asked };
}

function isRefusal(answer: unknown): boolean {
  return reasonOf(answer) !== undefined;
}

const payment = { amount: '92.00', currency: 'EUR', locale: 'de', windowRef: {} as Window };

describe('a shopper of Click to Pay', () => {
  it('says who he is, proves it, chooses a card and pays: with what systems ask for', async () => {
    const { sdk, asked } = system();
    const shopper = new SrcShopper([sdk], 'transaction');
    expect(await shopper.isKnown('jane@example.org')).toBe(true);
    expect(await shopper.sendCode()).toBe('j***@example.org');
    const cards = await shopper.cards('123456');
    expect(cards).toEqual([
      { id: '1', title: 'Visa •••• 0000', correlationId: 'correlation', sdk },
    ]);
    expect(await shopper.pay(cards[0]!, payment)).toEqual({
      kind: 'confirmed',
      response: 'signed',
    });
    expect(asked).toEqual([
      ['identityLookup', { consumerIdentity: { ...identity, identityValue: 'jane@example.org' } }],
      ['initiateIdentityValidation', undefined],
      ['completeIdentityValidation', { validationData: '123456' }],
      ['getSrcProfile', { idTokens: ['token'] }],
      [
        'checkout',
        {
          ...{ srcCorrelationId: 'correlation', srciTransactionId: 'transaction' },
          ...{ srcDigitalCardId: '1', windowRef: payment.windowRef },
          payloadTypeIndicatorCheckout: 'PAYMENT',
          dpaTransactionOptions: {
            dpaLocale: 'de',
            transactionAmount: { transactionAmount: '92.00', transactionCurrencyCode: 'EUR' },
          },
        },
      ],
    ]);
  });

  it('has the cards of all systems that know him, by the word of the one that asked', async () => {
    const strange = system({ identityLookup: { consumerPresent: false } });
    const [first, second] = [system(), system()];
    const broken = system({ identityLookup: { reason: 'SERVICE_ERROR' } });
    const all = [strange, broken, first, second];
    const shopper = new SrcShopper(
      all.map(({ sdk }) => sdk),
      '1',
    );
    expect(await shopper.isKnown('jane@example.org')).toBe(true);
    await shopper.sendCode();
    const cards = await shopper.cards('123456');
    expect(cards.map(({ sdk }) => sdk)).toEqual([first.sdk, second.sdk]);
    expect(second.asked.map(([name]) => name)).toEqual(['identityLookup', 'getSrcProfile']);
    expect(strange.asked.map(([name]) => name)).toEqual(['identityLookup']);
  });

  it('is unknown where no system knows him, and nobody knows where none answers', async () => {
    const strange = system({ identityLookup: { consumerPresent: false } });
    const broken = system({ identityLookup: { reason: 'SERVICE_ERROR' } });
    const of = (...systems: { sdk: SrcSdk }[]) =>
      new SrcShopper(
        systems.map(({ sdk }) => sdk),
        '1',
      ).isKnown('jane@example.org');
    expect(await of(strange, broken)).toBe(false);
    await expect(of(broken, broken)).rejects.toEqual({ reason: 'SERVICE_ERROR' });
  });

  it('is told of a wrong code in the word of the system', async () => {
    const refused = { error: { reason: 'CODE_INVALID' } };
    const shopper = new SrcShopper([system({ completeIdentityValidation: refused }).sdk], '1');
    await shopper.isKnown('jane@example.org');
    await expect(shopper.cards('1')).rejects.toEqual(refused);
  });

  it.each([
    ['no profile', null],
    ['no correlation', { profiles: [{ maskedCards: [visa] }] }],
    ['no last digits', profileOf({ ...visa, panLastFour: '00000000' })],
    ['no id', profileOf({ ...visa, srcDigitalCardId: 1 })],
    ['no list', { srcCorrelationId: '1', profiles: {} }],
  ])('has no card of a system that shows %s', async (_, profile) => {
    const shopper = new SrcShopper([system({ getSrcProfile: profile }).sdk], '1');
    await shopper.isKnown('jane@example.org');
    expect(await shopper.cards('123456')).toEqual([]);
  });

  it.each([
    ['CANCEL', 'cancelled'],
    ['CHANGE_CARD', 'otherCard'],
    ['ADD_CARD', 'otherCard'],
    ['SWITCH_CONSUMER', 'otherCard'],
  ])('may want something else than to pay: %s', async (dcfActionCode, kind) => {
    const { sdk } = system({ checkout: { dcfActionCode } });
    const shopper = new SrcShopper([sdk], '1');
    const card = { id: '1', title: '', correlationId: '1', sdk };
    expect(await shopper.pay(card, payment)).toEqual({ kind });
  });

  it.each([{ dcfActionCode: 'ERROR' }, { dcfActionCode: 'COMPLETE' }, {}])(
    'has not paid where the system says %j',
    async (answer) => {
      const { sdk } = system({ checkout: answer });
      const card = { id: '1', title: '', correlationId: '1', sdk };
      await expect(new SrcShopper([sdk], '1').pay(card, payment)).rejects.toThrow('Click to Pay');
    },
  );
});

describe('the interface of a system', () => {
  const { sdk } = system();

  it('is found where its script has left it, made or to be made', () => {
    function Made() {
      return sdk;
    }
    expect(srcSdkAt({ SRC: sdk }, 'SRC')).toBe(sdk);
    expect(srcSdkAt({ adapters: { Src: Made } }, 'adapters.Src')).toBe(sdk);
  });

  it('is none where something of it is missing', () => {
    const part = { ...sdk, checkout: undefined };
    for (const page of [{}, { SRC: null }, { SRC: part }, { SRC: 'text' }]) {
      expect(srcSdkAt(page, 'SRC')).toBeUndefined();
    }
  });

  it('says why it refuses in one of two ways', () => {
    expect(reasonOf({ reason: 'A' })).toBe('A');
    expect(reasonOf({ error: { reason: 'B' } })).toBe('B');
    for (const nothing of [undefined, null, 'text', {}, { reason: 1 }]) {
      expect(reasonOf(nothing)).toBeUndefined();
    }
  });
});

function profileOf(card: object): object {
  return { srcCorrelationId: '1', profiles: [{ maskedCards: [card] }] };
}
