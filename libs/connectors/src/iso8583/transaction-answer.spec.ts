import { describe, expect, it } from '@jest/globals';
import { isKnown, outcomeOf } from '@sluice/result-codes';
import { additionalDataIn } from './additional-data.js';
import type { Message } from './message-format.js';
import { responses } from './response-codes.js';
import { reversalOutcome, submitOutcome } from './transaction-answer.js';

const request: Message = { type: '0200', fields: { amount: '000000009200' } };

function answerWith(responseCode: string | undefined): Message {
  const fields = { retrievalReference: '0123456789AB', amount: '000000009200' };
  return { type: '0210', fields: { ...fields, ...(responseCode && { responseCode }) } };
}

describe('the table of response codes', () => {
  const declines = Object.entries(responses).flatMap(([code, response]) =>
    typeof response === 'object' ? [[code, response.declined] as const] : [],
  );

  it.each(declines)('makes %s a published decline: %s', (code, resultCode) => {
    expect(isKnown(resultCode)).toBe(true);
    expect(outcomeOf(resultCode)).toBe('rejected');
    expect(submitOutcome(answerWith(code), request)).toMatchObject({
      kind: 'declined',
      resultCode,
    });
  });

  it('approves by three codes alone', () => {
    const approving = Object.keys(responses).filter(
      (code) => submitOutcome(answerWith(code), request).kind === 'approved',
    );
    expect(approving.sort()).toEqual(['00', '08', '11']);
  });

  it.each(['000000009100', '000000009300'])('counts none of them for %s of 9200', (amount) => {
    const { type, fields } = answerWith('00');
    expect(submitOutcome({ type, fields: { ...fields, amount } }, request)).toEqual({
      kind: 'unknown',
      reason: 'unreadableAnswer',
    });
  });

  it.each(['68', '94', '96', '09'])('calls %s unknown: it may be booked', (code) => {
    expect(submitOutcome(answerWith(code), request)).toEqual({
      kind: 'unknown',
      reason: 'serverError',
    });
  });

  it.each(['99', 'ZZ', 'toString', undefined])('calls %s, which it has not, unknown', (code) => {
    expect(submitOutcome(answerWith(code), request)).toEqual({
      kind: 'unknown',
      reason: 'unreadableAnswer',
    });
  });

  it('says of a reversal that it is done only where the host says so', () => {
    const kinds = Object.keys(responses).map(
      (code) => [code, reversalOutcome(answerWith(code)).kind] as const,
    );
    expect(
      kinds
        .filter(([, kind]) => kind === 'reversed')
        .map(([code]) => code)
        .sort(),
    ).toEqual(['00', '08', '11']);
    expect(kinds.filter(([, kind]) => kind === 'notFound')).toEqual([['25', 'notFound']]);
  });
});

describe('field 48 of an answer', () => {
  it.each([
    ['8301Y8701M', { addressAnswer: 'Y', securityCodeAnswer: 'M' }],
    ['9902xx8402038301N', { merchantAdvice: '03', addressAnswer: 'N' }],
    ['8301Y87', { addressAnswer: 'Y' }],
    ['8399Y', {}],
    ['whatever', {}],
    [undefined, {}],
  ])('%j is read as far as it is understood', (text, data) => {
    expect(additionalDataIn(text)).toEqual(data);
  });
});
