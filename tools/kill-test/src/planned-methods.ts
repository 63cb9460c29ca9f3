import type { SeededRandom } from '@sluice/testing';
import { type InstrumentName, type WalletName, walletNames } from './instruments.js';

/** What an agreement allows, as far as its first payment says. */
export interface AgreedTerms {
  /** The most authorizations, the first one among them. */
  readonly authorizationsMax?: number;
}

/** How a first payment is paid, and under which agreement. */
export interface PlannedMethod {
  /** Absent: by card. */
  readonly instrument?: InstrumentName;
  /** It is the first payment of an agreement. */
  readonly begins?: AgreedTerms;
  /** The `reference` of the first payment of the agreement that it is a later one of. */
  readonly continues?: string;
  /** The `reference` of the payment that has stored what this one is made with. */
  readonly storedBy?: string;
  /** What it is made with is stored (`createRegistration`). */
  readonly storesCard?: true;
  /** The `reference` of the payment whose token of a wallet it is made with, too. */
  readonly tokenOf?: string;
  /** What that token is for; absent: whatever the payment is about. */
  readonly amountMinor?: number;
}

/** When a request is sent. */
export interface PlannedTime {
  readonly life: number;
  readonly atMs: number;
}

interface PlannedStart extends PlannedTime {
  readonly reference: string;
}

/** A first payment for which a method is wanted. */
interface PlannedFirst extends PlannedStart {
  readonly amountMinor: number;
}

interface PlannedStoring extends PlannedStart {
  readonly instrument: InstrumentName | undefined;
}

interface PlannedToken extends PlannedFirst {
  readonly wallet: WalletName;
}

interface PlannedAgreement extends PlannedStart {
  readonly terms: AgreedTerms;
  readonly instrument: InstrumentName;
}

/** Which part of the first payments is what; the rest is by card, and on its own. */
const SHARES = {
  directDebit: 0.14,
  tokenAccount: 0.05,
  giftCard: 0.05,
  decryptedWallet: 0.05,
  walletToken: 0.08,
  failoverCard: 0.06,
  declinedCard: 0.06,
  storedOnceCard: 0.06,
  begins: 0.06,
  continues: 0.2,
  byRegistration: 0.1,
} as const;
const DIRECT_DEBIT_SHARE = 0.3;
const LIMITED_SHARE = 0.5;
/** Of the payments with the token of a wallet, those whose token another payment was sent with. */
const SENT_TWICE_SHARE = 0.4;
/** So few that some agreements are used up, and so many that most of their payments are approved. */
const AUTHORIZATIONS = { least: 2, most: 4 };
/** A merchant goes on with these alone: so each of them is paid under several times. */
const LATEST = 6;

/** Decides by draws of its own what first payments are made with. */
export class MethodPlanner {
  readonly #draws: SeededRandom;
  readonly #agreements: PlannedAgreement[] = [];
  readonly #storing: PlannedStoring[] = [];
  #latestToken: PlannedToken | undefined;

  constructor(random: SeededRandom) {
    this.#draws = random.fork('methods');
  }

  /**
   * The draws are the same in number whatever they decide. `isAnswered`: whether a merchant can have
   * seen at the time of this request what became of one of that time.
   */
  next(first: PlannedFirst, isAnswered: (earlier: PlannedTime) => boolean): PlannedMethod {
    const share = shareAt(this.#draws.fraction());
    const isDirectDebit = this.#draws.chance(DIRECT_DEBIT_SHARE);
    const isLimited = this.#draws.chance(LIMITED_SHARE);
    const authorizationsMax = this.#draws.integer(AUTHORIZATIONS.least, AUTHORIZATIONS.most);
    const place = this.#draws.fraction();
    const wallet = this.#draws.pick(walletNames);
    const isSentTwice = this.#draws.chance(SENT_TWICE_SHARE);
    switch (share) {
      case undefined:
        return {};
      case 'begins': {
        const instrument = isDirectDebit ? 'directDebit' : 'card';
        const terms = isLimited ? { authorizationsMax } : {};
        this.#agreements.push({ ...first, terms, instrument });
        return { instrument, begins: terms };
      }
      case 'continues': {
        const agreement = oneOf(this.#agreements.filter(isAnswered), place);
        if (agreement === undefined) return {};
        return { instrument: agreement.instrument, continues: agreement.reference };
      }
      case 'byRegistration': {
        const storing = oneOf(this.#storing.filter(isAnswered), place);
        if (storing === undefined) return {};
        const { reference: storedBy, instrument } = storing;
        // Its channel, too: another one's registrations are unknown there.
        return { storedBy, ...(instrument !== undefined && { instrument }) };
      }
      case 'walletToken':
        return this.#byToken({ ...first, wallet }, isSentTwice);
      case 'storedOnceCard':
        return { instrument: share, storesCard: true };
      default:
        return { instrument: share };
    }
  }

  /** Notes a payment that stores its card, for later payments with that. */
  stores(storing: PlannedStoring): void {
    this.#storing.push(storing);
  }

  /** Whoever sends a token twice does so within a life: tokens are good for minutes. */
  #byToken(token: PlannedToken, isSentTwice: boolean): PlannedMethod {
    const latest = this.#latestToken;
    if (isSentTwice && latest?.life === token.life) {
      const { wallet: instrument, reference: tokenOf, amountMinor } = latest;
      return { instrument, tokenOf, amountMinor };
    }
    this.#latestToken = token;
    return { instrument: token.wallet };
  }

  /** Of an agreement that was begun. */
  termsOf(reference: string): AgreedTerms {
    return this.#agreements.find((one) => one.reference === reference)?.terms ?? {};
  }
}

/** One of the latest, by a draw. */
function oneOf<Start>(known: readonly Start[], place: number): Start | undefined {
  const latest = known.slice(-LATEST);
  return latest[Math.floor(place * latest.length)];
}

function shareAt(fraction: number): keyof typeof SHARES | undefined {
  let upTo = 0;
  for (const [name, share] of Object.entries(SHARES)) {
    upTo += share;
    if (fraction < upTo) return name as keyof typeof SHARES;
  }
  return undefined;
}
