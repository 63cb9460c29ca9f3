import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { schemaErrors } from '../test/schema-fixture.js';
import { AFTERNOON, debit, IBAN, referring, SepaWorld } from '../test/sepa-fixture.js';
import { KEPT_DAYS } from './retention.js';

let world: SepaWorld;
beforeEach(async () => {
  world = await SepaWorld.open();
}, 60_000);
afterEach(() => world.close());

const DAY_MS = 24 * 60 * 60 * 1_000;

function batchIdsIn(text: string): readonly string[] {
  return [...text.matchAll(/<PmtInfId>(.*?)<\/PmtInfId>/gu)].map(([, id = '']) => id);
}

describe('the orders of an entity whose clock is ahead', () => {
  const entityId = 'e'.repeat(32);
  const day = (date: string): number => Date.parse(`${date}T00:00:00Z`);

  it('are due by that clock, and are in files of their own, of its days', async () => {
    const { place, look, nextDueMs, doWhatIsDue } = await world.start();
    world.ahead.set(entityId, day('2031-01-07') - world.nowMs);
    const [first, later] = [debit({ entityId }), debit({ entityId, dueOn: '2031-02-14' })];
    const beside = debit();
    for (const each of [first, later, beside]) await place(each);
    // A debit of nobody whose clock is ahead may not be a year ahead either.
    const tooLate = await place(debit({ dueOn: '2031-02-14' }));
    expect(tooLate).toMatchObject({ kind: 'declined' });
    expect(await nextDueMs(entityId)).toBe(0);
    expect(await doWhatIsDue(entityId)).toBe(1);
    const [name = '', ...others] = await world.outgoing();
    expect([name.slice(0, 8), others]).toEqual(['20310107', []]);
    const text = await world.readOutgoing(name);
    expect(text).toContain(first.reference);
    expect(text).not.toContain(later.reference);
    // Two bank days before a Friday.
    expect(await nextDueMs(entityId)).toBe(day('2031-02-12'));
    world.ahead.set(entityId, day('2031-02-12') - world.nowMs);
    expect(await doWhatIsDue(entityId)).toBe(1);
    expect(await nextDueMs(entityId)).toBeNull();
    const second = await world.readOutgoing((await world.outgoing()).at(-1) ?? '');
    expect(second).toContain(later.reference);
    expect(second).toContain('<ReqdColltnDt>2031-02-14</ReqdColltnDt>');
    world.nowMs = Date.parse(AFTERNOON);
    await look();
    const own = (await world.outgoing()).find((each) => each.startsWith('20261124')) ?? '';
    expect(await world.readOutgoing(own)).toContain(beside.reference);
  });
});

describe('the files of a day', () => {
  it('are made after the cut-off, once a day, and are valid by the published schema', async () => {
    const { place, look } = await world.start();
    const wanted = [debit(), debit(), debit({ sequence: 'RCUR' })];
    for (const each of wanted) await place(each);
    await look();
    expect(await world.outgoing()).toEqual([]);
    world.nowMs = Date.parse(AFTERNOON);
    await look();
    const [name = '', ...others] = await world.outgoing();
    expect(name).toMatch(/^20261124T140000-demo-pain\.008-[0-9a-f]{8}\.xml$/);
    expect(others).toEqual([]);
    const text = await world.readOutgoing(name);
    expect(schemaErrors('pain.008.001.08', text)).toEqual([]);
    for (const { reference } of wanted) expect(text.split(reference)).toHaveLength(2);
    expect(text).toContain(`<IBAN>${IBAN}</IBAN>`);
    // A batch of each sequence, on Thursday.
    const mark = /-([0-9a-f]{8})\.xml$/u.exec(name)?.[1] ?? '';
    expect(batchIdsIn(text)).toEqual([`OOFF-2026-11-26-${mark}`, `RCUR-2026-11-26-${mark}`]);
    await place(debit());
    await look();
    expect(await world.outgoing()).toHaveLength(1);
    world.nowMs += DAY_MS;
    await look();
    expect(await world.outgoing()).toHaveLength(2);
  });

  it('share no name of a batch, by which a bank knows repetitions, on whatever days they are made', async () => {
    const { place, look } = await world.start();
    for (const day of ['2026-11-28', '2026-11-30']) {
      world.nowMs = Date.parse(`${day}T09:00:00Z`);
      await place(debit());
      world.nowMs = Date.parse(`${day}T14:00:00Z`);
      await look();
    }
    const texts = await Promise.all(
      (await world.outgoing()).map((name) => world.readOutgoing(name)),
    );
    // Of a Saturday and of the Monday after it, to be collected on the same Wednesday.
    expect(texts.map((text) => /<ReqdColltnDt>(.*?)</u.exec(text)?.[1])).toEqual([
      ...['2026-12-02', '2026-12-02'],
    ]);
    expect(new Set(texts.flatMap(batchIdsIn)).size).toBe(2);
  });

  it('are read by nobody else on the machine, and their names are in the log alone', async () => {
    const { place, look } = await world.start();
    await place(debit());
    world.nowMs = Date.parse(AFTERNOON);
    await look();
    const [name = ''] = await world.outgoing();
    const { mode } = await stat(join(world.folder, 'outgoing', name));
    expect(mode & 0o777).toBe(0o600);
    expect(world.logged() + (await world.everything())).not.toContain(IBAN);
  });

  it('have no order that was taken back, and an order that is in one cannot be', async () => {
    const { place, look, cancel } = await world.start();
    const [kept, taken] = [debit(), debit()];
    for (const each of [kept, taken]) await place(each);
    await cancel(taken.reference);
    world.nowMs = Date.parse(AFTERNOON);
    await look();
    const text = await world.readOutgoing((await world.outgoing())[0] ?? '');
    expect(text).toContain(kept.reference);
    expect(text).not.toContain(taken.reference);
    expect(await cancel(kept.reference)).toEqual({ kind: 'underWay' });
    const reversal = await place(referring('reversal', kept.reference));
    expect(reversal).toMatchObject({ kind: 'declined', resultCode: '700.300.700' });
  });

  it('wait with what is due later', async () => {
    const { place, look } = await world.start();
    const later = debit({ dueOn: '2026-12-05' });
    await place(later);
    world.nowMs = Date.parse(AFTERNOON);
    await look();
    expect(await world.outgoing()).toEqual([]);
    world.nowMs = Date.parse('2026-12-03T15:00:00Z');
    await look();
    const text = await world.readOutgoing((await world.outgoing())[0] ?? '');
    // The fifth is a Saturday.
    expect(text).toContain('<ReqdColltnDt>2026-12-07</ReqdColltnDt>');
  });

  it('are of transfers for refunds and credits, to the account of the payment', async () => {
    const { place, look } = await world.start();
    const paid = debit();
    const refund = referring('refund', paid.reference, '1000');
    for (const each of [paid, refund]) await place(each);
    await place(debit({ operation: 'credit' }));
    world.nowMs = Date.parse(AFTERNOON);
    await look();
    const [transfers = '', debits = ''] = await world.outgoing();
    expect([transfers, debits].map((name) => name.slice(21, 29))).toEqual(['pain.001', 'pain.008']);
    const text = await world.readOutgoing(transfers);
    expect(schemaErrors('pain.001.001.09', text)).toEqual([]);
    expect(text).toContain('<NbOfTxs>2</NbOfTxs><CtrlSum>102.00</CtrlSum>');
    expect(text).toContain('10.00');
  });
});

describe('a refund', () => {
  it('waits until its debit is in a file, however long that is', async () => {
    const { place, look } = await world.start();
    const later = debit({ dueOn: '2026-12-07' });
    const refund = referring('refund', later.reference);
    for (const each of [later, refund]) await place(each);
    world.nowMs = Date.parse(AFTERNOON);
    await look();
    expect(await world.outgoing()).toEqual([]);
    world.nowMs = Date.parse('2026-12-03T15:00:00Z');
    await look();
    const names = (await world.outgoing()).map((name) => name.slice(21, 29));
    expect(names).toEqual(['pain.001', 'pain.008']);
  });
});

describe('a refund of a debit that is collected no more', () => {
  it.each(['returned', 'rejected', 'cancelled'])(
    'is withheld and told to a person, and does not keep the account for ever: %s',
    async (state) => {
      const { place, look } = await world.start();
      const paid = debit({ dueOn: '2026-12-07' });
      const other = debit({ dueOn: '2026-12-07' });
      const [refund, waiting] = [paid, other].map(({ reference }) =>
        referring('refund', reference, '1000'),
      );
      if (refund === undefined || waiting === undefined) throw new Error('no refunds');
      for (const each of [paid, other, refund, waiting]) await place(each);
      world.nowMs = Date.parse(AFTERNOON);
      // As a version has left it that knew nothing of such refunds.
      await world.rows(
        `UPDATE sepa.orders SET state = '${state}' WHERE reference = '${paid.reference}'`,
      );
      await look();
      expect(await world.stateOf(refund.reference)).toBe('cancelled');
      expect(await world.stateOf(waiting.reference)).toBe('waiting');
      expect(await world.cases()).toEqual(['refundWithheld']);
      await look();
      expect(await world.cases()).toEqual(['refundWithheld']);
      expect(world.vault.kept.size).toBe(2);
      await world.endProcesses();
      world.nowMs += (KEPT_DAYS + 1) * DAY_MS;
      await (await world.start()).look();
      expect(world.vault.kept.size).toBe(0);
    },
  );
});

describe('a crash', () => {
  it('after orders were put into a file leaves them in that one file', async () => {
    const first = await world.start();
    const wanted = [debit(), debit()];
    for (const each of wanted) await first.place(each);
    world.nowMs = Date.parse(AFTERNOON);
    // The vault is away when the bytes are to be made: the process goes no further than the rows.
    world.vault.isAway = true;
    await first.look();
    expect(await world.outgoing()).toEqual([]);
    await first.close();
    world.vault.isAway = false;
    world.nowMs += DAY_MS;
    await (await world.start()).look();
    const names = await world.outgoing();
    expect(names).toHaveLength(1);
    expect(await world.readOutgoing(names[0] ?? '')).toContain('<NbOfTxs>2</NbOfTxs>');
  });

  it('before the file was noted as written leaves the same bytes under the same name', async () => {
    const first = await world.start();
    await first.place(debit());
    world.nowMs = Date.parse(AFTERNOON);
    await first.look();
    const names = await world.outgoing();
    const before = await world.readOutgoing(names[0] ?? '');
    await first.close();
    await world.rows('UPDATE sepa.files SET written_at = NULL, sha256 = NULL');
    // Lost with the machine, before it was on the disk.
    await rm(join(world.folder, 'outgoing', names[0] ?? ''));
    world.nowMs += DAY_MS;
    await (await world.start()).look();
    expect(await world.outgoing()).toEqual(names);
    expect(await world.readOutgoing(names[0] ?? '')).toBe(before);
  });

  it('while a file was being written leaves nothing of it with accounts in clear', async () => {
    await (await world.start()).close();
    await writeFile(join(world.folder, 'outgoing', 'a.xml.0123456789ab'), IBAN);
    await world.start();
    expect(await world.outgoing()).toEqual([]);
  });
});

describe('the accounts', () => {
  it('are forgotten when the time for returns and refunds is over', async () => {
    const first = await world.start();
    const paid = debit();
    await first.place(paid);
    world.nowMs = Date.parse(AFTERNOON);
    await first.look();
    world.nowMs += (KEPT_DAYS - 1) * DAY_MS;
    await (await world.start()).look();
    expect(world.vault.kept.size).toBe(1);
    world.nowMs += 2 * DAY_MS;
    const last = await world.start();
    await last.look();
    expect(world.vault.kept.size).toBe(0);
    const refund = await last.place(referring('refund', paid.reference));
    expect(refund).toMatchObject({ kind: 'refused', reason: expect.stringContaining('forgotten') });
  });

  it('of what came to nothing are forgotten after a day', async () => {
    const first = await world.start();
    const { reference, ...rest } = debit();
    await first.place({ reference, ...rest });
    await first.cancel(reference);
    world.nowMs += 2 * DAY_MS;
    await (await world.start()).look();
    expect(world.vault.kept.size).toBe(0);
  });
});
