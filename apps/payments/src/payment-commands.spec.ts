import { describe, expect, it } from '@jest/globals';
import type { InitiatePayment, ReferToPayment } from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { Opened } from '@sluice/messaging';
import { initiateCommand, type PaymentSoFar, referenceCommand } from './payment-commands.js';

const transactionId = '01a200455885ed5bf7da20fccea873d4' as TransactionId;
const context = {
  ...{ entityId: '8a8294174b7ecb28014b9699220015ca' as EntityId, channelName: 'demo', ndc: 'n' },
  ...{ manualChargebacks: true, receivedAtMs: 0, actor: 'token' },
};
const message = { id: 'message', correlationId: 'ndc-1' };
const amount = { minor: '100', currency: 'EUR' };
const circumstances = {
  ...{ nowMs: 1_000_000, sendWindowMs: 2_000, personal: undefined },
  way: { connector: { name: 'acquirer', capabilities: { callTimeoutMs: 20_000 } } },
} as unknown as Parameters<typeof initiateCommand>[1];
const soFar = { rules: {}, mode: 'INTERNAL' } as PaymentSoFar;

function initiation(fields: Partial<InitiatePayment['data']> = {}) {
  const instrument = { kind: 'virtualAccount', brand: 'PAYPAL' };
  const initial = { transactionId, operation: 'debit', amount, instrument, parameters: {} };
  const data = { ...initial, context: { ...context, mode: 'INTERNAL' }, ...fields };
  return initiateCommand({ ...message, data } as unknown as Opened<InitiatePayment>, circumstances);
}

function referring(operation: string, fields: Partial<ReferToPayment['data']> = {}) {
  const referring = { transactionId, referencedId: transactionId, operation, amount };
  const data = { ...referring, final: false, parameters: {}, context, ...fields };
  const opened = { ...message, data } as unknown as Opened<ReferToPayment>;
  return referenceCommand(opened, soFar, circumstances);
}

describe('a new payment', () => {
  it('has the limit of captures that was asked for, or none', () => {
    expect(initiation({ numberOfCaptures: 2 }).numberOfCaptures).toBe(2);
    expect(initiation()).not.toHaveProperty('numberOfCaptures');
  });

  it('says that it has an address that is called, and not which (D-70)', () => {
    const notificationUrl = 'https://shop.example/told?shopper=jane-jones';
    const fields = { personal: { notificationUrl } } as unknown as Parameters<typeof initiation>[0];
    const command = initiation(fields);
    expect(command.metadata.hasNotificationUrl).toBe(true);
    expect(JSON.stringify(command.metadata)).not.toContain('jane-jones');
    expect(initiation().metadata).not.toHaveProperty('hasNotificationUrl');
  });

  it('can reach its acquirer until the send window and the time of a call are over (D-25)', () => {
    expect(initiation().request.deadlineMs).toBe(1_000_000 + 2_000 + 20_000);
  });
});

describe('a rebill that was refused for its request', () => {
  it('says why, where the code does not', () => {
    const refused = { rejection: '600.200.500', rejectionDescription: 'no 3-D Secure' };
    const described = { rejection: '600.200.500', resultDescription: 'no 3-D Secure' };
    expect(referring('rebill', refused)).toMatchObject(described);
    expect(referring('rebill')).not.toHaveProperty('resultDescription');
  });
});

describe.each(['chargeback', 'chargebackReversal'])('a %s', (operation) => {
  it.each([true, false])('is allowed where its channel may report it: %s', (manualChargebacks) => {
    const command = referring(operation, { context: { ...context, manualChargebacks } });
    expect(command).toMatchObject({ source: 'merchant', manualChargebacks });
  });

  it('is refused with the code that was found for its request', () => {
    expect(referring(operation, { rejection: '100.550.300' }).rejection).toBe('100.550.300');
    expect(referring(operation)).not.toHaveProperty('rejection');
  });
});
