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
  'Cards by what was done: held, revealed from memory or from the row (then without security code), revealed as nothing because there was none any more, forgotten. Who asked is in sluice_internal_calls_total.',
  { action: ['held', 'revealedFromMemory', 'revealedFromRow', 'revealedNothing', 'forgotten'] },
);

/** What the vault emits. */
export const vaultMetrics: ServiceMetrics = {
  service: 'vault',
  declarations: [held, cards, ...databaseMetrics, ...internalServerMetrics],
};

/** Where the vault counts. */
export class VaultMetrics {
  readonly held;
  readonly revealedFromMemory;
  readonly revealedFromRow;
  readonly revealedNothing;
  readonly forgotten;

  constructor(private readonly metrics: Metrics = noMetrics) {
    const counts = metrics.counter(cards);
    this.held = counts.of({ action: 'held' });
    this.revealedFromMemory = counts.of({ action: 'revealedFromMemory' });
    this.revealedFromRow = counts.of({ action: 'revealedFromRow' });
    this.revealedNothing = counts.of({ action: 'revealedNothing' });
    this.forgotten = counts.of({ action: 'forgotten' });
  }

  /** Shows how many cards are in memory. */
  watch(memory: { readonly size: number }): void {
    this.metrics.gauge(held, () => memory.size);
  }
}
