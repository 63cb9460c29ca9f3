import type { CardSummary, HeldCard, Vault } from '@sluice/contracts';
import { cardOf, type Form } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import { type Clock, type Logger, Outage } from '@sluice/service';
import { Refused } from './answer.js';

/** The cards of requests in the vault, and what the log hears when it is away. */
export class HeldCards {
  readonly #holding: Outage;
  readonly #forgetting: Outage;

  constructor(
    private readonly vault: Vault,
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

  /** Hands over the card of a form; throws Refused when the vault takes none. */
  async hold(form: Form): Promise<HeldCard> {
    try {
      const held = await this.vault.hold(cardOf(form));
      this.#holding.over();
      return held;
    } catch (error) {
      this.#holding.failed(error);
      throw new Refused({ code: codes.unavailable });
    }
  }

  /** Not awaited: the answer does not depend on it, and the vault forgets by itself in time. */
  forget(card: CardSummary | undefined): void {
    if (card === undefined) return;
    this.vault.forget(card.vaultReference).then(
      () => this.#forgetting.over(),
      (error: unknown) => this.#forgetting.failed(error),
    );
  }
}
