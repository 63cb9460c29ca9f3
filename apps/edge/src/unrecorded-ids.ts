import type { TransactionId } from '@sluice/identifiers';
import type { IdsInFlight } from './ids-in-flight.js';
import type { ThrottledIds } from './throttled-ids.js';

/** Ids of transactions that nothing is recorded of, or not yet. */
export class UnrecordedIds {
  constructor(
    private readonly throttled: ThrottledIds,
    private readonly inFlight: IdsInFlight,
  ) {}

  /** Throws Refused for the id of a request that was one too many: nothing will be recorded of it. */
  refuseThrottled(id: string, entityId: string): void {
    this.throttled.refuse(id, entityId);
  }

  /** Whether something may yet be recorded (D-04, D-72). */
  mayAppear(id: TransactionId, receivedAtMs: number): boolean {
    return this.inFlight.mayAppear(id, receivedAtMs);
  }
}
