import type { Exchange } from './merchant-connection.js';
import type { Attempt } from './records.js';

/** Busy, throttled, infrastructure down: nothing was executed, the same may be sent again. */
const REPEATABLE: ReadonlySet<string> = new Set(['800.600.100', '800.120.100', '800.800.800']);

/** Whether an answer says that nothing was executed. */
export function isRepeatable(code: string): boolean {
  return REPEATABLE.has(code);
}

/** What an answer has that matters here. */
interface Body {
  readonly id?: string;
  readonly registrationId?: string;
  readonly redirect?: { readonly url: string };
  readonly result?: { readonly code?: string };
}

/** How a try ended, by what came back. */
export function attemptOf(exchange: Exchange): Attempt {
  if (exchange.kind !== 'answered') return exchange;
  const { status, text } = exchange;
  try {
    const { id, registrationId, redirect, result } = JSON.parse(text) as Body;
    return {
      ...{ kind: 'answered', status, code: result?.code ?? '' },
      ...(id !== undefined && { id }),
      ...(registrationId !== undefined && { registrationId }),
      ...(redirect !== undefined && { redirectUrl: redirect.url }),
    };
  } catch {
    // Half an answer is none.
    return { kind: 'indefinite', why: `HTTP ${String(status)} without JSON` };
  }
}
