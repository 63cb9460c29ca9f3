import { type HttpResult, InternalClient, type TlsMaterial } from '@sluice/service';

/** How the instances of one service are reached. */
export interface InstancesOptions {
  /** Scheme, host and port of each. */
  readonly urls: readonly string[];
  readonly tls?: TlsMaterial | undefined;
  readonly connectionsMax?: number;
  readonly answerBytesMax?: number;
}

/** One request to one of them. */
export interface InstanceRequest {
  readonly path: string;
  /** JSON text. */
  readonly body: string;
  /** For everything together. */
  readonly timeoutMs: number;
  /** For one instance, when there is another one to ask. */
  readonly tryTimeoutMs?: number;
}

interface Instance {
  readonly client: InternalClient;
  /** By the monotonic clock: until then the others are asked first. */
  awayUntilMs: number;
}

/** For this long an instance that could not be reached is asked last; a restart takes about as long. */
const AWAY_MS = 1_000;
/**
 * How long such an instance is tried if it has to be asked first; the rest of the time is left for
 * the others.
 */
const AWAY_TRY_TIMEOUT_MS = 250;
/** An instance that runs is reached in a millisecond; the address of one that has gone never answers. */
const CONNECT_TIMEOUT_MS = 1_000;
/** The instance is stopping or overloaded. */
const UNAVAILABLE = 503;
const NONE: HttpResult = { kind: 'notSent', reason: 'notReachable' };

/**
 * The instances of one service. Requests go to them in turn, and to the next one if an instance
 * cannot be reached. So only requests that may arrive twice can be sent through here: reading,
 * holding and forgetting.
 */
export class ServiceInstances {
  readonly #instances: readonly Instance[];
  #turn = 0;

  constructor({ urls, ...options }: InstancesOptions) {
    this.#instances = urls.map((origin) => ({
      client: new InternalClient({ origin, connectTimeoutMs: CONNECT_TIMEOUT_MS, ...options }),
      awayUntilMs: 0,
    }));
  }

  /** How many there are. */
  get count(): number {
    return this.#instances.length;
  }

  /**
   * Posts to whichever instance answers first: to `first` and only then to others, or to them in
   * turn.
   */
  async post(request: InstanceRequest, first?: number): Promise<HttpResult> {
    const endsAtMs = performance.now() + request.timeoutMs;
    let result = NONE;
    let last: Instance | undefined;
    for (const instance of first === undefined ? this.#inTurn() : this.#beginningWith(first)) {
      const leftMs = endsAtMs - performance.now();
      if (leftMs <= 0) break;
      // A second try is for a kept connection that had ended, not for one that does not answer.
      if (instance === last && isTimeout(result)) continue;
      last = instance;
      const timeoutMs = Math.min(leftMs, this.#tryTimeoutMs(instance, request));
      const { path, body } = request;
      result = await instance.client.post({ path, body, timeoutMs });
      if (!isAway(result)) {
        instance.awayUntilMs = 0;
        return result;
      }
      instance.awayUntilMs = performance.now() + AWAY_MS;
    }
    return result;
  }

  /**
   * Sends a request to every instance several times at once, and returns the first answer. Opens
   * connections before somebody waits for them.
   */
  async reach(request: InstanceRequest, times: number): Promise<HttpResult> {
    const { path, body, timeoutMs } = request;
    const results = await Promise.all(
      this.#instances.map(({ client }) => client.reach({ path, body, timeoutMs }, times)),
    );
    return results.find((result) => result?.kind === 'answered') ?? results[0] ?? NONE;
  }

  #tryTimeoutMs({ awayUntilMs }: Instance, request: InstanceRequest): number {
    const { timeoutMs, tryTimeoutMs = timeoutMs } = request;
    const isAlone = this.count === 1;
    if (isAlone || awayUntilMs <= performance.now()) return tryTimeoutMs;
    return Math.min(tryTimeoutMs, AWAY_TRY_TIMEOUT_MS);
  }

  /** Aborts what is under way and closes every connection. */
  async close(): Promise<void> {
    await Promise.all(this.#instances.map(({ client }) => client.close()));
  }

  /** All in turn, those that could not be reached last, and the first one once more at the end. */
  #inTurn(): readonly Instance[] {
    this.#turn = (this.#turn + 1) % Math.max(1, this.count);
    const inTurn = [...this.#instances.slice(this.#turn), ...this.#instances.slice(0, this.#turn)];
    const nowMs = performance.now();
    const present = inTurn.filter(({ awayUntilMs }) => awayUntilMs <= nowMs);
    const away = inTurn.filter(({ awayUntilMs }) => awayUntilMs > nowMs);
    return [...present, ...away, ...present.slice(0, 1)];
  }

  /** The preferred one twice, wherever it is; the others stand in for it. */
  #beginningWith(first: number): readonly Instance[] {
    const best = this.#instances.slice(first, first + 1);
    return [...best, ...best, ...this.#instances.filter((_, index) => index !== first)];
  }
}

function isTimeout(result: HttpResult): boolean {
  return result.kind !== 'answered' && (result.reason === 'timeout' || result.reason === 'givenUp');
}

/** Whether another instance may have more luck. */
export function isAway(result: HttpResult): boolean {
  switch (result.kind) {
    case 'answered':
      return result.statusCode === UNAVAILABLE;
    case 'notSent':
      return true;
    case 'lost':
      return result.reason !== 'answerTooLong';
  }
}
