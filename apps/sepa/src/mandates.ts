import type { BankSequence, MandateMarks, MandateRefusal } from '@sluice/contracts';
import type { PoolClient } from 'pg';

/*
 * What a creditor has collected by one mandate decides what may be collected by it next. No mandate is
 * known here in clear: the vault's keyed hashes are enough to find one and to compare it.
 */

/** An order of a mandate that counts: a bank has heard of it, or will. */
export interface MandateUse {
  /** The keyed hash of all that the mandate says. */
  readonly terms: string;
  readonly sequence: BankSequence;
}

/** How a collection goes into its file, or why it does not. */
export type MandateVerdict =
  | { readonly kind: 'collectable'; readonly sequence: BankSequence }
  | { readonly kind: 'refused'; readonly reason: MandateRefusal };

/**
 * How the next order of a mandate is collected. The first one of several is RCUR as well: banks need no
 * FRST (rulebook of 2016), and take files in whatever order they come.
 */
export function verdictOn(
  wanted: BankSequence,
  { terms }: MandateMarks,
  earlier: readonly MandateUse[],
): MandateVerdict {
  // Only an amendment could change them, and files say none.
  if (earlier.some((use) => use.terms !== terms)) {
    return { kind: 'refused', reason: 'mandateDiffers' };
  }
  if (earlier.some(({ sequence }) => sequence === 'OOFF')) {
    return { kind: 'refused', reason: 'mandateIsUsed' };
  }
  return { kind: 'collectable', sequence: earlier.length > 0 ? 'RCUR' : wanted };
}

/** Two orders of one mandate at once: the second one sees the first. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended($1 || '|' || $2, 0))`;
/** What never was, was taken back or was rejected before anything was booked is no use of a mandate. */
const USES = `
  SELECT DISTINCT terms, sequence FROM orders
  WHERE creditor = $1 AND mandate = $2 AND reference <> $3
    AND state NOT IN ('failed', 'cancelled', 'rejected', 'declined', 'done')`;

/** The orders of a mandate but this one, while nobody else can add any. */
export async function usesOf(
  client: PoolClient,
  { creditor, mandate, reference }: Record<'creditor' | 'mandate' | 'reference', string>,
): Promise<readonly MandateUse[]> {
  await client.query(LOCK, [creditor, mandate]);
  return (await client.query<MandateUse>(USES, [creditor, mandate, reference])).rows;
}
