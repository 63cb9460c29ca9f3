import type { Provider } from '@nestjs/common';
import { Streams, StreamWriter, Sweeper } from '@sluice/aggregates';
import type { AuthenticationVault } from '@sluice/contracts';
import { authenticationDecider, type AuthenticationState } from '@sluice/domain-three-d-secure';
import { EventStore } from '@sluice/event-store';
import { databaseTime, type OpenKeys, RemoteClock, type TlsMaterial } from '@sluice/service';
import { CLOCK, Database, given, LOGGER, made, type Token, token } from '@sluice/service-module';
import { Pool } from 'pg';
import { RiskMetrics } from '../risk-metrics.js';
import {
  authenticationAggregate,
  type AuthenticationStreams,
  type AuthenticationWriter,
} from './authentication-aggregate.js';
import { AuthenticationResults } from './authentication-results.js';
import { Authentications } from './authentications.js';
import { AuthenticationsLifecycle } from './authentications.lifecycle.js';
import { CardRanges } from './card-ranges.js';
import { DirectoryErrors } from './directory-errors.js';
import { DirectoryRequests } from './directory-requests.js';
import { DirectoryServers } from './directory-servers.js';
import { IssuerWords } from './issuer-words.js';
import { OverdueAuthentications } from './overdue-authentications.js';
import type { ResultsAddress } from './results-address.js';

/** Commands for one authentication that may wait: a browser sends a few at once at most. */
const STREAM_WAITING_MAX = 50;
/** Twice as long as a directory server may take: whoever has claimed one that is due has ended by then. */
const LEASE_MS = 30_000;
const SWEEP_INTERVAL_MS = 1_000;
const SWEEP_CONCURRENCY_MAX = 16;

const SWEEP_LIMITS = {
  pollIntervalMs: SWEEP_INTERVAL_MS,
  concurrencyMax: SWEEP_CONCURRENCY_MAX,
  claimLeaseMs: LEASE_MS,
  restAfterClockStepMs: LEASE_MS,
};

const STREAMS: Token<AuthenticationStreams> = token('authentication streams');
const WRITER: Token<AuthenticationWriter> = token('authentication writer');
const SWEEPER: Token<Sweeper<AuthenticationState>> = token('authentication sweeper');
const VAULT: Token<AuthenticationVault> = token('vault');

/** What authentications are given from outside the module. */
export interface GivenToAuthentications {
  readonly schema: string;
  readonly keys: Token<OpenKeys>;
  readonly vault: AuthenticationVault;
  readonly servers: DirectoryServers;
  /** Where results are told, and with which certificates if not with its own. */
  readonly address: ResultsAddress;
  readonly tls: TlsMaterial | undefined;
}

/** The 3-D Secure server. */
export function authenticationProviders(outside: GivenToAuthentications): readonly Provider[] {
  return [
    given(VAULT, outside.vault),
    given(DirectoryServers, outside.servers),
    ...storeProviders(outside),
    ...askingProviders(outside),
    ...endingProviders(outside),
  ];
}

/** Storage of streams, and the clock for them. */
function storeProviders({ schema }: GivenToAuthentications): readonly Provider[] {
  return [
    made(EventStore, { pool: Pool }, ({ pool }) => new EventStore(pool, { schema })),
    // Every instant that is recorded or compared with a recorded one is the database's.
    made(RemoteClock, { pool: Pool, clock: CLOCK, logger: LOGGER }, ({ pool, ...parts }) => {
      return new RemoteClock({ ...parts, whose: 'the database', ask: () => databaseTime(pool) });
    }),
    made(STREAMS, {}, () => {
      return new Streams(authenticationDecider.initialState, STREAM_WAITING_MAX);
    }),
    made(
      WRITER,
      { store: EventStore, clock: RemoteClock, metrics: RiskMetrics },
      ({ store, clock, metrics }) =>
        new StreamWriter(authenticationAggregate, store, clock, (result, state, events) =>
          metrics.authenticationAppended(result, state, events),
        ),
    ),
  ];
}

/** What is asked of directory servers, and what they tell. */
function askingProviders({ keys: KEYS, address }: GivenToAuthentications): readonly Provider[] {
  return [
    made(DirectoryErrors, { servers: DirectoryServers, logger: LOGGER }, (parts) => {
      return new DirectoryErrors(parts);
    }),
    made(
      CardRanges,
      {
        ...{ pool: Pool, servers: DirectoryServers, errors: DirectoryErrors },
        ...{ logger: LOGGER, clock: CLOCK },
      },
      ({ clock, ...parts }) => new CardRanges({ ...parts, now: () => clock.now() }),
    ),
    made(IssuerWords, { store: EventStore, keys: KEYS }, ({ store, keys }) => {
      return new IssuerWords({ store, keys: keys.provider });
    }),
    made(
      DirectoryRequests,
      {
        ...{ store: EventStore, streams: STREAMS, writer: WRITER, servers: DirectoryServers },
        ...{ vault: VAULT, keys: KEYS, clock: RemoteClock, logger: LOGGER },
        ...{ metrics: RiskMetrics, words: IssuerWords, errors: DirectoryErrors },
      },
      ({ keys, ...parts }) =>
        new DirectoryRequests({
          ...{ ...parts, keys: keys.provider },
          resultsUrl: () => address.url,
        }),
    ),
    made(
      Authentications,
      {
        ...{ store: EventStore, streams: STREAMS, writer: WRITER, servers: DirectoryServers },
        ...{ ranges: CardRanges, requests: DirectoryRequests, vault: VAULT, keys: KEYS },
        clock: RemoteClock,
      },
      ({ keys, ...parts }) =>
        new Authentications({
          ...{ ...parts, keys: keys.provider },
          resultsUrl: () => address.url,
        }),
    ),
    made(
      AuthenticationResults,
      {
        ...{ store: EventStore, streams: STREAMS, writer: WRITER, vault: VAULT },
        ...{ servers: DirectoryServers, clock: RemoteClock, logger: LOGGER, metrics: RiskMetrics },
      },
      (parts) => new AuthenticationResults(parts),
    ),
  ];
}

/** What nobody goes on with, and start and stop. */
function endingProviders({ address, tls }: GivenToAuthentications): readonly Provider[] {
  return [
    made(
      OverdueAuthentications,
      {
        ...{ store: EventStore, streams: STREAMS, writer: WRITER },
        ...{ requests: DirectoryRequests, clock: RemoteClock },
      },
      (parts) => new OverdueAuthentications(parts),
    ),
    made(
      SWEEPER,
      {
        ...{ store: EventStore, streams: STREAMS, clock: RemoteClock, logger: LOGGER },
        overdue: OverdueAuthentications,
      },
      ({ overdue, ...parts }) =>
        new Sweeper({
          ...{ ...parts, what: 'authentications', limits: SWEEP_LIMITS },
          sweep: (stream) => overdue.end(stream),
        }),
    ),
    made(
      AuthenticationsLifecycle,
      {
        ...{ database: Database, clock: RemoteClock, writer: WRITER, sweeper: SWEEPER },
        ...{ ranges: CardRanges, requests: DirectoryRequests, servers: DirectoryServers },
        ...{ metrics: RiskMetrics, results: AuthenticationResults, logger: LOGGER },
        errors: DirectoryErrors,
      },
      (parts) => new AuthenticationsLifecycle({ ...parts, address, tls }),
    ),
  ];
}
