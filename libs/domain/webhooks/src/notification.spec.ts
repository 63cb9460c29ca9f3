import { describe, expect, it } from '@jest/globals';
import type { TransactionId } from '@sluice/identifiers';
import { catalogue } from '@sluice/parameters';
import { customerData, neverNotified, toldNevertheless, without } from './customer-data.js';
import { ANSWER, ENTITY, notificationOf } from './notification-fixture.js';
import { type Notification, notificationText, TEST_TEXT } from './notification.js';

const REFERENCE = '0194670a0000abcd0000000000000009' as TransactionId;

function told(changes: Partial<Notification> = {}, fields: 'ALL' | 'NON_CUSTOMER_DATA' = 'ALL') {
  return JSON.parse(notificationText(notificationOf(changes), fields)) as {
    type: string;
    action?: string;
    payload: Record<string, unknown>;
  };
}

describe('the text of a notification', () => {
  it('has type and payload, in this order', () => {
    expect(notificationText(notificationOf(), 'ALL')).toMatch(
      /^\{"type":"PAYMENT","payload":\{"id"/,
    );
  });

  it('has as its payload what is answered of the payment, and what notifications alone have', () => {
    const { threeDSecure: _, ...answer } = ANSWER;
    expect(told().payload).toEqual({
      ...answer,
      threeDSecure: { eci: '05' },
      source: 'SYSTEM',
      authentication: { entityId: ENTITY },
      channelName: 'demo',
      sequence: 3,
    });
  });

  it('has what the shopper saw of the amount, where that was something else', () => {
    const presentation = { amount: '100.00', currency: 'USD' };
    const { payload } = told({ notified: { type: 'PAYMENT', source: 'MACRETRY', presentation } });
    expect(payload).toMatchObject({
      ...{ amount: '92.00', currency: 'EUR', source: 'MACRETRY' },
      ...{ presentationAmount: '100.00', presentationCurrency: 'USD' },
    });
  });

  it.each(['CREATED', 'UPDATED', 'DELETED'] as const)(
    'has the action %s, of a registration alone',
    (action) => {
      expect(told({ notified: { type: 'REGISTRATION', action } })).toMatchObject({
        ...{ type: 'REGISTRATION', action },
        payload: { id: ANSWER.id },
      });
      expect(told()).not.toHaveProperty('action');
    },
  );

  it.each(['SCHEDULER', 'MACRETRY'] as const)('of a schedule says that it is of %s', (source) => {
    const { payload } = told({ notified: { type: 'SCHEDULE', source } });
    expect(payload).toMatchObject({ paymentType: 'SD', source });
  });

  it('of an assessment names the payment that was assessed, if there is one', () => {
    const { payload } = told({ notified: { type: 'RISK', referencedId: REFERENCE } });
    expect(payload).toMatchObject({
      ...{ paymentType: 'RI', paymentMethod: 'RM', referencedId: REFERENCE },
    });
    expect(told({ notified: { type: 'RISK' } }).payload).not.toHaveProperty('referencedId');
  });

  it('of a test has the small letters that two clients look for', () => {
    expect(TEST_TEXT).toBe('{"type":"test","payload":{}}');
  });

  it('has a custom parameter of any name', () => {
    const customParameters = JSON.parse('{"__proto__": "x", "constructor": "y"}') as object;
    const text = notificationText(notificationOf({ answer: { customParameters } }), 'ALL');
    expect(text).toContain('"customParameters":{"__proto__":"x","constructor":"y"}');
  });
});

describe('what is left out', () => {
  it('is the customer, and what would name the customer, where that is wanted', () => {
    const { payload } = told({}, 'NON_CUSTOMER_DATA');
    for (const name of ['customer', 'billing', 'cart', 'customParameters']) {
      expect(payload).not.toHaveProperty(name);
    }
    expect(payload).toMatchObject({
      ...{ id: ANSWER.id, amount: '92.00', merchantTransactionId: 'order-1042' },
      ...{ card: { bin: '420000', last4Digits: '0000', expiryMonth: '05' } },
      ...{ merchant: { name: 'Shop' }, ndc: 'checkout-1' },
    });
    expect(JSON.stringify(payload)).not.toMatch(/jane|ulm/i);
  });

  it('is what would pay, always', () => {
    expect(JSON.stringify([told(), told({}, 'NON_CUSTOMER_DATA')])).not.toContain('cryptogram');
  });

  it('leaves no empty object behind, and one that was sent so', () => {
    const answer = { job: { name: 'Jane' }, resultDetails: {}, risk: undefined };
    expect(without(answer, customerData)).toEqual({ resultDetails: {} });
  });

  it('has every personal or secret parameter that is echoed', () => {
    const decided = Object.keys({ ...customerData, ...neverNotified, ...toldNevertheless });
    const undecided = Object.entries(catalogue)
      .filter(([, { sensitivity, echo }]) => sensitivity !== 'none' && echo)
      .map(([name]) => name)
      .filter((name) => !decided.some((path) => new RegExp(`^${path}(?:$|[.[])`).test(name)));
    expect(undecided).toEqual([]);
  });
});
