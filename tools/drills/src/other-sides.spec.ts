import { describe, expect, it } from '@jest/globals';
import type { MerchantRequest, ProjectedTransaction, RecordedTransaction } from '@sluice/kill-test';
import { comparison, type SidesOfDrill } from './other-sides.js';

const APPROVED = '000.100.110';

function booked(transactionId: string, reference: string): string {
  const line = { kind: 'transaction', transactionId, reference, operation: 'debit' };
  return `${JSON.stringify({ ...line, amount: '92.00', currency: 'EUR', status: 'approved' })}\n`;
}

function recorded(id: string, reference: string): RecordedTransaction {
  const money = { amountMinor: 9_200n, currency: 'EUR' };
  const result = { outcome: 'approved', resultCode: APPROVED } as const;
  const acquirerReference = `acquirer-${id}`;
  return {
    id,
    streamId: id,
    reference,
    operation: 'debit',
    ...money,
    ...result,
    acquirerReference,
  };
}

function row({ id, reference }: RecordedTransaction): ProjectedTransaction {
  const money = { amountMinor: '9200', currency: 'EUR' };
  const result = { status: 'approved', resultCode: APPROVED };
  return {
    id,
    streamId: id,
    operation: 'debit',
    ...money,
    ...result,
    reference: reference ?? null,
  };
}

const own = recorded('1', 'drill-1-000001');
const other = recorded('2', 'shop-77');
const request: MerchantRequest = {
  ...{ reference: 'drill-1-000001', operation: 'DB', amountMinor: 9_200n, currency: 'EUR' },
  attempts: [{ kind: 'answered', status: 200, code: APPROVED, id: '1' }],
};
const before = booked('S1', 'acquirer-of-last-year');
const agreeing: SidesOfDrill = {
  run: 'drill-1',
  merchant: [request],
  recorded: [own, other],
  rows: [row(own), row(other)],
  readBack: [{ id: '1', shownId: '1', status: 200, code: APPROVED }],
  bookBefore: before,
  bookSeen: before + booked('S2', 'acquirer-1') + booked('S3', 'acquirer-2'),
  bookAfter: before + booked('S2', 'acquirer-1') + booked('S3', 'acquirer-2'),
};

function rulesOf(sides: Partial<SidesOfDrill>): readonly string[] {
  return comparison({ ...agreeing, ...sides }).violations.map(({ rule }) => rule);
}

describe('the sides of a drill', () => {
  it('agree, whatever others pay on the same cluster', () => {
    expect(comparison(agreeing)).toEqual({
      ...{ transactions: 1, bookings: 1, projected: 1 },
      violations: [],
    });
  });

  it('disagree when an answered payment is gone', () => {
    expect(rulesOf({ recorded: [other], rows: [row(other)] })).toContain('acknowledged and lost');
  });

  it('disagree when one was booked twice', () => {
    const bookAfter = agreeing.bookAfter + booked('S4', 'acquirer-1');
    expect(rulesOf({ bookAfter })).toEqual(['booked twice']);
  });

  it('disagree when a booking since the beginning is nobody’s', () => {
    const bookSeen = agreeing.bookSeen + booked('S4', 'acquirer-unheard-of');
    const bookAfter = bookSeen;
    expect(rulesOf({ bookSeen, bookAfter })).toEqual(['booked without event']);
  });

  it('agree when a booking is newer than the events', () => {
    const bookAfter = agreeing.bookAfter + booked('S4', 'acquirer-of-a-moment-ago');
    expect(rulesOf({ bookAfter })).toEqual([]);
  });

  it('agree when an own one was booked while the sides were read', () => {
    expect(rulesOf({ bookSeen: before })).toEqual([]);
  });

  it('disagree when what the events call approved is not booked', () => {
    expect(rulesOf({ bookSeen: before, bookAfter: before })).toEqual(['approved and not booked']);
  });

  it('disagree when one was recorded twice', () => {
    const twin = { ...recorded('3', 'drill-1-000001') };
    expect(rulesOf({ recorded: [own, twin, other] })).toContain('recorded twice');
  });

  it('disagree when the projection has not all of it', () => {
    expect(rulesOf({ rows: [row(other)] })).toEqual(['projection']);
  });
});
