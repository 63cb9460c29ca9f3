import { record } from './offered-wallet.js';
import type { SrcSdk } from './src-system.js';

/** A card as its system shows it. */
export interface EnrolledCard {
  readonly id: string;
  /** `Visa •••• 0000` */
  readonly title: string;
  /** Of the system that has it. */
  readonly sdk: SrcSdk;
  readonly correlationId: string;
}

/** What is paid, and in which window the shopper is asked. */
export interface SrcPayment {
  readonly amount: string;
  readonly currency: string;
  readonly locale: string;
  readonly windowRef: Window;
}

/** What has become of it: the signed response, or what the shopper wants instead. */
export type SrcOutcome =
  | { readonly kind: 'confirmed'; readonly response: string }
  | { readonly kind: 'otherCard' | 'cancelled' };

/** A shopper in the systems of the schemes, of which each has other cards of him. */
export class SrcShopper {
  /** Those that know him. */
  #known: readonly SrcSdk[] = [];

  constructor(
    private readonly systems: readonly SrcSdk[],
    private readonly transactionId: string,
  ) {}

  /** Whether any of them knows the address. Rejects where none of them answers. */
  async isKnown(email: string): Promise<boolean> {
    const identity = { identityProvider: 'SRC', identityType: 'EMAIL_ADDRESS' } as const;
    const consumerIdentity = { ...identity, identityValue: email };
    const known = await ofAny(this.systems, async (sdk) => {
      const { consumerPresent } = record(await sdk.identityLookup({ consumerIdentity }));
      return consumerPresent === true ? [sdk] : [];
    });
    this.#known = known;
    return known.length > 0;
  }

  /** Has the first of them send a code; where to, as the system shows it. */
  async sendCode(): Promise<string> {
    const said = record(await this.#known[0]?.initiateIdentityValidation());
    const { maskedValidationChannel: where } = said;
    return typeof where === 'string' ? where : '';
  }

  /** The shopper's cards, in all that know him: by the word of the one that has sent the code. */
  async cards(code: string): Promise<readonly EnrolledCard[]> {
    const completed = await this.#known[0]?.completeIdentityValidation({ validationData: code });
    const { idToken } = record(completed);
    const idTokens = typeof idToken === 'string' ? [idToken] : [];
    return ofAny(this.#known, async (sdk) => cardsIn(await sdk.getSrcProfile({ idTokens }), sdk));
  }

  /** Has the card's system ask the shopper, in its own words. Rejects where it fails. */
  async pay(
    card: EnrolledCard,
    { amount, currency, locale, windowRef }: SrcPayment,
  ): Promise<SrcOutcome> {
    const answer = record(
      await card.sdk.checkout({
        ...{ srcCorrelationId: card.correlationId, srciTransactionId: this.transactionId },
        ...{ srcDigitalCardId: card.id, windowRef, payloadTypeIndicatorCheckout: 'PAYMENT' },
        dpaTransactionOptions: {
          dpaLocale: locale,
          transactionAmount: { transactionAmount: amount, transactionCurrencyCode: currency },
        },
      }),
    );
    const { dcfActionCode: code, checkoutResponse: response } = answer;
    if (code === 'COMPLETE' && typeof response === 'string') return { kind: 'confirmed', response };
    if (code === 'CANCEL') return { kind: 'cancelled' };
    if (code === 'CHANGE_CARD' || code === 'ADD_CARD' || code === 'SWITCH_CONSUMER') {
      return { kind: 'otherCard' };
    }
    throw new Error(`Click to Pay: ${String(code)}`);
  }
}

/** What those say that answer; rejects where none does. */
async function ofAny<One>(
  systems: readonly SrcSdk[],
  ask: (sdk: SrcSdk) => Promise<readonly One[]>,
): Promise<readonly One[]> {
  const asks = systems.map(ask);
  const asked = await Promise.allSettled(asks);
  const answered = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first] = asks;
  if (answered.length === 0 && first !== undefined) return first;
  return answered.flat();
}

function cardsIn(profile: unknown, sdk: SrcSdk): readonly EnrolledCard[] {
  const { srcCorrelationId: correlationId, profiles } = record(profile);
  if (typeof correlationId !== 'string') return [];
  return listOf(profiles)
    .flatMap((one) => listOf(record(one)['maskedCards']))
    .map(record)
    .flatMap(({ srcDigitalCardId: id, panLastFour, ...card }) => {
      const isFour = typeof panLastFour === 'string' && /^[0-9]{4}$/.test(panLastFour);
      if (typeof id !== 'string' || !isFour) return [];
      const { presentationName = card['paymentCardDescriptor'] } = record(card['digitalCardData']);
      const name = typeof presentationName === 'string' ? presentationName.slice(0, 64) : '';
      return [{ id, sdk, correlationId, title: `${name} •••• ${panLastFour}`.trim() }];
    });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
