import { newTransactionId } from '@sluice/identifiers';
import { currency } from '@sluice/money';
import { Detail } from '@sluice/secrets';
import { cardTelling, type JposHost, type ToldHost } from '@sluice/testing';
import type {
  AmountsOnTheWire,
  ContractSubject,
  Submission,
} from '../contract/contract-subject-fixture.js';
import type { HostAddress } from './host-connection.js';
import { Iso8583Connector } from './iso8583-connector.js';
import type { WireFormat } from './host-link.js';
import type { Version } from './message-fields.js';
import type { Encoding } from './message-format.js';

export const ACCEPTANCE = {
  merchant: 'MERCHANT0000001',
  terminals: ['TERM0001', 'TERM0002', 'TERM0003', 'TERM0004'],
  acquirerId: '12345',
  merchantCategory: '5411',
};

/** A debit of 92.00 EUR by a card that tells the host what to do. */
export function debitTelling(told: ToldHost = {}): Submission {
  return {
    request: {
      acquirerReference: newTransactionId(Date.now()),
      operation: 'debit',
      amount: { minor: 9_200n, currency: currency('EUR') },
      mode: 'LIVE',
    },
    instrument: {
      kind: 'card',
      details: {
        'card.number': new Detail(cardTelling(told)),
        'card.expiryMonth': new Detail('05'),
        'card.expiryYear': new Detail('2034'),
        'card.cvv': new Detail('918'),
      },
    },
  };
}

/** As most of these specs speak to a host. */
const PLAIN: WireFormat = { version: '1987', encoding: 'ascii', lengthBytes: 2 };

/** A connector to the host, or to whatever listens there. */
export function connectorAt(
  port: number,
  given: Partial<HostAddress> & { readonly callTimeoutMs?: number } = {},
): Iso8583Connector {
  const { callTimeoutMs = 5_000, ...address } = given;
  return new Iso8583Connector({
    address: { ...PLAIN, host: '127.0.0.1', port, ...address },
    acceptance: ACCEPTANCE,
    callTimeoutMs,
    maxInFlightMs: 2_000,
  });
}

/** Less than by HTTP: where answers are foreign, calls wait for their own until the end. */
const TIMEOUT_MS = 1_000;
const LENGTH_BYTES = 2;
/** In how many bytes the type of a message stands. */
const TYPE_BYTES: Readonly<Record<Encoding, number>> = { ascii: 4, binary: 2 };
const NETWORK_TYPES = ['0800', '0810', '1804', '1814'];

/** The connector as the contract tries it, against jPOS. */
export function iso8583Subject(
  host: () => JposHost,
  { version, encoding }: { readonly version: Version; readonly encoding: Encoding },
): ContractSubject {
  return {
    name: 'iso8583',
    acquirerUrl: () => host().url,
    connectorTo: (url) => connectorAt(Number(new URL(url).port), { version, encoding }),
    timeoutMs: TIMEOUT_MS,
    proxied: {
      endOf: (bytes) => {
        if (bytes.length < LENGTH_BYTES) return undefined;
        const end = LENGTH_BYTES + bytes.readUInt16BE(0);
        return bytes.length < end ? undefined : end;
      },
      // Otherwise a proxy that holds answers back would hold back the sign-on.
      isAside: (message) => {
        const type = message.subarray(LENGTH_BYTES, LENGTH_BYTES + TYPE_BYTES[encoding]);
        return NETWORK_TYPES.includes(type.toString(encoding === 'ascii' ? 'latin1' : 'hex'));
      },
    },
    approved: () => debitTelling(),
    declined: () => debitTelling({ code: '51' }),
    refused: () => debitTelling({ code: '30' }),
    bookings: async (reference) =>
      (await host().book()).filter((booking) => booking.reference === reference).length,
    amounts: encoding === 'ascii' ? amounts : packedAmounts(),
    unsupported: ['rebill', 'receipt'],
  };
}

/** Time, trace and all between differ each time, so each begins with the time's place: processing code, amount. */
const amounts: AmountsOnTheWire = {
  'EUR 92.00': '000000000000009200',
  'EUR 0.01': '000000000000000001',
  'EUR 15.99': '000000000000001599',
  'EUR 9999999999.99': '000000999999999999',
  'USD 1.00': '000000000000000100',
  'USD 0.10': '000000000000000010',
  'USD 1234.56': '000000000000123456',
  'USD 9999999999.99': '000000999999999999',
  'GBP 3': '000000000000000300',
  'GBP 0.07': '000000000000000007',
  'GBP 70.07': '000000000000007007',
  'GBP 9007199254.74': '000000900719925474',
  'ZAR 10.00': '000000000000001000',
  'ZAR 0.99': '000000000000000099',
  'ZAR 1500.50': '000000000000150050',
  'ZAR 9999999999.99': '000000999999999999',
  'JPY 100.00': '000000000000000100',
  'JPY 1.00': '000000000000000001',
  'JPY 9999999999.00': '000000009999999999',
  'KRW 50000.00': '000000000000050000',
  'KRW 7': '000000000000000007',
  'KRW 9999999999': '000000009999999999',
  'VND 20000.00': '000000000000020000',
  'VND 3.00': '000000000000000003',
  'VND 9999999999.00': '000000009999999999',
  'CLP 990.00': '000000000000000990',
  'CLP 10': '000000000000000010',
  'CLP 1000000000.00': '000000001000000000',
  'KWD 10.00': '000000000000010000',
  'KWD 0.01': '000000000000000010',
  'KWD 12.34': '000000000000012340',
  'KWD 9999999999.99': null,
  'BHD 1.00': '000000000000001000',
  'BHD 0.99': '000000000000000990',
  'BHD 250': '000000000000250000',
  'BHD 9999999999.99': null,
  'TND 5.50': '000000000000005500',
  'TND 0.05': '000000000000000050',
  'TND 100.00': '000000000000100000',
  'TND 9999999999.99': null,
  'OMR 7.07': '000000000000007070',
  'OMR 0.10': '000000000000000100',
  'OMR 1000.01': '000000000001000010',
  'OMR 9999999999.99': null,
  'CLF 1.00': '000000000000010000',
  'CLF 0.01': '000000000000000100',
  'CLF 38.50': '000000000000385000',
  'CLF 9999999999.99': null,
  'UYW 2.00': '000000000000020000',
  'UYW 0.50': '000000000000005000',
  'UYW 17.17': '000000000000171700',
  'UYW 9999999999.99': null,
};

/** The same digits two to a byte, as the proxy shows them: read as UTF-8, so those below 80 alone are whole. */
function packedAmounts(): AmountsOnTheWire {
  return Object.fromEntries(
    Object.entries(amounts).map(([amount, digits]) => [
      amount,
      digits === null ? null : Buffer.from(digits, 'hex').toString('utf8'),
    ]),
  ) as AmountsOnTheWire;
}
