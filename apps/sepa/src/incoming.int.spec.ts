import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { schemaErrors } from '../test/schema-fixture.js';
import {
  AFTERNOON,
  debit,
  IBAN,
  MORNING,
  notification,
  referring,
  SepaWorld,
  statement,
  statusReport,
} from '../test/sepa-fixture.js';

let world: SepaWorld;
let service: Awaited<ReturnType<SepaWorld['start']>>;
beforeAll(async () => {
  world = await SepaWorld.open();
}, 60_000);
beforeEach(async () => {
  world.nowMs = Date.parse(MORNING);
  world.payments.answer = { kind: 'recorded' };
  world.payments.isAway = false;
  world.payments.asked.length = 0;
  service = await world.start();
  await world.rows('TRUNCATE sepa.cases, sepa.gatherings, sepa.read_files');
  await world.rows(
    "UPDATE sepa.orders SET state = 'returned' WHERE state IN ('waiting', 'inFile')",
  );
});
afterEach(() => world.endProcesses());
afterAll(() => world.close());

/** An order that is in a file, with what the bank speaks of it by. */
async function sent(more: Parameters<typeof debit>[0] = {}) {
  const order = debit(more);
  await service.place(order);
  world.nowMs = Date.parse(AFTERNOON);
  await service.look();
  const text = 'SELECT file, batch FROM sepa.orders WHERE reference = $1';
  const [row] = await world.rows<{ file: string; batch: string }>(text, [order.reference]);
  return { reference: order.reference, messageId: row?.file ?? '', batch: row?.batch ?? '' };
}

async function bring(content: string, name = 'from-the-bank.xml'): Promise<void> {
  await world.bring(name, content);
  await service.look();
}

const chargebacksOf = (reference: string) =>
  world.payments.asked.filter(({ referencedId }) => referencedId === reference);

describe('the fixtures', () => {
  it('are files that a bank may send, by the published schemas', () => {
    const { reference } = debit();
    expect(schemaErrors('camt.054.001.08', notification(reference))).toEqual([]);
    expect(schemaErrors('camt.053.001.08', statement(reference))).toEqual([]);
    const report = statusReport('SLU-1', { reference, batch: 'OOFF-1' });
    expect(schemaErrors('pain.002.001.10', report)).toEqual([]);
  });
});

describe('a debit that comes back', () => {
  it('is charged back with the reason of the bank, and its file is put with those read', async () => {
    const { reference } = await sent();
    await bring(notification(reference, { reason: 'AM04' }));
    expect(chargebacksOf(reference)).toEqual([
      {
        transactionId: expect.stringMatching(/^[0-9a-f]{32}$/u),
        referencedId: reference,
        amount: { minor: '9200', currency: 'EUR' },
        resultCode: '000.100.203',
      },
    ]);
    expect(await world.stateOf(reference)).toBe('returned');
    expect(await world.incoming('read')).toContainEqual(expect.stringContaining('from-the-bank'));
    expect(await world.cases()).toEqual([]);
  });

  it('is one chargeback, whether it comes in a report, a notification, a statement or all twice', async () => {
    const { reference, messageId, batch } = await sent();
    await bring(statusReport(messageId, { reference, batch }));
    await bring(notification(reference));
    await bring(notification(reference));
    await bring(notification(reference, { id: 'N-2' }));
    await bring(statement(reference));
    expect(chargebacksOf(reference)).toHaveLength(1);
    expect(await world.stateOf(reference)).toBe('rejected');
    expect(await world.cases()).toEqual([]);
  });

  it.each(['CODU', 'COPY', 'DUPL'])(
    'is charged back by a report that calls itself %s: the first one may never have arrived',
    async (word) => {
      const { reference } = await sent();
      const copy = notification(reference).replace(
        '<Acct>',
        `<CpyDplctInd>${word}</CpyDplctInd><Acct>`,
      );
      expect(schemaErrors('camt.054.001.08', copy)).toEqual([]);
      await bring(copy);
      expect(chargebacksOf(reference)).toHaveLength(1);
      await bring(notification(reference));
      expect(chargebacksOf(reference)).toHaveLength(1);
      expect(await world.cases()).toEqual([]);
    },
  );

  it('is given back once: its refund is in no file, and a person is told', async () => {
    const { reference } = await sent();
    const refund = referring('refund', reference);
    expect(await service.place(refund)).toMatchObject({ kind: 'approved' });
    await bring(notification(reference));
    expect(await world.cases()).toEqual(['refundWithheld']);
    expect(await world.stateOf(refund.reference)).toBe('cancelled');
    const before = await world.outgoing();
    await world.rows('TRUNCATE sepa.gatherings');
    await service.look();
    expect(await world.outgoing()).toEqual(before);
    expect(chargebacksOf(reference)).toHaveLength(1);
  });

  it('is charged back whatever was refunded of it before, which the bank has', async () => {
    const { reference } = await sent();
    const refund = referring('refund', reference);
    await service.place(refund);
    await world.rows('TRUNCATE sepa.gatherings');
    await service.look();
    await bring(notification(reference));
    expect(await world.stateOf(refund.reference)).toBe('inFile');
    expect(await world.cases()).toEqual([]);
    expect(chargebacksOf(reference)).toHaveLength(1);
  });

  it('is asked for under one id until payments has recorded it, whatever crashes', async () => {
    const { reference } = await sent();
    world.payments.isAway = true;
    await bring(notification(reference));
    expect(await world.stateOf(reference)).toBe('returned');
    await service.close();
    world.payments.isAway = false;
    world.payments.answer = { kind: 'again' };
    service = await world.start();
    await service.look();
    const before = chargebacksOf(reference).length;
    world.payments.answer = { kind: 'recorded' };
    await service.look();
    await service.look();
    const asked = chargebacksOf(reference);
    expect(asked).toHaveLength(before + 1);
    expect(new Set(asked.map(({ transactionId }) => transactionId)).size).toBe(1);
  });

  it('is a case for a person where the payment cannot be charged back', async () => {
    const { reference } = await sent();
    world.payments.answer = { kind: 'refused', resultCode: '700.400.400' };
    await bring(notification(reference));
    await service.look();
    expect(await world.cases()).toEqual(['chargebackRefused']);
    expect(chargebacksOf(reference)).toHaveLength(1);
  });
});

describe('a status report', () => {
  it('moves what is accepted, and charges back what is rejected', async () => {
    const { reference, messageId, batch } = await sent();
    await bring(statusReport(messageId, { group: 'ACCP' }));
    expect(await world.stateOf(reference)).toBe('accepted');
    await bring(statusReport(messageId, { reference, batch, reason: 'MD01' }));
    expect(await world.stateOf(reference)).toBe('rejected');
    expect(chargebacksOf(reference)[0]?.resultCode).toMatch(/^000\.100\.2/u);
  });

  it('charges back all orders of a file that is rejected as a whole', async () => {
    const one = debit();
    await service.place(one);
    const { reference, messageId } = await sent();
    await bring(statusReport(messageId, { group: 'RJCT' }));
    expect(chargebacksOf(one.reference)).toHaveLength(1);
    expect(chargebacksOf(reference)).toHaveLength(1);
  });
});

describe('a case for a person', () => {
  it.each([
    ['an order that nobody knows', notification(debit().reference), 'unknownOrder'],
    ['a reference that is not ours', notification(`IBAN ${IBAN}`), 'unknownOrder'],
    ['a file that nobody sent', statusReport('SLU-UNKNOWN'), 'unknownFile'],
  ])('is opened for %s', async (_, content, kind) => {
    await bring(content);
    expect(await world.cases()).toEqual([kind]);
    expect(world.logged() + (await world.everything())).not.toContain(IBAN);
  });

  it('is opened for another amount, which charges nothing back', async () => {
    const { reference } = await sent();
    await bring(notification(reference, { amount: '91.00' }));
    expect(await world.cases()).toEqual(['differentAmount']);
    expect(await world.stateOf(reference)).toBe('inFile');
    // As somebody who has looked corrects it.
    await bring(notification(reference));
    expect(chargebacksOf(reference)).toHaveLength(1);
  });

  it('is opened for money that goes back and is not called a return, and for no other booking', async () => {
    const { reference } = await sent();
    const booked = (direction: string) =>
      notification(reference, { direction }).replace(/<RtrInf>.*<\/RtrInf>/u, '');
    expect(schemaErrors('camt.054.001.08', booked('DBIT'))).toEqual([]);
    await bring(booked('CRDT'));
    expect(await world.cases()).toEqual([]);
    await bring(booked('DBIT'));
    expect(await world.cases()).toEqual(['unexplained']);
    expect(chargebacksOf(reference)).toEqual([]);
    expect(await world.stateOf(reference)).toBe('inFile');
  });

  it('is opened once for a file that the bank says it has had before', async () => {
    await service.place(debit());
    const { reference, messageId } = await sent();
    const reason =
      '</OrgnlMsgNmId><GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>AM05</Cd></Rsn></StsRsnInf>';
    const report = statusReport(messageId, { group: 'RJCT' }).replace(
      '</OrgnlMsgNmId><GrpSts>RJCT</GrpSts>',
      reason,
    );
    expect(schemaErrors('pain.002.001.10', report)).toEqual([]);
    await bring(report);
    expect(await world.cases()).toEqual(['repeatedFile']);
    expect(await world.stateOf(reference)).toBe('inFile');
    expect(world.payments.asked).toEqual([]);
  });

  it('is opened for a return of what was taken back before it was in a file', async () => {
    const order = debit();
    await service.place(order);
    await service.cancel(order.reference);
    await bring(notification(order.reference));
    expect(await world.cases()).toEqual(['unexpected']);
  });

  it('is opened for a transfer that came back: the money is there, and the payment stays', async () => {
    const paid = await sent();
    const refund = referring('refund', paid.reference);
    await service.place(refund);
    await world.rows('TRUNCATE sepa.gatherings');
    await service.look();
    await bring(notification(refund.reference, { direction: 'CRDT', reason: 'AC04' }));
    expect(await world.cases()).toEqual(['creditReturned']);
    expect(await world.stateOf(refund.reference)).toBe('returned');
    expect(world.payments.asked).toEqual([]);
  });
});

describe('what is no file of a bank', () => {
  const LAUGHS = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><l>&b;</l>';

  it.each([
    ['rubbish', 'Dear customer,', 'no whole XML document'],
    ['half a file', notification(debit().reference).slice(0, 400), 'no whole XML document'],
    ['a billion laughs', LAUGHS, 'document type'],
    ['another message', '<Document xmlns="urn:example"/>', 'none of pain.002'],
    ['nothing', '', 'no whole XML document'],
    ['a broken date', statusReport('S').replace('2026-11-25T', '2026-13-45T'), 'cannot be read'],
  ])(
    '%s is put aside with a sentence, and what comes after it is read',
    async (_, content, why) => {
      const { reference } = await sent();
      await world.bring('a.xml', content);
      await world.bring('b.xml', notification(reference));
      await service.look();
      expect(chargebacksOf(reference)).toHaveLength(1);
      const refused = await world.incoming('refused');
      const sentence = refused.filter((name) => name.endsWith('-a.xml.txt')).at(-1) ?? '';
      expect(refused).toContain(sentence.replace(/\.txt$/u, ''));
      const all = await Promise.all(
        refused
          .filter((name) => name.endsWith('.txt'))
          .map((name) => readFile(join(world.folder, 'incoming', 'refused', name), 'utf8')),
      );
      expect(all.join('\n')).toContain(why);
    },
  );

  it('is refused by its size alone', async () => {
    await world.bring('large.xml', Buffer.alloc(100 * 1024 * 1024, 'x'));
    await service.look();
    const refused = await world.incoming('refused');
    const sentence = refused.find((name) => name.endsWith('-large.xml.txt')) ?? '';
    const path = join(world.folder, 'incoming', 'refused', sentence);
    expect(await readFile(path, 'utf8')).toMatch(/^It is larger than 16777216 bytes/u);
  });

  it('holds up no other file where it cannot be put aside, and its name is in no log', async () => {
    const { reference } = await sent();
    const content = notification(debit().reference);
    const name = `${IBAN}.xml`;
    const hash = createHash('sha256').update(content).digest('hex');
    const taken = join(world.folder, 'incoming', 'read', `${hash.slice(0, 12)}-${name}`);
    await mkdir(taken);
    await world.bring(name, content);
    await world.bring('z.xml', notification(reference));
    await service.look();
    expect(chargebacksOf(reference)).toHaveLength(1);
    expect(world.logged()).toContain('A file of the bank cannot be used (rename: EISDIR).');
    expect(world.logged()).not.toContain(IBAN);
    await rmdir(taken);
    await service.look();
    expect(await world.incoming('read')).toContain(basename(taken));
  });

  it('may have a name as long as any, of which the end stays', async () => {
    await bring(notification(debit().reference), `${'ö'.repeat(120)}.xml`);
    const read = await world.incoming('read');
    expect(read).toContainEqual(expect.stringMatching(/^[0-9a-f]{12}-ö{46}\.xml$/u));
  });

  it('is not touched while it has the name of an unfinished one', async () => {
    await world.bring('.unfinished', 'half');
    await service.look();
    expect(await world.incoming('refused')).not.toContainEqual(
      expect.stringMatching(/unfinished/u),
    );
  });
});
