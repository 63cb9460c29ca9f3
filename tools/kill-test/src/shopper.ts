import { PATIENCE_MS } from './merchant-connection.js';

/** What shoppers do at the provider: the buttons of the simulator's page, one after the other. */
const waysThroughPage = {
  pays: ['approve'],
  cancels: ['cancel'],
  paysAndGoes: ['approve/unnoticed'],
  paysLater: ['approve-later'],
  paysAfterCancelling: ['cancel', 'approve'],
  goesWithoutChoice: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** One of them. */
export type ShopperChoice = keyof typeof waysThroughPage;

/** All of them. */
export const shopperChoices = Object.keys(waysThroughPage) as readonly ShopperChoice[];

/**
 * A shopper who follows a redirect, decides on the provider's page and comes back. Whatever breaks on
 * the way, the shopper gives up: the gateway has to find out what became of it.
 * @returns whether the provider took the choice
 */
export async function visit(redirectUrl: string, choice: ShopperChoice): Promise<boolean> {
  try {
    const page = await nextFrom(redirectUrl, 'GET');
    if (page === undefined) return false;
    const buttons = waysThroughPage[choice];
    for (const button of buttons) {
      const back = await nextFrom(`${page}/${button}`, 'POST');
      if (back !== undefined) await nextFrom(back, 'GET').catch(() => undefined);
    }
    return buttons.length > 0;
  } catch {
    return false;
  }
}

/** Where a browser is sent from there; undefined if it stays. */
async function nextFrom(url: string, method: 'GET' | 'POST'): Promise<string | undefined> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { status, headers } = await fetch(url, { method, redirect: 'manual', signal });
  if (status >= 400) throw new Error(`HTTP ${String(status)}`);
  const next = headers.get('location');
  return next === null ? undefined : new URL(next, url).href;
}
