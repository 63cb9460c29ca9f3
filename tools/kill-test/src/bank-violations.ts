import type { BankEvidence, BankOrder, BankReturn } from './bank-files.js';
import { grouped } from './grouped.js';
import { isForBank } from './instruments.js';
import type { MerchantRequest, RecordedTransaction, Violation } from './records.js';

/** What the files have of each operation; the others move no money at a bank. */
const KINDS: Readonly<Partial<Record<string, BankOrder['kind']>>> = {
  debit: 'collection',
  capture: 'collection',
  refund: 'transfer',
};
const CHARGEBACK = 'chargeback';

/** Tells what goes to the bank from what goes to the simulator. */
export function goesToBank(
  merchant: readonly MerchantRequest[],
): (transaction: RecordedTransaction) => boolean {
  const references = new Set(
    merchant.filter(({ instrument }) => isForBank(instrument)).map(({ reference }) => reference),
  );
  return (transaction) => isReturn(transaction) || references.has(transaction.reference ?? '');
}

/** A chargeback that no merchant has reported: the bank has. */
export function isReturn({ operation, reference }: RecordedTransaction): boolean {
  return operation === CHARGEBACK && reference === undefined;
}

/**
 * Where the files for the bank and the events disagree: each approved collection and transfer is in
 * exactly one file, once, unless it was taken back before or is a refund of what the bank took back,
 * nothing else is in any, and what the bank took back is charged back once.
 * @param recorded what goes to the bank
 */
export function bankViolations(
  recorded: readonly RecordedTransaction[],
  bank: BankEvidence,
): readonly Violation[] {
  const orders = grouped(bank.orders, ({ reference }) => reference);
  const owners = new Map(
    recorded.flatMap((each) =>
      each.acquirerReference === undefined ? [] : [[each.acquirerReference, each] as const],
    ),
  );
  const takenBack = new Set(
    recorded
      .filter(({ operation, outcome }) => operation === 'reversal' && outcome === 'approved')
      .map(({ referencedId }) => referencedId),
  );
  const returned = new Set(bank.returns.map(({ reference }) => owners.get(reference)?.id));
  const withheld = new Set(bank.withheld);
  return [
    ...bank.complaints.map((sentence) => violation('bank', 'bank', sentence)),
    ...[...orders].flatMap(([reference, several]) =>
      fileViolations(reference, several, owners.get(reference)),
    ),
    ...recorded.flatMap((each) =>
      orderViolations(each, {
        order: orders.get(each.acquirerReference ?? '')?.[0],
        isTakenBack: takenBack.has(each.id),
        isWithheld: withheld.has(each.acquirerReference ?? ''),
      }),
    ),
    ...bank.withheld.flatMap((reference) =>
      withholdingViolations(reference, owners.get(reference), returned),
    ),
    ...mandateViolations(bank.orders),
    ...returnViolations(recorded, bank.returns, owners),
  ];
}

function fileViolations(
  reference: string,
  several: readonly BankOrder[],
  owner: RecordedTransaction | undefined,
): readonly Violation[] {
  const messages = several.map(({ messageId }) => messageId).join(', ');
  return [
    ...(several.length > 1 ? [violation('twice in files', reference, messages)] : []),
    ...(owner === undefined ? [violation('in a file without event', reference, messages)] : []),
  ];
}

/** What became of one transaction on its way to the bank. */
interface WayToBank {
  readonly order: BankOrder | undefined;
  readonly isTakenBack: boolean;
  readonly isWithheld: boolean;
}

function orderViolations(
  { id, outcome, operation, amountMinor }: RecordedTransaction,
  { order, isTakenBack, isWithheld }: WayToBank,
): readonly Violation[] {
  if (isWithheld) {
    return order === undefined ? [] : [violation('withheld and in a file', id, order.messageId)];
  }
  const kind = outcome === 'approved' && !isTakenBack ? KINDS[operation] : undefined;
  if (order === undefined) {
    return kind === undefined ? [] : [violation('approved and in no file', id, operation)];
  }
  if (kind === undefined) {
    const sentence = isTakenBack ? `${operation}, taken back` : `${operation}, here ${outcome}`;
    return [violation('in a file and not approved', id, sentence)];
  }
  if (order.kind === kind && order.amountMinor === amountMinor) return [];
  const sentence = `here ${operation} of ${amountMinor}, there ${order.kind} of ${order.amountMinor}`;
  return [violation('otherwise in a file', id, sentence)];
}

/** The shopper has the money once: from the bank, or by the refund. */
function withholdingViolations(
  reference: string,
  owner: RecordedTransaction | undefined,
  returned: ReadonlySet<string | undefined>,
): readonly Violation[] {
  if (owner === undefined) return [violation('withheld without event', reference, 'no event')];
  const isRightly =
    owner.operation === 'refund' &&
    owner.referencedId !== undefined &&
    returned.has(owner.referencedId);
  if (isRightly) return [];
  const sentence = `${owner.operation} of ${String(owner.referencedId)}, which was not returned`;
  return [violation('withheld without return', owner.id, sentence)];
}

/** What a shopper has allowed once is collected once. */
function mandateViolations(orders: readonly BankOrder[]): readonly Violation[] {
  const byMandate = grouped(orders, ({ mandate = '' }) => mandate);
  return (
    [...byMandate]
      .filter(([mandate]) => mandate !== '')
      // One that is twice in files is complained of as that.
      .filter(([, several]) => new Set(several.map(({ reference }) => reference)).size > 1)
      .filter(([, several]) => several.some(({ isOnlyOne }) => isOnlyOne === true))
      .map(([mandate, several]) =>
        violation('collected again', mandate, several.map(({ reference }) => reference).join(', ')),
      )
  );
}

function returnViolations(
  recorded: readonly RecordedTransaction[],
  returns: readonly BankReturn[],
  owners: ReadonlyMap<string, RecordedTransaction>,
): readonly Violation[] {
  const chargebacks = grouped(
    recorded.filter(({ operation }) => operation === CHARGEBACK),
    ({ referencedId = '' }) => referencedId,
  );
  const found = returns.flatMap(({ reference, resultCode }) => {
    const owner = owners.get(reference);
    // Its file has been complained of.
    if (owner === undefined) return [];
    const several = chargebacks.get(owner.id) ?? [];
    chargebacks.delete(owner.id);
    if (several.length !== 1) {
      return [violation('returned, not charged back once', owner.id, `${several.length} times`)];
    }
    const [own] = several;
    const isSame = own?.amountMinor === owner.amountMinor && own?.resultCode === resultCode;
    const sentence = `of ${own?.amountMinor} with ${own?.resultCode}, the bank says ${resultCode}`;
    return isSame ? [] : [violation('charged back otherwise', owner.id, sentence)];
  });
  const others = [...chargebacks.values()]
    .flat()
    .map(({ id, referencedId }) =>
      violation('charged back and not returned', id, String(referencedId)),
    );
  return [...found, ...others];
}

function violation(rule: string, subject: string, sentence: string): Violation {
  return { rule, subject, sentence };
}
