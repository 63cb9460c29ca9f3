import type { CheckoutInBrowser } from './result-address.js';
import type { PostedField } from './posted-fields.js';

/** What is sent to the gateway. */
export interface FieldForm {
  readonly checkout: CheckoutInBrowser;
  readonly fields: readonly PostedField[];
  /** Absent where a stored card is paid with. */
  readonly number: string | undefined;
  /** Absent where the form has none, or none was typed. */
  readonly code: string | undefined;
}

/** Longer than any payment takes that is not answered as pending (30 s at the gateway). */
export const ANSWER_WITHIN_MS = 60_000;

/** As the gateway makes them (Interface 2.1); the page that says it is somebody else's. */
const CHECKOUT_ID = /^[A-Za-z0-9.-]{32,48}$/;

/** Whether what a page says names a checkout. */
export function isCheckout(said: unknown): said is CheckoutInBrowser {
  if (typeof said !== 'object' || said === null) return false;
  const { id, purpose } = said as Partial<Record<string, unknown>>;
  const isPurpose = purpose === 'payment' || purpose === 'registration';
  return isPurpose && typeof id === 'string' && CHECKOUT_ID.test(id);
}

/** The path of the resource that completes a checkout, from where the frame's own page is. */
export function submitPath({ id, purpose }: CheckoutInBrowser): string {
  return `../../checkouts/${id}/${purpose}`;
}

/** The body: what the page has told, and the number and code, which only the frames have. */
export function formBody({ fields, number, code }: FieldForm): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of fields) {
    if (name !== 'card.number' && name !== 'card.cvv') body.append(name, value);
  }
  if (number !== undefined) body.append('card.number', number);
  if (code !== undefined && code !== '') body.append('card.cvv', code);
  return body;
}

/** What the page is told of the answer: what it needs to go on, and nothing that was sent. */
export function answerForPage(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  const { result, redirect, saved } = body as Readonly<Record<string, unknown>>;
  if (typeof result !== 'object' || result === null) return undefined;
  const { code, description, parameterErrors } = result as Readonly<Record<string, unknown>>;
  const errors: unknown[] = Array.isArray(parameterErrors) ? parameterErrors : [];
  const names = errors.map((error) => {
    const { name } = error as { readonly name?: unknown };
    return { name };
  });
  return {
    result: {
      ...{ code, parameterErrors: names },
      ...(isExhausted(description) && { description: EXHAUSTED }),
    },
    ...{ redirect, saved: savingForPage(saved) },
  };
}

/** One code says two things: these words of the gateway tell that waiting is of no use to this checkout. */
const EXHAUSTED = 'it takes no further one';

/** Whether a checkout takes no further attempt, by the description of the gateway's answer. */
export function isExhausted(description: unknown): boolean {
  return typeof description === 'string' && description.endsWith(EXHAUSTED);
}

/** Its names are named: whatever else the gateway may say of it one day stays here. */
function savingForPage(saved: unknown): unknown {
  if (typeof saved !== 'object' || saved === null) return undefined;
  const {
    id,
    saved: saving,
    resourcePath,
    paymentBrand,
    registrationId,
    card,
  } = saved as SavedForPage;
  const { holder, expiryMonth, expiryYear } = card ?? {};
  const typed = card && { holder, expiryMonth, expiryYear };
  return { id, saved: saving, resourcePath, paymentBrand, registrationId, card: typed };
}

type SavedForPage = Partial<
  Record<'id' | 'saved' | 'resourcePath' | 'paymentBrand' | 'registrationId', unknown>
> & { readonly card?: Partial<Record<'holder' | 'expiryMonth' | 'expiryYear', unknown>> };
