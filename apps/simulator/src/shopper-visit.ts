import { codes } from '@sluice/result-codes';

/** What a shopper may do on the acquirer's page. */
export const choices = ['approve', 'approve-later', 'decline', 'cancel'] as const;

/** One of them. */
export type Choice = (typeof choices)[number];

/** Who asks the shopper: a bank, or the provider of an account. */
export type PageKind = 'bank' | 'provider';

/** The ways in which a provider may ask. */
export const modes = ['qrcode', 'mobile'] as const;

/** One of them. */
export type ShopperMode = (typeof modes)[number];

/** What the shopper chose last, and when. */
export interface Chosen {
  readonly choice: Choice;
  /** From when it is approved, milliseconds since the epoch; absent if it was not approved. */
  readonly approvedFromMs?: number;
}

/** A page that waits for a shopper, and what the shopper did there. */
export interface Visit {
  readonly kind: PageKind;
  /** When the page closes, milliseconds since the epoch. */
  readonly closesAtMs: number;
  readonly chosen?: Chosen;
}

/** What the acquirer says of a payment that waits, or has waited, for a shopper. */
export type VisitOutcome =
  | { readonly status: 'approved' }
  | { readonly status: 'pending' | 'declined'; readonly resultCode: string };

/** A bank and a provider say differently that the shopper never came to an end. */
const TIMED_OUT: Readonly<Record<PageKind, string>> = {
  bank: codes.onlineTransferTimedOut,
  provider: codes.pendingTimedOut,
};

/** What became of it, at an instant. */
export function outcomeOfVisit({ kind, closesAtMs, chosen }: Visit, nowMs: number): VisitOutcome {
  const pending = { status: 'pending', resultCode: codes.pending } as const;
  switch (chosen?.choice) {
    case undefined:
      return nowMs < closesAtMs ? pending : { status: 'declined', resultCode: TIMED_OUT[kind] };
    case 'approve':
    case 'approve-later':
      return nowMs < (chosen.approvedFromMs ?? 0) ? pending : { status: 'approved' };
    case 'decline':
      return { status: 'declined', resultCode: codes.declinedByAuthorizationSystem };
    case 'cancel':
      return { status: 'declined', resultCode: codes.cancelledByUser };
  }
}

/**
 * Whether the shopper may still choose. Like real pages, it lets a shopper who went back after a "no"
 * say yes; a yes stays a yes.
 */
export function mayChoose({ closesAtMs, chosen }: Visit, nowMs: number): boolean {
  const hasPaid = chosen?.approvedFromMs !== undefined;
  return nowMs < closesAtMs && !hasPaid;
}

/**
 * The choice as it is booked.
 * @param pendingMs how long an approval takes that comes later
 */
export function chosenAt(choice: Choice, nowMs: number, pendingMs: number): Chosen {
  switch (choice) {
    case 'approve':
      return { choice, approvedFromMs: nowMs };
    case 'approve-later':
      return { choice, approvedFromMs: nowMs + pendingMs };
    case 'decline':
    case 'cancel':
      return { choice };
  }
}
