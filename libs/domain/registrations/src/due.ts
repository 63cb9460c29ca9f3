import type { Registration, RegistrationStreamState } from './registration.js';

/** When recovery looks at what an instance has begun, in milliseconds. */
export interface RecoveryPauses {
  /** After a request or an update: longer than the instance that has it needs for the vault. */
  readonly keepingMs: number;
  /** While the payment that decides is pending: how soon it is asked for first. */
  readonly paymentMs: number;
  /** After an end: how soon forgetting is tried again. */
  readonly forgettingMs: number;
}

/** A payment may be pending for days; whoever has waited long is asked about it less often. */
const PAYMENT_PAUSE_SHARE = 0.25;

/** Whether somebody may know by now what a registration that can be asked for waits for. */
export function isBehind({ awaitedPayments, update }: Registration): boolean {
  return awaitedPayments.length > 0 || update !== undefined;
}

/** When somebody has to look at a registration without a request, milliseconds since the epoch. */
export function dueAtMs(
  state: RegistrationStreamState,
  nowMs: number,
  { keepingMs, paymentMs, forgettingMs }: RecoveryPauses,
): number | null {
  if (state === undefined) return null;
  if (state.isToBeForgotten) return nowMs + forgettingMs;
  if (state.awaitedPayments.length > 0) {
    const waitedMs = nowMs - state.metadata.recordedAtMs;
    return nowMs + Math.max(paymentMs, waitedMs * PAYMENT_PAUSE_SHARE);
  }
  if (state.state === 'requested' || state.update !== undefined) return nowMs + keepingMs;
  return state.state === 'kept' ? (state.keptUntilMs ?? null) : null;
}
