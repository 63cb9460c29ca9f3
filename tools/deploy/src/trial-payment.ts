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

const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  'card.expiryMonth': '05',
} as const;
const MONEY = { paymentType: 'DB', amount: '92.00', currency: 'EUR' } as const;

/** Pays by the demo channel and gives `000.100.110 Request successfully processed…`. */
export async function payOnce(url: string, year: number): Promise<string> {
  const payment = { ...MONEY, ...cardUntil(year), 'card.cvv': '123' };
  const { id, result } = await approved(url, ['POST', '/v1/payments'], payment);
  return `${result?.code ?? ''} ${result?.description ?? ''}, id ${id}`;
}

/**
 * Stores a card, pays by what was stored, and deletes it, so that nothing is left of it: that needs
 * registrations, its commands and what the vault keeps. Gives the ids of both.
 */
export async function payByRegistration(url: string, year: number): Promise<string> {
  const stored = await approved(url, ['POST', '/v1/registrations'], cardUntil(year));
  const registration = `/v1/registrations/${stored.id}`;
  const { id, result } = await approved(url, ['POST', `${registration}/payments`], MONEY);
  await approved(url, ['DELETE', registration]);
  return `${result?.code ?? ''}, id ${id}, registration ${stored.id}`;
}

function cardUntil(year: number): Readonly<Record<string, string>> {
  return { ...CARD, 'card.expiryYear': String(year + VALID_YEARS) };
}

async function approved(
  url: string,
  [method, path]: readonly [method: 'POST' | 'DELETE', path: string],
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer & { readonly id: string }> {
  const form = new URLSearchParams({ entityId: DEMO_ENTITY_ID, ...fields });
  const target = method === 'POST' ? `${url}${path}` : `${url}${path}?${form.toString()}`;
  const response = await fetch(target, {
    method,
    headers: { authorization: `Bearer ${DEMO_ACCESS_TOKEN}` },
    ...(method === 'POST' && { body: form }),
    signal: AbortSignal.timeout(PAYMENT_TIMEOUT_MS),
  });
  const text = await response.text();
  const { id, result } = answerOf(text);
  if (!response.ok || id === undefined || !PAID.test(result?.code ?? '')) {
    const shown = text.slice(0, ANSWER_CHARACTERS_SHOWN);
    const what = path === '/v1/payments' ? 'A payment' : `${method} ${path}`;
    throw new TrialFailed(`${what} was answered with status ${response.status}: ${shown}`);
  }
  return { id, ...(result !== undefined && { result }) };
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
