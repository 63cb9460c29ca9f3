import { type AdviceNetwork, adviceNetworkOf } from '@sluice/contracts';
import { codes } from '@sluice/result-codes';

/** What makes a retry another one than the issuer advised against. */
export type Correction =
  /** Other details than those that were declined: a new expiry, or a new token. */
  | 'newDetails'
  /** 3-D Secure, which the declined attempt did not have. */
  | 'authentication'
  /** The shopper is there and enters the details again. */
  | 'shopper';

/** Whether a declined payment may be tried again. */
export type RetryRule =
  /** Not for so many days; absent: never. `agreement`: only what the merchant initiates under it. */
  | { readonly retry: 'never'; readonly of: 'card' | 'agreement'; readonly days?: number }
  /** After so many hours, anywhere. */
  | { readonly retry: 'afterHours'; readonly hours: number }
  /** Once one of these is different; without, not for so many days. */
  | {
      readonly retry: 'afterCorrection';
      readonly corrections: readonly Correction[];
      readonly days: number;
    }
  /** At once with another account; with the same one not for so many days, or absent: at once too. */
  | { readonly retry: 'otherRoute'; readonly days?: number }
  /** The advice is for the merchant's information; the gateway itself does not retry. */
  | { readonly retry: 'merchantDecides' };

/** One advice of one network. */
export interface Advice {
  readonly network: AdviceNetwork;
  /** `resultDetails.MerchantAdviceCode`, two digits. */
  readonly code: string;
  /** What the issuer says by it. */
  readonly means: string;
  readonly rule: RetryRule;
  /** The answer to a retry that the rule blocks; absent if none is. */
  readonly blockedBy?: string;
}

/**
 * Documented for code 03, and taken for all others that name no time: what was true of a card or a
 * merchant a month ago may have changed without a word to us.
 */
export const BLOCKED_DAYS = 30;

const { retryIn24Hours, retryIn72Hours, retryAfterCorrection, retryForbidden } = codes;
const never = { retry: 'never', of: 'card', days: BLOCKED_DAYS } as const;
const merchantDecides = { retry: 'merchantDecides' } as const;
const after = (hours: number) => ({ retry: 'afterHours', hours }) as const;

/*
 * The published list has four codes for blocked retries, and nothing else is answered (wire contract
 * D7). Every other advice has the one that asks for the same, or of the waiting ones the next longer
 * that there is; the description names the advice and the time.
 */
const master: readonly Omit<Advice, 'network'>[] = [
  {
    code: '01',
    means: 'card details are outdated or must be authenticated',
    rule: {
      retry: 'afterCorrection',
      corrections: ['newDetails', 'authentication'],
      days: BLOCKED_DAYS,
    },
    blockedBy: retryAfterCorrection,
  },
  { code: '02', means: 'funds or limit', rule: after(72), blockedBy: retryIn72Hours },
  { code: '03', means: 'account closed or fraud', rule: never, blockedBy: retryForbidden },
  // How a token is set up is not seen by us, so nothing can tell whether that was put right.
  { code: '04', means: 'token requirements are not met', rule: merchantDecides },
  {
    code: '21',
    means: 'the shopper ended the recurring agreement',
    rule: { retry: 'never', of: 'agreement' },
    blockedBy: retryForbidden,
  },
  {
    code: '22',
    means: 'the merchant is not eligible for this product',
    rule: { retry: 'otherRoute', days: BLOCKED_DAYS },
    blockedBy: retryAfterCorrection,
  },
  { code: '24', means: 'funds', rule: after(1), blockedBy: retryIn24Hours },
  { code: '25', means: 'funds', rule: after(24), blockedBy: retryIn24Hours },
  { code: '26', means: 'funds', rule: after(48), blockedBy: retryIn72Hours },
  { code: '27', means: 'funds', rule: after(96), blockedBy: retryIn72Hours },
  { code: '28', means: 'funds', rule: after(144), blockedBy: retryIn72Hours },
  { code: '29', means: 'funds', rule: after(192), blockedBy: retryIn72Hours },
  { code: '30', means: 'funds', rule: after(240), blockedBy: retryIn72Hours },
  { code: '40', means: 'non-reloadable prepaid card', rule: merchantDecides },
  { code: '41', means: 'single-use virtual card', rule: merchantDecides },
  { code: '42', means: 'sanctions hit, do not retry', rule: never, blockedBy: retryForbidden },
  { code: '43', means: 'multi-use virtual card', rule: merchantDecides },
];

/** Categories instead of advice: the network says how sure the issuer is. */
const visa: readonly Omit<Advice, 'network'>[] = [
  { code: '01', means: 'the issuer will never approve', rule: never, blockedBy: retryForbidden },
  { code: '02', means: 'the issuer cannot approve now', rule: merchantDecides },
  {
    code: '03',
    means: 'the issuer cannot approve these details',
    rule: {
      retry: 'afterCorrection',
      corrections: ['newDetails', 'authentication', 'shopper'],
      days: BLOCKED_DAYS,
    },
    blockedBy: retryAfterCorrection,
  },
  { code: '04', means: 'for another reason', rule: { retry: 'otherRoute' } },
];

/** Every advice that a rule is known for (B12). */
export const adviceTable: readonly Advice[] = [
  ...master.map((advice) => ({ network: 'MASTER' as const, ...advice })),
  ...visa.map((advice) => ({ network: 'VISA' as const, ...advice })),
];

const CODE_DIGITS = 2;
const byNetworkAndCode: ReadonlyMap<string, Advice> = new Map(
  adviceTable.map((advice) => [`${advice.network} ${advice.code}`, advice]),
);

/** What an advice code of a brand's network says; acquirers leave out the zero of VISA's. */
export function adviceFor(brand: string | undefined, code: string | undefined): Advice | undefined {
  const network = adviceNetworkOf(brand);
  if (network === undefined || code === undefined) return undefined;
  return byNetworkAndCode.get(`${network} ${code.padStart(CODE_DIGITS, '0')}`);
}
