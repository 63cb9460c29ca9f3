import type { BookingLine } from '../book-lines.js';
import type { TransactionRequest } from '../transaction-request.js';
import type { ProofFit } from './cryptogram.js';

/** What the issuer finds of a cryptogram that it has made. */
export type CryptogramFinding = ProofFit | 'usedBefore';

/**
 * The cryptograms that payments were made with. One that was declined or undone has used none up, and who asks for
 * the same payment again has not used it twice.
 */
export class UsedCryptograms {
  /** By its mark: the reference of the payment. */
  readonly #users = new Map<string, string>();

  constructor(private readonly isUndone: (reference: string) => boolean) {}

  /** Undefined where no issuer of the simulator has made it. */
  findingOf({
    cryptogram,
    reference,
  }: Pick<TransactionRequest, 'cryptogram' | 'reference'>): CryptogramFinding | undefined {
    if (cryptogram === undefined) return undefined;
    const user = this.#users.get(cryptogram.mark);
    const isFree = user === undefined || user === reference || this.isUndone(user);
    return isFree ? cryptogram.fit : 'usedBefore';
  }

  /** A payment is booked. */
  note({
    cryptogramMark,
    status,
    reference,
  }: Pick<BookingLine, 'cryptogramMark' | 'reference' | 'status'>): void {
    if (cryptogramMark === undefined || status === 'declined') return;
    this.#users.set(cryptogramMark, reference);
  }
}
