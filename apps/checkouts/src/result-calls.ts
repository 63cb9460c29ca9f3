import { setMaxListeners } from 'node:events';
import { type Attempt, type Checkout, isToBeCalled, latestAttempt } from '@sluice/domain-checkouts';
import type { CheckoutId } from '@sluice/identifiers';
import {
  type EntityClock,
  HttpClient,
  type HttpResult,
  type KeyProvider,
  type Logger,
  merchantAddress,
  merchantAddressSentences,
  OutboundHosts,
  resultAddress,
} from '@sluice/service';
import { CallPlaces } from './call-places.js';
import type { CheckoutStore, CheckoutStreams, CheckoutWriter } from './checkout-aggregate.js';
import type { CheckoutMetrics } from './checkout-metrics.js';
import { resultUrlOf } from './checkout-personal.js';

/** Together with the wait for a place less than the pause until the next call: no two of one checkout are under way. */
const CALL_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Of all shops together; what is over it waits for the next call. */
const CALLS_MAX = 64;
/** A shop whose pages hang takes no more of them than this. */
const CALLS_PER_HOST_MAX = 4;
const PLACE_WITHIN_MS = 4_000;
/** What can be called in that time, if pages answer within a quarter of a second. */
const WAITING_MAX = 1_000;
/** A page that says so is broken for now, and is called again. */
const BROKEN_FROM_STATUS = 500;

/** The parts they are made of. */
export interface ResultCallsParts {
  readonly store: Pick<CheckoutStore, 'personalKeys'>;
  readonly streams: CheckoutStreams;
  readonly writer: Pick<CheckoutWriter, 'record' | 'reload'>;
  readonly keys: KeyProvider;
  readonly outbound: OutboundHosts;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly metrics: Pick<CheckoutMetrics, 'resultCalled'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * The call of a merchant's page of results, 29 minutes after a checkout was made whose result nobody has
 * read (Interface 3 and 6). It is made again while nothing answers, and is recorded when something did:
 * after a crash it may be made once more.
 */
export class ResultCalls {
  readonly #underWay = new Map<CheckoutId, Promise<void>>();
  readonly #places = new CallPlaces({
    ...{ callsMax: CALLS_MAX, perHostMax: CALLS_PER_HOST_MAX },
    ...{ waitMs: PLACE_WITHIN_MS, waitingMax: WAITING_MAX },
  });
  readonly #given = new AbortController();

  constructor(private readonly parts: ResultCallsParts) {
    // Each call listens; by default Node takes more than ten for a leak.
    setMaxListeners(CALLS_MAX, this.#given.signal);
  }

  /**
   * Begins a call if it is time for one, and lets nobody wait for it: the page may read the result
   * before it answers. The caller has set when it is tried again.
   */
  callIfDue(checkout: Checkout | undefined): void {
    if (checkout === undefined || this.#underWay.has(checkout.id)) return;
    const attempt = latestAttempt(checkout);
    const nowMs = this.parts.clock.now(checkout.metadata.entityId);
    if (attempt === undefined || !isToBeCalled(checkout, nowMs)) return;
    const ended = this.#call(checkout, attempt).finally(() => this.#underWay.delete(checkout.id));
    this.#underWay.set(checkout.id, ended);
  }

  /** Resolves once what is under way has ended, for who moves a clock: no page is to read a result later. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  /** Gives up what is under way: it is called again by whoever looks next. */
  async stop(): Promise<void> {
    this.#places.close();
    this.#given.abort();
    await Promise.all(this.#underWay.values());
  }

  /** Why it cannot be called, in words, or where it is. */
  #targetOf(
    { id, purpose, metadata }: Checkout,
    shopperResultUrl: string | undefined,
  ): URL | string {
    if (shopperResultUrl === undefined) return 'it is not known';
    const { outbound } = this.parts;
    const address = resultAddress(shopperResultUrl, id, `/v1/checkouts/${id}/${purpose}`);
    const url = merchantAddress(address, { outbound, mayBePlain: metadata.mode !== 'LIVE' });
    return typeof url === 'string' ? merchantAddressSentences[url] : url;
  }

  /** Never rejects. */
  async #call(checkout: Checkout, attempt: Attempt): Promise<void> {
    const { id } = checkout;
    const { logger, metrics, keys, store } = this.parts;
    try {
      const personal = { keys, personalKeys: store.personalKeys };
      const url = this.#targetOf(checkout, await resultUrlOf(checkout, attempt, personal));
      if (typeof url === 'string') {
        logger.info({ ndc: id, reason: url }, 'A page of results is not called.');
      }
      const outcome = typeof url === 'string' ? 'notCallable' : await this.#get(url);
      metrics.resultCalled(outcome);
      if (outcome === 'answered' || outcome === 'notCallable') await this.#record(checkout);
    } catch (error) {
      const fields = { err: error, ndc: id };
      logger.warn(fields, 'The call of a page of results is not recorded; it is made again.');
    }
  }

  /** Unless too many are called at the time, and no place is free within a moment. */
  async #get(url: URL): Promise<'answered' | 'notAnswered' | 'postponed'> {
    const { host } = url;
    if (!(await this.#places.take(host))) return 'postponed';
    try {
      return hasAnswered(await this.#send(url)) ? 'answered' : 'notAnswered';
    } finally {
      this.#places.leave(host);
    }
  }

  /** With a connection of its own; redirects are not followed. */
  async #send(url: URL): Promise<HttpResult> {
    const { origin, pathname, search } = url;
    const lookup = this.parts.outbound.lookupFor(OutboundHosts.targetOf(url));
    const client = new HttpClient({
      ...{ origin, connectionsMax: 1, connectTimeoutMs: CONNECT_TIMEOUT_MS },
      ...{ keepsConnections: false, ...(lookup && { lookup }) },
    });
    try {
      return await client.send({
        ...{ method: 'GET', path: `${pathname}${search}`, timeoutMs: CALL_TIMEOUT_MS },
        ...{ headers: { accept: '*/*', 'user-agent': 'Sluice' }, signal: this.#given.signal },
      });
    } finally {
      await client.close();
    }
  }

  async #record({ id, metadata: { entityId } }: Checkout): Promise<void> {
    const { streams, writer, clock } = this.parts;
    const stream = streams.hold(id);
    try {
      await streams.inTurn(stream, async () => {
        await writer.reload(stream);
        await writer.record(stream, { type: 'CallForResult', nowMs: clock.now(entityId) });
      });
    } finally {
      streams.release(stream);
    }
  }
}

/** A page that is too long to be read has been called all the same. */
function hasAnswered(result: HttpResult): boolean {
  if (result.kind === 'answered') return result.statusCode < BROKEN_FROM_STATUS;
  return result.kind === 'lost' && result.reason === 'answerTooLong';
}
