/** What the issuer of a public test card does: a column of the table (result codes, section 7). */
export type Column =
  | ('ok' | 'attempt' | 'okWithoutMethod' | 'attemptWithoutMethod' | 'error')
  | ('notEnrolled' | 'noPart' | 'challenge' | 'challengeWithoutMethod');

/** A public test card, as the tables name it. */
export interface PublicCard {
  readonly brand: string;
  readonly number: string;
  readonly column: Column;
}

const COLUMNS: readonly Column[] = [
  ...(['ok', 'attempt', 'okWithoutMethod', 'attemptWithoutMethod', 'error'] as const),
  ...(['notEnrolled', 'noPart', 'challenge', 'challenge'] as const),
  ...(['challengeWithoutMethod', 'challengeWithoutMethod'] as const),
];

/**
 * Written down from the public tables, and not taken from the simulator, so that a mistake there is seen
 * here. Where two brands share a row, each number has its own.
 */
const ROWS = `
  VISA     4200000000000091 4200000000000109 4200000000000026 4200000000000059 4012001037461114
           4012001037141112 4532497088771651
           4200000000000042 4200000000000067 4200000000000018 4200000000000075
  MASTER   5200000000000007 5200000000000023 5200000000000056 5200000000000106 5434580000000006
           5457350076543210 5497260847316287
           5200000000000015 5200000000000049 5200000000000064 5200000000000072
  AMEX     374500262001008 377277081382243 375987000000062 373953192351004 375987000169875
           375987000169883 343923092050144
           343434343434343 375987000000021 375987000169867 371449635398431
  MAESTRO  6761301000993772 6706981111111113 6799851000000032 6007930123456780 6761301000941201
           6761301000946341 6761257707836567
           6799998900000060018 6773670009114879 67034200554565015 6759888888888888
  DISCOVER 36177580677072 6011000400001008 6011010000000003 6011000990099818 6510000000001248
           6011025500265831 6011420711746440
           36259600000004 6011208701117775 6559906559906557 36458811111119
  JCB      3530111333300000 3566002020360505 3569990012278361 3569990012278353 3566007770017510
           3569990012291497 3096023363379943
           3566002345432153 3569990010095916 3569990012300876 3569990012300884
  UNIONPAY 6250947000000014 6250947000000022 6250947000000089 6250944220914108 6250947000000048
           6250947000000030 6250947000000052
           6250947000000097 6250944196725207 6250949644050173 6250945882768112`;

/** All of them, brand by brand. */
export const publicCards: readonly PublicCard[] = ROWS.trim()
  .split(/\s+(?=[A-Z])/u)
  .flatMap((row) => {
    const [brand = '', ...numbers] = row.split(/\s+/u);
    return numbers.map((number, at) => {
      const column = COLUMNS[at];
      if (column === undefined) throw new Error(`${brand} has a card too many.`);
      // Diners begins with 36, and shares its row with Discover.
      return { brand: number.startsWith('36') ? 'DINERS' : brand, number, column };
    });
  });

/** Mastercard and UnionPay count the other way round than all others (result codes, section 7). */
export function eciOf(brand: string, status: 'A' | 'N' | 'U' | 'Y'): string {
  const countsOtherwise = ['MASTER', 'MAESTRO', 'UNIONPAY'].includes(brand);
  const [authenticated, attempted, unproven] = countsOtherwise
    ? (['02', '01', '00'] as const)
    : (['05', '06', '07'] as const);
  return status === 'Y' ? authenticated : status === 'A' ? attempted : unproven;
}
