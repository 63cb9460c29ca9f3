import type { PersonalEnvelope } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { type Form, type Kind, stored } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import { type Clock, type EnvelopeSealer, type Logger, Outage } from '@sluice/service';
import { Refused } from './answer.js';

/** The parameters of a form that are kept for its command and its answer. */
export interface Kept {
  /** In clear. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Personal ones, for the answer only. */
  readonly personal: Readonly<Record<string, string>>;
  /** The same, sealed for the command, if there are any. */
  readonly sealed?: PersonalEnvelope;
}

/**
 * Personal parameters are sealed for payments, because commands stay in a topic for a day (page
 * 0035).
 */
export class KeptParameters {
  readonly #outage: Outage;

  constructor(
    private readonly sealer: EnvelopeSealer,
    clock: Clock,
    logger: Logger,
  ) {
    this.#outage = new Outage(clock, logger, {
      begins: 'Personal data cannot be sealed; requests with any are answered with 503.',
      goesOn: 'Personal data still cannot be sealed.',
      ends: 'Personal data is sealed again.',
    });
  }

  /** Throws Refused when something is personal and cannot be sealed: nothing has been started. */
  async of(form: Form, kind: Kind, transactionId: TransactionId): Promise<Kept> {
    const kept = stored(form, kind);
    if (Object.keys(kept.personal).length === 0) return kept;
    try {
      const sealed = await this.sealer.seal(transactionId, JSON.stringify(kept.personal));
      this.#outage.over();
      return { ...kept, sealed };
    } catch (error) {
      this.#outage.failed(error);
      throw new Refused({ code: codes.unavailable });
    }
  }
}
