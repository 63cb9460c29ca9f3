import { createRequire } from 'node:module';

/** What is repaired of kafkajs' queue of one connection. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
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

/** Repairs kafkajs in this process; doing it twice does no harm. */
export function repairKafkajs(): void {
  const load = createRequire(import.meta.url);
  const queue = load('kafkajs/src/network/requestQueue') as { readonly prototype: object };
  Object.assign(queue.prototype, { scheduleCheckPendingRequests });
}
