import type { InitiatePayment } from '@sluice/contracts';
import {
  agreementMarked,
  agreementOf,
  type AgreementSoFar,
  firstPaymentsNamed,
  hasBegun,
  idsNamed,
  initialTransaction,
  isLater,
  isStanding,
  isUnderAgreement,
  type PaymentState,
  type RecordedAgreement,
  type FirstPayment,
  subjectOfAgreement,
  subjectOfRegistration,
  subjectsOfNames,
  type Transaction,
} from '@sluice/domain-payments';
import type { EarlierAttempt } from '@sluice/domain-routing';
import { type AppendMember, type EventStore, type Mark, ShardElsewhere } from '@sluice/event-store';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import { paymentOf } from './payment-aggregate.js';
import { accountOf, subjectOfAccount } from './payment-attempts.js';

/** What a payment has to know of others before it is decided. */
export interface EarlierPayments {
  readonly agreement?: AgreementSoFar;
  /** Its first payment, of its own entity, was declined or refused, or is withheld by a review. */
  readonly firstHasFailed?: true;
  /** Declines of the same account that an advice came with; none of them is known if nobody has looked. */
  readonly attempts: readonly EarlierAttempt[];
  /** What the append depends on, so that it is refused if this is no longer so. */
  readonly claims: Pick<AppendMember, 'unmarked' | 'heldMark'>;
}

type NewPaymentData = Pick<
  InitiatePayment['data'],
  | 'operation'
  | 'context'
  | 'parameters'
  | 'accountFingerprint'
  | 'storedByPaymentId'
  | 'storedTerms'
>;

/** Where a later payment is looked for an agreement. */
interface Sought {
  /** By which it names its first payment. */
  readonly names: readonly string[];
  /** Under which the first payments of its registration are. */
  readonly registration?: string;
  /** The payment that stored what it is made with. */
  readonly stored?: TransactionId;
  /** What was agreed when that was stored. */
  readonly storedAs?: RecordedAgreement;
}

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
    const { operation, context, accountFingerprint } = data;
    const account = subjectOfAccount({ accountFingerprint, mode: context.mode }, operation);
    const sought = soughtBy(data);
    const { stored } = sought;
    const ofAgreement = [
      ...sought.names,
      ...(sought.registration === undefined ? [] : [sought.registration]),
      ...(stored === undefined ? [] : [subjectOfAgreement(stored)]),
    ];
    if (!isMarked && ofAgreement.length === 0) {
      return account === undefined
        ? NOTHING_EARLIER
        : { attempts: [], claims: { unmarked: [account] } };
    }
    const subjects = [...(account === undefined ? [] : [account]), ...ofAgreement];
    const found = await this.store.marks.under(subjects);
    const unmarked = (sought: readonly string[]) =>
      sought.filter((subject) => !found.some((mark) => mark.subject === subject));
    if (await this.#hasFailed(data, sought, found)) {
      const known = { firstHasFailed: true } as const;
      const claims = { unmarked: unmarked(sought.names) };
      return withAttempts({ ...known, claims }, found, account);
    }
    const first = firstFound(sought, found.filter(isStanding));
    // What is on its way from another cell is not known here yet, and may be when this is appended.
    if (first === undefined) {
      return withAttempts({ claims: { unmarked: unmarked(ofAgreement) } }, found, account);
    }
    const agreement =
      typeof first === 'string'
        ? await this.#agreement(first, first === stored ? found : [])
        : await this.#agreement(first.firstPaymentId, [], first.terms);
    return withAttempts(agreement, found, account);
  }

  /**
   * Whether all that it may be under is withheld, or what it names has begun no agreement. The shopper's own
   * payment needs no first one, so none is asked for.
   */
  async #hasFailed(
    { context, parameters }: NewPaymentData,
    sought: Sought,
    found: readonly Mark[],
  ): Promise<boolean> {
    if (parameters['standingInstruction.source'] === 'CIT') return false;
    const standing = found.filter(isStanding);
    const withheld = found.filter((mark) => !isStanding(mark));
    if (isMarked(sought.names, standing)) return false;
    if (isMarked(sought.names, withheld)) return true;
    const begun = await this.#haveBegun(context, idsNamed(parameters));
    if (begun !== undefined) return !begun;
    return (
      withheld.length > 0 && firstFound(withoutWithheld(sought, withheld), standing) === undefined
    );
  }

  /**
   * Whether those that are named have begun an agreement, as far as it is known: one that was declined has left
   * no mark. Nothing is read for a name that is not an id of ours; what is in another cell is taken as given.
   */
  async #haveBegun(
    context: NewPaymentData['context'],
    ids: readonly TransactionId[],
  ): Promise<boolean | undefined> {
    let begun: boolean | undefined;
    for (const named of ids) {
      const found = await this.#inThisCell(named);
      begun = (found && hasBegun(paymentOf(found.events), context, named)) ?? begun;
      if (begun === false) return false;
    }
    return begun;
  }

  /** Not finding it must not be taken for this payment's own shard being elsewhere. */
  async #inThisCell(named: TransactionId): ReturnType<EventStore['readByTransaction']> {
    try {
      return await this.store.readByTransaction(named);
    } catch (error) {
      if (error instanceof ShardElsewhere) return undefined;
      throw error;
    }
  }

  /** The same of a rebill, whose payment is known. */
  async ofRebill(state: PaymentState, isMarked: boolean): Promise<EarlierPayments> {
    const account = subjectOfAccount(accountOf(initialTransaction(state)), 'rebill');
    const { firstPaymentId: first, terms } = agreementOf(state) ?? {};
    if (!isMarked && first === undefined) {
      return account === undefined
        ? NOTHING_EARLIER
        : { attempts: [], claims: { unmarked: [account] } };
    }
    const ofAgreement = first === undefined ? [] : [subjectOfAgreement(first)];
    const subjects = [...(account === undefined ? [] : [account]), ...ofAgreement];
    const found = await this.store.marks.under(subjects);
    const agreement = first && (await this.#agreement(first, found, terms));
    return withAttempts(agreement ?? { claims: {} }, found, account);
  }

  /** Declines of the account of a payment that exists, which a new attempt is to obey. */
  async advisedOf(first: Transaction): Promise<readonly EarlierAttempt[]> {
    const account = subjectOfAccount(accountOf(first), first.operation);
    return account === undefined
      ? []
      : attemptsIn(await this.store.marks.under([account]), account);
  }

  /**
   * The first payment of what the merchant charges by a registration and gives no name: the one whose terms
   * it is held to, which is the latest that was made by the registration or stored it. As far as this cell
   * has it; undefined if there is none.
   * @param stored the payment that stored the registration
   */
  async firstOf(
    { metadata, parameters }: Pick<Transaction, 'metadata' | 'parameters'>,
    stored: TransactionId | undefined,
  ): Promise<FirstPayment | undefined> {
    const subject = subjectOfRegistration(metadata, parameters);
    const marks = subject === undefined ? [] : await this.store.marks.under([subject]);
    const [id = stored] = firstPaymentsNamed(marks);
    if (id === undefined) return undefined;
    const found = await this.#inThisCell(id);
    const state = found && paymentOf(found.events);
    return state === undefined || state.kind === 'none'
      ? { id }
      : { id, transaction: initialTransaction(state) };
  }

  /**
   * The first payment's mark is held: whoever decides under the same agreement changes its version. Where
   * no payment began it, that is the mark of the earliest authorization; of two that are the earliest and
   * come in one moment neither knows of the other.
   */
  async #agreement(
    first: TransactionId,
    found: readonly Mark[],
    terms?: RecordedAgreement['terms'],
  ): Promise<Pick<EarlierPayments, 'agreement' | 'claims'>> {
    const subject = subjectOfAgreement(first);
    const here = found.filter((mark) => mark.subject === subject);
    const marks = here.length > 0 ? here : await this.store.marks.under([subject]);
    const agreement = agreementMarked(first, marks, terms);
    if (agreement === undefined) {
      return { claims: marks.length === 0 ? { unmarked: [subject] } : {} };
    }
    const mark = marks.find(({ transactionId }) => transactionId === first) ?? earliestOf(marks);
    if (mark === undefined) return { agreement, claims: { unmarked: [subject] } };
    const { transactionId, version } = mark;
    return { agreement, claims: { heldMark: { subject, transactionId, version } } };
  }
}

/** Nothing is sought for a payment that is no later one. */
function soughtBy(data: NewPaymentData): Sought {
  const { operation, parameters, context, storedByPaymentId: stored, storedTerms: terms } = data;
  if (!isUnderAgreement(operation) || !isLater(parameters)) return { names: [] };
  const names = subjectsOfNames(context, parameters);
  const registration = subjectOfRegistration(context, parameters);
  if (registration === undefined) {
    return names.length > 0 || stored === undefined ? { names } : { names, stored };
  }
  const { registrationId } = parameters;
  const isKnown = terms !== undefined && isTransactionId(registrationId ?? '');
  const firstPaymentId = registrationId as TransactionId;
  return {
    ...{ names, registration },
    ...(stored !== undefined && { stored }),
    ...(isKnown && { storedAs: { firstPaymentId, terms } }),
  };
}

/**
 * The first payment that is meant: where those of the registration are known, the one of them that is
 * named, else the latest, so that no name leads out of its terms (page 0062).
 */
function firstFound(
  { names, registration, stored, storedAs }: Sought,
  found: readonly Mark[],
): TransactionId | RecordedAgreement | undefined {
  const firstsUnder = (subjects: readonly string[]) =>
    firstPaymentsNamed(found.filter(({ subject }) => subjects.includes(subject)));
  const named = firstsUnder(names);
  const own = registration === undefined ? [] : firstsUnder([registration]);
  const ownNamed = named.find((first) => own.includes(first) || first === stored);
  if (ownNamed !== undefined) return ownNamed;
  const [latest] = own;
  if (latest !== undefined) return latest;
  const isAgreed =
    stored !== undefined && found.some(({ subject }) => subject === subjectOfAgreement(stored));
  if (isAgreed) return stored;
  return storedAs ?? named[0];
}

function isMarked(subjects: readonly string[], marks: readonly Mark[]): boolean {
  return marks.some(({ subject }) => subjects.includes(subject));
}

/** What was agreed when it was stored, by a payment that is withheld, does not hold either. */
function withoutWithheld({ storedAs, ...sought }: Sought, withheld: readonly Mark[]): Sought {
  const { stored } = sought;
  const isOfWithheld = stored !== undefined && isMarked([subjectOfAgreement(stored)], withheld);
  return { ...sought, ...(storedAs !== undefined && !isOfWithheld && { storedAs }) };
}

/** The earliest id, so that all who look hold the same mark. */
function earliestOf(marks: readonly Mark[]): Mark | undefined {
  return [...marks].sort((one, other) => (one.transactionId < other.transactionId ? -1 : 1))[0];
}

/** Where nothing was advised of the account, that is a condition of the append, too. */
function withAttempts(
  { claims, ...known }: Omit<EarlierPayments, 'attempts'>,
  found: readonly Mark[],
  account: string | undefined,
): EarlierPayments {
  const attempts = attemptsIn(found, account);
  const isUnadvised = account !== undefined && attempts.length === 0;
  const unmarked = [...(isUnadvised ? [account] : []), ...(claims.unmarked ?? [])];
  const { heldMark } = claims;
  return {
    ...{ ...known, attempts },
    claims: {
      ...(unmarked.length > 0 && { unmarked }),
      ...(heldMark !== undefined && { heldMark }),
    },
  };
}

function attemptsIn(
  marks: readonly Mark[],
  account: string | undefined,
): readonly EarlierAttempt[] {
  return marks
    .filter(({ subject }) => subject === account)
    .map(({ data }) => data as EarlierAttempt);
}
