import type { Amount } from '@sluice/money';
import { Secret } from '@sluice/secrets';
import type { FileChecks, FileProblem } from './file-checks.js';
import { optionalLeaf } from './party-elements.js';
import { controlSum } from './sepa-amount.js';
import { REMITTANCE_CHARACTERS_MAX } from './sepa-text.js';
import { branch, documentOf, leaf, type XmlText } from './xml-text.js';

/** What all files for a bank begin with. */
export interface FileHeader {
  /** The file's own identifier, never used again at this bank: it recognizes repetitions by it. */
  readonly messageId: string;
  /** ISO 8601 in UTC, to the second: `2026-11-24T10:00:00Z`. */
  readonly createdAt: string;
  /** Who sends the file. */
  readonly initiatingParty: string;
}

/** A file for a bank, or all that keeps it from being one: it is written whole or not at all. */
export type WrittenFile =
  | {
      readonly kind: 'written';
      /** The name of the message and its version, `pain.008.001.08`. */
      readonly message: string;
      /** In UTF-8. It has accounts in clear, so only who hands it to the bank reveals it. */
      readonly content: Secret<'PaymentFile'>;
      readonly transactions: number;
    }
  | { readonly kind: 'refused'; readonly problems: readonly FileProblem[] };

/** A message of ISO 20022, as its file names it. */
export interface PaymentMessage {
  readonly name: string;
  readonly root: string;
}

/**
 * Of one file, which is then 25 MB and takes a second or two to write. Banks take between ten
 * thousand and a few hundred thousand.
 */
export const TRANSACTIONS_MAX = 50_000;
/** Each is for one account, day and sequence, so more would be a mistake. */
export const BATCHES_MAX = 1_000;

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:';
/** The scheme that both sides agree on. */
const SERVICE_LEVEL = branch('SvcLvl', leaf('Cd', 'SEPA'));

/** The file with these batches, of which each has been written with the same checks. */
export function writtenFile(
  checks: FileChecks,
  message: PaymentMessage,
  header: FileHeader,
  {
    amounts,
    batches,
  }: { readonly amounts: readonly Amount[]; readonly batches: readonly XmlText[] },
): WrittenFile {
  const groupHeader = branch(
    'GrpHdr',
    leaf('MsgId', checks.identifier('messageId', header.messageId)),
    leaf('CreDtTm', checks.time('createdAt', header.createdAt)),
    ...totals(amounts),
    branch('InitgPty', leaf('Nm', checks.name('initiatingParty', header.initiatingParty))),
  );
  if (amounts.length > TRANSACTIONS_MAX) checks.note('batches', 'tooMany');
  const { problems } = checks;
  if (problems.length > 0) return { kind: 'refused', problems };
  const content = documentOf(
    NAMESPACE + message.name,
    branch(message.root, groupHeader, ...batches),
  );
  return {
    kind: 'written',
    message: message.name,
    content: new Secret<'PaymentFile'>(content),
    transactions: amounts.length,
  };
}

/** How many transactions there are, and their sum, by which a bank checks that it has them all. */
export function totals(amounts: readonly Amount[]): readonly XmlText[] {
  return [leaf('NbOfTxs', String(amounts.length)), leaf('CtrlSum', controlSum(amounts))];
}

/** Whether the bank books a batch as one sum; left to what was agreed with it if undefined. */
export function batchBooking(isBooked: boolean | undefined): XmlText | undefined {
  return isBooked === undefined ? undefined : leaf('BtchBookg', String(isBooked));
}

/** What kind of payments a batch has. */
export function paymentType(...more: readonly XmlText[]): XmlText {
  return branch('PmtTpInf', SERVICE_LEVEL, ...more);
}

/** Each side pays its own bank: the only way in SEPA. */
export const sharedCharges = leaf('ChrgBr', 'SLEV');

/** What a payment is for, in words. */
export function remittanceElement(text: string | undefined): XmlText | undefined {
  const words = optionalLeaf('Ustrd', text, REMITTANCE_CHARACTERS_MAX);
  return words && branch('RmtInf', words);
}
