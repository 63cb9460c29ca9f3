import { describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import { Detail } from '@sluice/secrets';
import fc from 'fast-check';
import { inspect } from 'node:util';
import {
  debit,
  debitBatch,
  debitFile,
  euros,
  merchant,
  shopper,
  swissShopper,
  transferBatch,
  transferFile,
} from './batches-fixture.js';
import { writeCreditTransfers } from './credit-transfer-file.js';
import {
  type CollectionSequence,
  type DirectDebit,
  writeDirectDebits,
} from './direct-debit-file.js';
import { type FileProblem, PROBLEMS_MAX } from './file-checks.js';
import { isCreditorId, type SepaParty } from './party-elements.js';
import { TRANSACTIONS_MAX, type WrittenFile } from './payment-file.js';
import { type MessageName, schemaErrors } from './schema-fixture.js';
import { readXml, type XmlElement } from './xml-document.js';

function contentOf(file: WrittenFile): string {
  if (file.kind !== 'written') throw new Error(JSON.stringify(file.problems));
  return file.content.reveal();
}

function problemsOf(file: WrittenFile): readonly FileProblem[] {
  return file.kind === 'refused' ? file.problems : [];
}

/** All texts of an element of this name, anywhere in the file, in order. */
function textsOf(file: WrittenFile, name: string): readonly string[] {
  const document = readXml(Buffer.from(contentOf(file)));
  if (document.kind !== 'document') throw new Error(document.reason);
  const within = (element: XmlElement): string[] => [
    ...(element.name === name ? [element.text] : []),
    ...element.children.flatMap(within),
  ];
  return within(document.root);
}

const messages: readonly (readonly [MessageName, WrittenFile])[] = [
  ['pain.008.001.08', writeDirectDebits(debitFile)],
  ['pain.001.001.09', writeCreditTransfers(transferFile)],
];

describe.each(messages)('a file of %s', (message, file) => {
  it('is valid by the published schema', () => {
    expect(file).toMatchObject({ kind: 'written', message });
    expect(schemaErrors(message, contentOf(file))).toEqual([]);
  });

  it('shows nobody its accounts, unless it is revealed', () => {
    for (const shown of [inspect(file, { depth: 9 }), JSON.stringify(file)]) {
      expect(shown).not.toMatch(/[0-9]{10}|<Document/u);
    }
  });

  it('would not be valid with an element less, one too many or in another place', () => {
    const xml = contentOf(file);
    for (const spoilt of [
      xml.replace(/<EndToEndId>[^<]*<\/EndToEndId>/u, ''),
      xml.replace('<ChrgBr>', '<Other/><ChrgBr>'),
      xml.replace(/(<PmtInfId>[^<]*<\/PmtInfId>)(<PmtMtd>[^<]*<\/PmtMtd>)/u, '$2$1'),
      xml.replace(/<IBAN>[A-Z]{2}/u, '<IBAN>12'),
      xml.replace('Ccy="EUR"', 'Ccy="euro"'),
      xml.replaceAll(message, 'pain.001.001.03'),
    ]) {
      expect(spoilt).not.toBe(xml);
      expect(schemaErrors(message, spoilt)).not.toEqual([]);
    }
  });
});

describe('a file of direct debits', () => {
  const sequences: readonly CollectionSequence[] = ['FRST', 'RCUR', 'OOFF', 'FNAL'];
  const batches = sequences.map((sequence, at) => ({
    ...debitBatch,
    id: `BATCH-${sequence}`,
    sequence,
    isBookedAsOne: at % 2 === 0,
    debits: [shopper, swissShopper].map((debtor, number) => ({
      ...debit,
      endToEndId: `E2E-${sequence}-${number}`,
      debtor,
    })),
  }));

  it('is, to the character, as it was written by hand from the schemes’ guidelines', () => {
    expect(contentOf(writeDirectDebits(debitFile))).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.08"><CstmrDrctDbtInitn>' +
        '<GrpHdr><MsgId>SLUICE-2026-11-24-1</MsgId><CreDtTm>2026-11-24T10:00:00Z</CreDtTm>' +
        '<NbOfTxs>1</NbOfTxs><CtrlSum>92.00</CtrlSum><InitgPty><Nm>Sluice</Nm></InitgPty></GrpHdr>' +
        '<PmtInf><PmtInfId>BATCH-1</PmtInfId><PmtMtd>DD</PmtMtd><NbOfTxs>1</NbOfTxs>' +
        '<CtrlSum>92.00</CtrlSum><PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl><LclInstrm><Cd>CORE</Cd>' +
        '</LclInstrm><SeqTp>FRST</SeqTp></PmtTpInf><ReqdColltnDt>2026-11-26</ReqdColltnDt>' +
        '<Cdtr><Nm>Backerei Ost + Sohne</Nm></Cdtr>' +
        '<CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>' +
        '<CdtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></CdtrAgt>' +
        '<ChrgBr>SLEV</ChrgBr><CdtrSchmeId><Id><PrvtId><Othr><Id>DE98ZZZ09999999999</Id>' +
        '<SchmeNm><Prtry>SEPA</Prtry></SchmeNm></Othr></PrvtId></Id></CdtrSchmeId>' +
        '<DrctDbtTxInf><PmtId><EndToEndId>8ac7a4a19ab80ce5019ab8e5a36a0001</EndToEndId></PmtId>' +
        '<InstdAmt Ccy="EUR">92.00</InstdAmt><DrctDbtTx><MndtRltdInf><MndtId>MANDATE-1</MndtId>' +
        '<DtOfSgntr>2025-02-28</DtOfSgntr></MndtRltdInf></DrctDbtTx>' +
        '<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>' +
        '<Dbtr><Nm>Eleni THeodoroy</Nm></Dbtr>' +
        '<DbtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></DbtrAcct>' +
        "<RmtInf><Ustrd>Order 4711: 3 . 'Grose L'</Ustrd></RmtInf></DrctDbtTxInf></PmtInf>" +
        '</CstmrDrctDbtInitn></Document>\n',
    );
  });

  it('takes every sequence, each in a batch of its own, and states the sums of each and of all', () => {
    const file = writeDirectDebits({ ...debitFile, batches });
    expect(schemaErrors('pain.008.001.08', contentOf(file))).toEqual([]);
    expect(textsOf(file, 'SeqTp')).toEqual(sequences);
    expect(textsOf(file, 'NbOfTxs')).toEqual(['8', '2', '2', '2', '2']);
    expect(textsOf(file, 'CtrlSum')).toEqual(['736.00', '184.00', '184.00', '184.00', '184.00']);
    expect(textsOf(file, 'BtchBookg')).toEqual(['true', 'false', 'true', 'false']);
  });

  it('names what is wrong, by its place and without its value', () => {
    const stranger = { ...shopper, name: '\u200b', iban: new Detail('NL91ABNA0417164301') };
    const wrong: DirectDebit = {
      endToEndId: 'a//b',
      amount: { minor: 100n, currency: currency('CHF') },
      mandate: { id: 'Ü', signedOn: '2026-02-30' },
      debtor: { ...stranger, bic: 'NOBANK', address: { city: '', country: 'Switzerland' } },
    };
    const file = writeDirectDebits({
      messageId: '',
      createdAt: '2026-11-24 10:00',
      initiatingParty: '???',
      batches: [
        { ...debitBatch, creditorId: 'DE97ZZZ09999999999', collectionDate: '2026-11-23' },
        { ...debitBatch, debits: [debit, wrong, { ...debit, endToEndId: 'x'.repeat(36) }] },
        { ...debitBatch, id: 'BATCH-3', debits: [] },
      ],
    });
    expect(problemsOf(file)).toEqual([
      { at: 'batches[0].collectionDate', reason: 'past' },
      { at: 'batches[0].creditorId', reason: 'creditorId' },
      { at: 'batches[1].id', reason: 'duplicate' },
      { at: 'batches[1].debits[0].endToEndId', reason: 'duplicate' },
      { at: 'batches[1].debits[1].endToEndId', reason: 'identifier' },
      { at: 'batches[1].debits[1].amount', reason: 'amount' },
      { at: 'batches[1].debits[1].mandate.id', reason: 'identifier' },
      { at: 'batches[1].debits[1].mandate.signedOn', reason: 'date' },
      { at: 'batches[1].debits[1].debtor.bic', reason: 'bankCode' },
      { at: 'batches[1].debits[1].debtor.name', reason: 'empty' },
      { at: 'batches[1].debits[1].debtor.address', reason: 'address' },
      { at: 'batches[1].debits[1].debtor.iban', reason: 'account' },
      { at: 'batches[1].debits[2].endToEndId', reason: 'identifier' },
      { at: 'batches[2].debits', reason: 'empty' },
      { at: 'messageId', reason: 'identifier' },
      { at: 'createdAt', reason: 'date' },
      { at: 'initiatingParty', reason: 'empty' },
    ]);
  });

  it('is refused where there is nothing in it, or too much', () => {
    expect(problemsOf(writeDirectDebits({ ...debitFile, batches: [] }))).toEqual([
      { at: 'batches', reason: 'empty' },
    ]);
    const half = (id: string): typeof debitBatch => ({
      ...debitBatch,
      id,
      debits: Array.from({ length: TRANSACTIONS_MAX / 2 + 1 }, (_each, number) => ({
        ...debit,
        endToEndId: `${id}-${number}`,
      })),
    });
    expect(
      problemsOf(writeDirectDebits({ ...debitFile, batches: [half('A'), half('B')] })),
    ).toEqual([{ at: 'batches', reason: 'tooMany' }]);
  });

  it('has no more problems than somebody reads', () => {
    const debits = Array.from({ length: PROBLEMS_MAX + 1 }, () => ({ ...debit, endToEndId: '' }));
    const file = writeDirectDebits({ ...debitFile, batches: [{ ...debitBatch, debits }] });
    expect(problemsOf(file)).toHaveLength(PROBLEMS_MAX);
  });

  it('takes a mandate of the day of its collection, and none of the day after', () => {
    const signed = (signedOn: string): WrittenFile =>
      writeDirectDebits({
        ...debitFile,
        batches: [{ ...debitBatch, debits: [{ ...debit, mandate: { id: 'M', signedOn } }] }],
      });
    expect(signed('2026-11-26').kind).toBe('written');
    expect(problemsOf(signed('2026-11-27'))).toEqual([
      { at: 'batches[0].debits[0].mandate.signedOn', reason: 'signedLater' },
    ]);
  });

  it.each([
    ['2026-11-24T10:00:00.123Z', 'written'],
    // Of no zone, or of another one: the day of the file would depend on who reads it.
    ['2026-11-24T10:00:00', 'refused'],
    ['2026-11-24T10:00:00+01:00', 'refused'],
    ['2026-11-24T25:00:00Z', 'refused'],
    ['2026-02-30T10:00:00Z', 'refused'],
  ])('made at %s is %s', (createdAt, kind) => {
    expect(writeDirectDebits({ ...debitFile, createdAt }).kind).toBe(kind);
  });

  it('collects only from accounts of the area, however their numbers are set', () => {
    const from = (iban: string): WrittenFile =>
      writeDirectDebits({
        ...debitFile,
        batches: [
          { ...debitBatch, debits: [{ ...debit, debtor: { ...shopper, iban: new Detail(iban) } }] },
        ],
      });
    expect(textsOf(from('nl91 abna 0417 1643 00'), 'IBAN')).toContain('NL91ABNA0417164300');
    // A right IBAN of Brazil, which is not of the area.
    expect(problemsOf(from('BR1800360305000010009795493C1'))).toHaveLength(1);
    expect(problemsOf(from(''))).toHaveLength(1);
  });
});

describe('a file of credit transfers', () => {
  it('has the creditor’s bank where it is known, and his address where it is given', () => {
    const file = writeCreditTransfers(transferFile);
    expect(textsOf(file, 'InstdAmt')).toEqual(['0.01', '1234.56']);
    expect(textsOf(file, 'CtrlSum')).toEqual(['1234.57', '1234.57']);
    expect(textsOf(file, 'BICFI')).toEqual(['COBADEFFXXX', 'POFICHBEXXX']);
    expect(textsOf(file, 'StrtNm')).toEqual(["Rue de l'Hopital"]);
    expect(textsOf(file, 'Ustrd')).toEqual(['Refund']);
  });

  it('names what is wrong', () => {
    const [transfer] = transferBatch.transfers;
    const file = writeCreditTransfers({
      ...transferFile,
      batches: [
        {
          ...transferBatch,
          executionDate: '2026-11-31',
          transfers: [transfer!, { ...transfer!, amount: euros(0n) }],
        },
      ],
    });
    expect(problemsOf(file)).toEqual([
      { at: 'batches[0].executionDate', reason: 'date' },
      { at: 'batches[0].transfers[1].endToEndId', reason: 'duplicate' },
      { at: 'batches[0].transfers[1].amount', reason: 'amount' },
    ]);
  });
});

describe('a creditor identifier', () => {
  it.each([
    'DE98ZZZ09999999999',
    'AT61ZZZ01234567890',
    'NL79ZZZ999999990000',
    // The business code is the creditor's own and is not checked.
    'DE98ABC09999999999',
  ])('is %s', (text) => {
    expect(isCreditorId(text)).toBe(true);
  });

  it.each(['DE97ZZZ09999999999', 'DE98ZZZ0999999999', 'FR98ZZZ09999999999', 'DE98', ''])(
    'is not %j',
    (text) => {
      expect(isCreditorId(text)).toBe(false);
    },
  );
});

describe('whatever is written', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ maxLength: 200 }).map((some) => `Zoë ${some}`),
  );
  const identifier = fc.oneof(
    { weight: 19, arbitrary: fc.stringMatching(/^[A-Za-z0-9?:(),.'+-]{1,35}$/u) },
    { weight: 1, arbitrary: fc.string({ maxLength: 36 }) },
  );
  const debits = fc.array(
    fc.record({
      endToEndId: identifier,
      amount: fc.bigInt({ min: 0n, max: 100_000_000_000n }).map(euros),
      mandate: fc.record({ id: identifier, signedOn: fc.constant('2025-01-01') }),
      debtor: fc
        .tuple(fc.constantFrom(shopper, swissShopper, merchant), text)
        .map(([known, name]): SepaParty => ({ ...known, name })),
      remittance: text,
    }),
    { minLength: 1, maxLength: 3 },
  );

  it('is valid by its schema', () => {
    let written = 0;
    fc.assert(
      fc.property(debits, (some) => {
        const batches = [{ ...debitBatch, debits: some }];
        const file = writeDirectDebits({ ...debitFile, batches });
        if (file.kind === 'refused') return;
        written += 1;
        expect(schemaErrors('pain.008.001.08', file.content.reveal())).toEqual([]);
      }),
      { numRuns: 500 },
    );
    // Else most of what was tried was refused, and nothing is proven.
    expect(written).toBeGreaterThan(100);
  });
});
