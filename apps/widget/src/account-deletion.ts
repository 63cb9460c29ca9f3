import { codes } from '@sluice/result-codes/codes';
import type { CheckoutInBrowser } from './result-address.js';

/** What became of an account that the gateway was to delete. */
export type Deleted =
  | 'deleted'
  /** The checkout takes no such request any more. */
  | 'over'
  /** Nobody knows, or it is not to be while the shopper is paying; asked again, the gateway says. */
  | 'unknown';

const ANSWER_WITHIN_MS = 10_000;

/** Asks the gateway to delete an account that this checkout offers. */
export async function deletedAccount(
  { id }: Pick<CheckoutInBrowser, 'id'>,
  registrationId: string,
  folder: string,
): Promise<Deleted> {
  const path = `../../checkouts/${id}/registrations/${registrationId}`;
  try {
    const response = await fetch(new URL(path, folder), {
      ...{ method: 'DELETE', credentials: 'omit', referrerPolicy: 'no-referrer' },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return deletedBy(response.status, await response.json());
  } catch {
    return 'unknown';
  }
}

/** Reads the answer of the gateway. */
export function deletedBy(status: number, body: unknown): Deleted {
  const { code, description } = (body as Answered).result ?? {};
  if (typeof code !== 'string' || code === codes.pending) return 'unknown';
  if (status < FAILED_FROM || GONE.has(code)) return 'deleted';
  return code === codes.invalidParameter && isOver(description) ? 'over' : 'unknown';
}

interface Answered {
  readonly result?: { readonly code?: unknown; readonly description?: unknown };
}

/** One code says several things: these words, which clients look for (D6), that a checkout is no more. */
function isOver(description: unknown): boolean {
  return typeof description === 'string' && description.includes('No payment session found');
}

const FAILED_FROM = 400;
/** The answer to an earlier click was lost, or the merchant was faster. */
const GONE: ReadonlySet<string> = new Set([codes.registrationUnknown, codes.registrationClosed]);
