/** What a code means for the money: the four outcomes a client distinguishes. */
export type Outcome = 'success' | 'pending' | 'rejected' | 'chargeback';

/** One of the 27 families by which clients classify codes. */
export interface ResultCodeGroup {
  readonly name: string;
  /** What belongs to it, in words. */
  readonly meaning: string;
  readonly outcome: Outcome;
  /** The expression clients use; published by the interface family, so it is kept to the letter. */
  readonly pattern: RegExp;
}

/*
 * The expressions are facts of the interface and stay verbatim, oddities included: `[00-99]` is a
 * class that equals one digit, `100.2[01]` has an unescaped dot. Clients carry the same text.
 */
const rows = {
  success: [
    'processed successfully',
    'success',
    /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/,
  ],
  success_review: [
    'processed successfully, to be reviewed by hand',
    'success',
    /^(000\.400\.0[^3]|000\.400\.100)/,
  ],
  pending_short: ['pending, resolves within about 30 minutes', 'pending', /^(000\.200)/],
  pending_long: ['pending for up to days', 'pending', /^(800\.400\.5|100\.400\.500)/],
  reject_3ds_intercard: [
    'rejected by 3-D Secure or an intercard risk check',
    'rejected',
    /^(000\.400\.[1][0-9][1-9]|000\.400\.2)/,
  ],
  reject_bank: [
    'rejected by the bank or an external payment system',
    'rejected',
    /^(800\.[17]00|800\.800\.[123])/,
  ],
  reject_communication: [
    'rejected by a communication error',
    'rejected',
    /^(900\.[1234]00|000\.400\.030)/,
  ],
  reject_system: [
    'rejected by a system error',
    'rejected',
    /^(800\.[56]|999\.|600\.1|800\.800\.[84])/,
  ],
  reject_async: ['rejected in an asynchronous workflow', 'rejected', /^(100\.39[765])/],
  soft_decline: ['soft decline: repeat with 3-D Secure', 'rejected', /^(300\.100\.100)/],
  reject_external_risk: [
    'rejected by an external risk system',
    'rejected',
    /^(100\.400\.[0-3]|100\.380\.100|100\.380\.11|100\.380\.4|100\.380\.5)/,
  ],
  reject_avs: ['rejected by address verification', 'rejected', /^(800\.400\.1)/],
  reject_3ds: ['rejected by 3-D Secure', 'rejected', /^(800\.400\.2|100\.390)/],
  reject_blacklist: ['rejected by a blacklist', 'rejected', /^(800\.[32])/],
  reject_risk_validation: ['rejected by risk validation', 'rejected', /^(800\.1[123456]0)/],
  validation_configuration: [
    'rejected by validation of the configuration',
    'rejected',
    /^(600\.[23]|500\.[12]|800\.121)/,
  ],
  validation_registration: [
    'rejected by validation of the registration',
    'rejected',
    /^(100\.[13]50)/,
  ],
  validation_job: ['rejected by validation of the job', 'rejected', /^(100\.250|100\.360)/],
  validation_reference: [
    'rejected by validation of the reference',
    'rejected',
    /^(700\.[1345][05]0)/,
  ],
  reject_mac_control: ['retry blocked by merchant advice code', 'rejected', /^(700\.600|700\.601)/],
  validation_format: [
    'rejected by validation of the format',
    'rejected',
    /^(200\.[123]|100\.[53][07]|800\.900|100\.[69]00\.500)/,
  ],
  validation_address: ['rejected by validation of the address', 'rejected', /^(100\.800)/],
  validation_contact: [
    'rejected by validation of contact data',
    'rejected',
    /^(100\.700|100\.900\.[123467890][00-99])/,
  ],
  validation_account: [
    'rejected by validation of the account',
    'rejected',
    /^(100\.100|100.2[01])/,
  ],
  validation_amount: ['rejected by validation of the amount', 'rejected', /^(100\.55)/],
  validation_risk_management: [
    'rejected by validation of risk management data',
    'rejected',
    /^(100\.380\.[23]|100\.380\.101)/,
  ],
  chargeback: ['chargeback', 'chargeback', /^(000\.100\.2)/],
} as const satisfies Record<string, readonly [string, Outcome, RegExp]>;

/** The name of a group; `unclassified` is a code that no expression covers. */
export type GroupName = keyof typeof rows | 'unclassified';

/** The groups in the order of the reference. */
export const groups: readonly (ResultCodeGroup & { readonly name: GroupName })[] = (
  Object.keys(rows) as (keyof typeof rows)[]
).map((name) => {
  const [meaning, outcome, pattern] = rows[name];
  return { name, meaning, outcome, pattern };
});

/** The group a code falls in, by the clients' own expressions; they do not overlap. */
export function classify(code: string): GroupName {
  return groups.find(({ pattern }) => pattern.test(code))?.name ?? 'unclassified';
}
