import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type Clock,
  frameworkLog,
  type Logger,
  type Metrics,
  type RunningService,
  systemClock,
  withDefaults,
} from '@sluice/service';
import { Acquirer } from './acquirer.js';
import { Book } from './book.js';
import { type OnAnswered, requestMeter } from './simulator-metrics.js';
import { SimulatorSettings } from './settings.js';

/** What the simulator is started with. */
export interface SimulatorOptions {
  /** Absent ones have their defaults; `bookFile` has none. */
  readonly settings: Partial<SimulatorSettings> & Pick<SimulatorSettings, 'bookFile'>;
  readonly clock?: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/** A running simulator. */
export interface RunningSimulator extends RunningService {
  /** Where it listens, e.g. `http://127.0.0.1:4000`. */
  readonly url: string;
}

/** The other side in test mode: an acquirer over HTTP with a book of its own (D-48, D-49). */
@Module({})
export class SimulatorModule {
  /** Reads the book and listens. Throws a sentence when the book cannot be used. */
  static async start(options: SimulatorOptions): Promise<RunningSimulator> {
    const settings = withDefaults(SimulatorSettings, options.settings);
    const { bookFile: path, pendingMs, idempotentSubmit } = settings;
    const { clock = systemClock, logger } = options;
    const book = await Book.open({ path, pendingMs, idempotentSubmit }, clock);
    const context = await NestFactory.createApplicationContext(
      moduleOf(book, logger, requestMeter(options.metrics)),
      {
        logger: frameworkLog(logger),
        abortOnError: false,
      },
    );
    const acquirer = context.get(Acquirer);
    let closed: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      await acquirer.close();
      await context.close();
      await book.close();
    };
    try {
      const url = await acquirer.listen(settings.host, settings.port);
      return { url, close: () => (closed ??= close()) };
    } catch (error) {
      await close();
      throw error;
    }
  }
}

function moduleOf(book: Book, logger: Logger, onAnswered: OnAnswered): DynamicModule {
  return {
    module: SimulatorModule,
    providers: [
      { provide: Book, useValue: book },
      { provide: Acquirer, useFactory: () => new Acquirer(book, logger, onAnswered) },
    ],
  };
}
