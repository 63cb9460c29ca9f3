import { describe, expect, it } from '@jest/globals';
import { asExpired, decide, initialState, paymentDecider } from '@sluice/domain-payments';
import { noSetClocks } from '@sluice/service';
import { fixedClock } from '@sluice/testing';
import { context } from '../test/payments-fixture.js';
import { ScriptedConnector } from '../test/scripted-connector.js';
import { Connectors } from './connectors.js';
import { paymentAggregate } from './payment-aggregate.js';
import { initiateCommand } from './payment-commands.js';
import { PaymentsSettings } from './settings.js';

const clock = fixedClock(Date.UTC(2026, 0, 15));
const connector = new ScriptedConnector();
const schedule = Object.assign(new PaymentsSettings(), { clockMarginMs: 0 });
const { dueAtMs } = paymentAggregate(new Connectors([connector], 1), schedule, noSetClocks);

const requested = decide(
  initiateCommand(
    {
      id: 'message',
      type: 'InitiatePayment',
      data: {
        ...{ transactionId: '0194670a0000abcd0000000000000001', operation: 'debit' },
        instrument: {
          ...{ kind: 'card', vaultReference: 'vault-1', bin: '420000', last4: '0000' },
          ...{ brand: 'VISA', expiryMonth: '12', expiryYear: '2030' },
        },
        amount: { minor: '100', currency: 'EUR' },
        ...{ context: context(), parameters: {}, personal: {} },
      },
    } as never,
    { nowMs: clock.now(), way: { connector }, sendWindowMs: 2_000, personal: undefined },
  ),
  initialState,
);
const { evolve } = paymentDecider;

describe('a payment whose call is under way', () => {
  it('is due when its lease is over, so that a dead process is noticed', () => {
    const state = requested.reduce(evolve, initialState);
    expect(dueAtMs?.(state, clock.now())).toBe(clock.now() + 60_000);
  });
});

describe('a payment whose command was too old', () => {
  it('is recorded without a request, and never due', () => {
    const expired = asExpired(requested, clock.now());
    expect(expired.map(({ type }) => type)).toEqual([
      ...['PaymentInitiated', 'TransactionNotPerformed'],
    ]);
    expect(expired[0]?.data).not.toHaveProperty('request.acquirerReference');
    const state = expired.reduce(evolve, initialState);
    expect(dueAtMs?.(state, clock.now())).toBeNull();
  });
});
