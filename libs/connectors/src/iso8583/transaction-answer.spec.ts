import { describe, expect, it } from '@jest/globals';
import { isKnown, outcomeOf } from '@sluice/result-codes';
import { actionCodes } from './action-codes.js';
import { additionalDataIn } from './additional-data.js';
import type { Message } from './message-format.js';
import { responses } from './response-codes.js';
import { reversalOutcome, submitOutcome } from './transaction-answer.js';

const request: Message = { type: '0200', fields: { amount: '000000009200' } };
const undo: Message = { ...request, type: '0420' };

function answerWith(responseCode: string | undefined): Message {
  const fields = { retrievalReference: '0123456789AB', amount: '000000009200' };
  return { type: '0210', fields: { ...fields, ...(responseCode && { responseCode }) } };
}

describe('the table of response codes', () => {
  const declines = Object.entries(responses).flatMap(([code, response]) =>
    typeof response === 'object' && 'declined' in response
      ? [[code, response.declined] as const]
      : [],
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
      (code) => [code, reversalOutcome(answerWith(code), undo).kind] as const,
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

describe('the table of action codes, of 1993', () => {
  const of = (type: string): Message => ({ ...request, type });
  const declines = Object.entries(actionCodes).flatMap(([code, response]) =>
    typeof response === 'object' && 'declined' in response
      ? [[code, response.declined] as const]
      : [],
  );
  const approving = (type: string): readonly string[] =>
    Object.keys(actionCodes)
      .filter((code) => submitOutcome(answerWith(code), of(type)).kind === 'approved')
      .sort();

  it.each(declines)('makes %s a published decline: %s', (code, resultCode) => {
    expect(isKnown(resultCode)).toBe(true);
    expect(outcomeOf(resultCode)).toBe('rejected');
    expect(submitOutcome(answerWith(code), of('1200'))).toMatchObject({
      kind: 'declined',
      resultCode,
    });
  });

  it('has codes of three digits, and none of 1987', () => {
    expect(Object.keys(actionCodes).filter((code) => !/^[0-9]{3}$/u.test(code))).toEqual([]);
    expect(submitOutcome(answerWith('00'), of('1200'))).toMatchObject({ kind: 'unknown' });
    expect(submitOutcome(answerWith('000'), request)).toMatchObject({ kind: 'unknown' });
  });

  it('approves by some codes whatever was sent, and by others only their own messages', () => {
    const always = ['000', '001', '003', '004', '005', '007'];
    expect(approving('1100')).toEqual(always);
    expect(approving('1200')).toEqual(always);
    expect(approving('1220')).toEqual([...always, '901']);
    expect(approving('1420')).toEqual([...always, '400']);
    expect(submitOutcome(answerWith('400'), of('1200'))).toEqual({
      kind: 'unknown',
      reason: 'unreadableAnswer',
    });
  });

  it.each(['002', '006'])('takes %s for the approval of a part', (code) => {
    expect(submitOutcome(answerWith(code), of('1200'))).toEqual({ kind: 'partiallyApproved' });
  });

  it.each(['900', '909', '911', '913', '923'])('calls %s unknown: it may be booked', (code) => {
    expect(submitOutcome(answerWith(code), of('1220'))).toEqual({
      kind: 'unknown',
      reason: 'serverError',
    });
  });

  it.each(['115', '904'])('calls %s not performed: the host does not take it', (code) => {
    expect(submitOutcome(answerWith(code), of('1200'))).toEqual({
      kind: 'notPerformed',
      reason: 'refused',
    });
  });

  it.each(['999', 'toString', undefined])('calls %s, which it has not, unknown', (code) => {
    expect(submitOutcome(answerWith(code), of('1200'))).toEqual({
      kind: 'unknown',
      reason: 'unreadableAnswer',
    });
  });

  it.each(['1420', '1421'])('says of a reversal that it is done only where it is: %s', (type) => {
    const kinds = Object.keys(actionCodes).map(
      (code) => [code, reversalOutcome(answerWith(code), of(type)).kind] as const,
    );
    const having = (kind: string) =>
      kinds.filter(([, each]) => each === kind).map(([code]) => code);
    expect(having('reversed').sort()).toEqual([...approving('1420')]);
    expect(having('notFound')).toEqual(['914']);
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
