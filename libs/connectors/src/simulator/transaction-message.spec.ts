import { describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import { AccountNumber, Cryptogram, Cvv, Pan } from '@sluice/secrets';
import type { ConnectorRequest } from '../connector.js';
import { transactionMessage } from './transaction-message.js';

const request: ConnectorRequest = {
  acquirerReference: 'ref-1',
  operation: 'debit',
  amount: { minor: 9200n, currency: currency('EUR') },
  mode: 'INTERNAL',
};

describe('a message', () => {
  it('is these bytes', () => {
    expect(transactionMessage(request, undefined)).toBe(
      '{"reference":"ref-1","operation":"debit","amount":"92.00","currency":"EUR","mode":"INTERNAL"}',
    );
  });

  it('has the card in clear and everything asked of the simulator', () => {
    const message = transactionMessage(
      {
        ...request,
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
    const message = transactionMessage(request, {
      ...{ number: new Pan('4200000000000000'), expiryMonth: '05', expiryYear: '2034' },
      ...accounts,
    });
    expect(JSON.parse(message)).toHaveProperty('card.senderAccount', '4111111111111111');
    expect(JSON.parse(message)).toHaveProperty('card.recipientAccount', 'DE23100000001234567890');
  });

  it('has the cryptogram of an authentication', () => {
    const message = transactionMessage(request, {
      ...{ number: new Pan('4200000000000000'), expiryMonth: '05', expiryYear: '2034' },
      cryptogram: new Cryptogram('AAACAgSRBklmQCFgMpEGAAAAAAA='),
    });
    expect(JSON.parse(message)).toHaveProperty('card.cryptogram', 'AAACAgSRBklmQCFgMpEGAAAAAAA=');
  });

  it('has the parameters that were given to it, as they are', () => {
    const parameters = { descriptor: 'Shoes', billing: { city: 'Graz' } };
    const message = transactionMessage({ ...request, parameters }, undefined);
    expect(JSON.parse(message)).toHaveProperty('parameters', parameters);
  });

  it('leaves a forgotten security code out', () => {
    const message = transactionMessage(request, {
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
