import { BODY_BYTES_MAX } from '@sluice/parameters';

/** A request body and what has to become of it. */
export interface RequestBody {
  readonly name: string;
  readonly bytes: Buffer;
  readonly verdict: 'accepted' | 'refused';
}

const ENTITY = '8a8294174b7ecb28014b9699220015ca';

/** What a shop sends for a card: 25 parameters. */
const payment: Readonly<Record<string, string>> = {
  entityId: ENTITY,
  amount: '92.00',
  currency: 'EUR',
  paymentBrand: 'VISA',
  paymentType: 'DB',
  merchantTransactionId: 'order-2026-11-21-000017',
  merchantInvoiceId: 'invoice-000017',
  descriptor: 'Shop of Jane',
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.email': 'jane@shop.example',
  'customer.phone': '+49 89 123456',
  'customer.ip': '203.0.113.7',
  'customer.merchantCustomerId': 'customer-17',
  'billing.street1': 'Main Street 12',
  'billing.city': 'Łódź',
  'billing.postcode': '90-001',
  'billing.country': 'PL',
  shopperResultUrl: 'https://shop.example/result?order=17',
  'customParameters[SHOPPER_basket]': 'basket 17, two articles',
};

/** Ten fields of one article of a cart. */
const article: Readonly<Record<string, string>> = {
  name: 'Coffee cup, blue',
  merchantItemId: 'cup-17',
  quantity: '2.500',
  type: 'PHYSICAL',
  sku: 'SKU-000017',
  currency: 'EUR',
  description: 'A cup for coffee, as blue as the sea & the sky',
  price: '12.00',
  totalAmount: '24.00',
  tax: '19.00',
};

/** Interface 8: as many as a cart may have. */
const ARTICLES = 1_000;

function cart(): [string, string][] {
  return Array.from({ length: ARTICLES }, (_, at) => at).flatMap((at) =>
    Object.entries(article).map(([field, value]): [string, string] => [
      `cart.items[${at}].${field}`,
      value,
    ]),
  );
}

const basics = Object.entries(payment);

/** The bodies that sections 2 and 8 of the interface allow. */
export const requests: readonly RequestBody[] = [
  { name: 'a payment of 25 parameters', bytes: formOf(basics), verdict: 'accepted' },
  {
    name: 'a cart of 1,000 articles with 10 fields',
    bytes: formOf([...basics, ...cart()]),
    verdict: 'accepted',
  },
];

/** A body of the greatest size, made of a payment without its amount and as many pieces as fit. */
function hostile(name: string, piece: (at: number) => string): RequestBody {
  const { amount: _, ...rest } = payment;
  const pieces = [formOf(Object.entries(rest)).toString()];
  let bytes = pieces[0]?.length ?? 0;
  for (let at = 0; ; at += 1) {
    const next = piece(at);
    bytes += next.length;
    if (bytes > BODY_BYTES_MAX) break;
    pieces.push(next);
  }
  return { name, bytes: Buffer.from(pieces.join('')), verdict: 'refused' };
}

function formOf(parameters: readonly (readonly [string, string])[]): Buffer {
  return Buffer.from(new URLSearchParams(parameters.map(([...pair]) => pair)).toString());
}

const DIGITS = '4200000000000001'.repeat(120);
const REFERENCE = '4200000000000001'.repeat(15);
const IDS = ['sku', 'merchantItemId', 'sellerId', 'shippingTrackingNumber'];
/** Of an article, the shortest first: so many names as fit into a body. */
const FIELDS = [
  ...['sku', 'tax', 'name', 'type', 'price', 'currency', 'discount', 'imageUrl', 'quantity'],
  ...['sellerId', 'shipping', 'taxAmount', 'itemNumber', 'partNumber', 'productUrl', 'description'],
  ...['giftMessage', 'productCode', 'taxCategory', 'totalAmount', 'deliveryDate', 'quantityUnit'],
  ...['commodityCode', 'originalPrice', 'merchantItemId', 'recipient.city', 'shippingMethod'],
  ...['totalTaxAmount', 'recipient.email', 'recipient.phone', 'recipient.state'],
  ...['recipient.street', 'recipient.address', 'recipient.country', 'recipient.lastName'],
];
const ESCAPED_DIGITS = '%34%32'.repeat(900);

/**
 * Bodies of 1 MB that cost as much as a sender can make them cost; all are to be refused. Fewer than
 * 40,000 parameters each where the parser's own limit would end the work early.
 */
export const hostileBodies: readonly RequestBody[] = [
  hostile('one endless name', () => 'x'),
  hostile('one endless value', (at) => (at === 0 ? '&a=' : '%41')),
  hostile('escapes that are no UTF-8', () => '%ff'),
  hostile('ampersands', () => '&'),
  hostile('short names', (at) => `&a${at}=`),
  hostile('names without values', (at) => `&unknown.name.of.a.parameter.${at}`),
  hostile('the same name', () => '&currency=EUR'),
  hostile('unknown names', (at) => `&unknown.name.${at}=${'x'.repeat(21)}`),
  hostile('unknown names, the last first', (at) => `&unknown.${99_999 - at}=${'x'.repeat(12)}`),
  hostile(
    'unknown names with indexes',
    (at) => `&cart.items[${at % ARTICLES}].x${at}=${'x'.repeat(14)}`,
  ),
  hostile('wrong names', (at) => `&customParameters[%E2%82%AC${at}]=${'x'.repeat(12)}`),
  hostile('wrong values', (at) => `&merchant.data[abc${at}]=&customParameters[%E2%82%AC${at}]=`),
  hostile('names of digits', (at) => `&customParameters[4200000000000000${at}]=${'x'.repeat(8)}`),
  hostile('names of other digits', (at) => `&customParameters[0000000000000.${10_000 + at}]=x`),
  hostile(
    'names of digits, nested',
    (at) => `&cart.items[0].42000000000000${at}[1]=${'x'.repeat(4)}`,
  ),
  hostile('values of digits', (at) => `&customParameters[abc${at}]=${DIGITS}`),
  hostile('values of escaped digits', (at) => `&customParameters[abc${at}]=${ESCAPED_DIGITS}`),
  hostile('data of digits', (at) => `&merchant.data[abc${at}]=${DIGITS}`),
  hostile(
    'identifiers of digits',
    (at) => `&cart.items[${at % ARTICLES}].${IDS[Math.floor(at / ARTICLES)] ?? at}=${REFERENCE}`,
  ),
  hostile(
    'fields of a cart, most of them wrong, the last first',
    (at) =>
      `&cart.items[${ARTICLES - 1 - (at % ARTICLES)}].${FIELDS[Math.floor(at / ARTICLES)] ?? at}=%0A`,
  ),
];
