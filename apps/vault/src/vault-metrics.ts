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
  'Cards by what was done: held, kept for a registration, changed there, revealed from memory, from the row (then without security code) or of a registration, revealed as nothing because there was none any more, forgotten, forgotten with the registration. Who asked is in sluice_internal_calls_total.',
  {
    action: [
      ...['held', 'kept', 'revealedFromMemory', 'revealedFromRow', 'revealedKept'],
      ...['revealedNothing', 'forgotten', 'keptChanged', 'keptForgotten'],
    ],
  },
);

/** What the vault emits. */
export const vaultMetrics: ServiceMetrics = {
  service: 'vault',
  declarations: [held, cards, ...databaseMetrics, ...internalServerMetrics],
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

  constructor(private readonly metrics: Metrics = noMetrics) {
    const counts = metrics.counter(cards);
    this.held = counts.of({ action: 'held' });
    this.kept = counts.of({ action: 'kept' });
    this.revealedFromMemory = counts.of({ action: 'revealedFromMemory' });
    this.revealedFromRow = counts.of({ action: 'revealedFromRow' });
    this.revealedKept = counts.of({ action: 'revealedKept' });
    this.revealedNothing = counts.of({ action: 'revealedNothing' });
    this.forgotten = counts.of({ action: 'forgotten' });
    this.keptChanged = counts.of({ action: 'keptChanged' });
    this.keptForgotten = counts.of({ action: 'keptForgotten' });
  }

  /** Shows how many cards are in memory. */
  watch(memory: { readonly size: number }): void {
    this.metrics.gauge(held, () => memory.size);
  }
}
