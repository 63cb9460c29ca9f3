import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { KeyFileError } from './file-key-provider.js';
import { HealthChecks } from './health-checks.js';
import { ListenError } from './listen-on.js';
import { createLogger, type Logger, logWritten } from './logger.js';
import { ManagementServer } from './management-server.js';
import type { MetricDeclaration } from './metric-declarations.js';
import type { Metrics } from './metrics.js';
import { mutualTlsProblems } from './mutual-tls.js';
import { refuseDebugger, watchProcess } from './process-events.js';
import {
  CertificateExpiry,
  exposeBuild,
  exposeLostLines,
  exposeReadiness,
  processMetrics,
} from './process-metrics.js';
import { ProcessSettings } from './process-settings.js';
import { PrometheusMetrics } from './prometheus-metrics.js';
import { TlsSettings } from './internal-settings.js';
import type { RunningService } from './running-service.js';
import { settingsHelp, unknownVariables } from './settings-help.js';
import { loadSettings, SettingsError } from './settings.js';
import { TlsMaterial } from './tls-material.js';
import { startTracing } from './tracing.js';
import { TracingSettings } from './tracing-settings.js';
import { waitBriefly, waitFor } from './wait-for.js';

/** The settings classes of a service by the names its start function knows them by. */
export type SettingsClasses = Readonly<Record<string, new () => object>>;

/** What a service is started with. */
export interface ServiceContext<Classes extends SettingsClasses> {
  readonly settings: { readonly [Name in keyof Classes]: InstanceType<Classes[Name]> };
  readonly logger: Logger;
  readonly health: HealthChecks;
  /** Where its parts count what the definition declares. */
  readonly metrics: Metrics;
  /** Knows when the TLS files end; whoever opens others than `tls` adds them. */
  readonly certificates: CertificateExpiry;
  /** For calls between services; absent where they are plain HTTP (D-45). */
  readonly tls: TlsMaterial | undefined;
  /** Aborted when the process is told to stop; requests are still served for a while then. */
  readonly stopping: AbortSignal;
  /** Repeats a step until what it needs is there (D-19). */
  readonly waitFor: <Result>(what: string, attempt: () => Promise<Result>) => Promise<Result>;
  /** The same for what the service can be without for a while; goes on when it takes too long. */
  readonly waitBriefly: (what: string, attempt: () => Promise<unknown>) => Promise<void>;
  /** Notes a part that is to be closed at the end, the newest first, and gives it back. */
  readonly started: <Part extends RunningService>(part: Part) => Part;
}

/** One service as a process of its own. */
export interface ServiceDefinition<Classes extends SettingsClasses> {
  /** As in logs and in the prefix of its variables. */
  readonly name: string;
  readonly settings: Classes;
  /** Its metrics beside those that every process has. */
  readonly metrics?: readonly MetricDeclaration[];
  /** Starts every part; resolves when the service takes work. */
  start(context: ServiceContext<Classes>): Promise<void>;
}

const EXIT_FAILED = 1;
const EXIT_REFUSED = 2;
/** Errors whose message is all that anybody needs: something must be set otherwise. */
const REFUSALS = [KeyFileError, ListenError, SettingsError];

/**
 * Runs a service until it is told to stop. The whole life of a process is here: settings from the
 * environment, log, management port, start, and an end that finishes what has begun. Exit codes:
 * 0 stopped as told, 1 failed or cut off, 2 refused its settings.
 */
export async function runService<Classes extends SettingsClasses>(
  definition: ServiceDefinition<Classes>,
): Promise<void> {
  const classes = [
    ...Object.values(definition.settings),
    ProcessSettings,
    TlsSettings,
    TracingSettings,
  ];
  if (process.argv.includes('--help')) {
    process.stdout.write(settingsHelp(definition.name, classes));
    return;
  }
  const read = readSettings(definition, process.env);
  if (read.kind === 'refused') {
    createLogger({ service: definition.name, level: 'error' }).error(read.reason);
    process.exitCode = EXIT_REFUSED;
    return;
  }
  const logger = createLogger({ service: definition.name, level: read.process.logLevel });
  for (const name of unknownVariables(definition.name, classes, process.env)) {
    logger.warn(
      `The variable ${name} is not known and has no effect; --help lists those that are.`,
    );
  }
  await new ServiceProcess(definition, read, logger).run();
}

type Settings<Classes extends SettingsClasses> = ServiceContext<Classes>['settings'];

type SettingsRead<Classes extends SettingsClasses> =
  | {
      readonly kind: 'read';
      readonly settings: Settings<Classes>;
      readonly process: ProcessSettings;
      readonly tls: TlsSettings;
      readonly tracing: TracingSettings;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** Reads all classes before it complains, so that one start shows everything that is wrong. */
function readSettings<Classes extends SettingsClasses>(
  { settings: classes }: ServiceDefinition<Classes>,
  environment: NodeJS.ProcessEnv,
): SettingsRead<Classes> {
  const reasons: string[] = [];
  const load = <Loaded extends object>(settingsClass: new () => Loaded): Loaded => {
    try {
      return loadSettings(settingsClass, environment);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      reasons.push(error.message);
      return new settingsClass();
    }
  };
  const entries = Object.entries(classes).map(([name, settings]) => [name, load(settings)]);
  const processSettings = load(ProcessSettings);
  const tls = load(TlsSettings);
  const tracing = load(TracingSettings);
  const settings = Object.fromEntries(entries) as Settings<Classes>;
  const { gatewayEnvironment } = processSettings;
  // Only of what was understood: a default in its place would be judged instead.
  if (reasons.length === 0) {
    const calls = { gatewayEnvironment, tls, settings: Object.values(settings) as object[] };
    reasons.push(...mutualTlsProblems(calls));
  }
  if (reasons.length > 0) return { kind: 'refused', reason: reasons.join(' ') };
  return { kind: 'read', settings, process: processSettings, tls, tracing };
}

/** The life of one process, from its first line to its exit code. */
class ServiceProcess<Classes extends SettingsClasses> {
  readonly #health = new HealthChecks();
  readonly #metrics: PrometheusMetrics;
  readonly #management: ManagementServer;
  readonly #stopping = new AbortController();
  readonly #parts: RunningService[] = [];
  #starting: Promise<void> = Promise.resolve();

  constructor(
    private readonly definition: ServiceDefinition<Classes>,
    private readonly read: Extract<SettingsRead<Classes>, { kind: 'read' }>,
    private readonly logger: Logger,
  ) {
    this.#metrics = new PrometheusMetrics([...processMetrics, ...(definition.metrics ?? [])]);
    this.#management = new ManagementServer(this.#health, this.#metrics);
  }

  async run(): Promise<void> {
    refuseDebugger((sentence) => this.logger.warn(sentence));
    watchProcess({
      stop: (reason) => void this.#stop(reason, 0),
      stopNow: (reason) => this.#exitNow(`Told again to stop (${reason}); open work is cut off.`),
      failed: (error) => {
        this.logger.error({ err: error }, 'A defect: an error that nothing caught.');
        process.exit(EXIT_FAILED);
      },
    });
    this.#starting = this.#start();
    await this.#starting.catch((error: unknown) => this.#startFailed(error));
  }

  async #start(): Promise<void> {
    const { definition, read, logger } = this;
    const { managementHost, managementPort, version } = read.process;
    this.#metrics.observeProcess();
    exposeBuild(this.#metrics, definition.name, version);
    exposeLostLines(this.#metrics);
    exposeReadiness(this.#metrics, this.#health);
    const management = await this.#management.listen(managementHost, managementPort);
    logger.info({ management, process: process.pid }, `The service ${definition.name} starts.`);
    const tracing = await startTracing({
      settings: read.tracing,
      service: definition.name,
      logger,
    });
    // First, so that it is closed last and sends what the others' ends have brought.
    if (tracing !== undefined) this.#parts.push(tracing);
    const { signal } = this.#stopping;
    const tls = await TlsMaterial.open(read.tls, (error) =>
      logger.error({ err: error }, 'Changed TLS files were not taken over.'),
    );
    const certificates = new CertificateExpiry(this.#metrics);
    certificates.add('internal', tls);
    await definition.start({
      settings: read.settings,
      ...{ tls, certificates, logger, health: this.#health, metrics: this.#metrics },
      stopping: signal,
      waitFor: (what, attempt) => waitFor(what, attempt, { logger, signal }),
      waitBriefly: (what, attempt) => waitBriefly(what, attempt, { logger, signal }),
      started: (part) => {
        this.#parts.push(part);
        return part;
      },
    });
    this.#health.started();
    const startMs = Math.round(performance.now());
    const residentMegabytes = Math.round(process.memoryUsage.rss() / 1024 / 1024);
    logger.info({ startMs, residentMegabytes }, `The service ${definition.name} has started.`);
  }

  #startFailed(error: unknown): void {
    // Being told to stop is no failure, and whatever fails from then on fails because of it.
    if (this.#stopping.signal.aborted) return;
    if (REFUSALS.some((refusal) => error instanceof refusal)) {
      this.logger.error((error as Error).message);
      void this.#stop('refused', EXIT_REFUSED);
      return;
    }
    this.logger.error({ err: error }, `The service ${this.definition.name} could not start.`);
    void this.#stop('failed', EXIT_FAILED);
  }

  /** Unready first, then a moment in which the others notice, then the end of what has begun. */
  async #stop(reason: string, exitCode: number): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { stopGraceMs, stopWithinMs } = this.read.process;
    const wasServing = this.#health.phase === 'started';
    this.#health.stopping();
    this.#stopping.abort();
    this.logger.info({ reason }, `The service ${this.definition.name} stops.`);
    setTimeout(
      () => this.#exitNow(`Not finished within ${stopWithinMs} ms; open work is cut off.`),
      stopWithinMs + (wasServing ? stopGraceMs : 0),
    );
    if (wasServing) await pause(stopGraceMs);
    const isClean = await this.#closeAll();
    const finalCode = isClean ? exitCode : EXIT_FAILED;
    this.logger.info({ exitCode: finalCode }, `The service ${this.definition.name} has stopped.`);
    await logWritten(this.logger);
    process.exit(finalCode);
  }

  /** Whatever is still being started is closed as well, once it has. */
  async #closeAll(): Promise<boolean> {
    await this.#starting.catch(() => undefined);
    let isClean = true;
    for (const part of this.#parts.splice(0).reverse()) {
      await part.close().catch((error: unknown) => {
        isClean = false;
        this.logger.error({ err: error }, 'A part did not close cleanly.');
      });
    }
    await this.#management.close();
    return isClean;
  }

  #exitNow(sentence: string): never {
    this.logger.error(sentence);
    process.exit(EXIT_FAILED);
  }
}
