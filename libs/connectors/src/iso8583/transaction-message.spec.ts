import { describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import { Detail } from '@sluice/secrets';
import type { ConnectorRequest } from '../connector.js';
import { ACCEPTANCE } from './iso8583-subject-fixture.js';
import { pack, unpack } from './message-format.js';
import { keysOf } from './message-keys.js';
import { standards } from './standards.js';
import { type Sender, transactionMessage, undoMessage } from './transaction-message.js';

// 2026-11-23T18:45:12.345Z
const AT = Date.UTC(2026, 10, 23, 18, 45, 12, 345).toString(16).padStart(12, '0');
const REFERENCE = `${AT}abcd0123456789abcdef`;
const ORIGINAL = `${AT}abcdfedcba9876543210`;
const request: ConnectorRequest = {
  acquirerReference: REFERENCE,
  operation: 'debit',
  amount: { minor: 9_200n, currency: currency('EUR') },
  mode: 'LIVE',
};
const card = {
  kind: 'card',
  details: {
    'card.number': new Detail('4200000000000042'),
    'card.expiryMonth': new Detail('05'),
    'card.expiryYear': new Detail('2034'),
    'card.cvv': new Detail('918'),
    'threeDSecure.verificationId': new Detail('AAABBBCCC'),
  },
} as const;
const older: Sender = { ...ACCEPTANCE, version: '1987' };
const newer: Sender = { ...ACCEPTANCE, version: '1993' };
const keys = keysOf(REFERENCE, ACCEPTANCE.terminals)!;
const originalKeys = keysOf(ORIGINAL, ACCEPTANCE.terminals)!;

function referring(operation: ConnectorRequest['operation']): ConnectorRequest {
  return {
    ...{ ...request, operation, originalReference: ORIGINAL, originalOperation: 'authorization' },
    originalAmount: request.amount,
  };
}

describe('the message of a debit', () => {
  it('says what is to be paid, by which card, where', () => {
    const parameters = { threeDSecure: { eci: '05' } };
    expect(transactionMessage({ ...request, parameters }, card, older)).toEqual({
      type: '0200',
      fields: {
        ...standards['1987'].keyFields(keys),
        primaryAccountNumber: '4200000000000042',
        processingCode: '000000',
        amount: '000000009200',
        expiry: '3405',
        merchantCategory: '5411',
        entryMode: '812',
        conditionCode: '59',
        acquirerId: '12345',
        merchant: 'MERCHANT0000001',
        additionalData: '420205' + '4309AAABBBCCC' + '9203918',
        currency: '978',
        reference: REFERENCE,
      },
    });
  });

  it('says which payment it follows, and that the card was kept', () => {
    const standingInstruction = { source: 'MIT', initialTransactionId: 'S000000000079' };
    const parameters = { standingInstruction };
    expect(transactionMessage({ ...request, parameters }, card, older)?.fields).toMatchObject({
      ...{ entryMode: '102', conditionCode: '08' },
      additionalData: '4309AAABBBCCC' + '6313S000000000079' + '9203918',
    });
  });

  it('keeps the condition of a capture, whatever its payment was', () => {
    const parameters = { standingInstruction: { source: 'MIT' } };
    const capture = { ...referring('capture'), parameters };
    expect(transactionMessage(capture, undefined, older)?.fields).toMatchObject({
      ...{ entryMode: '812', conditionCode: '06' },
    });
  });

  it.each([
    [
      'an amount of 13 digits',
      { amount: { minor: 1_000_000_000_000n, currency: currency('KWD') } },
    ],
    ['a reference without a time', { acquirerReference: 'contract-1' }],
    ['an operation that the standard has not', { operation: 'rebill' }],
    [
      'a first payment that no field can name',
      {
        parameters: {
          standingInstruction: { source: 'MIT', initialTransactionId: 'x'.repeat(100) },
        },
      },
    ],
  ] as const)('does not exist for %s', (_, changed) => {
    expect(transactionMessage({ ...request, ...changed }, card, older)).toBeUndefined();
  });

  it('does not exist without a card, nor one of a capture with one', () => {
    expect(transactionMessage(request, undefined, older)).toBeUndefined();
    expect(transactionMessage(referring('capture'), card, older)).toBeUndefined();
  });
});

describe('a message that refers to another', () => {
  const originalData =
    `0100${originalKeys.trace}${originalKeys.transmittedAt}` + '00000012345' + '00000000000';

  it.each([
    ['capture', '0220', '000000', keys.retrievalReference],
    ['refund', '0200', '200000', keys.retrievalReference],
    ['reversal', '0400', '000000', originalKeys.retrievalReference],
  ] as const)('names it: %s', (operation, type, processingCode, retrievalReference) => {
    expect(transactionMessage(referring(operation), undefined, older)).toMatchObject({
      type,
      fields: {
        processingCode,
        retrievalReference,
        trace: keys.trace,
        terminal: originalKeys.terminal,
        originalData,
        originalReference: ORIGINAL,
        reference: REFERENCE,
      },
    });
  });

  it('does not exist where nobody says what that one was', () => {
    const { originalOperation: _, ...without } = referring('capture');
    expect(transactionMessage(without, undefined, older)).toBeUndefined();
  });
});

describe('the message that undoes', () => {
  it('names what was sent by the same fields as that had, and nothing of the card', () => {
    const sent = transactionMessage(request, card, older)!;
    const undo = undoMessage(REFERENCE, request, older, 'first')!;
    const { trace, transmittedAt, retrievalReference, terminal, amount } = sent.fields;
    expect(undo).toMatchObject({
      type: '0420',
      fields: {
        retrievalReference,
        terminal,
        amount,
        currency: '978',
        originalReference: REFERENCE,
        originalData: `0200${trace}${transmittedAt}0000001234500000000000`,
      },
    });
    expect(undo.fields.trace).not.toBe(trace);
    expect(JSON.stringify(undo)).not.toMatch(/4200000000000042|918|3405/u);
  });
});

describe('the messages of 1993', () => {
  const originalData = `1100${originalKeys.trace}${originalKeys.localDateTime}` + '05' + '12345';

  it('say what is to be paid, by which card, where, and why they are sent', () => {
    const parameters = { threeDSecure: { eci: '05' } };
    expect(transactionMessage({ ...request, parameters }, card, newer)).toEqual({
      type: '1200',
      fields: {
        ...{ trace: keys.trace, transmittedAt: '1123184512', localDateTime: '261123184512' },
        ...{ retrievalReference: keys.retrievalReference, terminal: keys.terminal },
        primaryAccountNumber: '4200000000000042',
        processingCode: '000000',
        amount: '000000009200',
        expiry: '3405',
        pointOfService: '100050100110',
        functionCode: '200',
        merchantCategory: '5411',
        acquirerId: '12345',
        merchant: 'MERCHANT0000001',
        additionalData: '420205' + '4309AAABBBCCC' + '9203918',
        currency: '978',
        reference: REFERENCE,
      },
    });
  });

  it('say how a payment came about in one code', () => {
    const standingInstruction = { source: 'MIT', initialTransactionId: 'S000000000079' };
    const parameters = { standingInstruction };
    const { fields } = transactionMessage({ ...request, parameters }, card, newer)!;
    expect(fields).toMatchObject({
      pointOfService: '100040000110',
      additionalData: '4309AAABBBCCC' + '6313S000000000079' + '9203918',
    });
    expect(fields).not.toHaveProperty('conditionCode');
  });

  it.each([
    ['authorization', '1100', '000000', '100'],
    ['debit', '1200', '000000', '200'],
    ['credit', '1200', '200000', '200'],
  ] as const)('begin a payment: %s', (operation, type, processingCode, functionCode) => {
    const message = transactionMessage({ ...request, operation }, card, newer);
    expect(message).toMatchObject({ type, fields: { processingCode, functionCode } });
  });

  it.each([
    ['capture', '1220', { processingCode: '000000', functionCode: '201' }, keys.retrievalReference],
    ['refund', '1200', { processingCode: '200000', functionCode: '200' }, keys.retrievalReference],
    [
      'reversal',
      '1420',
      { processingCode: '000000', functionCode: '400', reasonCode: '4000' },
      originalKeys.retrievalReference,
    ],
  ] as const)('name what they refer to: %s', (operation, type, said, retrievalReference) => {
    const message = transactionMessage(referring(operation), undefined, newer)!;
    expect(message).toMatchObject({
      type,
      fields: {
        ...{ ...said, retrievalReference, originalData, terminal: originalKeys.terminal },
        ...{ originalReference: ORIGINAL, reference: REFERENCE },
      },
    });
    expect('reasonCode' in message.fields).toBe(operation === 'reversal');
  });

  it('say of a capture of less how much was authorized', () => {
    const amount = { ...request.amount, minor: 9_100n };
    expect(transactionMessage({ ...referring('capture'), amount }, undefined, newer)).toMatchObject(
      {
        type: '1220',
        fields: {
          ...{ amount: '000000009100', functionCode: '202' },
          originalAmounts: '000000009200' + '000000000000',
        },
      },
    );
  });

  it('do not capture where nobody says how much was authorized', () => {
    const { originalAmount: _, ...without } = referring('capture');
    expect(transactionMessage(without, undefined, newer)).toBeUndefined();
    expect(transactionMessage(without, undefined, older)).toBeDefined();
  });

  it.each([
    ['first', '1420'],
    ['again', '1421'],
  ] as const)('undo by the same names: %s', (time, type) => {
    const sent = transactionMessage(request, card, newer)!;
    const undo = undoMessage(REFERENCE, request, newer, time)!;
    const { trace, localDateTime, retrievalReference, terminal, amount } = sent.fields;
    expect(undo).toMatchObject({
      type,
      fields: {
        ...{ retrievalReference, terminal, amount, currency: '978' },
        ...{ functionCode: '400', reasonCode: '4021', originalReference: REFERENCE },
        originalData: `1200${trace}${localDateTime}0512345`,
      },
    });
    expect(undo.fields.trace).not.toBe(trace);
    expect(JSON.stringify(undo)).not.toMatch(/4200000000000042|918|3405/u);
  });

  it.each(['authorization', 'debit', 'credit', 'capture', 'refund', 'reversal'] as const)(
    'fit the fields of that version: %s',
    (operation) => {
      const isFirst = ['authorization', 'debit', 'credit'].includes(operation);
      const message = isFirst
        ? transactionMessage({ ...request, operation }, card, newer)
        : transactionMessage(referring(operation), undefined, newer);
      for (const encoding of ['ascii', 'binary'] as const) {
        expect(unpack(pack(message!, encoding), encoding)).toEqual(message);
      }
    },
  );
});
