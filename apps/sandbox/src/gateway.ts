import { servicesWithTables } from '@sluice/contracts';
import { clearSchemas } from '@sluice/local-installation';
import { HealthChecks, type Logger, SettingsError } from '@sluice/service';
import { rm } from 'node:fs/promises';
import type { Managed, SeedOutcome } from './management-server.js';
import { bookFolder, type RunningServices, type ServiceParts, startServices } from './services.js';

/** Everything but the accounts: credentials are not payments, and a test suite seeds them once. */
const FORGOTTEN = servicesWithTables.filter((service) => service !== 'accounts');

/** The phase of the gateway. */
type GatewayPhase = 'starting' | 'ready' | 'resetting' | 'failed' | 'stopping';

/**
 * The services, which can be reset while the process, its PostgreSQL and its addresses stay. For
 * that they are stopped and started again: whatever one of them remembers in a table, in memory or
 * in a timer is forgotten, and nobody has to list it.
 */
export class Gateway implements Managed {
  readonly #closers: (() => Promise<void>)[] = [];
  #parts: Omit<ServiceParts, 'health'>;
  #health = new HealthChecks();
  #services: RunningServices | undefined;
  #phase: GatewayPhase = 'starting';
  /** Resets and seedings follow one another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    parts: Omit<ServiceParts, 'health' | 'receivers'>,
    private readonly logger: Logger,
  ) {
    this.#parts = { ...parts, receivers: new Map() };
  }

  /** Resolves when payments can be taken. */
  async start(): Promise<RunningServices> {
    const services = await this.#startServices();
    // From now on the port is known, and the seed file's channels are in the accounts.
    const port = Number(new URL(services.url).port);
    this.#parts = { ...this.#parts, port, seed: undefined };
    return services;
  }

  /** Whether payments can be taken now, by what the services themselves say. */
  async health(): Promise<{ isReady: boolean; body: object }> {
    if (this.#phase !== 'ready') return { isReady: false, body: { status: this.#phase } };
    const { isHealthy, checks } = await this.#health.readiness();
    return isHealthy
      ? { isReady: true, body: { status: 'ready' } }
      : { isReady: false, body: { status: 'failed', checks } };
  }

  /**
   * Forgets every payment, card and key of idempotency, the simulator's book, what throttles have
   * counted, and what clocks were set to. Requests in hand are cut off. Resolves when payments can be taken again; one that
   * failed may be tried again.
   */
  reset(): Promise<void> {
    return this.#afterOthers(async () => {
      this.#enter('resetting');
      try {
        await this.#closeServices();
        const { clocks, database, dataFolder } = this.#parts;
        await Promise.all([
          clearSchemas(database, FORGOTTEN),
          clocks.clear(),
          rm(bookFolder(dataFolder), { recursive: true, force: true }),
        ]);
        await this.#startServices();
      } catch (error) {
        this.#enter('failed');
        throw error;
      }
    });
  }

  /** Creates or replaces the channels of a seed file's text, which can be paid on from then on. */
  async seed(text: string): Promise<SeedOutcome> {
    const seed = this.#parts.apps.AccountsModule.parseSeed(text);
    if (seed.kind === 'refused') return { line: seed.line, reason: seed.reason };
    try {
      await this.#afterOthers(async () => {
        if (this.#services === undefined) throw new Error('The services do not run.');
        await this.#services.seed(seed.accounts);
      });
    } catch (error) {
      if (error instanceof SettingsError) return { reason: error.message };
      throw error;
    }
    return { channels: seed.accounts.filter(({ kind }) => kind === 'channel').length };
  }

  /** Closes the services, also those that are just being started. */
  async close(): Promise<void> {
    this.#phase = 'stopping';
    await this.#closeServices();
    await this.#last;
  }

  async #startServices(): Promise<RunningServices> {
    this.#health = new HealthChecks();
    this.#services = await startServices({ ...this.#parts, health: this.#health }, (close) => {
      if (this.#phase === 'stopping') void this.#closed(close);
      else this.#closers.push(close);
    });
    this.#enter('ready');
    return this.#services;
  }

  async #closeServices(): Promise<void> {
    this.#services = undefined;
    this.#health.stopping();
    // The newest first: edge before the services it calls.
    for (const close of this.#closers.splice(0).reverse()) await this.#closed(close);
  }

  async #closed(close: () => Promise<void>): Promise<void> {
    await close().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'A part did not close cleanly');
    });
  }

  /** Once stopped it never starts again, whatever is under way. */
  #enter(phase: GatewayPhase): void {
    if (this.#phase !== 'stopping') this.#phase = phase;
  }

  #afterOthers(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(() => {
      if (this.#phase === 'stopping') throw new Error('The sandbox is stopping.');
      return work();
    });
    this.#last = done.catch(() => undefined);
    return done;
  }
}
