import { randomUUID } from 'node:crypto';
import type { Admin, Kafka } from 'kafkajs';
import type { ServiceWithTables } from '@sluice/contracts';
import { createPool, TlsMaterial } from '@sluice/service';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { someBrokerListens } from './broker-probe.js';
import { exitCodes, CommandEnded, failed, usage } from './exit-codes.js';
import { progressMeter, type ProgressMeter, type ProgressStream } from './progress.js';
import {
  type ConnectionFlags,
  type Connections,
  type ConnectionSettings,
  databaseUrlOf,
  readConnections,
  type Role,
  schemaOf,
} from './settings.js';

/** What surrounds a run of the command line; specs have their own. */
export interface ProcessContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly standardOutput: { write(text: string): unknown };
  readonly standardError: ProgressStream;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Flags that every command has. */
export interface GlobalFlags extends ConnectionFlags {
  readonly json?: true;
}

/** More than a table or two are never read at once. */
const CONNECTIONS_MAX = 3;
/** An operator's question may scan a table; none on the payment path may (D-10). */
const STATEMENT_TIMEOUT_MS = 60_000;

/** One command's connections: opened when they are first asked for, closed with the session. */
export class Session {
  readonly #closers: (() => Promise<unknown>)[] = [];
  readonly #flags: GlobalFlags;
  #connections: Connections | undefined;
  #kafka: Promise<Kafka> | undefined;
  #admin: Promise<Admin> | undefined;

  constructor(
    flags: GlobalFlags,
    readonly processContext: ProcessContext,
  ) {
    this.#flags = flags;
  }

  get asJson(): boolean {
    return this.#flags.json === true;
  }

  get signal(): AbortSignal {
    return this.processContext.signal;
  }

  /** Goes before the names of topics and groups. */
  get topicPrefix(): string {
    return this.settings.topicPrefix;
  }

  get settings(): ConnectionSettings {
    return this.#found.settings;
  }

  /** Where merchants reach the sandbox or cluster that runs here. @throws CommandEnded where none does */
  get gatewayUrl(): string {
    const { gatewayUrl } = this.#found;
    if (gatewayUrl !== undefined) return gatewayUrl;
    throw usage(
      'This is for a sandbox or cluster on this machine: start one (npm start), or name its folder with --data.',
    );
  }

  /** The data folder of a sandbox that runs here; undefined: none does. */
  get sandboxFolder(): string | undefined {
    return this.#found.sandboxFolder;
  }

  get #found(): Connections {
    this.#connections ??= readConnections(this.#flags, this.processContext.environment);
    return this.#connections;
  }

  now(): number {
    return this.processContext.now();
  }

  /** A sentence beside the answer, for the person who waits. */
  say(sentence: string): void {
    this.processContext.standardError.write(`${sentence}\n`);
  }

  progress(unit: string): ProgressMeter {
    return progressMeter(this.processContext.standardError, unit, this.processContext.now);
  }

  /**
   * Shows how far a piece of work has come: it calls `passed` with how many of the `total` units are done.
   * Throws what the work throws, and where the person has broken it off.
   */
  async counting<Result>(
    { unit, total }: { readonly unit: string; readonly total: number },
    work: (passed: (done: number) => void) => Promise<Result>,
  ): Promise<Result> {
    const meter = this.progress(unit);
    const beganMs = this.now();
    const passed = (done: number): void => {
      this.throwIfInterrupted();
      const perSecond = (done * 1_000) / Math.max(1, this.now() - beganMs);
      const remainingMs = (Math.max(0, total - done) / perSecond) * 1_000;
      meter.update({ done, total, perSecond, remainingMs });
    };
    try {
      const result = await work(passed);
      meter.finish();
      return result;
    } catch (error) {
      meter.abandon();
      throw error;
    }
  }

  schema(service: ServiceWithTables): string {
    return schemaOf(this.settings, service);
  }

  databaseUrl(service: ServiceWithTables, role: Role): string {
    return databaseUrlOf(this.settings, service, role);
  }

  /** A service's database, entered as its app role unless told. */
  database(service: ServiceWithTables, role: Role = 'app'): Pool {
    return this.databaseAt(this.databaseUrl(service, role), service);
  }

  /** A database of a service of which there may be several, by its address. */
  databaseAt(url: string, service: ServiceWithTables): Pool {
    const pool = createPool(url, {
      service: 'cli',
      schema: this.schema(service),
      connectionsMax: CONNECTIONS_MAX,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      onError: () => undefined,
    });
    this.#closers.push(() => pool.end());
    return pool;
  }

  /** A client of the brokers. Loaded when needed: it is half of the start's time. */
  async kafka(): Promise<Kafka> {
    this.#kafka ??= this.#makeKafka();
    return this.#kafka;
  }

  async #makeKafka(): Promise<Kafka> {
    const { createKafka } = await import('@sluice/messaging');
    const { settings, sandboxFolder } = this.#found;
    if (sandboxFolder !== undefined) {
      throw failed(
        `The sandbox in ${sandboxFolder} has no Kafka: its services talk in memory. ` +
          'npm run cluster has one; --brokers names another.',
      );
    }
    const tls = await TlsMaterial.open(settings, () => undefined, 'KAFKA_TLS').catch(
      (error: unknown) => {
        throw usage((error as Error).message);
      },
    );
    this.closeLater(() => Promise.resolve(tls?.close()));
    return createKafka({ brokers: settings.brokers, clientId: 'sluice-cli', tls });
  }

  /** The brokers' administration; throws CommandEnded when no broker answers. */
  admin(): Promise<Admin> {
    this.#admin ??= this.#connectAdmin();
    return this.#admin;
  }

  /** A name that no other session has. */
  newGroup(purpose: string): string {
    return `${this.topicPrefix}sluice.${purpose}.${randomUUID()}`;
  }

  /** Closed with the session. */
  closeLater(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /** Closes everything; what cannot be closed is not needed any more. */
  async close(): Promise<void> {
    for (const close of this.#closers.reverse()) await close().catch(() => undefined);
  }

  /** @throws CommandEnded after Ctrl-C */
  throwIfInterrupted(): void {
    if (this.signal.aborted) throw new CommandEnded(exitCodes.interrupted, 'Interrupted.');
  }

  async #connectAdmin(): Promise<Admin> {
    const { brokers } = this.settings;
    const missing = failed(`Kafka at ${brokers.join(', ')} does not answer.`);
    // First, because what is set wrongly is nothing that waiting for a broker would mend.
    const kafka = await this.kafka();
    if (!(await someBrokerListens(brokers, CONNECT_WITHIN_MS))) throw missing;
    const admin = kafka.admin();
    this.#closers.push(() => admin.disconnect());
    const timeout = new AbortController();
    const late = pause(CONNECT_WITHIN_MS, 'late' as const, { signal: timeout.signal });
    try {
      if ((await Promise.race([admin.connect(), late])) !== 'late') return admin;
    } catch {
      // Said below: kafkajs has tried for longer than anybody waits.
    } finally {
      timeout.abort();
      late.catch(() => undefined);
    }
    throw missing;
  }
}

/** As kafka-consumer-groups has it; kafkajs itself goes on for up to 13 s (measured). */
const CONNECT_WITHIN_MS = 5_000;
