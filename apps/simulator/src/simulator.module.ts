import 'reflect-metadata';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyPluginCallback } from 'fastify';
import { type RunningService, systemClock, type TlsMaterial, withDefaults } from '@sluice/service';
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
import { AccessControlServer } from './three-d-secure/access-control-server.js';
import { ACS_PATH, acsPages } from './three-d-secure/acs-pages.js';
import { AuthenticationBook } from './three-d-secure/authentication-book.js';
import { type BrowserPages, DirectoryServer } from './three-d-secure/directory-server.js';
import { walletDesk } from './wallets/wallet-desk.js';
import { readWalletKeys } from './wallets/wallet-keys.js';

/** What the simulator is started with. */
export interface SimulatorOptions extends ServiceParts {
  /** Absent ones have their defaults; `bookFile` has none. */
  readonly settings: Partial<SimulatorSettings> & Pick<SimulatorSettings, 'bookFile'>;
  /** Where browsers reach its pages, where another server has them too. */
  readonly pagesUrl?: PagesUrl;
  /** Where browsers load the page of the 3DS method, when another server has it too; without a slash. */
  readonly methodsUrl?: () => string | undefined;
  /** For directory servers, and for whom they tell results; absent: plain HTTP on this machine. */
  readonly tls?: TlsMaterial | undefined;
}

/** A running simulator. */
export interface RunningSimulator extends RunningService {
  /** Where it listens, e.g. `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Where its directory servers listen, below which each network has a path: `/3ds/visa`. */
  readonly directoryUrl?: string;
  /** Its pages for shoppers and their wallets, for a server that they reach. */
  readonly pages: FastifyPluginCallback;
}

/** The other side in test mode: an acquirer over HTTP with a book of its own (D-48, D-49). */
@Module({})
export class SimulatorModule implements OnApplicationShutdown {
  /** Reads the book and listens. Throws a sentence when the book cannot be used. */
  static async start(options: SimulatorOptions): Promise<RunningSimulator> {
    const settings = withDefaults(SimulatorSettings, options.settings);
    const { bookFile: path, pendingMs, pageMs, directoryPort } = settings;
    const { clock = systemClock, logger, tls } = options;
    const book = await Book.open({ path, pendingMs, pageMs }, clock);
    const { walletsFile } = settings;
    const keys = walletsFile === undefined ? undefined : await readWalletKeys(walletsFile);
    const authentications = new AuthenticationBook();
    const waits = { pageMs, unseenMs: UNSEEN_MS, lateMs: LATE_MS, retryMs: RETRY_MS };
    const acs = new AccessControlServer({ book: authentications, clock, settings: waits, tls });
    const shoppers: FastifyPluginCallback = (server, _options, done) => {
      void server.register(shopperPages(book));
      void server.register(walletDesk(keys, clock));
      void server.register(acsPages(acs));
      done();
    };
    const made = { ...options, shoppers };
    const running = await startModule(SimulatorModule.of(made, settings, book), logger);
    const { url } = running.get(ServerTransport);
    const pages = browserPages(options, settings, url);
    const directory =
      directoryPort === undefined ? undefined : new DirectoryServer({ acs, pages, tls });
    const close = async (): Promise<void> => {
      acs.close();
      await directory?.close();
      await running.close();
    };
    try {
      const directoryUrl = await directory?.listen(settings.host, directoryPort ?? 0);
      return { url, ...(directoryUrl !== undefined && { directoryUrl }), pages: shoppers, close };
    } catch (error) {
      await close();
      throw error;
    }
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

/** How long it takes whoever is asked without a page. */
const UNSEEN_MS = 3_000;
/** How late results are where a test wants them late. */
const LATE_MS = 5_000;
/** Between two attempts to tell a result. */
const RETRY_MS = 1_000;

/** Beside the pages of the acquirer, wherever these are. */
function browserPages(
  { pagesUrl, methodsUrl }: SimulatorOptions,
  { pagesUrl: pagesAt }: SimulatorSettings,
  ownUrl: string,
): BrowserPages {
  const here = `${(pagesAt ?? ownUrl).replace(/\/$/, '')}${ACS_PATH}`;
  return {
    method: () => {
      const elsewhere = methodsUrl?.();
      return elsewhere === undefined ? here : `${elsewhere}${ACS_PATH}`;
    },
    challenge: (notificationUrl) =>
      notificationUrl === undefined || pagesUrl === undefined
        ? here
        : `${pagesUrl(notificationUrl).slice(0, -PAGES_PATH.length)}${ACS_PATH}`,
  };
}

function pagesUrlOf(address: string): string {
  return `${address.replace(/\/$/, '')}${PAGES_PATH}`;
}
