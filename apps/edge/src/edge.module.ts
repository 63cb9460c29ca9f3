import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { leniently, strictly, type TokenVault, type Vault } from '@sluice/contracts';
import type { Commands, Queries } from '@sluice/messaging';
import {
  type Clock,
  EnvelopeSealer,
  HealthChecks,
  type KeyProvider,
  type OpenKeys,
  openKeys,
  Outage,
  type RunningService,
  SettingsError,
  systemClock,
  withDefaults,
} from '@sluice/service';
import {
  CLOCK,
  given,
  LOGGER,
  made,
  METRICS,
  ServiceModule,
  type ServiceParts,
  startApplication,
  type Token,
  token,
} from '@sluice/service-module';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { LiveDirectory } from './access-directory.js';
import { AccessGuard, type AccessGuardParts } from './access-guard.js';
import { rawAnswer, refusalAnswer } from './answer.js';
import { readBinFile } from './bin-file.js';
import { BinTable } from './bin-table.js';
import { builtInBins } from './built-in-bins.js';
import { buildNumberOfFiles } from './build-number.js';
import { noProxies } from './client-address.js';
import { CheckoutCompletion } from './checkout-completion.js';
import { CheckoutReads } from './checkout-reads.js';
import { CheckoutSender } from './checkout-sender.js';
import { CheckoutStatuses } from './checkout-statuses.js';
import { CommandClient } from './command-client.js';
import { EdgeLifecycle } from './edge.lifecycle.js';
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
import { PaymentInitiation } from './payment-initiation.js';
import { PaymentRegistrations } from './payment-registrations.js';
import { PaymentSender } from './payment-sender.js';
import { QueryClient } from './query-client.js';
import { RegisteredInstruments } from './registered-instruments.js';
import { RegistrationCreation } from './registration-creation.js';
import { RegistrationSender } from './registration-sender.js';
import { RefusalLimit } from './refusal-limit.js';
import { RequestBodies } from './request-bodies.js';
import { RequestPipeline } from './request-pipeline.js';
import type { OnRequestDone } from './request-log.js';
import { routesBeside } from './routes-beside.js';
import { StoredPayments } from './stored-payments.js';
import { shopperRoutes } from './shopper-routes.js';
import { RouteTable } from './route-table.js';
import { EdgeSettings } from './settings.js';
import { ThrottledIds } from './throttled-ids.js';
import { Throttles, throttlesOf } from './throttles.js';
import { UnrecordedIds } from './unrecorded-ids.js';

/** What edge is started with. */
export interface EdgeStart extends ServiceParts {
  /** Absent ones have their defaults; the key of credentials has none. */
  readonly settings: Partial<EdgeSettings> & Pick<EdgeSettings, 'credentialKey'>;
  readonly commands: Commands;
  readonly queries: Queries;
  readonly vault: Vault & TokenVault;
  /** Instead of the settings' command key file; the caller closes it. */
  readonly commandKeys?: KeyProvider;
  readonly onRequestDone?: OnRequestDone;
  /**
   * Whether this is the only instance that sends commands to payments. It then knows everything in
   * flight, so any other id is unknown at once (D-72). False if absent.
   */
  readonly sendsEveryCommand?: boolean;
  /** What else is served on its port, without access: in the sandbox the reference page. */
  readonly beside?: FastifyPluginCallback;
  /** Aborted when others should stop sending requests here; they are still answered. */
  readonly stopping?: AbortSignal;
}

/** Edge at work. */
export interface RunningEdge extends RunningService {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Refreshes the access directory now instead of within two seconds. */
  refreshAccess(): Promise<void>;
}

const SETTINGS: Token<EdgeSettings> = token('settings');
const COMMANDS: Token<Commands> = token('commands');
const QUERIES: Token<Queries> = token('queries');
const VAULT: Token<Vault & TokenVault> = token('vault');
const KEYS: Token<OpenKeys> = token('keys of commands');
const IN_FLIGHT: Token<IdsInFlight> = token('ids in flight');
const ON_REQUEST_DONE: Token<OnRequestDone> = token('on request done');

/** The merchant interface over HTTP (Interface 4, 5, 7). */
@Module({})
export class EdgeModule {
  /**
   * Reads a file of card details (`EDGE_BIN_FILE`); throws an error that says what the file must
   * be.
   */
  static readonly readBinFile = readBinFile;

  /** Fetches the access directory and listens. */
  static async start(options: EdgeStart): Promise<RunningEdge> {
    const settings = withDefaults(EdgeSettings, options.settings);
    assertStrictOnLive(settings);
    const module = EdgeModule.of(options, settings, await commandKeysOf(options));
    let url = '';
    const running = await startApplication(options.logger, {
      create: async (logger) => {
        let application: NestFastifyApplication | undefined = undefined;
        const adapter = listenerOf(settings, () => application, options);
        const nest = { bodyParser: false, logger, abortOnError: false };
        application = await NestFactory.create<NestFastifyApplication>(module, adapter, nest);
        endConnectionsWhenStopping(application, options.stopping);
        return application;
      },
      listen: async (application) => {
        await application.listen(settings.port, settings.host);
        url = urlOf(application, settings.host);
      },
    });
    const directory = running.get(LiveDirectory);
    return { url, refreshAccess: () => directory.refresh(), close: () => running.close() };
  }

  /** What operations ask for in their constructors is provided to all of them. */
  private static of(options: EdgeStart, settings: EdgeSettings, keys: OpenKeys): DynamicModule {
    const { sendsEveryCommand, onRequestDone } = options;
    return {
      module: EdgeModule,
      imports: [ServiceModule.of(options)],
      controllers: [...operations],
      providers: [
        given(SETTINGS, settings),
        given(COMMANDS, options.commands),
        given(QUERIES, options.queries),
        given(VAULT, options.vault),
        given(KEYS, keys),
        given(IN_FLIGHT, sendsEveryCommand === true ? new InFlightHere() : inFlightAnywhere),
        given(ON_REQUEST_DONE, onRequestDone ?? (() => undefined)),
        given(BinTable, settings.binTable ?? builtInBins(settings.gatewayEnvironment)),
        given(ThrottledIds, new ThrottledIds(derivedKey(settings, 'throttled id'))),
        given(CancellableDelays, new CancellableDelays()),
        ...accessProviders,
        ...answerProviders,
      ],
    };
  }
}

/** Access, and what happens to a request before and after an operation. */
const accessProviders: readonly Provider[] = [
  made(EdgeMetrics, { metrics: METRICS }, ({ metrics }) => new EdgeMetrics(metrics)),
  made(Throttles, { settings: SETTINGS, clock: CLOCK }, ({ settings, clock }) =>
    throttlesOf(settings, clock),
  ),
  made(
    LiveDirectory,
    {
      ...{ queries: QUERIES, throttles: Throttles },
      ...{ settings: SETTINGS, clock: CLOCK, logger: LOGGER },
    },
    ({ queries, throttles, settings, clock, logger }) => {
      const outage = new Outage(clock, logger, {
        begins: 'The access directory cannot be refreshed.',
        goesOn: 'The access directory still cannot be refreshed.',
        ends: 'The access directory is refreshed again.',
      });
      const switches = settings.isLenient ? leniently : strictly;
      return new LiveDirectory(queries, outage, throttles, switches);
    },
  ),
  made(RequestBodies, { settings: SETTINGS, metrics: EdgeMetrics }, ({ settings, metrics }) =>
    bodiesOf(settings, metrics),
  ),
  made(
    AccessGuard,
    {
      ...{ directory: LiveDirectory, throttles: Throttles, throttledIds: ThrottledIds },
      ...{ clock: CLOCK, bodies: RequestBodies, settings: SETTINGS },
    },
    ({ settings, ...parts }) => {
      return new AccessGuard({ ...parts, ...accessSettings(settings, parts.clock) });
    },
  ),
  made(
    RequestPipeline,
    {
      ...{ accessGuard: AccessGuard, logger: LOGGER, clock: CLOCK, metrics: EdgeMetrics },
      ...{ onRequestDone: ON_REQUEST_DONE, settings: SETTINGS },
    },
    ({ settings: { trustsTraceparent }, ...parts }) => {
      return new RequestPipeline({ ...parts, trustsTraceparent });
    },
  ),
  made(
    AccessHook,
    { guard: AccessGuard, bodies: RequestBodies, pipeline: RequestPipeline },
    ({ guard, bodies, pipeline }) => new AccessHook(guard, bodies, pipeline),
  ),
  made(ErrorsFilter, { pipeline: RequestPipeline, logger: LOGGER }, ({ pipeline, logger }) => {
    return new ErrorsFilter(pipeline, new RouteTable(routes), logger);
  }),
  { provide: APP_FILTER, useExisting: ErrorsFilter },
];

/** What operations answer with, and start and stop. */
const answerProviders: readonly Provider[] = [
  made(
    CommandClient,
    {
      ...{ commands: COMMANDS, vault: VAULT, keys: KEYS, inFlight: IN_FLIGHT },
      ...{ settings: SETTINGS, clock: CLOCK, logger: LOGGER },
    },
    ({ commands, vault, keys, inFlight, settings, clock, logger }) => {
      return new CommandClient({
        ...{ commands, inFlight },
        instruments: new HeldInstruments(vault, clock, logger),
        kept: new KeptParameters(new EnvelopeSealer(keys.provider, clock), clock, logger),
        claims: new IdempotencyClaims(derivedKey(settings, 'idempotency fingerprint')),
      });
    },
  ),
  made(QueryClient, { queries: QUERIES }, ({ queries }) => new QueryClient(queries)),
  made(UnrecordedIds, { throttled: ThrottledIds, inFlight: IN_FLIGHT }, (parts) => {
    return new UnrecordedIds(parts.throttled, parts.inFlight);
  }),
  made(
    PaymentSender,
    {
      ...{ commands: CommandClient, queries: QUERIES, bins: BinTable, clock: CLOCK },
      ...{ delays: CancellableDelays, settings: SETTINGS },
    },
    ({ delays, settings, ...parts }) => {
      const duplicates = { waitMs: settings.duplicateWaitMs, delays };
      return new PaymentSender({ ...parts, duplicates });
    },
  ),
  made(RegisteredInstruments, { queries: QueryClient }, ({ queries }) => {
    return new RegisteredInstruments(queries);
  }),
  made(
    PaymentInitiation,
    {
      ...{ commands: CommandClient, payments: PaymentSender, registered: RegisteredInstruments },
      bins: BinTable,
    },
    ({ commands, payments, registered, bins }) => {
      const registrations = new PaymentRegistrations(commands);
      return new PaymentInitiation({ commands, payments, registered, registrations, bins });
    },
  ),
  made(
    RegistrationSender,
    { commands: CommandClient, bins: BinTable, registered: RegisteredInstruments },
    ({ commands, bins, registered }) => new RegistrationSender(commands, bins, registered),
  ),
  made(CheckoutSender, { commands: CommandClient, settings: SETTINGS }, (parts) => {
    return new CheckoutSender(parts.commands, parts.settings.checkoutLabel);
  }),
  made(
    CheckoutReads,
    { settings: SETTINGS, clock: CLOCK, throttledIds: ThrottledIds },
    ({ settings, clock, throttledIds }) =>
      new CheckoutReads(settings.checkoutReadsPerMinute, clock, throttledIds),
  ),
  made(
    RegistrationCreation,
    { commands: CommandClient, registrations: RegistrationSender },
    ({ commands, registrations }) => new RegistrationCreation(commands, registrations),
  ),
  made(
    CheckoutCompletion,
    {
      ...{ guard: AccessGuard, queries: QueryClient, checkouts: CheckoutSender },
      ...{ payments: PaymentInitiation, registrations: RegistrationCreation },
    },
    (parts) => new CheckoutCompletion(parts),
  ),
  made(
    CheckoutStatuses,
    { queries: QueryClient, registered: RegisteredInstruments, bins: BinTable },
    (parts) => new CheckoutStatuses(parts),
  ),
  made(
    StoredPayments,
    {
      ...{ commands: CommandClient, queries: QueryClient },
      ...{ registered: RegisteredInstruments, registrations: RegistrationSender },
    },
    (parts) => new StoredPayments(parts),
  ),
  made(
    EdgeLifecycle,
    {
      ...{ directory: LiveDirectory, delays: CancellableDelays, keys: KEYS },
      ...{ health: HealthChecks, http: HttpAdapterHost, settings: SETTINGS },
    },
    ({ settings: { closeWaitMs }, ...parts }) => new EdgeLifecycle({ ...parts, closeWaitMs }),
  ),
];

/**
 * Only a test installation may accept what the interface forbids, because there nobody can lose
 * money by it.
 */
function assertStrictOnLive({ isLenient, gatewayEnvironment }: EdgeSettings): void {
  if (isLenient && gatewayEnvironment === 'live') {
    throw new SettingsError('EDGE_LENIENT must be false on a live installation.');
  }
}

function bodiesOf(settings: EdgeSettings, metrics: EdgeMetrics): RequestBodies {
  const { bodyBytesMax: bytesMax, unidentifiedBodyBytesMax: unidentifiedBytesMax } = settings;
  const bodies = new RequestBodies({ bytesMax, unidentifiedBytesMax }, () =>
    metrics.turnedAway('memory'),
  );
  metrics.watchBodies(() => bodies.bytes);
  return bodies;
}

/** The keys that seal personal data in commands; payments has the same ones. */
function commandKeysOf({ settings, commandKeys, logger }: EdgeStart): Promise<OpenKeys> {
  const { commandKeyFile: keyFile } = settings;
  return openKeys({ keyProvider: commandKeys, keyFile, variable: 'COMMAND_KEY_FILE' }, logger);
}

function accessSettings(
  { credentialKey, gatewayEnvironment: environment, ...settings }: EdgeSettings,
  clock: Clock,
): Omit<AccessGuardParts, 'directory' | 'throttles' | 'throttledIds' | 'clock' | 'bodies'> {
  const buildNumber = settings.buildNumber ?? buildNumberOfFiles();
  const publicUrl = settings.publicUrl?.replace(/\/$/, '');
  const refusals = new RefusalLimit(settings.refusalsPerSecond, clock);
  const ownUrl = publicUrl === undefined ? {} : { publicUrl };
  return { credentialKey, environment, buildNumber, refusals, ...ownUrl };
}

/**
 * The listener comes before Nest and uses what Nest has made: access is checked before bodies are
 * read, and a guard of Nest would come after that (pages 0034 and 0042). Nothing is received before
 * the application exists.
 */
function listenerOf(
  settings: EdgeSettings,
  made: () => NestFastifyApplication | undefined,
  { beside, clock = systemClock }: Pick<EdgeStart, 'beside' | 'clock'>,
): FastifyAdapter {
  let front: Front | undefined;
  const inFront = (): Front => (front ??= frontOf(made()));
  const pipeline = (): RequestPipeline => inFront().pipeline;
  const adapter = listener({
    proxies: settings.trustedProxies ?? noProxies,
    connectionsPerAddress: settings.connectionsPerAddress,
    onConnectionRefused: () => inFront().metrics.turnedAway('connections'),
    receive: (request, reply) => inFront().accessHook.receive(request, reply),
    readBody: (request) => inFront().accessHook.readBody(request),
    refuseUnroutable: (request, reply) => inFront().pipeline.refuse(request, reply, WRONG_URL),
    refuseUnreadable: (error, socket) => refuseUnreadable(inFront().pipeline, error, socket),
  });
  const server = adapter.getInstance<FastifyInstance>();
  const guesses = new RefusalLimit(settings.refusalsPerSecond, clock);
  const shoppers = shopperRoutes(() => inFront().queries, guesses);
  void server.register(routesBeside(shoppers, pipeline));
  if (beside !== undefined) void server.register(routesBeside(beside, pipeline));
  return adapter;
}

interface Front {
  readonly accessHook: AccessHook;
  readonly pipeline: RequestPipeline;
  readonly metrics: EdgeMetrics;
  readonly queries: QueryClient;
}

function frontOf(application: NestFastifyApplication | undefined): Front {
  if (application === undefined) throw new Error('A request came before there was an application.');
  return {
    accessHook: application.get(AccessHook),
    pipeline: application.get(RequestPipeline),
    metrics: application.get(EdgeMetrics),
    queries: application.get(QueryClient),
  };
}

/**
 * Once it is to stop, every answer closes its connection. So a client's next request goes to
 * another instance and not to a closed port (D-57), and closing need not wait for clients that keep
 * connections.
 */
function endConnectionsWhenStopping(
  application: NestFastifyApplication,
  stopping: AbortSignal | undefined,
): void {
  const delays = application.get(CancellableDelays);
  application
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (_request, reply, _payload, done) => {
      if (delays.ended || stopping?.aborted === true) void reply.header('connection', 'close');
      done();
    });
}

/** A key of its own for each use, so that two kinds of hash can never be compared. */
function derivedKey({ credentialKey }: EdgeSettings, use: string): Buffer {
  return createHmac('sha256', credentialKey).update(`sluice ${use}`).digest();
}

/** Not HTTP, or too slow: answers if the connection still accepts it, and closes it. */
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

function urlOf(application: NestFastifyApplication, host: string): string {
  const { port } = application.getHttpServer().address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
