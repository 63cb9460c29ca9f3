import { entityId, legacy, token } from './scripted-edge.js';

/** What tests read of a body by name. */
export interface AnswerBody {
  readonly id: string;
  readonly result: {
    readonly code: string;
    readonly description: string;
    readonly parameterErrors?: readonly { name: string; value?: string; message: string }[];
  };
  readonly ndc: string;
  readonly timestamp: string;
  readonly buildNumber: string;
  readonly [field: string]: unknown;
}

/** The parts of an answer that tests look at. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text; tests compare it with `toMatchObject`. */
  readonly body: AnswerBody;
}

/** A card payment with nothing wrong. */
export const debit = {
  entityId,
  amount: '92.00',
  currency: 'EUR',
  paymentBrand: 'VISA',
  paymentType: 'DB',
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
} as const;

/** Parameters to send; undefined ones are left out. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** The form text of parameters. */
export function formText(parameters: Parameters): string {
  const sent = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(sent as [string, string][]).toString();
}

export const bearer = { Authorization: `Bearer ${token}` };

/** Sends one request. */
export async function call(url: string, init: RequestInit = {}): Promise<Received> {
  const response = await fetch(url, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: JSON.parse(text) as AnswerBody,
  };
}

/** POSTs a form with the channel's access token. */
export function post(
  url: string,
  parameters: Parameters | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Received> {
  return call(url, {
    method: 'POST',
    body: typeof parameters === 'string' ? parameters : formText(parameters),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
      ...bearer,
      ...headers,
    },
  });
}

/** Legacy access as a query string. */
export const legacyQuery = `?${formText({
  'authentication.userId': legacy.userId,
  'authentication.password': legacy.password,
  'authentication.entityId': entityId,
})}`;
