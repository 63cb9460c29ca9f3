import type { Network } from './networks.js';

/** What the issuer of a test card does. */
export type CardOutcome =
  | ('ok' | 'attempt' | 'error' | 'notEnrolled' | 'challenge')
  | ('decoupled' | 'rejected' | 'informed');

/** In which way a shopper is asked. */
export type ChallengeKind = 'oneTimePassword' | 'singleSelect' | 'multiSelect' | 'outOfBand';

/** A card that takes part. */
export interface TestCard {
  readonly number: string;
  readonly outcome: CardOutcome;
  /** Whether its issuer has a page of the 3DS method. */
  readonly hasMethod: boolean;
  readonly challenge: ChallengeKind;
}

/** Columns of the public table (result codes, section 7), and three of our own behind them. */
const COLUMNS: readonly (readonly [outcome: CardOutcome, hasMethod: boolean])[] = [
  ['ok', true],
  ['attempt', true],
  ['ok', false],
  ['attempt', false],
  ['error', false],
  ['notEnrolled', false],
  ['challenge', true],
  ['challenge', true],
  ['challenge', false],
  ['challenge', false],
  ['decoupled', false],
  ['rejected', false],
  ['informed', false],
];

/** The public test cards by brand, without those that take no part. Each brand's last three are ours. */
const numbersByBrand = {
  VISA: `4200000000000091 4200000000000109 4200000000000026 4200000000000059 4012001037461114
    4012001037141112 4200000000000042 4200000000000067 4200000000000018 4200000000000075
    4200000000000125 4200000000000133 4200000000000141`,
  MASTER: `5200000000000007 5200000000000023 5200000000000056 5200000000000106 5434580000000006
    5457350076543210 5200000000000015 5200000000000049 5200000000000064 5200000000000072
    5200000000000122 5200000000000130 5200000000000148`,
  AMEX: `374500262001008 377277081382243 375987000000062 373953192351004 375987000169875
    375987000169883 343434343434343 375987000000021 375987000169867 371449635398431`,
  MAESTRO: `6761301000993772 6706981111111113 6799851000000032 6007930123456780 6761301000941201
    6761301000946341 6799998900000060018 6773670009114879 67034200554565015 6759888888888888`,
  DINERS_AND_DISCOVER: `36177580677072 6011000400001008 6011010000000003 6011000990099818
    6510000000001248 6011025500265831 36259600000004 6011208701117775 6559906559906557
    36458811111119`,
  JCB: `3530111333300000 3566002020360505 3569990012278361 3569990012278353 3566007770017510
    3569990012291497 3566002345432153 3569990010095916 3569990012300876 3569990012300884`,
  UNIONPAY: `6250947000000014 6250947000000022 6250947000000089 6250944220914108 6250947000000048
    6250947000000030 6250947000000097 6250944196725207 6250949644050173 6250945882768112`,
} as const;

/** Those that take no part: their issuers have stayed with a version that nobody speaks any more. */
const numbersWithoutPart: Readonly<Record<Brand, string>> = {
  VISA: '4532497088771651',
  MASTER: '5497260847316287',
  AMEX: '343923092050144',
  MAESTRO: '6761257707836567',
  DINERS_AND_DISCOVER: '6011420711746440',
  JCB: '3096023363379943',
  UNIONPAY: '6250947000000052',
};

type Brand = keyof typeof numbersByBrand;

/**
 * Those that are asked beside the table: with another kind of challenge, or because they are public as a card of
 * the first version, whose shoppers were always sent to the issuer (wire contract 7).
 */
const OTHER_CHALLENGES: Readonly<Record<string, ChallengeKind>> = {
  '4012001036275556': 'oneTimePassword',
  '4012000000003119': 'singleSelect',
  '4012000000003127': 'multiSelect',
  '4012000000003085': 'outOfBand',
};

const BRANDS: Readonly<Record<Network, readonly Brand[]>> = {
  visa: ['VISA'],
  mastercard: ['MASTER', 'MAESTRO'],
  amex: ['AMEX'],
  diners: ['DINERS_AND_DISCOVER'],
  jcb: ['JCB'],
  unionpay: ['UNIONPAY'],
  cartebancaire: ['VISA', 'MASTER'],
};

/** The cards that take part in a network, in the order of the table. */
export function cardsOf(network: Network): readonly TestCard[] {
  return BRANDS[network].flatMap((brand) => [
    ...numbersByBrand[brand].split(/\s+/u).flatMap((number, column) => {
      const [outcome, hasMethod] = COLUMNS[column] ?? [];
      if (outcome === undefined || hasMethod === undefined) return [];
      return [{ number, outcome, hasMethod, challenge: 'oneTimePassword' } as const];
    }),
    ...(brand === 'VISA' ? otherChallenges : []),
  ]);
}

const otherChallenges: readonly TestCard[] = Object.entries(OTHER_CHALLENGES).map(
  ([number, challenge]) => ({ number, outcome: 'challenge', hasMethod: false, challenge }),
);

/** The card with this number, if it takes part. */
export function cardIn(network: Network, number: string): TestCard | undefined {
  return cardsOf(network).find((card) => card.number === number);
}

/** The numbers of a network that its directory server knows, and whose issuers nobody can ask. */
export function numbersWithoutPartIn(network: Network): readonly string[] {
  return BRANDS[network].map((brand) => numbersWithoutPart[brand]);
}
