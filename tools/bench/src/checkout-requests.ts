import { randomBytes } from 'node:crypto';
import { benchChannels, type InstallationUnderTest } from './installation-under-test.js';
import type { PreparedRequest } from './open-loop.js';

/** A checkout that was made. */
export interface MadeCheckout {
  readonly id: string;
  readonly channel: (typeof benchChannels)[number];
}

const OK = 200;
const CREATED = Buffer.from('"000.200.100"');
const PENDING = Buffer.from('"000.200.000"');
const MAKING_AT_ONCE = 16;
const FORM = 'application/x-www-form-urlencoded';

/** `POST /v1/checkouts`, as a shop sends it: what is to be paid, by whom, and where he comes back to. */
export function checkoutForm(index: number): { channel: MadeCheckout['channel']; form: string } {
  const channel = benchChannels[index % benchChannels.length] ?? benchChannels[0];
  const form = new URLSearchParams({
    ...{ entityId: channel.entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' },
    merchantTransactionId: `bench-${randomBytes(8).toString('hex')}`,
    ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
    'customParameters[BENCH_index]': String(index),
  }).toString();
  return { channel, form };
}

/** The same as bytes. */
export function checkoutRequest(index: number): PreparedRequest {
  const { channel, form } = checkoutForm(index);
  const head =
    `POST /v1/checkouts HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${channel.accessToken}\r\n` +
    `Content-Type: ${FORM}\r\nContent-Length: ${Buffer.byteLength(form)}\r\n\r\n`;
  return {
    bytes: Buffer.from(head + form),
    expected: (status, body) => status === OK && body.includes(CREATED),
  };
}

/** `GET /v1/checkouts/{id}/payment` of one that nobody has submitted. */
export function checkoutRead({ id, channel }: MadeCheckout): PreparedRequest {
  const path = `/v1/checkouts/${id}/payment?entityId=${channel.entityId}`;
  const head = `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${channel.accessToken}`;
  return {
    bytes: Buffer.from(`${head}\r\n\r\n`),
    expected: (status, body) => status === OK && body.includes(PENDING),
  };
}

/** Makes checkouts over HTTP, as merchants do. */
export async function makeCheckouts(
  { port }: InstallationUnderTest,
  count: number,
): Promise<readonly MadeCheckout[]> {
  const made: MadeCheckout[] = [];
  let begun = 0;
  const making = Array.from({ length: MAKING_AT_ONCE }, async () => {
    while (begun < count) {
      const { channel, form } = checkoutForm(begun);
      begun += 1;
      const response = await fetch(`http://127.0.0.1:${port}/v1/checkouts`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${channel.accessToken}`, 'Content-Type': FORM },
        body: form,
      });
      const { id, result } = (await response.json()) as { id: string; result: { code: string } };
      if (response.status !== OK) throw new Error(`a checkout was not made: ${result.code}`);
      made.push({ id, channel });
    }
  });
  await Promise.all(making);
  return made;
}
