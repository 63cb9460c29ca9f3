import { describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import type { RevealedInstrument } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import type { ConnectorRequest } from '../connector.js';
import { transactionMessage } from './transaction-message.js';

const request: ConnectorRequest = {
  acquirerReference: 'ref-1',
  operation: 'debit',
  amount: { minor: 9200n, currency: currency('EUR') },
  mode: 'INTERNAL',
};

/** A card, and what else goes with it. */
function cardWith(more: Readonly<Record<string, string>>): RevealedInstrument {
  const texts = {
    ...{ 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
    ...more,
  };
  const details = Object.entries(texts).map(([name, text]) => [name, new Detail(text)] as const);
  return { kind: 'card', details: Object.fromEntries(details) };
}

describe('a message', () => {
  it('is these bytes', () => {
    expect(transactionMessage(request, undefined)).toBe(
      '{"reference":"ref-1","operation":"debit","amount":"92.00","currency":"EUR","mode":"INTERNAL"}',
    );
  });

  it('says where the shopper comes back to, and by which brand it is, if a shopper may have to go', () => {
    const returnUrl = 'https://gate.example/return';
    const sent = { ...request, brand: 'PAYPAL', returnUrl };
    const accountId = 'jane.jones@example.org';
    const account = {
      ...({ kind: 'virtualAccount' } as const),
      details: { 'virtualAccount.accountId': new Detail(accountId) },
    };
    expect(JSON.parse(transactionMessage(sent, account))).toMatchObject({
      ...{ brand: 'PAYPAL', returnUrl },
      account: { kind: 'virtualAccount', details: { 'virtualAccount.accountId': accountId } },
    });
    const { returnUrl: _, ...atHome } = sent;
    expect(transactionMessage(atHome, undefined)).not.toContain('PAYPAL');
  });

  it('has the card in clear and everything asked of the simulator', () => {
    const message = transactionMessage(
      {
        ...request,
        originalReference: 'ref-0',
        final: true,
        parameters: { card: { holder: 'Jane Jones' } },
        testDirectives: {
          forceResultCode: '800.100.151',
          'simulator.fault': 'delay:10',
          'simulator.avs': 'Z',
          'simulator.cvv': 'U',
          'simulator.advice': '21',
        },
      },
      cardWith({ 'card.cvv': '123' }),
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
      advice: '21',
    });
  });

  it.each([
    ['the accounts of a transfer', 'sender.accountNumber', 'card.senderAccount'],
    ['their receiver', 'recipient.accountNumber', 'card.recipientAccount'],
    ['the cryptogram of an authentication', 'threeDSecure.verificationId', 'card.cryptogram'],
  ])('has %s', (_what, name, field) => {
    const message = transactionMessage(request, cardWith({ [name]: 'DE23100000001234567890' }));
    expect(JSON.parse(message)).toHaveProperty(field, 'DE23100000001234567890');
  });

  it('has another account than a card by the names of its details', () => {
    const details = { 'bankAccount.iban': new Detail('DE23100000001234567890') };
    const message = JSON.parse(
      transactionMessage(request, { kind: 'bankAccount', details }),
    ) as object;
    const account = { 'bankAccount.iban': 'DE23100000001234567890' };
    expect(message).toHaveProperty('account', { kind: 'bankAccount', details: account });
    expect(message).not.toHaveProperty('card');
  });

  it('has the parameters that were given to it, as they are', () => {
    const parameters = { descriptor: 'Shoes', billing: { city: 'Graz' } };
    const message = transactionMessage({ ...request, parameters }, undefined);
    expect(JSON.parse(message)).toHaveProperty('parameters', parameters);
  });

  it('leaves a forgotten security code out', () => {
    const message = transactionMessage(request, cardWith({}));
    expect(JSON.parse(message)).toHaveProperty('card', {
      number: '4200000000000000',
      expiryMonth: '05',
      expiryYear: '2034',
    });
  });
});
