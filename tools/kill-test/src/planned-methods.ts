import type { SeededRandom } from '@sluice/testing';
import type { InstrumentName } from './instruments.js';

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
}

/** When a request is sent. */
export interface PlannedTime {
  readonly life: number;
  readonly atMs: number;
}

interface PlannedStart extends PlannedTime {
  readonly reference: string;
}

interface PlannedAgreement extends PlannedStart {
  readonly terms: AgreedTerms;
  readonly instrument: InstrumentName;
}

/** Which part of the first payments is what; the rest is by card, and on its own. */
const SHARES = {
  directDebit: 0.16,
  tokenAccount: 0.06,
  giftCard: 0.06,
  decryptedWallet: 0.06,
  begins: 0.06,
  continues: 0.2,
  byRegistration: 0.1,
} as const;
const DIRECT_DEBIT_SHARE = 0.3;
const LIMITED_SHARE = 0.5;
/** So few that some agreements are used up, and so many that most of their payments are approved. */
const AUTHORIZATIONS = { least: 2, most: 4 };
/** A merchant goes on with these alone: so each of them is paid under several times. */
const LATEST = 6;

/** Decides by draws of its own what first payments are made with. */
export class MethodPlanner {
  readonly #draws: SeededRandom;
  readonly #agreements: PlannedAgreement[] = [];
  readonly #storing: PlannedStart[] = [];

  constructor(random: SeededRandom) {
    this.#draws = random.fork('methods');
  }

  /**
   * The draws are the same in number whatever they decide. `isAnswered`: whether a merchant can have
   * seen at the time of this request what became of one of that time.
   */
  next(
    reference: string,
    time: PlannedTime,
    isAnswered: (earlier: PlannedTime) => boolean,
  ): PlannedMethod {
    const share = shareAt(this.#draws.fraction());
    const isDirectDebit = this.#draws.chance(DIRECT_DEBIT_SHARE);
    const isLimited = this.#draws.chance(LIMITED_SHARE);
    const authorizationsMax = this.#draws.integer(AUTHORIZATIONS.least, AUTHORIZATIONS.most);
    const place = this.#draws.fraction();
    switch (share) {
      case undefined:
        return {};
      case 'begins': {
        const instrument = isDirectDebit ? 'directDebit' : 'card';
        const terms = isLimited ? { authorizationsMax } : {};
        this.#agreements.push({ ...time, reference, terms, instrument });
        return { instrument, begins: terms };
      }
      case 'continues': {
        const agreement = oneOf(this.#agreements.filter(isAnswered), place);
        if (agreement === undefined) return {};
        return { instrument: agreement.instrument, continues: agreement.reference };
      }
      case 'byRegistration': {
        const storing = oneOf(this.#storing.filter(isAnswered), place);
        return storing === undefined ? {} : { storedBy: storing.reference };
      }
      default:
        return { instrument: share };
    }
  }

  /** Notes a payment that stores its card, for later payments with that. */
  stores(reference: string, time: PlannedTime): void {
    this.#storing.push({ ...time, reference });
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
