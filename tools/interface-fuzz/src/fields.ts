import { catalogue, type Kind, kinds } from '@sluice/parameters';
import type { SeededRandom } from '@sluice/testing';
import { type InterfaceRow, interfaceRows } from './interface-rows.js';
import { readingOf, walletToken } from './notations.js';
import { characters, oneOf, type Reading, text, values, wholeNumber } from './reading.js';

/** One parameter of one kind of request, with what its values mean. */
export interface Field {
  readonly key: string;
  readonly reading: Reading;
}

/** What the interface's list lacks (wire contract): who asks, installments, and the page of a query or report. */
const beyondTheList: Readonly<Record<string, Reading>> = {
  testMode: values(['INTERNAL', 'EXTERNAL'], { 'one of the list': ['LIVE', 'internal', 'X'] }),
  'authentication.userId': text(1, 64),
  'authentication.password': text(1, 255),
  pageNo: wholeNumber(3, 1, 500),
  'recurring.numberOfInstallments': wholeNumber(2, 0, 99),
  // Interface 2.1: what identifies a registration.
  registrationId: characters(32, 32, 'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789', ['-', '_', 'ä']),
  // As of the wallets of Interface 2.5 (wire contract 10).
  'clickToPay.paymentToken': walletToken,
  'clickToPay.source': oneOf(['web', 'app']),
  reconciliationType: values(['SETTLED', 'FEE', 'CHARGEBACK', 'CHARGEBACK REVERSAL'], {
    'one of the list': ['settled', 'CHARGEBACK_REVERSAL', 'X'],
  }),
};

const oneFlag = (accepted: string, refused: string): Reading =>
  values([accepted], { 'one of the list': [refused, 'yes'] });

/** Requests for more of an authorization, and what an issuer is told of one. */
const ofFurther: ReadonlySet<Kind> = new Set([
  ...(['incrementalAuthorization', 'reauthorization', 'threeDSecure'] as const),
]);

/** What refers to a payment (Interface 3). */
const references: ReadonlySet<Kind> = new Set([
  ...(['capture', 'reversal', 'refund', 'rebill', 'receipt', 'chargeback'] as const),
  ...(['chargebackReversal', 'incrementalAuthorization', 'reauthorization'] as const),
]);

/** Interface 2.16: of a first payment, which was made. */
const madeBefore = values(['2024-02-29 00:00:00', '2024-06-01 09:30:00'], {
  'in the past': ['2099-02-28 23:59:59'],
  'on the calendar': ['2024-02-30 00:00:00', '2024-13-01 00:00:00'],
  'yyyy-MM-dd HH:mm:ss': ['2024-06-01', '2024-06-01T09:30:00', '2024-06-01 09:30'],
});

/** What the rules beside the notation leave of it, where the requests that are made have nothing else. */
const narrowed = (key: string, kind: Kind): Reading | undefined => {
  // Interface 4: whoever registers stores.
  if (key === 'createRegistration' && kind === 'registration') return oneFlag('true', 'false');
  // Interface 2.16: what refers to a payment is made with nothing that could be stored; RG stores.
  if (key === 'createRegistration' && references.has(kind)) return oneFlag('false', 'true');
  if (key === 'recurringMigration.requestTimestamp') return madeBefore;
  // Interface 2.16: of the registration that is paid with, and these payments have a card.
  if (key === 'overrideHolder' && kind !== 'checkout') return oneFlag('false', 'true');
  // Interface 2.3: the other two are of what refers to a payment.
  if (key === 'standingInstruction.industryPractice' && !ofFurther.has(kind)) {
    return values(['RESUBMISSION', 'DELAYED_CHARGES', 'NO_SHOW'], {
      'one of the list': ['INCREMENTAL_AUTH', 'REAUTHORIZATION', 'no_show', 'X'],
    });
  }
  // Interface 2.17: the issuer is told it, and EMV 3-D Secure has it as an address.
  if (key === 'threeDSecure.merchant.url') {
    return values(['https://shop.example', 'http://shop.example/a'], {
      'an address': ['shop.example', '/', 'ftp://x'],
    });
  }
  // Interface 2.17: of a 3RI request alone; EMV 3-D Secure has 1 and 2 for an app and a browser.
  if (key === 'threeDSecure.channel') return wholeNumber(2, 3, 99);
  // Interface 2.18: the first payment is one of them.
  return key === 'standingInstruction.numberOfInstallments' ? wholeNumber(3, 1, 999) : undefined;
};

/**
 * Not varied by its values: access answers first for who asks, and what decides the kind of a
 * request is broken by rules of its own.
 */
export const notVaried: ReadonlySet<string> = new Set([
  ...['entityId', 'authentication.entityId', 'paymentType', 'referenceUuid'],
]);

/** Rows that a kind reads in a way of its own have a section of their own. */
const SECTION_OF_KIND: ReadonlyMap<Kind, string> = new Map([
  ['query', '2.19 query'],
  ['report', '2.19 reporting'],
]);

const rowsByKey = new Map<string, InterfaceRow[]>();
for (const row of interfaceRows) rowsByKey.set(row.key, [...(rowsByKey.get(row.key) ?? []), row]);

/** The rows of the strict reading; the others are refused unless a compatibility switch is on. */
export const strictRows = Object.entries(catalogue).filter(([, row]) => !('onlyWith' in row));

/** The keys that a kind uses, as the catalogue's matrix has it. */
export function keysOf(kind: Kind): readonly string[] {
  return strictRows
    .filter(([, row]) => (row.kinds as readonly Kind[]).includes(kind))
    .map(([key]) => key);
}

/** What a parameter's values mean in requests of this kind; undefined for what is not varied. */
export function fieldOf(key: string, kind: Kind): Field | undefined {
  if (notVaried.has(key)) return undefined;
  const rows = rowsByKey.get(key) ?? [];
  const row = rows.find(({ section }) => section === SECTION_OF_KIND.get(kind)) ?? rows[0];
  const own = narrowed(key, kind);
  if (own !== undefined) return { key, reading: own };
  const reading = row === undefined ? beyondTheList[key] : readingOf(row);
  if (reading === undefined) throw new Error(`nobody has read the notation of ${key}`);
  return { key, reading };
}

/** Every field of every kind. */
export const fieldsOfKind: ReadonlyMap<Kind, readonly Field[]> = new Map(
  kinds.map((kind) => [kind, keysOf(kind).flatMap((key) => fieldOf(key, kind) ?? [])]),
);

/** Names in brackets of maps (2.18), without those that the simulator reads. */
export const mapNames: Reading = characters(3, 64, 'abcdefghijklmnopqrstuvwxyzABCXYZ019._', [
  ...['-', ' ', 'ä', '$'],
]);

const ITEM_INDEXES = [0, 1, 7, 17, 999];
const TRAVEL_INDEXES = [0, 1, 7, 98];
const TRAVEL = new Set(['passengers', 'legs']);

/** A name that stands for the key: indexes and names in brackets are drawn. */
export function nameOf(key: string, random: SeededRandom): string {
  const [first = '', ...rest] = key.split('[n]');
  let indexed = first;
  for (const part of rest) {
    const list = indexed.slice(indexed.lastIndexOf('.') + 1);
    indexed += `[${random.pick(TRAVEL.has(list) ? TRAVEL_INDEXES : ITEM_INDEXES)}]${part}`;
  }
  return indexed
    .replace(/\[(?:name|key)\]$/, () => `[${random.pick(mapNames.accepted)(random)}]`)
    .replace(/\[brand\]$/, () => `[${random.pick(['VISA', 'MASTER', 'some_brand1'])}]`);
}
