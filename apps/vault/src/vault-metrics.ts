import { type TokenRefusal, tokenRefusals, type WalletName, walletNames } from '@sluice/contracts';
import {
  counter,
  databaseMetrics,
  gauge,
  internalServerMetrics,
  type Metrics,
  noMetrics,
  type ServiceMetrics,
} from '@sluice/service';

const held = gauge(
  'sluice_vault_held_cards',
  'Cards that this instance holds in memory now; they expire after minutes.',
);
const cards = counter(
  'sluice_vault_cards_total',
  'Cards by what was done: held, kept for a registration or an order, changed there, revealed from memory, from the row (then without security code) or of what was kept, revealed as nothing because there was none any more, forgotten, forgotten with the registration or order, saved as what a shopper has typed and not yet paid with, read again and forgotten there. Who asked is in sluice_internal_calls_total.',
  {
    action: [
      ...['held', 'kept', 'revealedFromMemory', 'revealedFromRow', 'revealedKept'],
      ...['revealedNothing', 'forgotten', 'keptChanged', 'keptForgotten'],
      ...['saved', 'savedRead', 'savedForgotten'],
    ],
  },
);

const tokens = counter(
  'sluice_vault_tokens_total',
  'Tokens of wallets by what became of them: held as the card that was in them, or why not.',
  { wallet: walletNames, outcome: ['held', ...tokenRefusals] },
);

/** What the vault emits. */
export const vaultMetrics: ServiceMetrics = {
  service: 'vault',
  declarations: [held, cards, tokens, ...databaseMetrics, ...internalServerMetrics],
};

/** Where the vault counts. */
export class VaultMetrics {
  readonly held;
  readonly kept;
  readonly revealedFromMemory;
  readonly revealedFromRow;
  readonly revealedKept;
  readonly revealedNothing;
  readonly forgotten;
  readonly keptChanged;
  readonly keptForgotten;
  readonly saved;
  readonly savedRead;
  readonly savedForgotten;
  readonly #tokens;

  constructor(private readonly metrics: Metrics = noMetrics) {
    const counts = metrics.counter(cards);
    this.held = counts.of({ action: 'held' });
    this.kept = counts.of({ action: 'kept' });
    this.revealedFromMemory = counts.of({ action: 'revealedFromMemory' });
    this.revealedFromRow = counts.of({ action: 'revealedFromRow' });
    this.revealedKept = counts.of({ action: 'revealedKept' });
    this.revealedNothing = counts.of({ action: 'revealedNothing' });
    this.forgotten = counts.of({ action: 'forgotten' });
    this.#tokens = metrics.counter(tokens);
    this.keptChanged = counts.of({ action: 'keptChanged' });
    this.keptForgotten = counts.of({ action: 'keptForgotten' });
    this.saved = counts.of({ action: 'saved' });
    this.savedRead = counts.of({ action: 'savedRead' });
    this.savedForgotten = counts.of({ action: 'savedForgotten' });
  }

  /** A token was opened, or refused. */
  tokens(wallet: WalletName, outcome: 'held' | TokenRefusal): void {
    this.#tokens.of({ wallet, outcome }).add();
  }

  /** Shows how many cards are in memory. */
  watch(memory: { readonly size: number }): void {
    this.metrics.gauge(held, () => memory.size);
  }
}
