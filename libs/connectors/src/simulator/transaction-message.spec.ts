import { describe, expect, it } from '@jest/globals';
import { currency, parseAmount } from '@sluice/money';
import { AccountNumber, Cryptogram, Cvv, Pan } from '@sluice/secrets';
import type { ConnectorRequest } from '../connector.js';
import { transactionMessage } from './transaction-message.js';

/**
 * What goes on the wire for an amount of the interface (`N10.N2`), by ISO 4217 exponent (R-MON-06).
 * Bytes, not a round trip: two wrong conversions cancel out in a round trip. `null`: the interface
 * cannot say such an amount, because the currency has no fraction.
 */
const GOLDEN_AMOUNTS: readonly (readonly [string, string, string | null])[] = [
  ['EUR', '92.00', '92.00'],
  ['EUR', '0.01', '0.01'],
  ['EUR', '15.99', '15.99'],
  ['EUR', '9999999999.99', '9999999999.99'],
  ['USD', '1.00', '1.00'],
  ['USD', '0.10', '0.10'],
  ['USD', '1234.56', '1234.56'],
  ['USD', '9999999999.99', '9999999999.99'],
  ['GBP', '3', '3.00'],
  ['GBP', '0.07', '0.07'],
  ['GBP', '70.07', '70.07'],
  ['GBP', '9007199254.74', '9007199254.74'],
  ['JPY', '100.00', '100'],
  ['JPY', '1.00', '1'],
  ['JPY', '100.50', null],
  ['JPY', '9999999999.00', '9999999999'],
  ['KRW', '50000.00', '50000'],
  ['KRW', '7', '7'],
  ['KRW', '0.01', null],
  ['KRW', '9999999999', '9999999999'],
  ['VND', '20000.00', '20000'],
  ['VND', '3.00', '3'],
  ['VND', '3.30', null],
  ['VND', '9999999999.00', '9999999999'],
  ['CLP', '990.00', '990'],
  ['CLP', '10', '10'],
  ['CLP', '0.99', null],
  ['CLP', '1000000000.00', '1000000000'],
  ['KWD', '10.00', '10.000'],
  ['KWD', '0.01', '0.010'],
  ['KWD', '12.34', '12.340'],
  ['KWD', '9999999999.99', '9999999999.990'],
  ['BHD', '1.00', '1.000'],
  ['BHD', '0.99', '0.990'],
  ['BHD', '250', '250.000'],
  ['BHD', '9999999999.99', '9999999999.990'],
  ['TND', '5.50', '5.500'],
  ['TND', '0.05', '0.050'],
  ['TND', '100.00', '100.000'],
  ['TND', '9999999999.99', '9999999999.990'],
  ['OMR', '7.07', '7.070'],
  ['OMR', '0.10', '0.100'],
  ['OMR', '1000.01', '1000.010'],
  ['OMR', '9999999999.99', '9999999999.990'],
  ['CLF', '1.00', '1.0000'],
  ['CLF', '0.01', '0.0100'],
  ['CLF', '38.50', '38.5000'],
  ['CLF', '9999999999.99', '9999999999.9900'],
  ['UYW', '2.00', '2.0000'],
  ['UYW', '0.50', '0.5000'],
  ['UYW', '17.17', '17.1700'],
  ['UYW', '9999999999.99', '9999999999.9900'],
  ['ZAR', '10.00', '10.00'],
  ['ZAR', '0.99', '0.99'],
  ['ZAR', '1500.50', '1500.50'],
  ['ZAR', '9999999999.99', '9999999999.99'],
];

function request(text: string, code: string): ConnectorRequest | undefined {
  const parsed = parseAmount(text, currency(code));
  if (parsed.kind !== 'amount') return undefined;
  return {
    acquirerReference: 'ref-1',
    operation: 'debit',
    amount: parsed.amount,
    mode: 'INTERNAL',
  };
}

describe('the bytes of an amount on the wire', () => {
  it('covers at least twelve currencies with four amounts each', () => {
    const counts = new Map<string, number>();
    for (const [code] of GOLDEN_AMOUNTS) counts.set(code, (counts.get(code) ?? 0) + 1);
    expect(counts.size).toBeGreaterThanOrEqual(12);
    expect([...counts.values()].every((count) => count === 4)).toBe(true);
  });

  it.each(GOLDEN_AMOUNTS)('%s %s is sent as %s', (code, text, onTheWire) => {
    const asked = request(text, code);
    if (onTheWire === null) {
      expect(asked).toBeUndefined();
      return;
    }
    expect(transactionMessage(asked!, undefined)).toBe(
      `{"reference":"ref-1","operation":"debit","amount":"${onTheWire}","currency":"${code}",` +
        '"mode":"INTERNAL"}',
    );
  });
});

describe('a message', () => {
  it('has the card in clear and everything asked of the simulator', () => {
    const message = transactionMessage(
      {
        ...request('92.00', 'EUR')!,
        originalReference: 'ref-0',
        final: true,
        testDirectives: {
          forceResultCode: '800.100.151',
          'simulator.fault': 'delay:10',
          'simulator.avs': 'Z',
          'simulator.cvv': 'U',
        },
      },
      {
        number: new Pan('4200000000000000'),
        expiryMonth: '05',
        expiryYear: '2034',
        holder: 'Jane Jones',
        cvv: new Cvv('123'),
      },
    );
    expect(JSON.parse(message)).toEqual({
      reference: 'ref-1',
      operation: 'debit',
      amount: '92.00',
      currency: 'EUR',
      originalReference: 'ref-0',
      mode: 'INTERNAL',
      final: true,
      card: {
        number: '4200000000000000',
        expiryMonth: '05',
        expiryYear: '2034',
        holder: 'Jane Jones',
        cvv: '123',
      },
      forceResultCode: '800.100.151',
      fault: 'delay:10',
      avs: 'Z',
      cvv: 'U',
    });
  });

  it('has the accounts of a transfer', () => {
    const accounts = {
      senderAccount: new AccountNumber('4111111111111111'),
      recipientAccount: new AccountNumber('DE23100000001234567890'),
    };
    const message = transactionMessage(request('92.00', 'EUR')!, {
      ...{ number: new Pan('4200000000000000'), expiryMonth: '05', expiryYear: '2034' },
      ...accounts,
    });
    expect(JSON.parse(message)).toHaveProperty('card.senderAccount', '4111111111111111');
    expect(JSON.parse(message)).toHaveProperty('card.recipientAccount', 'DE23100000001234567890');
  });

  it('has the cryptogram of an authentication', () => {
    const message = transactionMessage(request('92.00', 'EUR')!, {
      ...{ number: new Pan('4200000000000000'), expiryMonth: '05', expiryYear: '2034' },
      cryptogram: new Cryptogram('AAACAgSRBklmQCFgMpEGAAAAAAA='),
    });
    expect(JSON.parse(message)).toHaveProperty('card.cryptogram', 'AAACAgSRBklmQCFgMpEGAAAAAAA=');
  });

  it('has the parameters that were given to it, as they are', () => {
    const parameters = { descriptor: 'Shoes', billing: { city: 'Graz' } };
    const message = transactionMessage({ ...request('92.00', 'EUR')!, parameters }, undefined);
    expect(JSON.parse(message)).toHaveProperty('parameters', parameters);
  });

  it('leaves a forgotten security code out', () => {
    const message = transactionMessage(request('92.00', 'EUR')!, {
      number: new Pan('4200000000000000'),
      expiryMonth: '05',
      expiryYear: '2034',
    });
    expect(JSON.parse(message)).toHaveProperty('card', {
      number: '4200000000000000',
      expiryMonth: '05',
      expiryYear: '2034',
    });
  });
});
