import type { HeardCall } from './receiver-process.js';
import type { Services } from './services-fixture.js';

/** What payments has recorded, and merchants are told of. */
export interface ToldEvent {
  /** Of the payment: what happens to it is told in order. */
  readonly streamId: string;
  readonly transactionId: string;
  readonly sequence: number;
  readonly happenedAtMs: number;
}

/** What a soak has had. */
export interface Soaked {
  readonly told: readonly ToldEvent[];
  readonly heard: readonly HeardCall[];
  /** By receiver. */
  readonly urls: Readonly<Record<string, string>>;
  readonly kills: readonly { readonly killedAtMs: number; readonly startedAtMs: number }[];
}

/** As `docs/how-to/hear-of-changes.md` has it, once more: whatever approves, declines, refuses or leaves pending. */
const TELLS = [
  ...['TransactionApproved', 'TransactionDeclined', 'TransactionPending', 'TransactionRejected'],
  ...['TransactionNotPerformed', 'UnknownTransactionReversed', 'AuthenticationPending'],
  ...['ChargebackReceived', 'ChargebackReversed', 'StandaloneCompleted'],
].map((type) => `'${type}'`);
const TOLD = `SELECT stream_id AS "streamId", data->>'transactionId' AS "transactionId",
    version AS sequence, extract(epoch FROM recorded_at)::float8 * 1000 AS "happenedAtMs"
  FROM payments.events WHERE type IN (${TELLS.join(', ')}) ORDER BY stream_id, version`;
const LAPSED = `SELECT delivery_id AS id, count(*)::int AS times FROM webhooks.attempts
  WHERE outcome = 'lapsed' GROUP BY delivery_id`;

/** Whether everybody was told of everything, and how. */
export class TellingReport {
  /** By transaction and sequence. */
  readonly #told: ReadonlyMap<string, ToldEvent>;
  /** By receiver, in the order of coming. */
  readonly #heard: ReadonlyMap<string, readonly HeardCall[]>;

  private constructor(
    private readonly soaked: Soaked,
    /** How many attempts of each notification ended with their process. */
    private readonly lapsed: ReadonlyMap<string, number>,
  ) {
    this.#told = new Map(soaked.told.map((told) => [nameOf(told), told]));
    this.#heard = new Map(
      Object.keys(soaked.urls).map((name) => [
        name,
        soaked.heard.filter(({ receiver }) => receiver === name),
      ]),
    );
  }

  static async of(services: Services, soaked: Soaked): Promise<TellingReport> {
    const lapsed = await services.rows<{ id: string; times: number }>(LAPSED);
    return new TellingReport(soaked, new Map(lapsed.map(({ id, times }) => [id, times])));
  }

  /** What is to be told of all that has happened. */
  static toldEvents(services: Services): Promise<readonly ToldEvent[]> {
    return services.rows<ToldEvent & Record<string, unknown>>(TOLD);
  }

  get figures(): Readonly<Record<string, number>> {
    const { told, heard, kills } = this.soaked;
    const lapsed = [...this.lapsed.values()].reduce((sum, times) => sum + times, 0);
    const doubles = [...this.#heard.values()].flatMap(doublesOf).length;
    const events = { payments: new Set(told.map(({ streamId }) => streamId)).size };
    return {
      ...events,
      told: told.length,
      calls: heard.length,
      kills: kills.length,
      lapsed,
      doubles,
    };
  }

  /** A line for each receiver. */
  get byReceiver(): string {
    const lines = [...this.#heard].map(([name, heard]) => {
      const acknowledged = new Set(
        heard.flatMap(({ id, isAcknowledged }) => (isAcknowledged ? id : [])),
      );
      const doubles = doublesOf(heard).length;
      const lapsed = this.#lapsedOf(heard);
      return `${name}: ${heard.length} calls, ${acknowledged.size} acknowledged, ${doubles} doubles, ${lapsed} lapsed`;
    });
    return lines.join('\n');
  }

  /** What somebody was never told and has acknowledged. */
  get missing(): readonly string[] {
    return [...this.#heard].flatMap(([name, heard]) => {
      const known = new Set(heard.filter(({ isAcknowledged }) => isAcknowledged).map(nameOf));
      const missing = [...this.#told.keys()].filter((told) => !known.has(told));
      const unknown = [...known].filter((told) => !this.#told.has(told));
      return [...missing, ...unknown].map((told) => `${name}: ${told}`);
    });
  }

  /** Calls before something earlier of that payment was acknowledged, or with something older than the latest. */
  get outOfOrder(): readonly string[] {
    const earlier = new Map<string, number[]>();
    for (const { streamId, sequence } of this.soaked.told) {
      earlier.set(streamId, [...(earlier.get(streamId) ?? []), sequence]);
    }
    return [...this.#heard].flatMap(([name, heard]) => {
      const acknowledged = new Set<string>();
      const latest = new Map<string, number>();
      return heard.flatMap((call) => {
        const { streamId = '' } = this.#told.get(nameOf(call)) ?? {};
        const before = (earlier.get(streamId) ?? []).filter((sequence) => sequence < call.sequence);
        const isAhead = before.some((sequence) => !acknowledged.has(`${streamId} ${sequence}`));
        const isBehind = call.sequence < (latest.get(streamId) ?? 0);
        if (call.isAcknowledged) acknowledged.add(`${streamId} ${call.sequence}`);
        latest.set(streamId, Math.max(call.sequence, latest.get(streamId) ?? 0));
        return isAhead || isBehind ? [`${name}: ${nameOf(call)} of ${streamId}`] : [];
      });
    });
  }

  /** What was acknowledged once more, oftener than attempts of it ended with their process. */
  get unexplainedDoubles(): readonly string[] {
    return [...this.#heard].flatMap(([name, heard]) => {
      const doubles = new Map<string, number>();
      for (const { id } of doublesOf(heard)) doubles.set(id, (doubles.get(id) ?? 0) + 1);
      return [...doubles].flatMap(([id, times]) =>
        times > (this.lapsed.get(id) ?? 0) ? [`${name}: ${id} ${times} times`] : [],
      );
    });
  }

  /** How many attempts ended with their process, of the receiver of which most did. */
  get lapsedMax(): number {
    return Math.max(...[...this.#heard.values()].map((heard) => this.#lapsedOf(heard)));
  }

  /**
   * From the event to the first call of these receivers, without the time in which nobody was there to hear of it:
   * that begins with a kill, and ends when anything is heard of what happened afterwards. What waits for an
   * attempt that ended with its process is left aside.
   */
  lagOf(names: readonly string[]): {
    readonly p50Ms: number;
    readonly p99Ms: number;
    readonly maxMs: number;
    readonly measured: number;
    readonly hearsAgainMaxMs: number;
  } {
    const calls = names.flatMap((name) => this.#heard.get(name) ?? []);
    const { kills } = this.soaked;
    const away = kills.map(({ killedAtMs }) => {
      const after = calls.filter((call) => this.#happenedAtMs(call) > killedAtMs);
      return { fromMs: killedAtMs, toMs: Math.min(...after.map(({ atMs }) => atMs)) };
    });
    // One that was killed before it had heard anything says nothing of how soon that is.
    const heard = away.filter(({ toMs }, at) => toMs < (kills[at + 1]?.killedAtMs ?? Infinity));
    const lags = names
      .flatMap((name) => this.#lagsOf(this.#heard.get(name) ?? [], joined(away)))
      .sort((one, other) => one - other);
    const at = (share: number): number =>
      Math.round(lags[Math.floor(share * (lags.length - 1))] ?? NaN);
    return {
      ...{ p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), measured: lags.length },
      hearsAgainMaxMs: Math.max(...heard.map(({ fromMs, toMs }) => toMs - fromMs)),
    };
  }

  #lagsOf(heard: readonly HeardCall[], away: readonly Span[]): readonly number[] {
    const streamOf = (call: HeardCall): string => this.#told.get(nameOf(call))?.streamId ?? '';
    const disturbed = new Set(heard.filter(({ id }) => this.lapsed.has(id)).map(streamOf));
    const first = new Map<string, HeardCall>();
    for (const call of heard) if (!first.has(call.id)) first.set(call.id, call);
    return [...first.values()].flatMap((call) => {
      if (disturbed.has(streamOf(call))) return [];
      const { atMs } = call;
      const happenedAtMs = this.#happenedAtMs(call);
      const overlaps = away.map(({ fromMs, toMs }) =>
        Math.max(0, Math.min(toMs, atMs) - Math.max(fromMs, happenedAtMs)),
      );
      return [atMs - happenedAtMs - overlaps.reduce((sum, overlap) => sum + overlap, 0)];
    });
  }

  #happenedAtMs(call: HeardCall): number {
    return this.#told.get(nameOf(call))?.happenedAtMs ?? NaN;
  }

  #lapsedOf(heard: readonly HeardCall[]): number {
    const ids = new Set(heard.map(({ id }) => id));
    return [...ids].reduce((sum, id) => sum + (this.lapsed.get(id) ?? 0), 0);
  }
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Spans that overlap are one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last === undefined || span.fromMs > last.toMs) all.push(span);
    else all.splice(-1, 1, { ...last, toMs: Math.max(last.toMs, span.toMs) });
  }
  return all;
}

/** Acknowledgements of what was acknowledged before. */
function doublesOf(heard: readonly HeardCall[]): readonly HeardCall[] {
  const acknowledged = new Set<string>();
  return heard.filter(({ id, isAcknowledged }) => {
    const isDouble = isAcknowledged && acknowledged.has(id);
    if (isAcknowledged) acknowledged.add(id);
    return isDouble;
  });
}

function nameOf({
  transactionId,
  sequence,
}: Pick<HeardCall, 'transactionId' | 'sequence'>): string {
  return `${transactionId} ${sequence}`;
}
