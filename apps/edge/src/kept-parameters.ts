import type { PersonalEnvelope } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { type Form, type Kind, stored, type StoredParameters } from '@sluice/parameters';
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

  /**
   * Throws Refused when something is personal and cannot be sealed: nothing has been started.
   * @param inPlace personal parameters in place of those that were sent; undefined leaves one out
   */
  async of(
    form: Form,
    kind: Kind,
    transactionId: TransactionId,
    inPlace: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Kept> {
    const kept = replaced(stored(form, kind), inPlace);
    if (Object.keys(kept.personal).length === 0) return kept;
    return { ...kept, sealed: await this.seal(transactionId, kept.personal) };
  }

  /** Personal parameters alone, sealed for a command. @throws Refused */
  async seal(
    transactionId: TransactionId,
    personal: Readonly<Record<string, string>>,
  ): Promise<PersonalEnvelope> {
    try {
      const sealed = await this.sealer.seal(transactionId, JSON.stringify(personal));
      this.#outage.over();
      return sealed;
    } catch (error) {
      this.#outage.failed(error);
      throw new Refused({ code: codes.unavailable });
    }
  }
}

function replaced(
  kept: StoredParameters,
  inPlace: Readonly<Record<string, string | undefined>>,
): StoredParameters {
  const names = Object.keys(inPlace);
  if (names.length === 0) return kept;
  const personal: Record<string, string> = { ...kept.personal };
  for (const name of names) {
    const value = inPlace[name];
    if (value === undefined) Reflect.deleteProperty(personal, name);
    else personal[name] = value;
  }
  return { ...kept, personal };
}
