import 'reflect-metadata';
import { BinTable, builtInBins } from '@sluice/answers';
import type { AddressInfo, Socket } from 'node:net';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { SavingVault, TokenVault, Vault } from '@sluice/contracts';
import type { Commands, Queries } from '@sluice/messaging';
import {
  type ClocksInHand,
  type KeyProvider,
  type OpenKeys,
  openKeys,
  type RunningService,
  SettingsError,
  systemClock,
  withDefaults,
} from '@sluice/service';
import { given, ServiceModule, type ServiceParts, startApplication } from '@sluice/service-module';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { LiveDirectory } from './access-directory.js';
import { rawAnswer, refusalAnswer } from './answer.js';
import { readBinFile } from './bin-file.js';
import { noProxies } from './client-address.js';
import { EdgeMetrics } from './edge-metrics.js';
import { UNREADABLE, WRONG_URL } from './errors.filter.js';
import { AccessHook } from './access-hook.js';
import { clockRoutes } from './clock-routes.js';
import { inFlightAnywhere, InFlightHere } from './ids-in-flight.js';
import { listener } from './listener.js';
import { operations } from './operations.js';
import { CancellableDelays } from './cancellable-delays.js';
import { QueryClient } from './query-client.js';
import { RefusalLimit } from './refusal-limit.js';
import { RequestPipeline } from './request-pipeline.js';
import type { OnRequestDone } from './request-log.js';
import { routesBeside } from './routes-beside.js';
import { widgetRoutes } from './widget-routes.js';
import { WidgetVersions } from './widget-versions.js';
import { shopperRoutes } from './shopper-routes.js';
import { EdgeSettings } from './settings.js';
import { ThrottledIds } from './throttled-ids.js';
import { accessProviders } from './access-providers.js';
import { answerProviders } from './answer-providers.js';
import { checkoutProviders } from './checkout-providers.js';
import {
  COMMANDS,
  derivedKey,
  IN_FLIGHT,
  KEYS,
  ON_REQUEST_DONE,
  QUERIES,
  SETTINGS,
  VAULT,
} from './edge-tokens.js';

/** What edge is started with. */
export interface EdgeStart extends ServiceParts {
  /** Absent ones have their defaults; the key of credentials has none. */
  readonly settings: Partial<EdgeSettings> & Pick<EdgeSettings, 'credentialKey'>;
  readonly commands: Commands;
  readonly queries: Queries;
  readonly vault: Vault & TokenVault & SavingVault;
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
  /** Clocks of entities, which only a sandbox lets anybody set; absent: there are none. */
  readonly clocks?: ClocksInHand;
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
        ...checkoutProviders,
      ],
    };
  }
}

/**
 * Only a test installation may accept what the interface forbids, because there nobody can lose
 * money by it.
 */
function assertStrictOnLive({ isLenient, gatewayEnvironment }: EdgeSettings): void {
  if (isLenient && gatewayEnvironment === 'live') {
    throw new SettingsError('EDGE_LENIENT must be false on a live installation.');
  }
}

/** The keys that seal personal data in commands; payments has the same ones. */
function commandKeysOf({ settings, commandKeys, logger }: EdgeStart): Promise<OpenKeys> {
  const { commandKeyFile: keyFile } = settings;
  return openKeys({ keyProvider: commandKeys, keyFile, variable: 'COMMAND_KEY_FILE' }, logger);
}

/**
 * The listener comes before Nest and uses what Nest has made: access is checked before bodies are
 * read, and a guard of Nest would come after that (pages 0034 and 0042). Nothing is received before
 * the application exists.
 */
function listenerOf(
  settings: EdgeSettings,
  made: () => NestFastifyApplication | undefined,
  { beside, clocks, clock = systemClock }: Pick<EdgeStart, 'beside' | 'clock' | 'clocks'>,
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
  const widget = widgetRoutes(() => inFront().widgets);
  void server.register(routesBeside(widget, pipeline));
  if (beside !== undefined) void server.register(routesBeside(beside, pipeline));
  if (clocks !== undefined) void server.register(clockRoutes(clocks, pipeline));
  return adapter;
}

interface Front {
  readonly accessHook: AccessHook;
  readonly pipeline: RequestPipeline;
  readonly metrics: EdgeMetrics;
  readonly queries: QueryClient;
  readonly widgets: WidgetVersions;
}

function frontOf(application: NestFastifyApplication | undefined): Front {
  if (application === undefined) throw new Error('A request came before there was an application.');
  return {
    accessHook: application.get(AccessHook),
    pipeline: application.get(RequestPipeline),
    metrics: application.get(EdgeMetrics),
    queries: application.get(QueryClient),
    widgets: application.get(WidgetVersions),
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
