import { isKnown } from './catalogue.js';

/**
 * Whether a merchant may send a rejected payment again: `throughThreeDSecure` = repeat with
 * authentication; `later` = wait, then repeat; `askFirst` = outcome unknown, query before anything;
 * `safe` = nothing was executed; `afterCorrection` = once the shopper has corrected the input;
 * `followAdvice` = when the merchant advice code says so; `never`; `unspecified` = a hard decline.
 */
export type Retry =
  | 'throughThreeDSecure'
  | 'later'
  | 'askFirst'
  | 'safe'
  | 'afterCorrection'
  | 'followAdvice'
  | 'never'
  | 'unspecified';

/** What a merchant reads of it. */
export const retryMeanings: Readonly<Record<Retry, string>> = {
  throughThreeDSecure: 'repeat with 3-D Secure',
  later: 'repeat later',
  askFirst: 'query first: the outcome is unknown',
  safe: 'repeat: nothing was executed',
  afterCorrection: 'repeat once the shopper has corrected the input',
  followAdvice: 'as the merchant advice code says',
  never: 'never',
  unspecified: 'do not: a hard decline',
};

/** First match wins; exact codes stand before families. */
const rules: readonly (readonly [Retry, RegExp])[] = [
  ['throughThreeDSecure', /^300\.100\.100$/],
  ['askFirst', /^(900\.100\.[134]00|000\.400\.030)$/],
  ['safe', /^900\.100\.(301|310)$/],
  ['later', /^(800\.100\.(176|311|321|322|327)|800\.700\.100|900\.100\.[56]00|100\.400\.325)$/],
  ['later', /^(800\.800\.(400|800|801)|800\.600\.100|800\.120\.100|000\.100\.228)$/],
  ['followAdvice', /^(800\.100\.(155|162|163|203)|700\.60[01]\.[0-9]{3})$/],
  ['never', /^(800\.100\.(159|165|171|172|202|320|323|403|500|501)|100\.390\.118|800\.110\.100)$/],
  ['never', /^800\.[23][0-9]{2}\.[0-9]{3}$/],
  ['afterCorrection', /^(800\.100\.(151|153|157|166)|100\.396\.10[1-6]|800\.400\.1[0-9]{2})$/],
  ['afterCorrection', /^100\.100\.[367][0-9]{2}$/],
];

/** What a merchant may do with a rejection; our reading of the interface family's documents. */
export function retryOf(code: string): Retry {
  if (!isKnown(code)) return 'unspecified';
  return rules.find(([, pattern]) => pattern.test(code))?.[0] ?? 'unspecified';
}

/** What a merchant advice code asks for (`resultDetails.MerchantAdviceCode`). */
export interface MerchantAdvice {
  readonly code: string;
  readonly action: 'fixFirst' | 'retryLater' | 'stop' | 'information';
  readonly meaning: string;
  /** Hours to wait before the next attempt, where the advice is to wait. */
  readonly waitHours?: number;
}

/** Merchant advice codes as brand MASTER numbers them. */
export const merchantAdvice: readonly MerchantAdvice[] = [
  { code: '01', action: 'fixFirst', meaning: 'card details are outdated or must be authenticated' },
  { code: '02', action: 'retryLater', meaning: 'funds or limit', waitHours: 72 },
  { code: '03', action: 'stop', meaning: 'account closed or fraud' },
  { code: '04', action: 'fixFirst', meaning: 'token requirements are not met' },
  { code: '21', action: 'stop', meaning: 'the shopper ended the recurring agreement' },
  { code: '22', action: 'fixFirst', meaning: 'the merchant is not eligible for this product' },
  { code: '24', action: 'retryLater', meaning: 'funds', waitHours: 1 },
  { code: '25', action: 'retryLater', meaning: 'funds', waitHours: 24 },
  { code: '26', action: 'retryLater', meaning: 'funds', waitHours: 48 },
  { code: '27', action: 'retryLater', meaning: 'funds', waitHours: 96 },
  { code: '28', action: 'retryLater', meaning: 'funds', waitHours: 144 },
  { code: '29', action: 'retryLater', meaning: 'funds', waitHours: 192 },
  { code: '30', action: 'retryLater', meaning: 'funds', waitHours: 240 },
  { code: '40', action: 'information', meaning: 'non-reloadable prepaid card' },
  { code: '41', action: 'information', meaning: 'single-use virtual card' },
  { code: '42', action: 'information', meaning: 'sanctions hit, do not retry' },
  { code: '43', action: 'information', meaning: 'multi-use virtual card' },
];

const adviceByCode = new Map(merchantAdvice.map((advice) => [advice.code, advice]));

/** What an advice code asks for; nothing for an unlisted one: then no automatic retry. */
export function adviceOf(code: string): MerchantAdvice | undefined {
  return adviceByCode.get(code);
}
