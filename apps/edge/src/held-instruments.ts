import {
  type DetailsToHold,
  type HeldDetails,
  type Instrument,
  type OpenedToken,
  type TokenToOpen,
  type TokenVault,
  type Vault,
  vaultReferenceOf,
} from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import { type Clock, type Logger, Outage } from '@sluice/service';
import { Refused } from './answer.js';

/** Hands the details of instruments to the vault, and logs when it cannot be reached. */
export class HeldInstruments {
  readonly #holding: Outage;
  readonly #forgetting: Outage;

  constructor(
    private readonly vault: Vault & TokenVault,
    clock: Clock,
    logger: Logger,
  ) {
    this.#holding = new Outage(clock, logger, {
      begins: 'The vault takes no card; payments by card are answered with 503.',
      goesOn: 'The vault still takes no card.',
      ends: 'The vault takes cards again.',
    });
    this.#forgetting = new Outage(clock, logger, {
      begins: 'The vault does not forget cards at once; they will expire.',
      goesOn: 'The vault still does not forget cards at once.',
      ends: 'The vault forgets cards at once again.',
    });
  }

  /** Hands details over; throws Refused when the vault takes none. */
  hold(details: DetailsToHold): Promise<HeldDetails> {
    return this.#taken(() => this.vault.hold(details));
  }

  /** Hands the token of a wallet over; throws Refused when the vault takes none. */
  openToken(toOpen: TokenToOpen): Promise<OpenedToken> {
    return this.#taken(() => this.vault.openToken(toOpen));
  }

  async #taken<Answer>(take: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await take();
      this.#holding.over();
      return answer;
    } catch (error) {
      this.#holding.failed(error);
      throw new Refused({ code: codes.unavailable });
    }
  }

  /** Not awaited: the answer does not depend on it, and the vault forgets by itself in time. */
  forget(instrument: Instrument | undefined): void {
    const reference = instrument && vaultReferenceOf(instrument);
    if (reference === undefined) return;
    this.vault.forget(reference).then(
      () => this.#forgetting.over(),
      (error: unknown) => this.#forgetting.failed(error),
    );
  }
}
