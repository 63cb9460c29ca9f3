import { randomUUID } from 'node:crypto';
import type { AuthenticationNetwork } from '@sluice/contracts';
import {
  buildMessage,
  CardRangeIndex,
  changedRanges,
  checkMessage,
  messageCharactersMax,
  type MessageOf,
  parseMessage,
  type ParticipatingRange,
  rangeChanges,
} from '@sluice/domain-three-d-secure';
import type { Logger } from '@sluice/service';
import type { Pool } from 'pg';
import type { DirectoryErrors } from './directory-errors.js';
import type { DirectoryServer, DirectoryServers } from './directory-servers.js';

/** EMV wants them fetched once in 24 hours, and not more often than once an hour. */
const FRESH_MS = 24 * 60 * 60_000;
const AGAIN_MS = 60_000;
/** The version in which ranges are asked for: all directory servers speak it. */
const VERSION = '2.2.0';

const SELECT = `SELECT serial_number, ranges, extract(epoch FROM fetched_at) * 1000 AS fetched_at_ms
  FROM card_ranges WHERE network = $1 AND is_live = $2`;
const UPSERT = `INSERT INTO card_ranges (network, is_live, serial_number, ranges)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (network, is_live) DO UPDATE
    SET serial_number = excluded.serial_number, ranges = excluded.ranges, fetched_at = now()`;

interface Row {
  readonly serial_number: string | null;
  readonly ranges: readonly ParticipatingRange[];
  readonly fetched_at_ms: number;
}

/** The parts they are made of. */
export interface CardRangesParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly servers: Pick<DirectoryServers, 'all' | 'ranges'>;
  readonly errors: Pick<DirectoryErrors, 'tell'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly now: () => number;
}

/**
 * Which cards take part, by network: asked from directory servers (PReq), kept in a table, so that a start
 * without them has the last ones, and looked up in memory.
 */
export class CardRanges {
  readonly #indexes = new Map<string, CardRangeIndex>();
  readonly #fetchedAtMs = new Map<string, number>();
  /** When each is to be fetched next. */
  readonly #next = new Map<string, number>();

  readonly #startedAtMs: number;

  constructor(private readonly parts: CardRangesParts) {
    this.#startedAtMs = parts.now();
  }

  /** Undefined until the ranges of the network are known. */
  of(network: AuthenticationNetwork, isLive: boolean): CardRangeIndex | undefined {
    return this.#indexes.get(keyOf({ network, isLive }));
  }

  /** Whether those of every directory server have been told, now or before. */
  get areKnown(): boolean {
    return this.parts.servers.all.every((server) => this.#indexes.has(keyOf(server)));
  }

  /** 0 where no directory server is configured; those that were never fetched are as old as this process. */
  get oldestAgeMs(): number {
    const { servers, now } = this.parts;
    const ages = servers.all.map(
      (server) => now() - (this.#fetchedAtMs.get(keyOf(server)) ?? this.#startedAtMs),
    );
    return Math.max(0, ...ages);
  }

  /** Takes over what the table has. */
  async load(): Promise<void> {
    for (const server of this.parts.servers.all) {
      const row = await this.#row(server);
      if (row === undefined) continue;
      this.#indexes.set(keyOf(server), new CardRangeIndex(row.ranges));
      this.#fetchedAtMs.set(keyOf(server), row.fetched_at_ms);
      this.#next.set(keyOf(server), row.fetched_at_ms + FRESH_MS);
    }
  }

  /** Fetches those that are a day old, or were never fetched. Never rejects for one that does not answer. */
  async refreshDue(): Promise<void> {
    const nowMs = this.parts.now();
    const due = this.parts.servers.all.filter(
      (server) => (this.#next.get(keyOf(server)) ?? 0) <= nowMs,
    );
    await Promise.all(due.map((server) => this.#refreshSafely(server, nowMs)));
  }

  async #refreshSafely(server: DirectoryServer, nowMs: number): Promise<void> {
    this.#next.set(keyOf(server), nowMs + AGAIN_MS);
    const { network, isLive } = server;
    const { logger } = this.parts;
    try {
      const fault = await this.#refresh(server);
      if (fault === undefined) this.#next.set(keyOf(server), nowMs + FRESH_MS);
      else
        logger.warn({ network, isLive, fault }, 'Card ranges could not be fetched; tried again.');
    } catch (error) {
      const fields = { network, isLive, err: error };
      logger.warn(fields, 'Card ranges could not be fetched; tried again.');
    }
  }

  /** Why not, in words; undefined where they are fetched. */
  async #refresh(server: DirectoryServer): Promise<string | undefined> {
    const row = await this.#row(server);
    const told = await this.#ask(server, row?.serial_number ?? undefined);
    // A serial number that the server does not know any more: all of them are asked for.
    const answer = told === 'serialUnknown' ? await this.#ask(server, undefined) : told;
    if (typeof answer === 'string') return answer;
    const isDelta = row !== undefined && told !== 'serialUnknown' && row.serial_number !== null;
    const ranges = changedRanges(isDelta ? row.ranges : [], rangeChanges(answer));
    const { network, isLive } = server;
    const serial = answer.serialNum ?? null;
    await this.parts.pool.query(UPSERT, [network, isLive, serial, JSON.stringify(ranges)]);
    this.#indexes.set(keyOf(server), new CardRangeIndex(ranges));
    this.#fetchedAtMs.set(keyOf(server), this.parts.now());
    const fields = { network, isLive, ranges: ranges.length };
    this.parts.logger.info(fields, 'The card ranges of a directory server are fresh.');
    return undefined;
  }

  async #ask(
    server: DirectoryServer,
    serialNum: string | undefined,
  ): Promise<MessageOf<'PRes'> | 'serialUnknown' | (string & {})> {
    const { referenceNumber, operatorId } = server;
    const request = buildMessage('PReq', VERSION, {
      ...{ threeDSServerRefNumber: referenceNumber, threeDSServerOperatorID: operatorId },
      ...{ threeDSServerTransID: randomUUID(), serialNum },
    });
    const result = await this.parts.servers.ranges(server, JSON.stringify(request));
    if (result.kind !== 'answered') return `it does not answer (${result.reason})`;
    const parsed = parseMessage(result.body, messageCharactersMax.PRes);
    const ids = { threeDSServerTransID: request.threeDSServerTransID };
    const checked =
      'value' in parsed
        ? checkMessage(parsed.value, { type: 'PRes', version: VERSION, ids })
        : parsed;
    if ('message' in checked) return checked.message;
    if ('erro' in checked) {
      this.parts.errors.tell(server, checked.erro, request);
      return `its answer is wrong: ${checked.erro.errorDetail}`;
    }
    const { errorCode, errorDetail } = checked.received;
    return errorCode === SERIAL_UNKNOWN && serialNum !== undefined
      ? 'serialUnknown'
      : `it answers ${errorCode}, ${errorDetail}`;
  }

  async #row({ network, isLive }: DirectoryServer): Promise<Row | undefined> {
    const { rows } = await this.parts.pool.query<Row>(SELECT, [network, isLive]);
    return rows[0];
  }
}

const SERIAL_UNKNOWN = '307';

function keyOf({ network, isLive }: Pick<DirectoryServer, 'isLive' | 'network'>): string {
  return `${network} ${String(isLive)}`;
}
