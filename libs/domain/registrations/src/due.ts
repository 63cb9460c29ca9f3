import type { RegistrationStreamState } from './registration.js';

/** When recovery looks at what an instance has begun, in milliseconds. */
export interface RecoveryPauses {
  /** After a request: longer than the instance that has it needs for the vault. */
  readonly keepingMs: number;
  /** After an end: how soon forgetting is tried again. */
  readonly forgettingMs: number;
}

/** When somebody has to look at a registration without a request, milliseconds since the epoch. */
export function dueAtMs(
  state: RegistrationStreamState,
  nowMs: number,
  { keepingMs, forgettingMs }: RecoveryPauses,
): number | null {
  if (state === undefined) return null;
  if (state.isToBeForgotten) return nowMs + forgettingMs;
  if (state.state === 'requested') return nowMs + keepingMs;
  return state.state === 'kept' ? (state.keptUntilMs ?? null) : null;
}
