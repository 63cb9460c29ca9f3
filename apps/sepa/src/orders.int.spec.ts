import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { debit, HOLDER, IBAN, referring, SepaWorld } from '../test/sepa-fixture.js';
import { PLACING_MAX_MS } from './orders.js';

let world: SepaWorld;
beforeAll(async () => {
  world = await SepaWorld.open();
}, 60_000);
afterEach(() => {
  world.vault.isAway = false;
  world.vault.holdsNothing = false;
  return world.endProcesses();
});
afterAll(() => world.close());

const DUE_ON = 'SELECT due_on::text FROM sepa.orders WHERE reference = $1';
const dueOn = (day?: string) => (day === undefined ? {} : { dueOn: day });

describe('an order', () => {
  it('is approved once it is recorded and the vault keeps its account', async () => {
    const { place, order } = await world.start();
    const wanted = debit();
    const approved = { kind: 'approved', id: wanted.reference };
    expect(await place(wanted)).toEqual(approved);
    expect(await order(wanted.reference)).toEqual(approved);
    expect(world.vault.kept.size).toBe(1);
  });

  it('is one order, however often and at once it is placed', async () => {
    const { place } = await world.start();
    const wanted = debit();
    await Promise.all([place(wanted), place(wanted), place(wanted)]);
    expect(await place(wanted)).toEqual({ kind: 'approved', id: wanted.reference });
    const text = 'SELECT count(*)::int FROM sepa.orders WHERE reference = $1';
    expect(await world.rows(text, [wanted.reference])).toEqual([{ count: 1 }]);
  });

  it('has no account and no name in tables and log', async () => {
    const { place } = await world.start();
    await place(debit());
    const all = (await world.everything()) + world.logged();
    for (const secret of [IBAN, IBAN.slice(4), HOLDER, 'MANDATE-ONE']) {
      expect(all).not.toContain(secret);
    }
  });

  it.each([
    ['of live money, for a creditor of tests', { mode: 'LIVE' } as const],
    ['for a creditor that nobody knows', { creditor: 'nobody' }],
  ])('%s is refused, and nothing is recorded', async (_, more) => {
    const { place, order } = await world.start();
    const wanted = debit(more);
    expect(await place(wanted)).toMatchObject({ kind: 'refused' });
    expect(await order(wanted.reference)).toEqual({ kind: 'notFound' });
  });

  it('that is due in years is declined', async () => {
    const { place } = await world.start();
    const answer = await place(debit({ dueOn: '2029-01-01' }));
    expect(answer).toMatchObject({ kind: 'declined', resultCode: '100.500.301' });
  });

  it('whose account the vault does not hold any more is refused', async () => {
    const { place, order } = await world.start();
    world.vault.holdsNothing = true;
    const wanted = debit();
    expect(await place(wanted)).toMatchObject({ kind: 'refused' });
    expect(await order(wanted.reference)).toEqual({ kind: 'notFound' });
  });

  it('whose placing was broken off is given up by the question, and by that for good', async () => {
    const { place, order } = await world.start();
    world.vault.isAway = true;
    const wanted = debit();
    await expect(place(wanted)).rejects.toThrow();
    expect(await order(wanted.reference)).toEqual({ kind: 'underWay' });
    world.nowMs += PLACING_MAX_MS + 1;
    expect(await order(wanted.reference)).toEqual({ kind: 'notFound' });
    world.vault.isAway = false;
    expect(await place(wanted)).toEqual({ kind: 'notFound' });
  });
});

describe('an authorization', () => {
  it('is no debit; its captures are, by its account', async () => {
    const { place } = await world.start();
    const authorized = debit({ operation: 'authorization' });
    await place(authorized);
    expect(await world.stateOf(authorized.reference)).toBe('authorized');
    const captured = referring('capture', authorized.reference, '5000');
    expect(await place(captured)).toMatchObject({ kind: 'approved' });
    expect(await world.stateOf(captured.reference)).toBe('waiting');
    const text = 'SELECT DISTINCT account FROM sepa.orders WHERE reference = ANY ($1)';
    const both = [[authorized.reference, captured.reference]];
    expect(await world.rows(text, both)).toHaveLength(1);
  });

  it.each([
    ['on its own day', '2026-12-10', '2026-12-20', '2026-12-20'],
    ["on the authorization's, if it says none", '2026-12-10', undefined, '2026-12-10'],
    ['on its own day alone', undefined, '2026-12-20', '2026-12-20'],
    ['in the next file, if neither says one', undefined, undefined, null],
  ])('is captured %s', async (_, ofAuthorization, ofCapture, day) => {
    const { place } = await world.start();
    const authorized = debit({ operation: 'authorization', ...dueOn(ofAuthorization) });
    await place(authorized);
    const captured = { ...referring('capture', authorized.reference), ...dueOn(ofCapture) };
    expect(await place(captured)).toMatchObject({ kind: 'approved' });
    expect(await world.rows(DUE_ON, [captured.reference])).toEqual([{ due_on: day }]);
  });

  it.each([
    ['before its authorization', '2026-12-09'],
    ['in years', '2029-01-01'],
  ])('is not captured %s', async (_, day) => {
    const { place, order } = await world.start();
    const authorized = debit({ operation: 'authorization', dueOn: '2026-12-10' });
    await place(authorized);
    const captured = { ...referring('capture', authorized.reference), dueOn: day };
    expect(await place(captured)).toMatchObject({ kind: 'declined', resultCode: '100.500.301' });
    expect(await order(captured.reference)).toEqual({ kind: 'notFound' });
    expect(await world.stateOf(authorized.reference)).toBe('authorized');
  });

  it('that was reversed is not captured any more', async () => {
    const { place } = await world.start();
    const authorized = debit({ operation: 'authorization' });
    await place(authorized);
    expect(await place(referring('reversal', authorized.reference))).toMatchObject({
      kind: 'approved',
    });
    const captured = await place(referring('capture', authorized.reference));
    expect(captured).toMatchObject({ kind: 'refused' });
  });
});

describe('a reversal', () => {
  it('takes back what is in no file yet, once', async () => {
    const { place, order } = await world.start();
    const wanted = debit();
    await place(wanted);
    const reversal = referring('reversal', wanted.reference);
    const done = { kind: 'approved', id: reversal.reference };
    expect(await place(reversal)).toEqual(done);
    expect(await place(reversal)).toEqual(done);
    expect(await order(reversal.reference)).toEqual(done);
    expect(await order(wanted.reference)).toEqual({ kind: 'cancelled', id: wanted.reference });
    const again = await place(referring('reversal', wanted.reference));
    expect(again).toMatchObject({ kind: 'declined', resultCode: '700.300.300' });
  });

  it('by reference may be repeated, and finds nothing where there is nothing', async () => {
    const { place, cancel } = await world.start();
    const { reference, ...rest } = debit();
    await place({ reference, ...rest });
    for (let round = 0; round < 3; round += 1) {
      expect(await cancel(reference)).toEqual({ kind: 'cancelled', id: reference });
    }
    expect(await cancel(debit().reference)).toEqual({ kind: 'notFound' });
  });
});

describe('a mandate', () => {
  const AS_SIGNED = 'hash of all it says';
  let mandates = 0;
  /** One that no other spec collects by. */
  function newMandate() {
    mandates += 1;
    return { id: `hash of the id of mandate ${mandates}`, terms: AS_SIGNED };
  }
  const used = { kind: 'declined', resultCode: '100.500.303', reason: 'mandateIsUsed' };
  const sequencesOf = async (id: string) =>
    (
      await world.rows<{ sequence: string }>(
        'SELECT sequence FROM sepa.orders WHERE mandate = $1 ORDER BY placed_at, reference',
        [id],
      )
    ).map(({ sequence }) => sequence);

  it('that was collected as the only one is over, and nothing is recorded', async () => {
    const { place, order } = await world.start();
    const mandate = newMandate();
    const first = debit({ mandate });
    expect(await place(first)).toMatchObject({ kind: 'approved' });
    for (const sequence of ['OOFF', 'RCUR'] as const) {
      const second = debit({ mandate, sequence });
      expect(await place(second)).toMatchObject(used);
      expect(await order(second.reference)).toEqual({ kind: 'notFound' });
    }
    // Placed again, it is no second one.
    expect(await place(first)).toMatchObject({ kind: 'approved' });
    expect(await sequencesOf(mandate.id)).toEqual(['OOFF']);
  });

  it('is collected as the only one by one of several orders at once', async () => {
    const { place } = await world.start();
    const mandate = newMandate();
    const answers = await Promise.all([1, 2, 3].map(() => place(debit({ mandate }))));
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['approved', 'declined', 'declined']);
  });

  it('for several stays one for several, whatever the next request alone would be', async () => {
    const { place } = await world.start();
    const mandate = newMandate();
    for (const sequence of ['RCUR', 'OOFF', 'RCUR'] as const) {
      expect(await place(debit({ mandate, sequence }))).toMatchObject({ kind: 'approved' });
    }
    expect(await sequencesOf(mandate.id)).toEqual(['RCUR', 'RCUR', 'RCUR']);
  });

  it('goes on with the captures of an authorization', async () => {
    const { place } = await world.start();
    const mandate = newMandate();
    const authorized = debit({ mandate, operation: 'authorization', sequence: 'RCUR' });
    await place(authorized);
    for (const minor of ['4000', '5000']) {
      const captured = await place(referring('capture', authorized.reference, minor));
      expect(captured).toMatchObject({ kind: 'approved' });
    }
    expect(await sequencesOf(mandate.id)).toEqual(['RCUR', 'RCUR', 'RCUR']);
  });

  it('that says something else than before is refused', async () => {
    const { place } = await world.start();
    const mandate = newMandate();
    await place(debit({ mandate, sequence: 'RCUR' }));
    const changed = { ...mandate, terms: 'hash of another account' };
    expect(await place(debit({ mandate: changed, sequence: 'RCUR' }))).toMatchObject({
      ...{ kind: 'declined', resultCode: '100.500.303', reason: 'mandateDiffers' },
    });
  });

  it('is free again when its order was taken back or never kept', async () => {
    const { place, cancel } = await world.start();
    const mandate = newMandate();
    const takenBack = debit({ mandate });
    await place(takenBack);
    await cancel(takenBack.reference);
    world.vault.holdsNothing = true;
    await place(debit({ mandate: { ...mandate, terms: 'misspelt' } }));
    world.vault.holdsNothing = false;
    expect(await place(debit({ mandate }))).toMatchObject({ kind: 'approved' });
  });

  it('of one creditor says nothing of the same id of another one', async () => {
    const { place } = await world.start();
    const mandate = newMandate();
    await place(debit({ mandate }));
    await world.rows(`UPDATE sepa.orders SET creditor = 'other' WHERE mandate = $1`, [mandate.id]);
    expect(await place(debit({ mandate }))).toMatchObject({ kind: 'approved' });
  });

  it.each([
    ['rejected', 'approved'],
    ['returned', 'declined'],
  ] as const)('whose collection the bank has %s: the next one is %s', async (state, kind) => {
    const { place } = await world.start();
    const mandate = newMandate();
    const first = debit({ mandate });
    await place(first);
    await world.rows('UPDATE sepa.orders SET state = $2 WHERE reference = $1', [
      ...[first.reference, state],
    ]);
    expect(await place(debit({ mandate }))).toMatchObject({ kind });
  });
});
