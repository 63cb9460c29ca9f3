import type { DynamicModule, INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy, MicroserviceOptions } from '@nestjs/microservices';
import { frameworkLog, type Logger, type RunningService } from '@sluice/service';
import { type Source, type Token, token } from './providers.js';

/** Where a service's work arrives; provided by its module. */
export const TRANSPORT: Token<CustomTransportStrategy> = token('transport');

/** For a service whose callers in the same process use it as an object. */
export const noTransport: CustomTransportStrategy = {
  listen: (ready) => void ready(),
  close: () => undefined,
};

/** A server of its own kind as the transport of a module. */
export class ServerTransport implements CustomTransportStrategy {
  #url: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly listenNow: () => Promise<string>,
    private readonly closeNow: () => Promise<void>,
  ) {}

  /** Where it listens, once it does. */
  get url(): string {
    if (this.#url === undefined) throw new Error('It does not listen yet.');
    return this.#url;
  }

  listen(ready: (error?: unknown) => void): void {
    this.listenNow().then(
      (url) => {
        this.#url = url;
        ready();
      },
      (error: unknown) => ready(error),
    );
  }

  close(): Promise<void> {
    return (this.#closing ??= this.closeNow());
  }
}

/** A module at work. */
export interface RunningModule extends RunningService {
  /** What the module has provided. */
  get<Value>(source: Source<Value>): Value;
}

/** How an application of Nest is created, starts, and stops taking work. */
export interface Application<Made extends INestApplicationContext> {
  /** `abortOnError` has to be false: Nest must not decide whether the process ends. */
  readonly create: (logger: LoggerService) => Promise<Made>;
  readonly listen: (application: Made) => Promise<unknown>;
  /** Stops the source of work before any part is closed; absent if Nest does so. */
  readonly endTransport?: (application: Made) => Promise<void>;
}

/**
 * Starts a module whose work comes over the transport that it provides. In this order: what
 * providers make, `onModuleInit` and `onApplicationBootstrap` of what is imported first, then the
 * transport. It closes the other way: the transport, then `onApplicationShutdown` of the module,
 * then of what it imports. A start that fails is closed as well.
 */
export function startModule(module: DynamicModule, logger: Logger): Promise<RunningModule> {
  return startApplication(logger, {
    create: (log) =>
      NestFactory.createMicroservice<AsyncTransport>(module, {
        inject: [TRANSPORT],
        useFactory: (strategy: CustomTransportStrategy) => ({ strategy }),
        logger: log,
        abortOnError: false,
      }),
    listen: (application) => application.listen(),
    endTransport: async (application) => {
      await application.get<CustomTransportStrategy>(TRANSPORT).close();
    },
  });
}

interface AsyncTransport {
  readonly inject: (typeof TRANSPORT)[];
  readonly useFactory: (strategy: CustomTransportStrategy) => MicroserviceOptions;
}

/** The same for an application of any kind, e.g. one over HTTP. */
export async function startApplication<Made extends INestApplicationContext>(
  logger: Logger,
  { create, listen, endTransport }: Application<Made>,
): Promise<RunningModule> {
  const log = new ApplicationLog(logger);
  const application = await create(log);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await endTransport?.(application);
    await log.rejectingFailures(() => application.close());
  };
  const running: RunningModule = {
    get: (source) => application.get(source),
    close: () => (closing ??= close()),
  };
  try {
    await listen(application);
    return running;
  } catch (error) {
    // The start's own failure is the one to report.
    await running.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Nest only logs what a shutdown hook throws, but if a part does not close, the end is not clean.
 */
class ApplicationLog implements LoggerService {
  readonly #log;
  #failures: unknown[] | undefined;

  constructor(logger: Logger) {
    this.#log = frameworkLog(logger);
  }

  log(): void {
    this.#log.log();
  }

  warn(): void {
    this.#log.warn();
  }

  error(problem: unknown): void {
    if (this.#failures === undefined) this.#log.error(problem);
    else this.#failures.push(problem);
  }

  fatal(problem: unknown): void {
    this.#log.fatal(problem);
  }

  /** Does the work, and rejects with the first failure that is reported in the meantime. */
  async rejectingFailures(work: () => Promise<void>): Promise<void> {
    const failures: unknown[] = [];
    this.#failures = failures;
    try {
      await work();
    } finally {
      this.#failures = undefined;
    }
    for (const failure of failures) throw failure;
  }
}
