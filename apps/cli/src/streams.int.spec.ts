import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Ran, sluice } from './command-line-fixture.js';
import { type CapturedPayment, PaymentsFixture } from './payments-fixture.js';

const fixture = new PaymentsFixture();
let payment: CapturedPayment;

beforeAll(async () => {
  payment = await fixture.capturedPayment();
});

function show(line: string): Promise<Ran> {
  return sluice(`streams show ${line}`, { environment: fixture.environment });
}

/** When each event was recorded, in its order. */
async function instants(): Promise<string[]> {
  const shown = (await show(`${payment.id} --json`)).json() as { events: { recordedAt: string }[] };
  return shown.events.map(({ recordedAt }) => recordedAt);
}

describe('a payment of which 60 of 100 were captured and 10 refunded', () => {
  it('is shown whole, whichever of its transactions is named', async () => {
    const { output, exitCode } = await show(payment.id);
    expect(exitCode).toBe(0);
    expect(output).toContain(`Payment ${payment.id}\nChannel Demo channel (`);
    expect(output).toContain('EUR authorized 100.00, captured 60.00, refunded 10.00\n');
    expect(output).toContain(
      `[${'█'.repeat(20)}${'▓'.repeat(4)}${'░'.repeat(16)}]  █ kept 50.00  ▓ refunded 10.00  ░ open 40.00\n`,
    );
    expect(output).toMatch(
      /TransactionRequested +[0-9a-f]{32} +refund 10\.00 EUR +100\.00 +60\.00 +0\.00\n/,
    );
    expect((await show(payment.refundId)).output).toBe(output);
  });

  it('is shown as it was at any instant', async () => {
    const times = await instants();
    const end = (await show(`${payment.id} --at ${times[3]} --json`)).json();
    expect(end).toMatchObject({ version: 4, latestVersion: 6 });
    expect(end.totals).toMatchObject({ authorized: '10000', captured: '6000', refunded: '0' });
    const before = (await show(`${payment.id} --at ${times[1]}`)).output;
    expect(before).toContain('event 2 of 6\nEUR authorized 100.00, captured 0.00, refunded 0.00\n');
    const early = await show(`${payment.id} --at 2020-01-01`);
    expect([early.exitCode, early.output]).toEqual([
      0,
      `Payment ${payment.id} had no events yet.\n`,
    ]);
  });

  it('is shown as it was after each event', async () => {
    const captured: unknown[] = [];
    for (const version of [1, 2, 3, 4, 5, 6, 7]) {
      const { totals, transactions } = (
        await show(`${payment.id} --version ${version} --json`)
      ).json();
      captured.push([totals.captured, totals.captureOpen, totals.refunded, transactions.length]);
    }
    expect(captured).toEqual([
      ['0', '0', '0', 1],
      ['0', '0', '0', 1],
      ['0', '6000', '0', 2],
      ['6000', '0', '0', 2],
      ['6000', '0', '0', 3],
      ['6000', '0', '1000', 3],
      ['6000', '0', '1000', 3],
    ]);
  });

  it('never shows personal data or what opens a card', async () => {
    for (const flag of ['', '--json']) {
      const { output } = await show(`${payment.id} ${flag}`);
      expect(output).toContain(payment.captureId);
      expect(output).not.toMatch(/c2VhbGVk|vault-0:secret/);
    }
    const { events } = (await show(`${payment.id} --json`)).json();
    expect(events[0].data).toMatchObject({ personal: '(not shown)' });
  });
});

describe('a payment that took a route after another', () => {
  it('is shown with the way it took, why, and how it came there', async () => {
    const id = await fixture.reroutedPayment();
    const { output } = await show(id);
    expect(output).toContain(
      `Merchant account ${'b'.repeat(32)} (second)\n` +
        `Route ${'b'.repeat(32)}: weight of 2 candidates, weight 70 of 100, drawn 12\n`,
    );
    expect(output).toMatch(/TransactionRerouted +[0-9a-f]{32} +notReachable to second +0\.00/);
    expect((await show(`${id} --version 1`)).output).toContain('(first)');
    const [transaction] = (await show(`${id} --json`)).json().transactions;
    expect(transaction).toMatchObject({
      request: { connector: 'second', acquirerReference: `${id}-2` },
      failedAttempts: [{ reason: 'notReachable', route: { routeId: 'a'.repeat(32) } }],
    });
  });
});

describe('a payment that one acquirer has declined and another one approved', () => {
  it('is shown with what the first one said', async () => {
    const decline = { resultCode: '800.100.190', resultDetails: { MerchantAdviceCode: '22' } };
    const id = await fixture.reroutedPayment({ reason: 'declined', decline });
    const { output } = await show(id);
    expect(output).toMatch(
      /TransactionRerouted +[0-9a-f]{32} +declined 800\.100\.190 to second +0\.00/,
    );
    const [transaction] = (await show(`${id} --json`)).json().transactions;
    expect(transaction).toMatchObject({ failedAttempts: [{ reason: 'declined', decline }] });
  });
});

describe('a payment that is not there', () => {
  it('is said so', async () => {
    const { exitCode, errors } = await show('f'.repeat(32));
    expect(errors).toBe(`There is no stream or transaction ${'f'.repeat(32)} in payments.\n`);
    expect(exitCode).toBe(1);
  });
});
