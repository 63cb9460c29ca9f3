import { DEMO_ACCESS_TOKEN, DEMO_ENTITY_ID } from '@sluice/domain-accounts';

/** The payment that shows that it works was not paid; the message says what came instead. */
export class TrialFailed extends Error {
  override readonly name = 'TrialFailed';
}

/** A payment lasts 30 s at most (D-36). */
const PAYMENT_TIMEOUT_MS = 40_000;
/** Section 6 of the interface: paid, in test mode or live. */
const PAID = /^000\.(?:000|100\.1)/;
const VALID_YEARS = 8;
const ANSWER_CHARACTERS_SHOWN = 500;

/** Pays by the demo channel and gives `000.100.110 Request successfully processed…`. */
export async function payOnce(url: string, year: number): Promise<string> {
  const fields = {
    entityId: DEMO_ENTITY_ID,
    paymentType: 'DB',
    amount: '92.00',
    currency: 'EUR',
    paymentBrand: 'VISA',
    'card.number': '4200000000000000',
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': String(year + VALID_YEARS),
    'card.cvv': '123',
  };
  const response = await fetch(`${url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_ACCESS_TOKEN}` },
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(PAYMENT_TIMEOUT_MS),
  });
  const text = await response.text();
  const { id, result } = answerOf(text);
  if (!response.ok || id === undefined || !PAID.test(result?.code ?? '')) {
    const shown = text.slice(0, ANSWER_CHARACTERS_SHOWN);
    throw new TrialFailed(`A payment was answered with status ${response.status}: ${shown}`);
  }
  return `${result?.code ?? ''} ${result?.description ?? ''}, id ${id}`;
}

interface Answer {
  readonly id?: string;
  readonly result?: { readonly code?: string; readonly description?: string };
}

function answerOf(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}
