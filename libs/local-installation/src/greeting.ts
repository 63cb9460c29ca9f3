/** The demo channel as the greeting needs it. */
export interface Demo {
  readonly entityId: string;
  readonly accessToken: string;
}

/** Addresses beside that of the interface. */
export interface Elsewhere {
  readonly shopUrl?: string;
  readonly referenceUrl?: string;
}

/** A validity that no start of the coming years finds expired. */
const VALID_YEARS = 8;

/**
 * The first lines say where; the rest can be copied as it is.
 * @param elsewhere what is not at the address of the interface: the demo shop, if there is one, and
 *   the reference page, if it has another one
 */
export function greeting(
  url: string,
  demo: Demo,
  year: number,
  { shopUrl, referenceUrl = url }: Elsewhere = {},
): string {
  const fields = [
    `entityId=${demo.entityId}`,
    'paymentType=DB',
    'amount=92.00',
    'currency=EUR',
    'paymentBrand=VISA',
    'card.number=4200000000000000',
    "'card.holder=Jane Jones'",
    'card.expiryMonth=05',
    `card.expiryYear=${year + VALID_YEARS}`,
    'card.cvv=123',
  ];
  const address = forThisComputer(url);
  const access = `-H 'Authorization: Bearer ${demo.accessToken}'`;
  return [
    `Sluice is ready on ${url}`,
    '',
    ...(shopUrl === undefined ? [] : [`Demo shop: ${forThisComputer(shopUrl)}`, '']),
    `curl ${address}/v1/payments ${access} \\`,
    `  ${fields.map((field) => `-d ${field}`).join(' ')}`,
    '',
    'Give part of it back, with the id of that answer in place of ID:',
    '',
    `curl ${address}/v1/payments/ID ${access} \\`,
    `  -d entityId=${demo.entityId} -d paymentType=RF -d amount=10.00 -d currency=EUR`,
    '',
    `Reference: ${forThisComputer(referenceUrl)}/docs`,
    '',
    '',
  ].join('\n');
}

/** Not every program takes the address of all interfaces for this computer. */
function forThisComputer(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:');
}
