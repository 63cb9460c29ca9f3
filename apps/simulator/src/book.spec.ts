import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@sluice/testing';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Book, type BookedTransaction } from './book.js';
import type { TransactionRequest } from './transaction-request.js';

const START_MS = Date.parse('2026-03-01T12:00:00Z');
const PENDING_MS = 60_000;
const PAGE_MS = 120_000;

let folder: string;
let path: string;
let clock: ReturnType<typeof fixedClock>;
const open: Book[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-book-'));
  path = join(folder, 'book.ndjson');
  clock = fixedClock(START_MS);
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((book) => book.close()));
  await rm(folder, { recursive: true });
});

async function openBook(): Promise<Book> {
  const book = await Book.open({ path, pendingMs: PENDING_MS, pageMs: PAGE_MS }, clock);
  open.push(book);
  return book;
}

async function reopen(): Promise<Book> {
  await open.pop()?.close();
  return openBook();
}

function debit(reference: string, more: Partial<TransactionRequest> = {}): TransactionRequest {
  return {
    reference,
    operation: 'debit',
    amount: '92.00',
    currency: 'EUR',
    mode: 'INTERNAL',
    bin: '420000',
    last4: '0042',
    ...more,
  };
}

async function everything(book: Book): Promise<BookedTransaction[]> {
  const all: BookedTransaction[] = [];
  for await (const transaction of book.transactions()) all.push(transaction);
  return all;
}

describe('a booking', () => {
  it('is found by its reference, also by the next process', async () => {
    const booked = await (await openBook()).book(debit('ref-1'));
    expect(booked).toEqual({
      transactionId: 'S000000000000',
      reference: 'ref-1',
      status: 'approved',
      resultCode: '000.100.110',
      operation: 'debit',
      amount: '92.00',
      currency: 'EUR',
      mode: 'INTERNAL',
      bin: '420000',
      last4: '0042',
      bookedAtMs: START_MS,
    });
    const again = await reopen();
    expect(await again.find('ref-1')).toEqual(booked);
    expect(await again.find('ref-2')).toBeUndefined();
    expect((await again.book(debit('ref-2'))).transactionId).toBe('S000000000001');
  });

  it('says in how many installments it is paid', async () => {
    const book = await openBook();
    await book.book({ ...debit('ref-1'), installments: 3 });
    expect(await (await reopen()).find('ref-1')).toMatchObject({
      amount: '92.00',
      installments: 3,
    });
  });

  it('is made twice for one reference sent twice, and both can be seen', async () => {
    const book = await openBook();
    await book.book(debit('ref-1'));
    await book.book(debit('ref-1'));
    const ids = (await everything(book)).map(({ transactionId }) => transactionId);
    expect(ids).toEqual(['S000000000000', 'S000000000001']);
    expect((await book.find('ref-1'))?.transactionId).toBe('S000000000000');
  });

  it('of a thousand at once is whole after a kill in the middle of a write', async () => {
    const book = await openBook();
    await Promise.all(
      Array.from({ length: 1_000 }, (_each, index) => book.book(debit(`r${index}`))),
    );
    await open.pop()?.close();
    await appendFile(path, '{"kind":"transaction","transactionId":"S0000000');
    const again = await openBook();
    expect(await everything(again)).toHaveLength(1_000);
    expect((await again.find('r999'))?.status).toBe('approved');
  });
});

describe('a pending transaction', () => {
  it('becomes approved after its time, across a restart', async () => {
    const book = await openBook();
    const pending = await book.book(debit('ref-1', { forceResultCode: '000.200.000' }));
    expect(pending).toMatchObject({ status: 'pending', resultCode: '000.200.000' });
    clock.advance(PENDING_MS - 1);
    expect(await book.find('ref-1')).toMatchObject({ status: 'pending' });
    clock.advance(1);
    const again = await reopen();
    expect(await again.find('ref-1')).toMatchObject({
      status: 'approved',
      resultCode: '000.100.110',
    });
  });

  it('refuses captures until then', async () => {
    const book = await openBook();
    await book.book(debit('ref-1', { operation: 'authorization', forceResultCode: '000.200.000' }));
    const capture = { operation: 'capture', originalReference: 'ref-1' } as const;
    expect(await book.book(debit('ref-2', capture))).toMatchObject({ resultCode: '700.400.570' });
    clock.advance(PENDING_MS);
    expect(await book.book(debit('ref-3', capture))).toMatchObject({ status: 'approved' });
  });
});

describe('an undo by reference', () => {
  it('names the booked transaction, may be repeated and survives a restart', async () => {
    const book = await openBook();
    await book.book(debit('ref-1'));
    clock.advance(5);
    const reversed = await book.reverse('ref-1');
    expect(reversed).toMatchObject({
      transactionId: 'S000000000000',
      status: 'reversed',
      reversedAtMs: START_MS + 5,
    });
    clock.advance(5);
    expect(await book.reverse('ref-1')).toEqual(reversed);
    const again = await reopen();
    expect(await again.find('ref-1')).toEqual(reversed);
    expect(await everything(again)).toEqual([reversed]);
    const capture = { operation: 'capture', originalReference: 'ref-1' } as const;
    expect(await again.book(debit('ref-2', capture))).toMatchObject({ resultCode: '700.400.580' });
  });

  it('of nothing finds nothing and books nothing', async () => {
    const book = await openBook();
    expect(await book.reverse('ref-1')).toBeUndefined();
    expect(await readFile(path, 'utf8')).toBe('');
  });

  it('of a pending transaction keeps it from ever being approved', async () => {
    const book = await openBook();
    await book.book(debit('ref-1', { forceResultCode: '000.200.000' }));
    await book.reverse('ref-1');
    clock.advance(PENDING_MS);
    expect(await book.find('ref-1')).toMatchObject({ status: 'reversed' });
  });
});

describe('a book that was altered', () => {
  it('is refused with the line', async () => {
    const book = await openBook();
    await book.book(debit('ref-1'));
    await open.pop()?.close();
    await appendFile(path, 'not a line of ours\n');
    await expect(openBook()).rejects.toThrow(/^Line 2 of the simulator's book cannot be read\.$/);
  });
});

describe('a booking that waits for a shopper', () => {
  const shopper = { kind: 'bank', brand: 'GIROPAY', returnUrl: 'https://gate.example/r' } as const;

  it('is pending, and has a page that the next process knows too', async () => {
    const booked = await (await openBook()).book(debit('ref-1', { shopper }));
    expect(booked).toMatchObject({ status: 'pending', resultCode: '000.200.000' });
    expect(booked.page).toMatchObject({ ...shopper, closesAtMs: START_MS + PAGE_MS });
    const token = booked.page?.token ?? '';
    expect(token).toMatch(/^S000000000000-[0-9a-f]{32}$/);
    const again = await reopen();
    expect(await again.page(token)).toEqual({ page: booked.page, booked, isOpen: true });
    expect(await again.page(`${token.slice(0, -1)}x`)).toBeUndefined();
    expect(await again.page('S000000000009-')).toBeUndefined();
  });

  it.each([
    ['approve', 0, 'approved', '000.100.110'],
    ['approve-later', 0, 'pending', '000.200.000'],
    ['approve-later', PENDING_MS, 'approved', '000.100.110'],
    ['decline', 0, 'declined', '800.100.152'],
    ['cancel', PAGE_MS, 'declined', '100.396.101'],
  ] as const)('after %s and %i ms is %s with %s', async (choice, ms, status, resultCode) => {
    const book = await openBook();
    const { page } = await book.book(debit('ref-1', { shopper }));
    await book.choose(page?.token ?? '', choice);
    clock.advance(ms);
    for (const each of [book, await reopen()]) {
      expect(await each.find('ref-1')).toMatchObject({ status, resultCode });
    }
  });

  it('times out with its page, which then takes no choice', async () => {
    const book = await openBook();
    const { page } = await book.book(debit('ref-1', { shopper }));
    const byProvider = { ...shopper, kind: 'provider' } as const;
    await book.book(debit('ref-2', { shopper: byProvider }));
    clock.advance(PAGE_MS);
    expect(await book.choose(page?.token ?? '', 'approve')).toMatchObject({ isOpen: false });
    expect(await book.find('ref-1')).toMatchObject({ resultCode: '100.395.501' });
    expect(await book.find('ref-2')).toMatchObject({ resultCode: '100.396.103' });
  });

  it('takes a yes after a no, and nothing after a yes', async () => {
    const book = await openBook();
    const { page } = await book.book(debit('ref-1', { shopper }));
    const token = page?.token ?? '';
    expect(await book.choose(token, 'cancel')).toMatchObject({ isOpen: true });
    await book.choose(token, 'approve');
    expect(await book.choose(token, 'decline')).toMatchObject({
      isOpen: false,
      booked: { status: 'approved' },
    });
    expect(await (await reopen()).find('ref-1')).toMatchObject({ status: 'approved' });
  });

  it('can be captured, refunded and reversed only as what it has become', async () => {
    const book = await openBook();
    const { page } = await book.book(debit('ref-1', { shopper }));
    const refund = { operation: 'refund', originalReference: 'ref-1' } as const;
    expect(await book.book(debit('ref-2', refund))).toMatchObject({ resultCode: '700.400.570' });
    await book.choose(page?.token ?? '', 'approve');
    expect(await book.book(debit('ref-3', refund))).toMatchObject({ status: 'approved' });
    expect(await book.reverse('ref-1')).toMatchObject({ status: 'reversed' });
    expect(await book.book(debit('ref-4', refund))).toMatchObject({ resultCode: '700.400.580' });
  });

  it('is decided at once where a test forces its code', async () => {
    const book = await openBook();
    const forced = await book.book(debit('ref-1', { shopper, forceResultCode: '000.200.000' }));
    expect(forced).toMatchObject({ status: 'pending' });
    expect(forced).not.toHaveProperty('page');
  });
});

describe('a cryptogram', () => {
  const cryptogram = { fit: 'fits', mark: 'a mark' } as const;
  const proven = (reference: string, more: Partial<TransactionRequest> = {}) =>
    debit(reference, { cryptogram, ...more });

  it('is good for one payment, also after a restart', async () => {
    const book = await openBook();
    expect(await book.book(proven('ref-1'))).toMatchObject({ resultCode: '000.100.110' });
    const second = { status: 'declined', resultCode: '800.100.158', cryptogram: 'usedBefore' };
    expect(await book.book(proven('ref-2'))).toMatchObject(second);
    expect(await (await reopen()).book(proven('ref-3'))).toMatchObject(second);
  });

  it('is used once by two payments that come at once', async () => {
    const book = await openBook();
    const both = await Promise.all(['ref-1', 'ref-2'].map((one) => book.book(proven(one))));
    expect(both.map(({ status }) => status)).toEqual(['approved', 'declined']);
  });

  it('is used once by a payment that is asked for again', async () => {
    const book = await openBook();
    await book.book(proven('ref-1'));
    expect(await book.book(proven('ref-1'))).toMatchObject({ status: 'approved' });
  });

  it.each([
    ['declined', (book: Book) => book.book(proven('ref-1', { forceResultCode: '800.100.152' }))],
    ['undone', (book: Book) => book.book(proven('ref-1')).then(() => book.reverse('ref-1'))],
  ])('is not used up by a payment that was %s, also after a restart', async (_, before) => {
    await before(await openBook());
    const book = await reopen();
    expect(await book.book(proven('ref-2'))).toMatchObject({ status: 'approved' });
    expect(await book.book(proven('ref-3'))).toMatchObject({ status: 'declined' });
  });

  it('of another card is good for no payment, and of another amount for one', async () => {
    const book = await openBook();
    const other = { cryptogram: { ...cryptogram, fit: 'otherCard' } } as const;
    expect(await book.book(debit('ref-1', other))).toMatchObject({ resultCode: '800.100.158' });
    const amount = { cryptogram: { ...cryptogram, fit: 'otherAmount' } } as const;
    expect(await book.book(debit('ref-2', amount))).toMatchObject({ status: 'approved' });
  });

  it('and its mark are shown by nobody', async () => {
    const book = await openBook();
    const told = [await book.book(proven('ref-1')), await book.find('ref-1')];
    expect(JSON.stringify([...told, ...(await everything(book))])).not.toMatch(/mark/i);
  });
});
