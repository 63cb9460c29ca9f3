import { describe, expect, it } from '@jest/globals';
import { currencies, isoDecimal } from '@sluice/money';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import type { AccountReport } from './account-report.js';
import { type BankFile, readBankFile } from './bank-file.js';
import { euros } from './batches-fixture.js';
import { TEXT_CHARACTERS_MAX } from './file-element.js';
import { type PaymentStatus, statusesIn } from './payment-status.js';
import { returnedPaymentsIn } from './returned-payments.js';
import { type MessageName, schemaErrors } from './schema-fixture.js';
import type { StatusReport } from './status-report.js';

const samples = ['pain.002.001.10', 'camt.053.001.08', 'camt.054.001.08'] as const;

function sample(message: MessageName): string {
  return readFileSync(new URL(`../../test/bank-files/${message}.xml`, import.meta.url), 'utf8');
}

function read(xml: string): BankFile {
  return readBankFile(Buffer.from(xml));
}

function statusReport(xml = sample('pain.002.001.10')): StatusReport {
  const file = read(xml);
  if (file.kind !== 'statusReport') throw new Error(JSON.stringify(file));
  return file.report;
}

function accountReports(xml: string): readonly AccountReport[] {
  const file = read(xml);
  if (file.kind !== 'statements' && file.kind !== 'notifications') {
    throw new Error(JSON.stringify(file));
  }
  return file.reports;
}

describe.each(samples)('the sample of %s', (message) => {
  it('is valid by the published schema, so a bank may send it', () => {
    expect(schemaErrors(message, sample(message))).toEqual([]);
  });

  it('is read alike without its line breaks, and with a prefix for its namespace', () => {
    const dense = sample(message).replace(/>\s+</gu, '><');
    const prefixed = dense.replace(/<(\/?)([A-Z])/gu, '<$1b:$2').replace('xmlns=', 'xmlns:b=');
    expect(schemaErrors(message, prefixed)).toEqual([]);
    expect(inspect(read(dense), { depth: 20 })).toBe(inspect(read(sample(message)), { depth: 20 }));
    expect(inspect(read(prefixed), { depth: 20 })).toBe(inspect(read(dense), { depth: 20 }));
  });

  it('shows no account number to whoever prints what was read', () => {
    const file = read(sample(message));
    expect(inspect(file, { depth: 20 })).not.toMatch(/[A-Z]{2}[0-9]{2}[A-Z0-9]{4}[0-9]{8}/u);
  });

  it('is read or refused, whatever bytes of it are changed: nothing is thrown', () => {
    const bytes = Buffer.from(sample(message));
    const kinds = new Set<string>();
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.uint8Array({ maxLength: 4 }), (at, changed) => {
        const spoilt = Buffer.concat([
          bytes.subarray(0, at),
          changed,
          bytes.subarray(at + changed.length),
        ]);
        kinds.add(readBankFile(spoilt).kind);
      }),
      { numRuns: 500 },
    );
    expect(kinds).toContain('refused');
  });

  it('is read or refused without any one of its elements', () => {
    const dense = sample(message).replace(/>\s+</gu, '><');
    const leaves = [...dense.matchAll(/<([A-Za-z]+)(?: [^>]*)?>[^<]*<\/\1>/gu)];
    expect(leaves.length).toBeGreaterThan(20);
    for (const { 0: leaf, index } of leaves) {
      const kind = read(dense.slice(0, index) + dense.slice(index + leaf.length)).kind;
      expect([kind, leaf]).toEqual([expect.any(String), leaf]);
    }
  });
});

describe('a status report', () => {
  it('has what is said of the file, of each batch and of each transaction', () => {
    const report = statusReport();
    expect(report).toMatchObject({
      messageId: 'BANK-REPORT-1',
      createdAt: '2026-11-25T07:30:00+01:00',
      originalMessageId: 'SLUICE-2026-11-24-1',
      originalMessage: 'pain.008.001.08',
      status: 'PART',
      reasons: [],
    });
    expect(report.batches.map(({ originalBatchId, status }) => [originalBatchId, status])).toEqual([
      ['BATCH-MIXED', 'PART'],
      ['BATCH-REJECTED', 'RJCT'],
      ['BATCH-TWICE', 'RJCT'],
      ['BATCH-GOOD', 'ACCP'],
      ['BATCH-NEW-STATUS', 'ZZZZ'],
    ]);
    expect(report.batches[0]!.transactions.slice(0, 2)).toEqual([
      {
        originalEndToEndId: 'E2E-CLOSED',
        bankReference: 'BANK-4711',
        status: 'RJCT',
        reasons: [{ code: 'AC04', information: ['Account closed', 'since 2026-10-01'] }],
        amount: euros(9_200n),
        mandateId: 'MANDATE-1',
      },
      { originalEndToEndId: 'E2E-UNTOLD', status: 'RJCT', reasons: [] },
    ]);
  });

  const rejected = (
    resultCode: string,
    reason?: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> => ({
    kind: 'rejected',
    resultCode,
    ...(reason && { reason: { information: [], ...reason } }),
  });

  it.each([
    ['BATCH-MIXED', 'E2E-CLOSED', expect.objectContaining({ resultCode: '800.100.202' })],
    ['BATCH-MIXED', 'E2E-UNTOLD', rejected('800.100.152')],
    ['BATCH-MIXED', 'E2E-GOOD', { kind: 'accepted' }],
    ['BATCH-MIXED', 'E2E-OWN-CODE', rejected('800.100.152', { proprietary: 'BANK-OWN' })],
    // The debtor's bank has another collection like it; this one is declined.
    ['BATCH-MIXED', 'E2E-TWICE', rejected('800.110.100', { code: 'AM05' })],
    // Nothing is said of the others of a batch of which only some were rejected.
    ['BATCH-MIXED', 'E2E-OTHER', { kind: 'unsaid' }],
    ['BATCH-REJECTED', 'E2E-ANY', rejected('800.100.190', { code: 'BE05' })],
    // Our bank has had the whole batch: what became of it, it has said before.
    ['BATCH-TWICE', 'E2E-ANY', { kind: 'repeated' }],
    ['BATCH-GOOD', 'E2E-ANY', { kind: 'accepted' }],
    ['BATCH-NEW-STATUS', 'E2E-ANY', { kind: 'unsaid' }],
    ['BATCH-UNKNOWN', 'E2E-CLOSED', { kind: 'unsaid' }],
  ])('says of %s, %s: %j', (batchId, endToEndId, status) => {
    const messageId = 'SLUICE-2026-11-24-1';
    const statusOf = statusesIn(statusReport());
    expect(statusOf({ messageId, batchId, endToEndId })).toEqual(status);
    expect(statusOf({ messageId: 'ANOTHER', batchId, endToEndId })).toEqual({ kind: 'unsaid' });
  });

  it.each<[string, string, PaymentStatus]>([
    ['RJCT', 'FF01', { kind: 'rejected', resultCode: '800.100.156' }],
    ['RJCT', 'DU01', { kind: 'repeated' }],
    ['ACSC', '', { kind: 'settled' }],
    ['RCVD', '', { kind: 'pending' }],
    ['CANC', '', { kind: 'cancelled' }],
    ['PART', '', { kind: 'unsaid' }],
    ['', '', { kind: 'unsaid' }],
  ])('of a whole file in %j for %j says so of every transaction', (status, code, expected) => {
    const report: StatusReport = {
      ...statusReport(),
      ...(status !== '' && { status }),
      reasons: code === '' ? [] : [{ code, information: [] }],
      batches: [],
    };
    const { status: _none, ...unsaid } = report;
    const sent = { messageId: report.originalMessageId, batchId: 'B', endToEndId: 'E' };
    expect(statusesIn(status === '' ? unsaid : report)(sent)).toMatchObject(expected);
  });
});

describe('a statement', () => {
  const [report] = accountReports(sample('camt.053.001.08'));

  it('has its account, its number, its balances and its entries', () => {
    expect(report).toMatchObject({
      id: 'STATEMENT-331',
      sequenceNumber: '331',
      page: { number: '1', isLast: true },
      currency: 'EUR',
      balances: [
        { code: 'OPBD', amount: euros(100_000n), direction: 'credit', day: '2026-12-01' },
        { code: 'CLBD', amount: euros(113_750n), direction: 'credit', day: '2026-12-01' },
      ],
    });
    expect(report!.account!.reveal()).toBe('DE89370400440532013000');
  });

  it('has a batch that was booked as one', () => {
    expect(report!.entries[0]).toEqual({
      amount: euros(18_400n),
      direction: 'credit',
      status: 'booked',
      isReversal: false,
      bookedOn: '2026-12-01',
      valueOn: '2026-12-02',
      bankReference: 'BANK-5001',
      batchId: 'BATCH-1',
      transactionCode: {
        domain: 'PMNT',
        family: 'IDDT',
        subFamily: 'ESDD',
        proprietary: 'NDDT+171+9248',
      },
      transactions: [],
    });
  });

  it('has a return with its references, sides, charges and reason', () => {
    const [transaction] = report!.entries[1]!.transactions;
    expect(report!.entries[1]).toMatchObject({ isReversal: true, direction: 'debit' });
    expect(transaction).toMatchObject({
      messageId: 'SLUICE-2026-11-24-1',
      batchId: 'BATCH-1',
      endToEndId: 'E2E-RETURNED',
      mandateId: 'MANDATE-1',
      transactionId: 'ABNA-1',
      bankReference: 'BANK-5002-1',
      amount: euros(4_650n),
      instructedAmount: euros(4_200n),
      direction: 'debit',
      charges: [euros(300n), euros(150n)],
      debtor: { name: 'Eleni THeodoroy' },
      creditor: { name: 'Backerei Ost + Sohne' },
      remittance: ['Order 4711', 'returned'],
      returned: { code: 'MD06', information: ['Refund'] },
    });
    expect(transaction!.debtor.account!.reveal()).toBe('NL91ABNA0417164300');
  });

  it('makes of it the chargeback of what was once paid', () => {
    expect(returnedPaymentsIn(report!)).toEqual([
      {
        endToEndId: 'E2E-RETURNED',
        batchId: 'BATCH-1',
        mandateId: 'MANDATE-1',
        method: 'directDebit',
        amount: euros(4_200n),
        bookedAmount: euros(4_650n),
        bookedOn: '2026-12-01',
        bankReference: 'BANK-5002-1',
        reason: { code: 'MD06', information: ['Refund'] },
        resultCode: '000.100.206',
      },
    ]);
  });
});

describe('a notification', () => {
  const [first, copy] = accountReports(sample('camt.054.001.08'));

  it('says what came back of what was booked, also where it is a copy', () => {
    expect(returnedPaymentsIn(first!)).toMatchObject([
      {
        endToEndId: 'E2E-FUNDS',
        method: 'directDebit',
        amount: euros(1_000n),
        bookedOn: '2026-12-01',
        bankReference: 'BANK-6001',
        resultCode: '000.100.203',
      },
      { mandateId: 'MANDATE-2', amount: euros(2_000n), resultCode: '000.100.200' },
      {
        endToEndId: 'E2E-TRANSFER',
        method: 'creditTransfer',
        // Of its own it has no amount, and its entry no other transaction.
        amount: euros(500n),
        resultCode: '000.100.201',
      },
    ]);
    expect(returnedPaymentsIn(first!)[1]).not.toHaveProperty('endToEndId');
    expect(copy).toMatchObject({ entries: [{ status: 'booked' }] });
    // Whoever acts on it takes each payment back once.
    expect(returnedPaymentsIn(copy!)).toMatchObject([{ endToEndId: 'E2E-FUNDS' }]);
  });

  it('has the amounts that were written, in every currency', () => {
    const amounts = fc.record({
      minor: fc.bigInt({ min: 0n, max: 10n ** 14n }),
      currency: fc.constantFrom(...currencies),
    });
    fc.assert(
      fc.property(fc.array(amounts, { minLength: 1, maxLength: 5 }), (some) => {
        const entries = some.map(
          (amount) =>
            `<Ntry><Amt Ccy="${amount.currency}">${isoDecimal(amount)}</Amt>` +
            '<CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BkTxCd/></Ntry>',
        );
        const xml = sample('camt.054.001.08').replace(/<Ntry>.*<\/Ntry>/su, entries.join(''));
        expect(schemaErrors('camt.054.001.08', xml)).toEqual([]);
        expect(accountReports(xml)[0]!.entries.map(({ amount }) => amount)).toEqual(some);
      }),
    );
  });

  it('has entries in every currency and status', () => {
    expect(first!.entries.map(({ status }) => status)).toEqual([
      'booked',
      'booked',
      'pending',
      'other',
    ]);
    expect(first!.entries[3]!.amount).toEqual({ minor: 700n, currency: 'JPY' });
  });
});

describe('a file is refused', () => {
  const statement = sample('camt.053.001.08');
  const notification = sample('camt.054.001.08');
  const refusal = (xml: string): unknown => read(xml);

  it.each([
    ['<Amt Ccy="EUR">184.00</Amt>', '<Amt Ccy="EUR">184,00</Amt>', 'invalid', 'Ntry[0]/Amt'],
    ['<Amt Ccy="EUR">184.00</Amt>', '<Amt Ccy="EUR">-184.00</Amt>', 'invalid', 'Ntry[0]/Amt'],
    ['<Amt Ccy="EUR">184.00</Amt>', '<Amt Ccy="EUR">184.001</Amt>', 'invalid', 'Ntry[0]/Amt'],
    ['<Amt Ccy="EUR">184.00</Amt>', '<Amt>184.00</Amt>', 'invalid', 'Ntry[0]/Amt'],
    ['<Amt Ccy="EUR">184.00</Amt>', '<Amt Ccy="XYZ">184.00</Amt>', 'invalid', 'Ntry[0]/Amt'],
    ['<Amt Ccy="EUR">184.00</Amt>', '', 'missing', 'Ntry[0]/Amt'],
    ['<Sts><Cd>BOOK</Cd></Sts>', '', 'missing', 'Ntry[0]/Sts'],
    ['<CdtDbtInd>DBIT</CdtDbtInd>', '<CdtDbtInd>X</CdtDbtInd>', 'invalid', 'Ntry[1]/CdtDbtInd'],
    ['<Dt>2026-11-26</Dt>', '<Dt>26.11.2026</Dt>', 'invalid', 'Ntry[1]/ValDt/Dt'],
    ['<Dt>2026-11-26</Dt>', '<Dt>2026-11-31</Dt>', 'invalid', 'Ntry[1]/ValDt/Dt'],
    ['2026-12-01T21:59:59', '2026-11-31T21:59:59', 'invalid', 'Bal[1]/Dt/DtTm'],
    ['<ElctrncSeqNb>331</ElctrncSeqNb>\n      <CreDtTm>2026', '<CreDtTm>x', 'invalid', 'CreDtTm'],
    [
      '<ElctrncSeqNb>331</ElctrncSeqNb>\n      <CreDtTm>2026-12-01',
      '<CreDtTm>2026-11-31',
      'invalid',
      'CreDtTm',
    ],
    [
      '<Rcrd><Amt Ccy="EUR">1.50</Amt></Rcrd>',
      '<Rcrd/>',
      'missing',
      'Ntry[1]/NtryDtls[0]/TxDtls[0]/Chrgs/Rcrd[1]/Amt',
    ],
  ])('where %s is %j: %s', (text, replacement, reason, at) => {
    expect(statement).toContain(text);
    expect(refusal(statement.replace(text, replacement))).toEqual({
      kind: 'refused',
      reason,
      at: `Document/BkToCstmrStmt/Stmt[0]/${at}`,
    });
  });

  it('where a text is longer than any of ISO’s that is read', () => {
    const long = (length: number): string =>
      statement.replace('SEPA direct debit returned', 'x'.repeat(length));
    expect(read(long(TEXT_CHARACTERS_MAX)).kind).toBe('statements');
    expect(refusal(long(TEXT_CHARACTERS_MAX + 1))).toMatchObject({ reason: 'tooLong' });
  });

  it('where its root is that of another message', () => {
    expect(refusal(notification.replaceAll('camt.054.001.08', 'camt.053.001.08'))).toEqual({
      kind: 'refused',
      reason: 'missing',
      at: 'Document/BkToCstmrStmt',
    });
  });

  it.each([
    [notification.replaceAll('camt.054.001.08', 'camt.054.001.02'), 'camt.054.001.02'],
    [notification.replaceAll('urn:iso:std', 'urn:another'), undefined],
    ['<Document/>', undefined],
    [`<html xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"/>`, 'camt.053.001.08'],
  ])('where it is a message that is not read here', (xml, message) => {
    expect(refusal(xml)).toEqual({
      kind: 'refused',
      reason: 'unknownMessage',
      ...(message !== undefined && { message }),
    });
  });

  it('where it has a document type, and nothing of it is expanded', () => {
    const laughs = Array.from(
      { length: 9 },
      (_each, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
    );
    const bomb = `<!DOCTYPE Document [<!ENTITY l0 "ha">${laughs.join('')}]>`;
    for (const type of [bomb, '<!DOCTYPE Document SYSTEM "file:///etc/hostname">']) {
      const xml = statement
        .replace('?>\n', `?>\n${type}`)
        .replace('Order 4711', type === bomb ? '&l9;' : 'Order 4711');
      expect(refusal(xml)).toEqual({ kind: 'refused', reason: 'documentType' });
    }
    expect(refusal(statement.replace('Order 4711', '&l9;'))).toEqual({
      kind: 'refused',
      reason: 'malformed',
    });
  });

  it('where its bytes are none of a document', () => {
    expect(readBankFile(new Uint8Array())).toEqual({ kind: 'refused', reason: 'malformed' });
    expect(readBankFile(Buffer.from(':20:MT940'))).toEqual({
      kind: 'refused',
      reason: 'malformed',
    });
    expect(readBankFile(Buffer.from(statement, 'latin1'))).toEqual({
      kind: 'refused',
      reason: 'notUtf8',
    });
  });
});
