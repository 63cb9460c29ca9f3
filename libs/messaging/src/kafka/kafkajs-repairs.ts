import { createRequire } from 'node:module';
import { FetchWait } from './fetch-wait.js';

/** What is repaired of kafkajs' queue of one connection. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  readonly inflight: ReadonlyMap<number, SentRequest>;
  readonly enforceRequestTimeout: boolean;
  readonly requestTimeout: number;
  requestTimeoutIntervalId: NodeJS.Timeout | undefined;
  readonly isConnected: () => boolean;
  destroy(): void;
}

/** A request whose answer has not come. */
interface SentRequest {
  readonly sentAt: number;
  /** Never less than its queue's. */
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

/** As in kafkajs: how soon a request that waits for others is looked at again. */
const CHECK_INTERVAL_MS = 10;

/**
 * kafkajs #1751: each answer starts a timer with a negative time, which Node runs after 1 ms, which
 * starts the next: 2 % of a core per connection for nothing, and TimeoutNegativeWarning from Node
 * 24 on. A timer is only needed while a request waits. kafkajs is not maintained, so it is repaired
 * in place.
 */
function scheduleCheckPendingRequests(this: RequestQueue): void {
  if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
  const throttledForMs = this.throttledUntil - Date.now();
  this.throttleCheckTimeoutId = setTimeout(
    () => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    },
    throttledForMs > 0 ? throttledForMs : CHECK_INTERVAL_MS,
  );
}

/**
 * kafkajs looks ten times a second on each connection whether an answer is late, which was most of
 * what a process with Kafka did at rest. Nothing that is sent from now on is late before the shortest
 * time that any request has, so it is enough to look then, or when the first that is under way will be.
 */
function scheduleRequestTimeoutCheck(this: RequestQueue): void {
  if (!this.enforceRequestTimeout) return;
  this.destroy();
  lookForLate(this);
}

function lookForLate(queue: RequestQueue): void {
  const nowMs = Date.now();
  const lateInMs = [...queue.inflight.values()].map(
    ({ sentAt, requestTimeout }) => sentAt + requestTimeout - nowMs,
  );
  // Late is what takes longer than its time.
  const afterMs = Math.max(0, Math.min(queue.requestTimeout, ...lateInMs)) + 1;
  queue.requestTimeoutIntervalId = setTimeout(() => {
    endLate(queue);
    if (queue.isConnected()) lookForLate(queue);
    else queue.destroy();
  }, afterMs).unref();
}

function endLate({ inflight }: RequestQueue): void {
  const nowMs = Date.now();
  for (const request of [...inflight.values()]) {
    if (nowMs - request.sentAt > request.requestTimeout) request.timeoutRequest();
  }
}

/** What is read of one partition's part of a fetch. */
interface FetchedBatch {
  readonly rawMessages: readonly unknown[];
}

/** What is repaired of one consumer's membership of its group. */
interface ConsumerGroup {
  maxWaitTime: number;
  readonly generationId: number | null;
  paused(): readonly unknown[];
}

type Fetch = (this: ConsumerGroup, nodeId: string) => Promise<readonly FetchedBatch[]>;

/** A fetch that was repaired here; repairing it again would let it wait twice. */
const repairedFetches = new WeakSet<Fetch>();

/**
 * kafkajs waits equally long for each fetch, busy or at rest, and hands every partition without a
 * message to a worker of its own, which does nothing with it but ask for a heartbeat.
 */
function restingFetch(fetch: Fetch): Fetch {
  const known = new WeakMap<ConsumerGroup, { wait: FetchWait; generationId: number | null }>();
  return async function (this: ConsumerGroup, nodeId) {
    const nowMs = performance.now();
    const { generationId } = this;
    const member = known.get(this) ?? {
      wait: new FetchWait(this.maxWaitTime, nowMs),
      generationId,
    };
    known.set(this, member);
    // Instances often come and go one after the other; and who pauses will resume.
    if (member.generationId !== generationId || this.paused().length > 0) {
      member.wait.stirred(nowMs);
    }
    member.generationId = generationId;
    this.maxWaitTime = member.wait.at(nowMs);
    const batches = await fetch.call(this, nodeId);
    const arrived = batches.filter(({ rawMessages }) => rawMessages.length > 0);
    if (arrived.length > 0) member.wait.stirred(performance.now());
    return arrived;
  };
}

/** Repairs kafkajs in this process; doing it twice does no harm. */
export function repairKafkajs(): void {
  const load = createRequire(import.meta.url);
  const queue = load('kafkajs/src/network/requestQueue') as { readonly prototype: object };
  Object.assign(queue.prototype, { scheduleCheckPendingRequests, scheduleRequestTimeoutCheck });
  const group = load('kafkajs/src/consumer/consumerGroup') as { prototype: { fetch: Fetch } };
  if (repairedFetches.has(group.prototype.fetch)) return;
  group.prototype.fetch = restingFetch(group.prototype.fetch);
  repairedFetches.add(group.prototype.fetch);
}
