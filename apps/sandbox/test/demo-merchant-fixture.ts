import type { SandboxProcess } from '@sluice/testing';

/** The demo channel of a new sandbox. */
export const entityId = '8a8294174b7ecb28014b9699220015ca';
/** Its own access token. */
export const headers = {
  Authorization: 'Bearer sluice-demo-access-token-for-sandboxes-only',
} as const;
export const MONEY = { amount: '92.00', currency: 'EUR', paymentType: 'DB' } as const;
export const APPROVED = '000.100.110';

/** Parameters by wire name. */
export type Fields = Readonly<Record<string, string>>;

/** The body of an answer. */
export interface Body {
  readonly id: string;
  readonly result: {
    readonly code: string;
    readonly description: string;
    readonly cvvResponse?: string;
    readonly parameterErrors?: readonly { readonly name: string }[];
  };
  readonly [field: string]: unknown;
}

/**
 * Asks a sandbox for what the demo channel asks, in the body or in the query.
 * @param key `Idempotency-Key`
 */
export async function send(
  { url }: Pick<SandboxProcess, 'url'>,
  [method, path]: readonly [method: string, path: string],
  fields: Fields = {},
  key?: string,
): Promise<Body> {
  const form = new URLSearchParams({ entityId, ...fields });
  const hasBody = method === 'POST';
  const target = `${url}${path}${hasBody ? '' : `?${form.toString()}`}`;
  const response = await fetch(target, {
    method,
    headers: { ...headers, ...(key !== undefined && { 'Idempotency-Key': key }) },
    ...(hasBody && { body: form }),
  });
  return (await response.json()) as Body;
}

/** The result code of an answer. */
export async function codeOf(answer: Promise<Body>): Promise<string> {
  return (await answer).result.code;
}
