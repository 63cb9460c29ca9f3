import { serviceKeys } from '@sluice/contracts';
import { DEMO_ACCESS_TOKEN, DEMO_ENTITY_ID, parseSeed } from '@sluice/domain-accounts';
import {
  allDatabaseVariables,
  assertConsistent,
  assertPortFree,
  type ClaimedFolder,
  claimFolder,
  embeddedDatabase,
  existingDatabase,
  greeting,
  identityOf,
  type Installation,
  type InstallationDatabase,
  keyFiles,
  LineConsole,
  notePort,
  openKeys,
  readSeedFile,
  recoveryLine,
  removeInstallationFile,
  resetFolder,
  SettingRefused,
  writeInstallationFile,
} from '@sluice/local-installation';
import { createLogger } from '@sluice/service';
import { access, constants, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import {
  type ClusterFile,
  endSurvivors,
  type RunningProcess,
  runningProcess,
} from './cluster-file.js';
import { assertCellsPossible, cellVariables, prepareCells } from './cells.js';
import { ClusterLog, type ServiceLine } from './cluster-log.js';
import { freePorts } from './free-ports.js';
import {
  type ClusterKafka,
  existingKafka,
  KAFKA_FOLDER,
  startKafka,
  withTopics,
} from './kept-kafka.js';
import { KeptProcess } from './kept-process.js';
import { START_ORDER, STOP_ORDER } from './service-order.js';
import { portsNeeded, serviceProcesses } from './service-processes.js';
import type { ClusterSettings } from './settings.js';

/** Each service a process of its own, with a Kafka and a PostgreSQL, on one machine. */
export class Cluster implements Installation {
  readonly #console = new LineConsole(process.stdout);
  readonly #interruption = new AbortController();
  #log: ClusterLog;
  #folder: ClaimedFolder | undefined;
  #database: Promise<InstallationDatabase> | undefined;
  #kafka: Promise<ClusterKafka> | undefined;
  #processes: readonly KeptProcess[] = [];
  #openAtStart = 0;
  #file: Promise<void> = Promise.resolve();
  #stopping: Promise<void> | undefined;

  constructor(private readonly settings: ClusterSettings) {
    this.#log = this.#logOf(['postgres', 'kafka']);
  }

  /** Whether it has been told to stop; what fails from then on fails because of that. */
  get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Resolves when payments can be taken and the greeting is printed. */
  async start(): Promise<void> {
    const { settings } = this;
    assertConsistent(settings);
    assertCellsPossible(settings);
    await this.#checkSeed();
    await this.#checkBinFile();
    const folder = await claimFolder(settings.dataFolder, settings.port);
    this.#folder = folder;
    await assertPortFree(settings.host, settings.port);
    await endSurvivors(folder.path);
    if (settings.reset) print(await resetFolder(folder, [KAFKA_FOLDER]));
    const [kafkaPort = 0, databasePort = 0, ...ports] = await freePorts(portsNeeded(settings) + 2);
    this.#database = this.#startDatabase(folder.path, databasePort);
    this.#kafka = this.#startKafka(folder.path, kafkaPort);
    // Failures are met below, where they are awaited; here they must not count as unhandled.
    for (const part of [this.#database, this.#kafka]) part.catch(() => undefined);
    await this.#makeFiles(folder.path);
    const [database, kafka] = await Promise.all([this.#database, this.#kafka]);
    await prepareCells(database, kafka);
    this.#startProcesses(folder.path, database, kafka, ports);
    for (const group of START_ORDER) {
      if (this.isStopping) return;
      const members = this.#processes.filter(({ plan }) => group.includes(plan.service));
      await Promise.all(members.map((member) => member.start()));
    }
    if (this.isStopping) return;
    await this.#greet(folder, database);
  }

  /**
   * Stops everything in order: each service ends what it has begun (R-CRA-10), PostgreSQL and Kafka
   * go last. May be called twice.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Ends the services at once; the sweeper settles what they leave open. */
  stopNow(): void {
    for (const kept of this.#processes) kept.kill();
  }

  async #stop(): Promise<void> {
    this.#interruption.abort();
    this.#log.flush();
    for (const group of STOP_ORDER) {
      const members = this.#processes.filter(({ plan }) => group.includes(plan.service));
      await Promise.all(members.map((member) => member.stop()));
    }
    // One after the other: PostgreSQL has little time for its last checkpoint.
    await (await this.#kafka?.catch(() => undefined))?.stop();
    await (await this.#database?.catch(() => undefined))?.close();
    this.#log.flush();
    if (this.#folder === undefined) return;
    await this.#file;
    await removeInstallationFile(this.#folder.path);
    await this.#folder.release();
  }

  /** Edge reads it and says what is wrong in it; that it is there can be said at once. */
  async #checkBinFile(): Promise<void> {
    const { binFile } = this.settings;
    if (binFile === undefined) return;
    await access(binFile, constants.R_OK).catch((error: unknown) => {
      const { code = 'error' } = error as NodeJS.ErrnoException;
      throw new SettingRefused(
        `--bin-file (EDGE_BIN_FILE) names a file that cannot be read (${code}).`,
        { cause: error },
      );
    });
  }

  /** The service would refuse it as well, a few seconds later. */
  async #checkSeed(): Promise<void> {
    const { seedFile } = this.settings;
    if (seedFile === undefined) return;
    const result = parseSeed(await readSeedFile(seedFile));
    if (result.kind === 'seed') return;
    const { line, reason } = result;
    throw new SettingRefused(`The seed file ${seedFile} is refused, line ${line}: ${reason}.`);
  }

  #startDatabase(dataFolder: string, port: number): Promise<InstallationDatabase> {
    const { databaseUrl, cells } = this.settings;
    if (databaseUrl !== undefined) return existingDatabase(databaseUrl, dataFolder);
    const onProgress = (line: string): void => {
      print(line);
      this.#noteFile();
    };
    const { signal } = this.#interruption;
    return embeddedDatabase(dataFolder, { port, onProgress, signal, cells });
  }

  async #startKafka(dataFolder: string, port: number): Promise<ClusterKafka> {
    const { brokers } = this.settings;
    if (brokers !== undefined) {
      const { id: installationId } = await identityOf(dataFolder);
      return existingKafka(brokers, { installationId, takesOver: this.settings.reset });
    }
    const kafka = await startKafka(dataFolder, port, {
      onNews: (name, sentence) => this.#log.say(name, sentence),
      onSpawned: () => this.#noteFile(),
    });
    await withTopics(kafka.brokers);
    return kafka;
  }

  /** Keys and folders that several processes need before the first of them starts. */
  async #makeFiles(dataFolder: string): Promise<void> {
    await mkdir(join(dataFolder, 'simulator'), { recursive: true, mode: 0o700 });
    const keys = await openKeys(dataFolder, createLogger({ service: 'cluster', level: 'silent' }));
    keys.close();
  }

  #startProcesses(
    dataFolder: string,
    database: InstallationDatabase,
    { brokers }: ClusterKafka,
    ports: readonly number[],
  ): void {
    const { seedFile } = this.settings;
    const settings = Object.create(this.settings, {
      seedFile: { value: seedFile === undefined ? undefined : resolve(seedFile) },
    }) as ClusterSettings;
    const plans = serviceProcesses({ settings, dataFolder, database, brokers, ports });
    this.#log = this.#logOf(['postgres', 'kafka', ...plans.map(({ name }) => name)]);
    const listeners = {
      onLine: (name: string, text: string) => this.#hear(name, text),
      onNews: (name: string, sentence: string) => this.#log.say(name, sentence),
      onSpawned: () => this.#noteFile(),
    };
    this.#processes = plans.map((plan) => new KeptProcess(plan, listeners));
  }

  #logOf(names: readonly string[]): ClusterLog {
    const isColoured = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
    return new ClusterLog(this.#console, { level: this.settings.logLevel, names, isColoured });
  }

  #hear(name: string, text: string): ServiceLine | undefined {
    const line = this.#log.write(name, text);
    const open = line?.['openAtStart'];
    if (typeof open === 'number') this.#openAtStart = Math.max(this.#openAtStart, open);
    return line;
  }

  async #greet(folder: ClaimedFolder, { recovered }: InstallationDatabase): Promise<void> {
    const url = this.#urlOf('edge');
    await notePort(folder, Number(new URL(url).port));
    this.#noteFile();
    await this.#file;
    const openAtStart = this.#openAtStart;
    const line = recoveryLine({ before: folder.uncleanStopOf, recovered, openAtStart });
    if (line !== undefined) print(line);
    const demo = { entityId: DEMO_ENTITY_ID, accessToken: DEMO_ACCESS_TOKEN };
    const page = this.#urlOf('reference-page');
    process.stdout.write(greeting(url, demo, new Date().getUTCFullYear(), { referenceUrl: page }));
  }

  #urlOf(service: 'edge' | 'reference-page'): string {
    return this.#processes.find(({ plan }) => plan.service === service)?.plan.url ?? '';
  }

  /** Writes the file anew; what changes meanwhile is written after it. */
  #noteFile(): void {
    if (this.isStopping) return;
    this.#file = this.#file.then(() => this.#writeFile()).catch(() => undefined);
  }

  async #writeFile(): Promise<void> {
    const folder = this.#folder?.path;
    const [database, kafka] = await Promise.all([this.#database, this.#kafka]);
    if (folder === undefined || database === undefined || kafka === undefined) return;
    const file: ClusterFile = {
      url: this.#urlOf('edge'),
      pid: process.pid,
      brokers: kafka.brokers,
      environment: {
        KAFKA_BROKERS: kafka.brokers,
        ...allDatabaseVariables(database),
        ...cellVariables(database),
        // Whoever adds a receiver by the command line seals its secret.
        [serviceKeys.webhooks.variable]: keyFiles(folder).webhooks,
      },
      processes: [...brokerOf(kafka), ...this.#processes.flatMap(runningOf)],
    };
    await writeInstallationFile(folder, file);
  }
}

function brokerOf({ pid }: ClusterKafka): readonly RunningProcess[] {
  return pid === undefined ? [] : [runningProcess({ name: 'kafka', service: 'kafka', pid })];
}

function runningOf({ plan, pid }: KeptProcess): readonly RunningProcess[] {
  if (pid === undefined) return [];
  const { name, service, management, url, environment } = plan;
  const address = url === undefined ? {} : { url };
  return [runningProcess({ name, service, pid, management, ...address, environment })];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
