import 'reflect-metadata';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyPluginCallback } from 'fastify';
import { type RunningService, systemClock, withDefaults } from '@sluice/service';
import {
  given,
  LOGGER,
  made,
  METRICS,
  ServerTransport,
  ServiceModule,
  type ServiceParts,
  startModule,
  TRANSPORT,
} from '@sluice/service-module';
import { Acquirer, type PagesUrl } from './acquirer.js';
import { Book } from './book.js';
import { PAGES_PATH, shopperPages } from './shopper-pages.js';
import { requestMeter } from './simulator-metrics.js';
import { SimulatorSettings } from './settings.js';
import { walletDesk } from './wallets/wallet-desk.js';
import { readWalletKeys } from './wallets/wallet-keys.js';

/** What the simulator is started with. */
export interface SimulatorOptions extends ServiceParts {
  /** Absent ones have their defaults; `bookFile` has none. */
  readonly settings: Partial<SimulatorSettings> & Pick<SimulatorSettings, 'bookFile'>;
  /** Where browsers reach its pages, where another server has them too. */
  readonly pagesUrl?: PagesUrl;
}

/** A running simulator. */
export interface RunningSimulator extends RunningService {
  /** Where it listens, e.g. `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Its pages for shoppers and their wallets, for a server that they reach. */
  readonly pages: FastifyPluginCallback;
}

/** The other side in test mode: an acquirer over HTTP with a book of its own (D-48, D-49). */
@Module({})
export class SimulatorModule implements OnApplicationShutdown {
  /** Reads the book and listens. Throws a sentence when the book cannot be used. */
  static async start(options: SimulatorOptions): Promise<RunningSimulator> {
    const settings = withDefaults(SimulatorSettings, options.settings);
    const { bookFile: path, pendingMs, pageMs } = settings;
    const { clock = systemClock, logger } = options;
    const book = await Book.open({ path, pendingMs, pageMs }, clock);
    const { walletsFile } = settings;
    const keys = walletsFile === undefined ? undefined : await readWalletKeys(walletsFile);
    const shoppers: FastifyPluginCallback = (server, _options, done) => {
      void server.register(shopperPages(book));
      void server.register(walletDesk(keys, clock));
      done();
    };
    const made = { ...options, shoppers };
    const running = await startModule(SimulatorModule.of(made, settings, book), logger);
    const { url } = running.get(ServerTransport);
    return { url, pages: shoppers, close: () => running.close() };
  }

  private static of(
    parts: SimulatorOptions & { readonly shoppers: FastifyPluginCallback },
    { host, port, pagesUrl: pagesAt }: SimulatorSettings,
    book: Book,
  ): DynamicModule {
    const { shoppers } = parts;
    const { pagesUrl = pagesAt === undefined ? undefined : () => pagesUrlOf(pagesAt) } = parts;
    return {
      module: SimulatorModule,
      imports: [ServiceModule.of(parts)],
      providers: [
        given(Book, book),
        made(Acquirer, { logger: LOGGER, metrics: METRICS }, ({ logger, metrics }) => {
          return new Acquirer(book, logger, {
            ...{ shoppers, onAnswered: requestMeter(metrics) },
            ...(pagesUrl !== undefined && { pagesUrl }),
          });
        }),
        made(ServerTransport, { acquirer: Acquirer }, ({ acquirer }) => {
          return new ServerTransport(
            () => acquirer.listen(host, port),
            () => acquirer.close(),
          );
        }),
        { provide: TRANSPORT, useExisting: ServerTransport },
      ],
    };
  }

  constructor(private readonly book: Book) {}

  /** After the last transaction was booked. */
  async onApplicationShutdown(): Promise<void> {
    await this.book.close();
  }
}

function pagesUrlOf(address: string): string {
  return `${address.replace(/\/$/, '')}${PAGES_PATH}`;
}
