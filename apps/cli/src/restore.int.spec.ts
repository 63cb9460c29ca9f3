import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Ran, sluice } from './command-line-fixture.js';
import { PaymentsFixture } from './payments-fixture.js';

const fixture = new PaymentsFixture();
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

beforeAll(async () => {
  await fixture.capturedPayment();
  await fixture.rows(
    'payments',
    `UPDATE payments.relay_slots SET holder = gen_random_uuid(), leased_until = now() WHERE slot < 3`,
  );
});

const run = (
  words: readonly string[],
  environment: NodeJS.ProcessEnv = fixture.environment,
): Promise<Ran> => sluice(['restore', 'finish', ...words], { environment });

async function incarnation(): Promise<string> {
  const rows = await fixture.rows<{ id: string }>(
    'payments',
    'SELECT id FROM payments.incarnation',
  );
  return rows[0]?.id ?? '';
}

const actions = () =>
  fixture.rows(
    'payments',
    'SELECT action, reason, details FROM payments.operator_actions ORDER BY id',
  );

describe('a restored store', () => {
  it('is not changed by a dry run, which says what it would do', async () => {
    const before = await incarnation();
    const { output, exitCode } = await run([]);
    expect(output).toBe(
      `The store of payments is ${before}. ` +
        `${/Its last event was recorded on \S+ \S+ UTC\./.exec(output)?.[0] ?? ''}\n` +
        'Would give it another incarnation. Events of this one that topics still have, and the ' +
        'store has lost, are passed over from then on.\n' +
        'Would free 3 slots of the outbox that relays held when the backup was made.\n' +
        'Would leave 0 events in the outbox: they are published, some of them again.\n' +
        'Would leave 0 streams to the sweeper, which does what is due in them.\n' +
        'Reporting would rebuild transactions from the store; tables 1, which queries read until ' +
        'then, are made of no store yet.\n' +
        'Nothing was done. Add --execute to do it.\n',
    );
    expect([exitCode, await incarnation()]).toEqual([0, before]);
    const asJson = await run(['--json']);
    expect(asJson.json()).toMatchObject({ executed: false, store: { incarnation: before } });
  });

  it('has another incarnation afterwards, and the reason is recorded', async () => {
    const before = await incarnation();
    const { output, exitCode } = await run(['--execute', '--reason', 'a drill']);
    const after = await incarnation();
    expect(after).not.toBe(before);
    expect(output).toMatch(
      new RegExp(
        `^The store of payments is ${before}\\. .*\nIt is ${after} now\\.\nFreed 3 slots of the outbox\\.\n` +
          'Reporting rebuilds transactions .*\nSee "sluice projections list"',
      ),
    );
    expect(exitCode).toBe(0);
    expect(await actions()).toEqual([
      { action: 'finish restore', reason: 'a drill', details: { incarnation: before } },
    ]);
  });

  it('may be finished twice, which costs one more rebuild and nothing else', async () => {
    const before = await incarnation();
    const { json, exitCode } = await run(['--execute', '--json']);
    expect(json()).toMatchObject({ executed: true, before, slotsFreed: 0 });
    expect(json().after).toMatch(new RegExp(`^${UUID}$`));
    expect(exitCode).toBe(0);
    expect(await actions()).toHaveLength(2);
  });

  it('is finished without reporting as well, where nobody has said where that is', async () => {
    const { PAYMENTS_DATABASE_URL, PAYMENTS_OWNER_DATABASE_URL } = fixture.environment;
    const environment = { PAYMENTS_DATABASE_URL, PAYMENTS_OWNER_DATABASE_URL };
    const { output } = await run([], environment);
    expect(output).toContain('Reporting would rebuild its tables from the store.\n');
  });

  it('is changed by its owner alone', async () => {
    const before = await incarnation();
    const environment = {
      ...fixture.environment,
      PAYMENTS_OWNER_DATABASE_URL: fixture.services.payments.appUrl,
    };
    const { errors, exitCode } = await run(['--execute'], environment);
    expect(errors).toBe('The database role may not do that.\n');
    expect([exitCode, await incarnation()]).toEqual([1, before]);
  });
});
