/** What has been agreed with the shopper. */
export const standingInstructionTypes = ['UNSCHEDULED', 'INSTALLMENT', 'RECURRING'] as const;

/** One of them. */
export type StandingInstructionType = (typeof standingInstructionTypes)[number];

/** Whether a payment is the first of its agreement or a later one. */
export const standingInstructionModes = ['INITIAL', 'REPEATED'] as const;

/** One of them. */
export type StandingInstructionMode = (typeof standingInstructionModes)[number];

/** Who initiates a payment: the cardholder or the merchant. */
export const standingInstructionSources = ['CIT', 'MIT'] as const;

/** One of them. */
export type StandingInstructionSource = (typeof standingInstructionSources)[number];

/** Why a merchant charges a card whose holder takes no part. */
export const industryPractices = [
  'INCREMENTAL_AUTH',
  'RESUBMISSION',
  'REAUTHORIZATION',
  'DELAYED_CHARGES',
  'NO_SHOW',
] as const;

/** One of them. */
export type IndustryPractice = (typeof industryPractices)[number];

/** Names a first payment: the acquirer's id of it, and the id of the agreement. */
export const agreementReferences = ['initialTransactionId', 'agreementId'] as const;

const TERMS = [
  'standingInstruction.expiry',
  'standingInstruction.frequency',
  'standingInstruction.numberOfInstallments',
] as const;

/** What parameters, by wire name, agree about later payments (Interface 2.18); empty if nothing. */
export function agreedTerms(
  parameters: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    TERMS.flatMap((name) => {
      const value = parameters[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/**
 * The detail of an answer by which an acquirer names the first payment of an agreement, where that is
 * not its own id of it (Interface 2.2): a gateway passes on what the acquirer behind it has said.
 */
export const FIRST_PAYMENT_DETAIL = 'CardholderInitiatedTransactionID';

/** What later payments name an approved first one by, as its acquirer knows it (Interface 2.18). */
export function initialTransactionIdOf({
  connectorTxId,
  resultDetails,
}: {
  readonly connectorTxId?: string;
  readonly resultDetails?: Readonly<Record<string, string>>;
}): string | undefined {
  return resultDetails?.[FIRST_PAYMENT_DETAIL] ?? connectorTxId;
}

/** What a payment of one mode and source is under. */
export interface StandingInstructionRule {
  /** It has to name its first payment by one of these; by none if it is itself the first, or the shopper is there. */
  readonly demands: readonly (typeof agreementReferences)[number][];
  /** What the answer gives once it is approved. */
  readonly gives: readonly (typeof agreementReferences)[number][];
  /** The reasons it may have. */
  readonly practices: readonly IndustryPractice[];
  /** Whether brands that have a security code want it. */
  readonly securityCode: 'asked' | 'notAsked';
}

const NONE = [] as const;

/**
 * `standingInstructions[mode][source]`, complete (Interface 2.18, wire contract 4, page 0049); the same
 * for each type. `impossible`: the first payment of an agreement is the shopper's own.
 */
export const standingInstructions: Readonly<
  Record<
    StandingInstructionMode,
    Readonly<Record<StandingInstructionSource, StandingInstructionRule | 'impossible'>>
  >
> = {
  INITIAL: {
    CIT: {
      demands: NONE,
      gives: agreementReferences,
      practices: NONE,
      securityCode: 'asked',
    },
    MIT: 'impossible',
  },
  REPEATED: {
    CIT: {
      demands: NONE,
      gives: NONE,
      practices: NONE,
      securityCode: 'notAsked',
    },
    MIT: {
      demands: agreementReferences,
      gives: NONE,
      practices: industryPractices,
      securityCode: 'notAsked',
    },
  },
};

/** The values of the legacy `recurringType` (wire contract 4), and what each means today. */
export const legacyRecurringTypes = {
  INITIAL: { type: 'RECURRING', mode: 'INITIAL', source: 'CIT' },
  REPEATED: { type: 'RECURRING', mode: 'REPEATED', source: 'MIT' },
  // One click on a registration: the shopper is there.
  REGISTRATION_BASED: { type: 'UNSCHEDULED', mode: 'REPEATED', source: 'CIT' },
} as const satisfies Record<
  string,
  {
    readonly type: StandingInstructionType;
    readonly mode: StandingInstructionMode;
    readonly source: StandingInstructionSource;
  }
>;

/** Terms that a first payment has if it says none: shown, and enforced only where they were said. */
export interface DefaultTerms {
  /** The minimum number of days between authorizations, four digits. */
  readonly frequency: string;
  /** `yyyy-mm-dd`: the date after which no authorization is made. */
  readonly expiry?: string;
}

/** Wire contract 2: per brand. */
export function defaultTermsOf(brand: string | undefined): DefaultTerms {
  const frequency = '0001';
  return brand === 'MASTER' ? { frequency, expiry: '9999-12-31' } : { frequency };
}

/** When it has ended everywhere on earth, a day is over: as the months of cards are. */
const LATEST_TIME_ZONE_HOURS = 12;
const HOUR_MS = 3_600_000;

/** Whether a day, `yyyy-mm-dd`, is over at an instant in milliseconds since the epoch. */
export function isDayOver(day: string, nowMs: number): boolean {
  const latest = new Date(nowMs - LATEST_TIME_ZONE_HOURS * HOUR_MS).toISOString();
  return day < latest.slice(0, 'yyyy-MM-dd'.length);
}
