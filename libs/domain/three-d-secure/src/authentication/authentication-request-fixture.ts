import type { AuthenticateQuery } from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { requestContent } from './authentication-request.js';
import { NOW_MS } from './authentication-fixture.js';
import type { RequestFacts } from './request-facts.js';

const requestor = {
  ...{ requestorId: '10088321', requestorName: 'Books' },
  ...{ acquirerBin: '400000', acquirerMerchantId: '4711' },
};

const browser = {
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'de-DE',
  'customer.browser.screenHeight': '900',
  'customer.browser.screenWidth': '1440',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
};

export const query: AuthenticateQuery = {
  authenticationId: 'a'.repeat(32) as TransactionId,
  paymentId: 'a'.repeat(32) as TransactionId,
  entityId: 'e'.repeat(32) as EntityId,
  ...{ mode: 'INTERNAL', category: 'payment', amount: { minor: '9200', currency: 'EUR' } },
  ...{ brand: 'VISA', vaultReference: 'vault-0.1', expiry: { month: '05', year: '2034' } },
  redirectUrl: 'https://gateway.example/redirects/1',
  settings: {
    ...{ authenticates: 'always', goesOnWith: ['Y', 'A'], merchantName: 'Example Bookshop' },
    ...{ merchantCountry: 'DE', merchantCategoryCode: '5942', merchantUrl: 'https://shop.example' },
    requestors: { visa: requestor },
  },
  parameters: browser,
};

/** What is another one than in the question above. */
export type Changes = Partial<Omit<RequestFacts, 'query'>> & {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Partial<AuthenticateQuery>;
};

export function contentOf({ parameters = {}, query: changes = {}, ...facts }: Changes = {}) {
  const told = { ...query, ...changes, parameters: { ...browser, ...parameters } };
  return requestContent({
    ...({ network: 'visa', version: '2.2.0', channel: '02', nowMs: NOW_MS } as const),
    numberDigits: 16,
    server: { referenceNumber: 'SERVER-1', resultsUrl: 'https://gateway.example/3ds/results' },
    ...{ ...facts, query: told },
  });
}

export function elementsOf(changes: Changes = {}) {
  const content = contentOf(changes);
  if ('reason' in content) throw new Error(content.reason);
  return content.elements;
}

export const series = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.expiry': '2027-03-01',
  'standingInstruction.frequency': '30',
};
export const recurring = { ...series, 'standingInstruction.type': 'RECURRING' };
export const instalments = {
  ...{ ...series, 'standingInstruction.type': 'INSTALLMENT' },
  'standingInstruction.numberOfInstallments': '12',
};
export const cb = {
  network: 'cartebancaire',
  query: {
    brand: 'CARTEBANCAIRE',
    settings: {
      ...query.settings,
      requestors: { cartebancaire: requestor },
    },
  },
  parameters: { 'threeDSecure.schemeData[CB-USECASE]': '01' },
} as const satisfies Changes;
export const instalment = { ...series, 'standingInstruction.type': 'INSTALLMENT' };
