import type { ScheduleSettings, ScheduleSettingsQuery } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import type { Clock } from '@sluice/service';

/** As long as edge may know an older directory (D-40), and longer than thousands of runs at once take. */
const KNOWN_FOR_MS = 5_000;
/** More channels than have schedules due at once; a hundred bytes each. */
const CHANNELS_MAX = 10_000;

interface Known {
  readonly settings: Promise<ScheduleSettings>;
  readonly untilMs: number;
}

/** What accounts says of the schedules of channels, for some seconds. */
export class ChannelSettings {
  readonly #known = new Map<EntityId, Known>();

  constructor(
    private readonly queries: Queries,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {}

  /** @throws QueryUnavailable */
  async of(entityId: EntityId): Promise<ScheduleSettings> {
    const nowMs = this.clock.monotonicMs();
    const known = this.#known.get(entityId);
    if (known !== undefined && known.untilMs > nowMs) return known.settings;
    if (this.#known.size >= CHANNELS_MAX) this.#known.clear();
    const query: ScheduleSettingsQuery = { entityId };
    const settings = this.queries.ask<ScheduleSettings>('accounts', 'accounts.schedules', query);
    this.#known.set(entityId, { settings, untilMs: nowMs + KNOWN_FOR_MS });
    try {
      return await settings;
    } catch (error) {
      this.#known.delete(entityId);
      throw error;
    }
  }
}
