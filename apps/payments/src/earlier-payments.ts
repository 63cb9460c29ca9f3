import type { InitiatePayment } from '@sluice/contracts';
import {
  agreementMarked,
  agreementOf,
  type AgreementSoFar,
  firstPaymentNamed,
  initialTransaction,
  isLater,
  isUnderAgreement,
  type PaymentState,
  type StoringPayment,
  subjectOfAgreement,
  subjectsOfNames,
  type Transaction,
} from '@sluice/domain-payments';
import type { EarlierAttempt } from '@sluice/domain-routing';
import type { AppendMember, EventStore, Mark } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import { paymentOf } from './payment-aggregate.js';
import { accountOf, subjectOfAccount } from './payment-attempts.js';

/** What a payment has to know of others before it is decided. */
export interface EarlierPayments {
  readonly agreement?: AgreementSoFar;
  /** Declines of the same account that an advice came with; none of them is known if nobody has looked. */
  readonly attempts: readonly EarlierAttempt[];
  /** What the append depends on, so that it is refused if this is no longer so. */
  readonly claims: Pick<AppendMember, 'unmarked' | 'heldMark'>;
}

type NewPaymentData = Pick<
  InitiatePayment['data'],
  'operation' | 'context' | 'parameters' | 'accountFingerprint' | 'storedByPaymentId'
>;

/** Of a payment that is refused anyway, and of what goes on with a payment. */
export const NOTHING_EARLIER: EarlierPayments = { attempts: [], claims: {} };

/**
 * Looks for what other payments have left to be known (page 0062). Nothing is read for a payment that
 * belongs to no agreement: that nothing was advised of its account is a condition of its append.
 */
export class EarlierPaymentsReader {
  constructor(private readonly store: Pick<EventStore, 'marks' | 'readByTransaction'>) {}

  /** `isMarked`: an append has found marks under the account. */
  async ofNewPayment(data: NewPaymentData, isMarked: boolean): Promise<EarlierPayments> {
    const { operation, parameters, context, accountFingerprint, storedByPaymentId } = data;
    const account = subjectOfAccount({ accountFingerprint, mode: context.mode }, operation);
    const isBound = isUnderAgreement(operation) && isLater(parameters);
    const names = isBound ? subjectsOfNames(context, parameters) : [];
    const stored = isBound && names.length === 0 ? storedByPaymentId : undefined;
    if (!isMarked && names.length === 0 && stored === undefined) {
      return account === undefined
        ? NOTHING_EARLIER
        : { attempts: [], claims: { unmarked: account } };
    }
    const ofStored = stored === undefined ? [] : [subjectOfAgreement(stored)];
    const subjects = [...(account === undefined ? [] : [account]), ...names, ...ofStored];
    const found = await this.store.marks.under(subjects);
    const attempts = attemptsIn(found, account);
    const named = firstPaymentNamed(found.filter(({ subject }) => names.includes(subject)));
    const first = stored ?? named;
    if (first === undefined) return { attempts, claims: {} };
    return { attempts, ...(await this.#agreement(first, stored === undefined ? [] : found)) };
  }

  /** The same of a rebill, whose payment is known. */
  async ofRebill(state: PaymentState, isMarked: boolean): Promise<EarlierPayments> {
    const account = subjectOfAccount(accountOf(initialTransaction(state)), 'rebill');
    const first = agreementOf(state)?.firstPaymentId;
    if (!isMarked && first === undefined) {
      return account === undefined
        ? NOTHING_EARLIER
        : { attempts: [], claims: { unmarked: account } };
    }
    const ofAgreement = first === undefined ? [] : [subjectOfAgreement(first)];
    const subjects = [...(account === undefined ? [] : [account]), ...ofAgreement];
    const found = await this.store.marks.under(subjects);
    const attempts = attemptsIn(found, account);
    return first === undefined
      ? { attempts, claims: {} }
      : { attempts, ...(await this.#agreement(first, found)) };
  }

  /** Declines of the account of a payment that exists, which a new attempt is to obey. */
  async advisedOf(first: Transaction): Promise<readonly EarlierAttempt[]> {
    const account = subjectOfAccount(accountOf(first), first.operation);
    return account === undefined
      ? []
      : attemptsIn(await this.store.marks.under([account]), account);
  }

  /** The payment that stored what another one is made with, as far as this cell has it. */
  async storing(id: TransactionId): Promise<StoringPayment> {
    const found = await this.store.readByTransaction(id);
    const state = found && paymentOf(found.events);
    return state === undefined || state.kind === 'none'
      ? { id }
      : { id, transaction: initialTransaction(state) };
  }

  /** The first payment's mark is held: whoever decides under the same agreement changes its version. */
  async #agreement(
    first: TransactionId,
    found: readonly Mark[],
  ): Promise<Pick<EarlierPayments, 'agreement' | 'claims'>> {
    const subject = subjectOfAgreement(first);
    const here = found.filter((mark) => mark.subject === subject);
    const marks = here.length > 0 ? here : await this.store.marks.under([subject]);
    const agreement = agreementMarked(first, marks);
    const mark = marks.find(({ transactionId }) => transactionId === first);
    if (agreement === undefined || mark === undefined) return { claims: {} };
    const { transactionId, version } = mark;
    return { agreement, claims: { heldMark: { subject, transactionId, version } } };
  }
}

function attemptsIn(
  marks: readonly Mark[],
  account: string | undefined,
): readonly EarlierAttempt[] {
  return marks
    .filter(({ subject }) => subject === account)
    .map(({ data }) => data as EarlierAttempt);
}
