import { setTimeout as elapsed } from 'node:timers/promises';
import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Sweeper } from '@sluice/aggregates';
import type { AuthenticationState } from '@sluice/domain-three-d-secure';
import type { Logger, RemoteClock, TlsMaterial } from '@sluice/service';
import type { Database } from '@sluice/service-module';
import type { RiskMetrics } from '../risk-metrics.js';
import type { AuthenticationWriter } from './authentication-aggregate.js';
import type { AuthenticationResults } from './authentication-results.js';
import type { CardRanges } from './card-ranges.js';
import type { DirectoryErrors } from './directory-errors.js';
import type { DirectoryRequests } from './directory-requests.js';
import type { DirectoryServers } from './directory-servers.js';
import type { ResultsAddress } from './results-address.js';

/** How often it is looked whether card ranges are due; those that could not be fetched are after a minute. */
const RANGES_LOOK_MS = 10_000;

/** A directory server that is away at the first start keeps nobody waiting for longer. */
const FIRST_RANGES_WITHIN_MS = 5_000;

/** The parts that begin and end. */
export interface AuthenticationsLifecycleParts {
  readonly database: Database;
  readonly clock: RemoteClock;
  readonly writer: AuthenticationWriter;
  readonly sweeper: Sweeper<AuthenticationState>;
  readonly ranges: CardRanges;
  readonly requests: DirectoryRequests;
  readonly errors: Pick<DirectoryErrors, 'stop'>;
  readonly servers: DirectoryServers;
  readonly metrics: Pick<RiskMetrics, 'watchRanges'>;
  /** Where results are told. */
  readonly address: ResultsAddress;
  readonly results: AuthenticationResults;
  readonly tls: TlsMaterial | undefined;
  readonly logger: Logger;
}

/** Card ranges are fetched, and authentications that nobody goes on with are ended. */
export class AuthenticationsLifecycle
  implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown
{
  #timer: NodeJS.Timeout | undefined;
  #listening: { close(): Promise<void> } | undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(private readonly parts: AuthenticationsLifecycleParts) {}

  /** Nothing is decided before this knows the time. */
  async onModuleInit(): Promise<void> {
    const { database, clock, ranges } = this.parts;
    await database.whenThere(() => clock.begin());
    await database.whenThere(() => ranges.load());
  }

  /** Before payments asks: issuers are told where results go, and which cards take part is known. */
  async onApplicationBootstrap(): Promise<void> {
    const { sweeper, metrics, ranges, address, results, tls, logger, servers } = this.parts;
    metrics.watchRanges(ranges);
    const isLive = servers.all.some((server) => server.isLive);
    this.#listening = await address.listen({ results, tls, logger }, isLive);
    const fetched = this.refreshRanges();
    // Those of an earlier start do as long.
    if (!ranges.areKnown) {
      await Promise.race([fetched, elapsed(FIRST_RANGES_WITHIN_MS, undefined, { ref: false })]);
    }
    sweeper.start();
    this.#timer = setInterval(() => this.#look(), RANGES_LOOK_MS).unref();
  }

  /** Fetches the card ranges that are due, after what is under way. */
  refreshRanges(): Promise<void> {
    this.#underWay = this.#underWay.then(() => this.parts.ranges.refreshDue());
    return this.#underWay;
  }

  async onApplicationShutdown(): Promise<void> {
    const { clock, writer, sweeper, requests, errors, servers } = this.parts;
    clearInterval(this.#timer);
    await this.#listening?.close();
    await requests.stop();
    writer.close();
    await sweeper.stop();
    await errors.stop();
    await servers.close();
    await this.#underWay;
    clock.close();
  }

  #look(): void {
    void this.refreshRanges();
  }
}
