import { describe, expect, it } from '@jest/globals';
import type { MerchantRequest, ProjectedTransaction, RecordedTransaction } from '@sluice/kill-test';
import { comparison, type Comparison } from './other-sides.js';
import { type ReadableSides, readSides, type RecordedSide } from './sides-reading.js';

const RUN = 'drill-1';
const APPROVED = '000.100.110';
const request: MerchantRequest = {
  ...{ reference: `${RUN}-000001`, operation: 'DB', amountMinor: 9_200n, currency: 'EUR' },
  attempts: [{ kind: 'answered', status: 200, code: APPROVED, id: 'own' }],
};

/**
 * A cluster where others pay on: between any two reads, and in the midst of reading back, a payment
 * is recorded, booked and approved, and another one is under way.
 */
class BusyCluster implements ReadableSides {
  readonly recorded: RecordedTransaction[] = [];
  #book = '';
  #paid = 0;

  constructor() {
    this.pay('own', `${RUN}-000001`);
    this.pay('earlier', 'shop-000');
  }

  pay(id: string, reference: string): void {
    this.request(id, reference);
    this.booking(`acquirer-${id}`);
    this.recorded.splice(-1, 1, { ...transaction(id, reference), outcome: 'approved' });
  }

  /** As far as it is recorded before the acquirer is called. */
  request(id: string, reference: string): void {
    this.recorded.push({ ...transaction(id, reference), outcome: 'requested' });
  }

  booking(reference: string): void {
    const line = { kind: 'transaction', transactionId: `S-${reference}`, reference };
    const money = { operation: 'debit', amount: '92.00', currency: 'EUR', status: 'approved' };
    this.#book += `${JSON.stringify({ ...line, ...money })}\n`;
  }

  book(): Promise<string> {
    return this.#read(() => this.#book);
  }

  events(): Promise<RecordedSide> {
    const ledger = { rule: 'ledger', subject: 'ledger', sentence: 'a hole' };
    const left = (subject: string) => ({ rule: 'left open', subject, sentence: 'not undone' });
    return this.#read(() => ({
      recorded: [...this.recorded],
      violations: [ledger, left('own'), left('earlier')],
    }));
  }

  rows(): Promise<readonly ProjectedTransaction[]> {
    return this.#read(() => this.recorded.map(row));
  }

  async readBack(own: readonly RecordedTransaction[]): ReturnType<ReadableSides['readBack']> {
    const read = own.map(({ id }) => ({ id, shownId: id, status: 200, code: APPROVED }));
    await this.#read(() => undefined);
    return read;
  }

  #read<T>(take: () => T): Promise<T> {
    const taken = take();
    this.#paid += 1;
    this.pay(`other-${this.#paid}`, `shop-${this.#paid}`);
    this.request(`under-way-${this.#paid}`, `shop-${this.#paid}-2`);
    this.booking(`acquirer-under-way-${this.#paid}`);
    return Promise.resolve(taken);
  }
}

function transaction(id: string, reference: string): Omit<RecordedTransaction, 'outcome'> {
  return {
    ...{ id, streamId: id, reference, operation: 'debit', amountMinor: 9_200n, currency: 'EUR' },
    ...{ resultCode: APPROVED, acquirerReference: `acquirer-${id}` },
  };
}

function row({ id, streamId, reference }: RecordedTransaction): ProjectedTransaction {
  return {
    ...{ id, streamId, operation: 'debit', amountMinor: '9200', currency: 'EUR' },
    ...{ status: 'approved', resultCode: APPROVED, reference: reference ?? null },
  };
}

async function compared(cluster: BusyCluster): Promise<Comparison> {
  const sides = await readSides(cluster, RUN);
  return comparison({ run: RUN, merchant: [request], bookBefore: '', ...sides });
}

describe('the sides of a drill on a cluster where others pay on', () => {
  it('agree', async () => {
    expect(await compared(new BusyCluster())).toEqual({
      ...{ transactions: 1, bookings: 1, projected: 1 },
      violations: [],
    });
  });

  it('disagree when a booking is nobody’s', async () => {
    const cluster = new BusyCluster();
    cluster.booking('acquirer-unheard-of');
    const { violations } = await compared(cluster);
    expect(violations.map(({ rule, subject }) => [rule, subject])).toEqual([
      ['booked without event', 'acquirer-unheard-of'],
    ]);
  });

  it('have the faults of the store and of own payments, not those of others', async () => {
    const { violations } = await readSides(new BusyCluster(), RUN);
    expect(violations.map(({ rule, subject }) => [rule, subject])).toEqual([
      ['ledger', 'ledger'],
      ['left open', 'own'],
    ]);
  });
});
