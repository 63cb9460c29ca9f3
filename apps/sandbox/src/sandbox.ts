import { serviceKeys } from '@sluice/contracts';
import {
  allDatabaseVariables,
  assertConsistent,
  assertPortFree,
  type ClaimedFolder,
  claimFolder,
  embeddedDatabase,
  existingDatabase,
  greeting,
  type Installation,
  type InstallationDatabase,
  keyFiles,
  LineConsole,
  notePort,
  openKeys,
  portRefusal,
  readSeedFile,
  recoveryLine,
  removeInstallationFile,
  resetFolder,
  type SandboxSettings,
  SettingRefused,
  writeInstallationFile,
} from '@sluice/local-installation';
import {
  createLogger,
  loadSettings,
  type Logger,
  startTracing,
  systemClock,
  TracingSettings,
} from '@sluice/service';
import type * as apps from './apps.js';
import { EntityClocks } from './entity-clocks.js';
import { Gateway } from './gateway.js';
import { SandboxManagementServer } from './management-server.js';
import type { BinTable, RequestDone, RunningServices, Seed } from './services.js';
import { streamHint } from './stream-hint.js';

type Apps = typeof apps;

/** What the greeting is about. */
interface Greeted {
  readonly services: RunningServices;
  readonly database: InstallationDatabase;
  readonly demo: { readonly entityId: string; readonly accessToken: string };
  readonly shopUrl: string;
}

const SHOP_PORT_FLAG = '--shop-port';
/** How long closing may take before the rest is cut off: D-63 gives 2 s, PostgreSQL needs most. */
const SERVICES_CLOSE_WITHIN_MS = 400;

/** The gateway in one process: starts everything in order, and stops it in the other. */
export class Sandbox implements Installation {
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #requests = new LineConsole(process.stdout);
  readonly #logger: Logger;
  readonly #interruption = new AbortController();
  #hasShownStream = false;
  #folder: ClaimedFolder | undefined;
  #database: Promise<InstallationDatabase> | undefined;
  #stopping: Promise<void> | undefined;

  /** @param sluice how operators' command line is called here; absent where there is none */
  constructor(
    private readonly settings: SandboxSettings,
    private readonly sluice?: string,
  ) {
    this.#logger = createLogger({
      service: 'sandbox',
      level: settings.logLevel,
      // Standard output is for the console lines.
      destination: process.stderr,
    });
  }

  /** Whether it has been told to stop; what fails from then on fails because of that. */
  get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Resolves when payments can be taken and the greeting is printed. */
  async start(): Promise<void> {
    const { settings } = this;
    assertConsistent(settings);
    assertDifferentPorts(settings);
    await this.#trace();
    this.#folder = await claimFolder(settings.dataFolder, settings.port);
    await assertPortFree(settings.host, settings.port);
    await assertPortFree(settings.host, settings.shopPort, SHOP_PORT_FLAG);
    const management = await this.#listenForManagement();
    // With files the apps are loaded first, because some of them must find these good.
    const seed = await this.#readSeed();
    const binTable = await this.#readBins();
    if (settings.reset) print(await resetFolder(this.#folder));
    this.#database = this.#startDatabase(this.#folder.path);
    // A failure is handled below, where it is awaited; until then it must not count as unhandled.
    this.#database.catch(() => undefined);
    const apps = await loadApps();
    const keys = await openKeys(this.#folder.path, this.#logger);
    this.#closers.push(() => {
      keys.close();
      return Promise.resolve();
    });
    const database = await this.#database;
    const clocks = await EntityClocks.open({ dataFolder: this.#folder.path, clock: systemClock });
    const parts = {
      clocks,
      ...{ apps, settings, database, keys, seed, logger: this.#logger },
      port: settings.port,
      dataFolder: this.#folder.path,
      binTable,
      onRequestDone: (request: RequestDone) => {
        this.#noteRequest(request);
      },
    };
    const gateway = new Gateway(parts, this.#logger);
    this.#closers.push(() => gateway.close());
    const services = await gateway.start();
    if (this.isStopping) return;
    management.server.manage(gateway);
    print(`Management on ${management.url}: GET /health, POST /reset, POST /seed`);
    const shopUrl = await this.#openShop(apps, services.url);
    await this.#greet({ services, database, demo: apps.AccountsModule.demo, shopUrl });
  }

  /**
   * Stops everything within 2 s, PostgreSQL last (D-63). What is still being started is undone as
   * well. May be called twice.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#interruption.abort();
    this.#requests.flush();
    const closeAll = async (): Promise<void> => {
      // The newest first: edge before the services it calls.
      for (const close of this.#closers.splice(0).reverse()) {
        await close().catch((error: unknown) => {
          this.#logger.warn({ err: error }, 'A part did not close cleanly');
        });
      }
    };
    await Promise.race([closeAll(), elapsed(SERVICES_CLOSE_WITHIN_MS)]);
    this.#requests.flush();
    const database = await this.#database?.catch(() => undefined);
    await database?.close();
    if (this.#folder === undefined) return;
    await removeInstallationFile(this.#folder.path);
    await this.#folder.release();
  }

  /** One line for each request, and once how to look at what a payment has become. */
  #noteRequest(request: RequestDone): void {
    this.#requests.print(request);
    const { sluice } = this;
    const { method, transactionId } = request;
    if (
      sluice === undefined ||
      this.#hasShownStream ||
      method !== 'POST' ||
      transactionId === undefined
    )
      return;
    this.#hasShownStream = true;
    this.#requests.printLine(streamHint(sluice, transactionId, this.settings.dataFolder));
  }

  /**
   * Traces, where OTEL_EXPORTER_OTLP_ENDPOINT says where to; the sandbox is one service to them.
   */
  async #trace(): Promise<void> {
    const settings = loadSettings(TracingSettings, process.env);
    const options = { settings, service: 'sandbox', logger: this.#logger };
    const tracing = await startTracing(options);
    if (tracing !== undefined) this.#closers.push(() => tracing.close());
  }

  /**
   * Before everything else, so that callers that wait for the sandbox learn that it is starting.
   */
  async #listenForManagement(): Promise<{ server: SandboxManagementServer; url: string }> {
    const server = new SandboxManagementServer(this.#logger);
    const { managementHost, managementPort } = this.settings;
    const url = await server.listen(managementHost, managementPort);
    this.#closers.push(() => server.close());
    return { server, url };
  }

  async #readSeed(): Promise<Seed | undefined> {
    const { seedFile } = this.settings;
    if (seedFile === undefined) return undefined;
    const text = await readSeedFile(seedFile);
    const result = (await loadApps()).AccountsModule.parseSeed(text);
    if (result.kind === 'seed') return result;
    const { line, reason } = result;
    throw new SettingRefused(`The seed file ${seedFile} is refused, line ${line}: ${reason}.`);
  }

  async #readBins(): Promise<BinTable | undefined> {
    const { binFile } = this.settings;
    if (binFile === undefined) return undefined;
    const { EdgeModule } = await loadApps();
    try {
      return EdgeModule.readBinFile(binFile);
    } catch (error) {
      const { message } = error as Error;
      throw new SettingRefused(`--bin-file (EDGE_BIN_FILE) ${message}.`, { cause: error });
    }
  }

  #startDatabase(dataFolder: string): Promise<InstallationDatabase> {
    const { databaseUrl } = this.settings;
    return databaseUrl === undefined
      ? embeddedDatabase(dataFolder, {
          onProgress: print,
          signal: this.#interruption.signal,
        })
      : existingDatabase(databaseUrl, dataFolder);
  }

  /** The demo shop, which has nothing of the gateway but its address and the demo channel's access. */
  async #openShop({ startDemoShop, AccountsModule }: Apps, url: string): Promise<string> {
    const { host, shopPort: port } = this.settings;
    const { entityId, accessToken } = AccountsModule.demo;
    const shop = await startDemoShop({ host, port, account: { url, entityId, accessToken } }).catch(
      (error: unknown) => {
        // Another process has taken the port since it was found free.
        throw portRefusal(host, port, error as NodeJS.ErrnoException, SHOP_PORT_FLAG);
      },
    );
    this.#closers.push(() => shop.close());
    return shop.url;
  }

  async #greet({ services, database, demo, shopUrl }: Greeted): Promise<void> {
    const { url, openAtStart } = services;
    const folder = this.#folder;
    if (folder === undefined) return;
    await notePort(folder, Number(new URL(url).port));
    const environment = {
      ...allDatabaseVariables(database),
      // Whoever adds a receiver by the command line seals its secret.
      [serviceKeys.webhooks.variable]: keyFiles(folder.path).webhooks,
    };
    await writeInstallationFile(folder.path, { url, pid: process.pid, environment });
    const line = recoveryLine({
      before: folder.uncleanStopOf,
      recovered: database.recovered,
      openAtStart,
    });
    if (line !== undefined) print(line);
    process.stdout.write(greeting(url, demo, new Date().getUTCFullYear(), { shopUrl }));
  }
}

function assertDifferentPorts({ port, managementPort, shopPort }: SandboxSettings): void {
  const named = [port, managementPort, shopPort].filter((each) => each !== 0);
  if (new Set(named).size === named.length) return;
  throw new SettingRefused(`--port, --management-port and ${SHOP_PORT_FLAG} must differ.`);
}

function loadApps(): Promise<Apps> {
  return import('./apps.js');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
