import { describe, expect, it } from '@jest/globals';
import { newTransactionId } from '@sluice/identifiers';
import { type Ran, sluice } from './command-line-fixture.js';
import { approved, initiated, PaymentsFixture } from './payments-fixture.js';

const fixture = new PaymentsFixture();

function refill(line = ''): Promise<Ran> {
  return sluice(`marks refill ${line}`, { environment: fixture.environment });
}

/** A payment whose append left no mark of its agreement: its rows are lost. */
async function firstPayment(): Promise<string> {
  const id = newTransactionId(Date.now());
  const event = initiated(id, 1_000n);
  const parameters = {
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.source': 'CIT',
    'standingInstruction.numberOfInstallments': '3',
  };
  await fixture.append(id, [{ ...event, data: { ...event.data, parameters } } as typeof event]);
  await fixture.append(id, [approved(id)]);
  return id;
}

const markedStreams = async (): Promise<readonly string[]> => {
  const text = 'SELECT DISTINCT stream_id FROM payments.marks';
  const rows = await fixture.rows<{ stream_id: string }>('payments', text);
  return rows.map((row) => row.stream_id);
};

describe('marks refill', () => {
  it('says what is missing, adds it, and finds nothing more', async () => {
    await fixture.capturedPayment();
    const id = await firstPayment();
    const planned = await refill();
    expect(planned.exitCode).toBe(0);
    expect(planned.output).toMatch(
      /^Read 2 payments\.\nWould add [1-9] marks?, change 0 and remove 0\.\nNothing was done\. /,
    );
    expect(await markedStreams()).toEqual([]);
    const done = await refill('--execute --reason lost');
    expect(done.output).toMatch(
      /^Read 2 payments\.\nAdded [1-9] marks?, changed 0 and removed 0\.\n$/,
    );
    expect(await markedStreams()).toEqual([id]);
    const actions = 'SELECT action, reason FROM payments.operator_actions';
    expect(await fixture.rows('payments', actions)).toEqual([
      { action: 'refill marks', reason: 'lost' },
    ]);
    const again = await refill('--json');
    expect(again.json()).toEqual({ executed: false, streams: 2, added: 0, changed: 0, removed: 0 });
    expect((await refill()).output).toBe('Read 2 payments. All marks are what the events say.\n');
  });
});
