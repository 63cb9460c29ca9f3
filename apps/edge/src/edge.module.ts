import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { leniently, strictly, type Vault } from '@sluice/contracts';
import type { Commands, Queries } from '@sluice/messaging';
import {
  type Clock,
  DependencyMissing,
  EnvelopeSealer,
  frameworkLog,
  type HealthChecks,
  type KeyProvider,
  type Logger,
  type Metrics,
  type OpenKeys,
  openKeys,
  Outage,
  type RunningService,
  SettingsError,
  systemClock,
  withDefaults,
} from '@sluice/service';
import { LiveDirectory } from './access-directory.js';
import { AccessGuard, type AccessGuardParts } from './access-guard.js';
import { rawAnswer, refusalAnswer } from './answer.js';
import { readBinFile } from './bin-file.js';
import { BinTable } from './bin-table.js';
import { builtInBins } from './built-in-bins.js';
import { buildNumberOfFiles } from './build-number.js';
import { noProxies } from './client-address.js';
import { CommandClient } from './command-client.js';
import { EdgeMetrics } from './edge-metrics.js';
import { ErrorsFilter, UNREADABLE, WRONG_URL } from './errors.filter.js';
import { AccessHook } from './access-hook.js';
import { HeldInstruments } from './held-instruments.js';
import { IdempotencyClaims } from './idempotency-claims.js';
import { type IdsInFlight, inFlightAnywhere, InFlightHere } from './ids-in-flight.js';
import { KeptParameters } from './kept-parameters.js';
import { listener } from './listener.js';
import { operations, routes } from './operations.js';
import { CancellableDelays } from './cancellable-delays.js';
import { PaymentSender } from './payment-sender.js';
import { QueryClient } from './query-client.js';
import { ReferencePages } from './reference-page/reference-page.controller.js';
import { RefusalLimit } from './refusal-limit.js';
import { RequestBodies } from './request-bodies.js';
import { RequestPipeline } from './request-pipeline.js';
import type { OnRequestDone } from './request-log.js';
import { RouteTable } from './route-table.js';
import { EdgeSettings } from './settings.js';
import { ThrottledIds } from './throttled-ids.js';
import { Throttles } from './throttles.js';

/** What edge is started with. */
export interface EdgeStart {
  /** Absent ones have their defaults; the key of credentials has none. */
  readonly settings: Partial<EdgeSettings> & Pick<EdgeSettings, 'credentialKey'>;
  readonly commands: Commands;
  readonly queries: Queries;
  readonly vault: Vault;
  /** Instead of the settings' command key file; the caller closes it. */
  readonly commandKeys?: KeyProvider;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly clock?: Clock;
  readonly onRequestDone?: OnRequestDone;
  /**
   * Whether no other instance sends commands to the same payments, so that this one knows all that
   * is in flight and an id that is not is unknown at once (D-72). False if absent.
   */
  readonly sendsEveryCommand?: boolean;
  /** Hears when edge can answer. */
  readonly health?: HealthChecks;
  /** Aborted when others should stop sending requests here; they are still answered. */
  readonly stopping?: AbortSignal;
}

/** Edge at work. */
export interface RunningEdge extends RunningService {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Asks accounts now, instead of within two seconds, who may call. */
  refreshAccess(): Promise<void>;
}

/** The merchant interface over HTTP (Interface 4, 5, 7). */
@Module({})
export class EdgeModule {
  /** The table in a file of card details; throws what the file must be (`EDGE_BIN_FILE`). */
  static readonly readBinFile = readBinFile;

  /** Asks for the access directory and listens. */
  static async start(options: EdgeStart): Promise<RunningEdge> {
    const { queries, logger, clock = systemClock } = options;
    const settings = withDefaults(EdgeSettings, options.settings);
    assertStrictOnLive(settings);
    const keys = await commandKeysOf(options);
    const bins = settings.binTable ?? builtInBins(settings.gatewayEnvironment);
    const delays = new CancellableDelays();
    const throttles = throttlesOf(settings, clock);
    const throttledIds = new ThrottledIds(derivedKey(settings.credentialKey, 'throttled id'));
    const directory = directoryOf(options, settings, throttles);
    const metrics = new EdgeMetrics(options.metrics);
    const bodies = bodiesOf(settings, metrics);
    const accessGuard = new AccessGuard({
      ...{ directory, throttles, throttledIds, clock, bodies },
      ...accessSettings(settings, clock),
    });
    const pipeline = new RequestPipeline({
      ...{ accessGuard, logger, clock, metrics },
      onRequestDone: options.onRequestDone ?? (() => undefined),
      trustsTraceparent: settings.trustsTraceparent,
    });
    const accessHook = new AccessHook(accessGuard, bodies, pipeline);
    const commands = commandClientOf(options, settings, keys.provider);
    const duplicates = { waitMs: settings.duplicateWaitMs, delays };
    const application = await NestFactory.create<NestFastifyApplication>(
      EdgeModule.with([
        provided(RequestPipeline, pipeline),
        provided(CommandClient, commands),
        provided(QueryClient, new QueryClient(queries)),
        provided(PaymentSender, new PaymentSender({ commands, queries, bins, clock, duplicates })),
        provided(BinTable, bins),
        provided(ThrottledIds, throttledIds),
        provided(ReferencePages, pagesOf(settings)),
      ]),
      listener({
        proxies: settings.trustedProxies ?? noProxies,
        connectionsPerAddress: settings.connectionsPerAddress,
        onConnectionRefused: () => metrics.turnedAway('connections'),
        receive: (request, reply) => accessHook.receive(request, reply),
        readBody: (request) => accessHook.readBody(request),
        refuseUnroutable: (request, reply) => pipeline.refuse(request, reply, WRONG_URL),
        refuseUnreadable: (error, socket) => refuseUnreadable(pipeline, error, socket),
      }),
      { bodyParser: false, logger: frameworkLog(logger) },
    );
    application.useGlobalFilters(new ErrorsFilter(pipeline, new RouteTable(routes), logger));
    endConnectionsWhen(() => delays.ended || options.stopping?.aborted === true, application);
    options.health?.readyWhen('access directory', () => directoryLoaded(directory));
    await directory.start();
    await application.listen(settings.port, settings.host);
    let closed: Promise<void> | undefined;
    return {
      url: urlOf(application, settings.host),
      refreshAccess: () => directory.refresh(),
      close: () =>
        (closed ??= close(application, directory, delays, settings.closeWaitMs).finally(() =>
          keys.close(),
        )),
    };
  }

  /** What operations ask for in their constructors is provided to all of them. */
  private static with(providers: Provider[]): DynamicModule {
    return { module: EdgeModule, controllers: [...operations], providers };
  }
}

function provided<Value>(type: abstract new (...parts: never) => Value, value: Value): Provider {
  return { provide: type, useValue: value };
}

/** What the interface forbids is accepted where nobody loses money by it. */
function assertStrictOnLive({ isLenient, gatewayEnvironment }: EdgeSettings): void {
  if (isLenient && gatewayEnvironment === 'live') {
    throw new SettingsError('EDGE_LENIENT must be false on a live installation.');
  }
}

function directoryOf(
  { queries, logger, clock = systemClock }: EdgeStart,
  { isLenient }: EdgeSettings,
  throttles: Throttles,
): LiveDirectory {
  const outage = new Outage(clock, logger, {
    begins: 'The access directory cannot be refreshed.',
    goesOn: 'The access directory still cannot be refreshed.',
    ends: 'The access directory is refreshed again.',
  });
  return new LiveDirectory(queries, outage, throttles, isLenient ? leniently : strictly);
}

function bodiesOf(settings: EdgeSettings, metrics: EdgeMetrics): RequestBodies {
  const { bodyBytesMax: bytesMax, unidentifiedBodyBytesMax: unidentifiedBytesMax } = settings;
  const bodies = new RequestBodies({ bytesMax, unidentifiedBytesMax }, () =>
    metrics.turnedAway('memory'),
  );
  metrics.watchBodies(() => bodies.bytes);
  return bodies;
}

function inFlightOf({ sendsEveryCommand }: EdgeStart): IdsInFlight {
  return sendsEveryCommand === true ? new InFlightHere() : inFlightAnywhere;
}

/** What personal data in commands is sealed with; payments has the same. */
function commandKeysOf({ settings, commandKeys, logger }: EdgeStart): Promise<OpenKeys> {
  const { commandKeyFile: keyFile } = settings;
  return openKeys({ keyProvider: commandKeys, keyFile, variable: 'COMMAND_KEY_FILE' }, logger);
}

function pagesOf(settings: EdgeSettings): ReferencePages {
  const { gatewayEnvironment, demoEntityId: entityId, demoAccessToken: accessToken } = settings;
  const isKnown = entityId !== undefined && accessToken !== undefined;
  return new ReferencePages(gatewayEnvironment, isKnown ? { entityId, accessToken } : undefined);
}

function accessSettings(
  { credentialKey, gatewayEnvironment: environment, ...settings }: EdgeSettings,
  clock: Clock,
): Pick<AccessGuardParts, 'credentialKey' | 'environment' | 'buildNumber' | 'refusals'> {
  const buildNumber = settings.buildNumber ?? buildNumberOfFiles();
  const refusals = new RefusalLimit(settings.refusalsPerSecond, clock);
  return { credentialKey, environment, buildNumber, refusals };
}

function commandClientOf(
  options: EdgeStart,
  { credentialKey }: EdgeSettings,
  keys: KeyProvider,
): CommandClient {
  const { commands, vault, logger, clock = systemClock } = options;
  return new CommandClient({
    commands,
    instruments: new HeldInstruments(vault, clock, logger),
    kept: new KeptParameters(new EnvelopeSealer(keys, clock), clock, logger),
    claims: new IdempotencyClaims(derivedKey(credentialKey, 'idempotency fingerprint')),
    inFlight: inFlightOf(options),
  });
}

/** Without it nobody is known, so nobody is let in; another edge may have it. */
function directoryLoaded(directory: LiveDirectory): Promise<void> {
  if (directory.index !== undefined) return Promise.resolve();
  return Promise.reject(new DependencyMissing('Accounts has not answered yet.'));
}

/**
 * From the moment that it is to stop, every answer ends its connection, so that a client's next
 * request meets another instance and not a closed port (D-57), and that closing need not wait for
 * clients that keep theirs.
 */
function endConnectionsWhen(ending: () => boolean, application: NestFastifyApplication): void {
  application
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (_request, reply, _payload, done) => {
      if (ending()) void reply.header('connection', 'close');
      done();
    });
}

function throttlesOf(settings: EdgeSettings, clock: Clock): Throttles {
  const { throttlePerSecond, throttleBurst, throttleReadsPerSecond, throttleReadsBurst } = settings;
  const paying = { perSecond: throttlePerSecond, burst: throttleBurst };
  const reading = { perSecond: throttleReadsPerSecond, burst: throttleReadsBurst };
  return new Throttles({ paying, reading }, clock);
}

/** A key of its own for each use, so that two kinds of hash can never be compared. */
function derivedKey(credentialKey: Buffer, use: string): Buffer {
  return createHmac('sha256', credentialKey).update(`sluice ${use}`).digest();
}

/** Not HTTP, or not in time: an answer if the connection still takes one, and its end. */
function refuseUnreadable(
  pipeline: RequestPipeline,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = refusalAnswer(UNREADABLE, pipeline.stamp());
  socket.end(rawAnswer(answer));
  const { status, resultCode, ndc } = answer;
  pipeline.note({ method: '-', path: '-', status, resultCode, durationMs: 0, ndc });
}

/**
 * Stops listening and waits for the requests in hand, at most `waitMs`; what is left then is cut
 * off and found by the sweeper, and its merchants find it by query (D-20).
 */
async function close(
  application: NestFastifyApplication,
  directory: LiveDirectory,
  delays: CancellableDelays,
  waitMs: number,
): Promise<void> {
  directory.close();
  delays.end();
  const timer = new AbortController();
  const cut = pause(waitMs, undefined, { signal: timer.signal }).then(
    () => application.getHttpServer().closeAllConnections(),
    () => undefined,
  );
  await application.close();
  timer.abort();
  await cut;
}

function urlOf(application: NestFastifyApplication, host: string): string {
  const { port } = application.getHttpServer().address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
