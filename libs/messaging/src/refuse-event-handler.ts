/**
 * There is one way to follow events: `Events.subscribe`, which says where to begin and takes batches.
 * Nest's `@EventPattern` says neither, so no transport calls such a handler, and none accepts one.
 * @throws TypeError
 */
export function refuseEventHandler(topic: string, isEventHandler: boolean): void {
  if (!isEventHandler) return;
  throw new TypeError(`@EventPattern is not served: subscribe to ${topic} by Events.subscribe.`);
}
